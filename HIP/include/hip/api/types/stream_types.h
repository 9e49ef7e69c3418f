/// Flags of streams and events, operations on memory in stream order, and capture.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/handles.h>

// Flags of hipStreamCreateWithFlags. A stream is ordered with the null stream unless it is
// non-blocking.
#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01

// Flags of hipEventCreateWithFlags. At most one of the two releases may be given.
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000

// Flags of hipEventRecordWithFlags and hipStreamWaitEvent: "external" makes a node of a captured
// graph, not an edge.
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01

// Conditions of hipStreamWaitValue32 and hipStreamWaitValue64, on m = *address & mask.
#define hipStreamWaitValueGte 0x0 ///< m >= value
#define hipStreamWaitValueEq 0x1  ///< m == value
#define hipStreamWaitValueAnd 0x2 ///< (m & value) != 0
#define hipStreamWaitValueNor 0x3 ///< ~(m | value) != 0

/// The function that hipStreamAddCallback calls. `status` tells how the earlier work ended.
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *user_data);

typedef enum hipStreamBatchMemOpType {
  hipStreamMemOpWaitValue32 = 0x1,
  hipStreamMemOpWriteValue32 = 0x2,
  hipStreamMemOpFlushRemoteWrites = 0x3,
  hipStreamMemOpWaitValue64 = 0x4,
  hipStreamMemOpWriteValue64 = 0x5,
  hipStreamMemOpBarrier = 0x6
} hipStreamBatchMemOpType;

/// One operation of hipStreamBatchMemOp; `operation` says which member holds it.
typedef union hipStreamBatchMemOpParams_union {
  hipStreamBatchMemOpType operation;
  struct hipStreamMemOpWaitValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;   ///< hipStreamWaitValue*
    hipDeviceptr_t alias; ///< Not used.
  } waitValue;
  struct hipStreamMemOpWriteValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias; ///< Not used.
  } writeValue;
  struct hipStreamMemOpFlushRemoteWritesParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } flushRemoteWrites;
  struct hipStreamMemOpMemoryBarrierParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } memoryBarrier;
  uint64_t pad[6];
} hipStreamBatchMemOpParams;

/// Which calls a capture forbids, and to whom, because they could break it.
typedef enum hipStreamCaptureMode {
  hipStreamCaptureModeGlobal = 0,      ///< To all threads.
  hipStreamCaptureModeThreadLocal = 1, ///< To the capturing thread.
  hipStreamCaptureModeRelaxed = 2      ///< To nobody.
} hipStreamCaptureMode;

typedef enum hipStreamCaptureStatus {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive = 1,
  hipStreamCaptureStatusInvalidated = 2 ///< Broken, and not ended yet.
} hipStreamCaptureStatus;

/// What hipStreamUpdateCaptureDependencies does with the nodes it is given.
typedef enum hipStreamUpdateCaptureDependenciesFlags {
  hipStreamAddCaptureDependencies = 0,
  hipStreamSetCaptureDependencies = 1
} hipStreamUpdateCaptureDependenciesFlags;
