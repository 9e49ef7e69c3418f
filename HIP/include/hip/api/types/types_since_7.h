/// Descriptions that functions of HIP 7 take.
#pragma once

#include <hip/api/types/array_types.h>
#include <hip/api/types/copy_types.h>
#include <hip/api/types/memory_types.h>

// Batches of copies

/// When the source of a copy is read.
typedef enum hipMemcpySrcAccessOrder {
  hipMemcpySrcAccessOrderInvalid = 0x0,
  hipMemcpySrcAccessOrderStream = 0x1,        ///< In the order of the stream.
  hipMemcpySrcAccessOrderDuringApiCall = 0x2, ///< Before the call returns.
  hipMemcpySrcAccessOrderAny = 0x3,           ///< At any time: nobody changes it.
  hipMemcpySrcAccessOrderMax = 0x7FFFFFFF
} hipMemcpySrcAccessOrder;

typedef enum hipMemcpyFlags {
  hipMemcpyFlagDefault = 0x0,
  hipMemcpyFlagPreferOverlapWithCompute = 0x1 ///< A hint.
} hipMemcpyFlags;

/// Attributes of some copies of hipMemcpyBatchAsync. The locations are hints.
typedef struct hipMemcpyAttributes {
  hipMemcpySrcAccessOrder srcAccessOrder;
  hipMemLocation srcLocHint;
  hipMemLocation dstLocHint;
  unsigned int flags; ///< hipMemcpyFlags
} hipMemcpyAttributes;

/// A position in an array, in elements, rows and slices.
typedef struct hipOffset3D {
  size_t x;
  size_t y;
  size_t z;
} hipOffset3D;

typedef enum hipMemcpy3DOperandType {
  hipMemcpyOperandTypePointer = 0x1,
  hipMemcpyOperandTypeArray = 0x2,
  hipMemcpyOperandTypeMax = 0x7FFFFFFF
} hipMemcpy3DOperandType;

/// One side of a copy of hipMemcpy3DBatchAsync.
typedef struct hipMemcpy3DOperand {
  hipMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength;       ///< From row to row, in elements; 0: the width of the copy.
      size_t layerHeight;     ///< From slice to slice, in rows; 0: the height of the copy.
      hipMemLocation locHint; ///< A hint.
    } ptr;
    struct {
      hipArray_t array;
      hipOffset3D offset;
    } array;
  } op;
} hipMemcpy3DOperand;

/// A copy of hipMemcpy3DBatchAsync. The extent is in elements where an array takes part, and in
/// bytes otherwise.
typedef struct hipMemcpy3DBatchOp {
  hipMemcpy3DOperand src;
  hipMemcpy3DOperand dst;
  hipExtent extent;
  hipMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags; ///< hipMemcpyFlags
} hipMemcpy3DBatchOp;

/// A copy of hipMemcpy3DPeer: each side is either an array or a pitched pointer.
typedef struct hipMemcpy3DPeerParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  int srcDevice;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  int dstDevice;
  hipExtent extent; ///< In elements where an array takes part, and in bytes otherwise.
} hipMemcpy3DPeerParms;

// Handles of memory for others

typedef enum hipMemRangeHandleType {
  hipMemRangeHandleTypeDmaBufFd = 0x1,
  hipMemRangeHandleTypeMax = 0x7fffffff
} hipMemRangeHandleType;

typedef enum hipMemRangeFlags {
  hipMemRangeFlagDmaBufMappingTypePcie = 0x1,
  hipMemRangeFlagsMax = 0x7fffffff
} hipMemRangeFlags;

// Code

typedef struct ihipLibrary_t *hipLibrary_t;
typedef struct ihipKernel_t *hipKernel_t;

/// How a look-up by hipGetDriverEntryPoint ended. The third is misspelt as in HIP.
typedef enum hipDriverEntryPointQueryResult {
  hipDriverEntryPointSuccess = 0,
  hipDriverEntryPointSymbolNotFound = 1,
  hipDriverEntryPointVersionNotSufficent = 2
} hipDriverEntryPointQueryResult;

// Flags of hipGetDriverEntryPoint: which default stream the function works on.
#define hipEnableDefault 0x0
#define hipEnableLegacyStream 0x1
#define hipEnablePerThreadDefaultStream 0x2

// Flags of hipGetProcAddress, likewise.
#define HIP_GET_PROC_ADDRESS_DEFAULT 0x0
#define HIP_GET_PROC_ADDRESS_LEGACY_STREAM 0x1
#define HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM 0x2

// Integers that hiprtc has as well

typedef signed char __hip_int8_t;
typedef unsigned char __hip_uint8_t;
typedef short __hip_int16_t;
typedef unsigned short __hip_uint16_t;
typedef int __hip_int32_t;
typedef unsigned int __hip_uint32_t;
typedef long long __hip_int64_t;
typedef unsigned long long __hip_uint64_t;
