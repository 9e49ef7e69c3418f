/// Graphs: kinds and parameters of nodes, results, flags.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/external_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/memory_types.h>
#include <hip/api/types/stream_types.h>

typedef enum hipGraphNodeType {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy = 1,
  hipGraphNodeTypeMemset = 2,
  hipGraphNodeTypeHost = 3,
  hipGraphNodeTypeGraph = 4, ///< A child graph.
  hipGraphNodeTypeEmpty = 5,
  hipGraphNodeTypeWaitEvent = 6,
  hipGraphNodeTypeEventRecord = 7,
  hipGraphNodeTypeExtSemaphoreSignal = 8,
  hipGraphNodeTypeExtSemaphoreWait = 9,
  hipGraphNodeTypeMemAlloc = 10,
  hipGraphNodeTypeMemFree = 11,
  hipGraphNodeTypeMemcpyFromSymbol = 12,
  hipGraphNodeTypeMemcpyToSymbol = 13,
  hipGraphNodeTypeBatchMemOp = 14,
  hipGraphNodeTypeCount
} hipGraphNodeType;

// Parameters of nodes

typedef struct hipKernelNodeParams {
  dim3 blockDim; ///< Threads.
  void **extra;  ///< HIP_LAUNCH_PARAM_*, or null.
  void *func;
  dim3 gridDim; ///< Blocks.
  void **kernelParams;
  unsigned int sharedMemBytes; ///< Dynamic.
} hipKernelNodeParams;

typedef struct hipHostNodeParams {
  hipHostFn_t fn;
  void *userData;
} hipHostNodeParams;

typedef struct hipMemcpyNodeParams {
  int flags;       ///< 0
  int reserved[3]; ///< 0
  hipMemcpy3DParms copyParams;
} hipMemcpyNodeParams;

typedef struct hipMemsetParams {
  void *dst;
  unsigned int elementSize; ///< 1, 2 or 4 bytes.
  size_t height;            ///< Rows.
  size_t pitch;             ///< Bytes; not used where the height is 1.
  unsigned int value;
  size_t width; ///< Elements.
} hipMemsetParams;

/// For the driver functions. HIP 7 has hipMemsetParams there, too.
#if !HIP_API_IS_7
typedef struct HIP_MEMSET_NODE_PARAMS {
  hipDeviceptr_t dst;
  size_t pitch; ///< Bytes; not used where the height is 1.
  unsigned int value;
  unsigned int elementSize; ///< 1, 2 or 4 bytes.
  size_t width;             ///< Elements.
  size_t height;            ///< Rows.
} HIP_MEMSET_NODE_PARAMS;
#define HIP_API_DRV_MEMSET_PARAMS HIP_MEMSET_NODE_PARAMS
#else
#define HIP_API_DRV_MEMSET_PARAMS hipMemsetParams
#endif

typedef struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  const hipMemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize; ///< The size of the allocation in bytes.
  void *dptr;      ///< Set by the call: the address that the memory will have.
} hipMemAllocNodeParams;

typedef struct hipMemFreeNodeParams {
  void *dptr;
} hipMemFreeNodeParams;

typedef struct hipChildGraphNodeParams {
  hipGraph_t graph;
} hipChildGraphNodeParams;

typedef struct hipEventWaitNodeParams {
  hipEvent_t event;
} hipEventWaitNodeParams;

typedef struct hipEventRecordNodeParams {
  hipEvent_t event;
} hipEventRecordNodeParams;

typedef struct hipExternalSemaphoreSignalNodeParams {
  hipExternalSemaphore_t *extSemArray;
  const hipExternalSemaphoreSignalParams *paramsArray;
  unsigned int numExtSems;
} hipExternalSemaphoreSignalNodeParams;

typedef struct hipExternalSemaphoreWaitNodeParams {
  hipExternalSemaphore_t *extSemArray;
  const hipExternalSemaphoreWaitParams *paramsArray;
  unsigned int numExtSems;
} hipExternalSemaphoreWaitNodeParams;

typedef struct hipBatchMemOpNodeParams {
  hipCtx_t ctx;
  unsigned int count;
  hipStreamBatchMemOpParams *paramArray;
  unsigned int flags;
} hipBatchMemOpNodeParams;

/// A node of any kind, for hipGraphAddNode.
typedef struct hipGraphNodeParams {
  hipGraphNodeType type;
  int reserved0[3]; ///< 0
  union {
    long long reserved1[29];
    hipKernelNodeParams kernel;
    hipMemcpyNodeParams memcpy;
    hipMemsetParams memset;
    hipHostNodeParams host;
    hipChildGraphNodeParams graph;
    hipEventWaitNodeParams eventWait;
    hipEventRecordNodeParams eventRecord;
    hipExternalSemaphoreSignalNodeParams extSemSignal;
    hipExternalSemaphoreWaitNodeParams extSemWait;
    hipMemAllocNodeParams alloc;
    hipMemFreeNodeParams free;
  };
  long long reserved2; ///< 0
} hipGraphNodeParams;

// Edges

#define hipGraphKernelNodePortDefault 0
#define hipGraphKernelNodePortProgrammatic 1
#define hipGraphKernelNodePortLaunchCompletion 2

typedef enum hipGraphDependencyType {
  hipGraphDependencyTypeDefault = 0,
  hipGraphDependencyTypeProgrammatic = 1
} hipGraphDependencyType;

/// All zero is a plain edge: the second node starts when the first has ended.
typedef struct hipGraphEdgeData {
  unsigned char from_port; ///< hipGraphKernelNodePort*
  unsigned char reserved[5];
  unsigned char to_port;
  unsigned char type; ///< A hipGraphDependencyType.
} hipGraphEdgeData;

// Instantiation and update

typedef enum hipGraphInstantiateFlags {
  hipGraphInstantiateFlagAutoFreeOnLaunch = 1, ///< Frees what the last launch left allocated.
  hipGraphInstantiateFlagUpload = 2,
  hipGraphInstantiateFlagDeviceLaunch = 4,
  hipGraphInstantiateFlagUseNodePriority = 8
} hipGraphInstantiateFlags;

typedef enum hipGraphInstantiateResult {
  hipGraphInstantiateSuccess = 0,
  hipGraphInstantiateError = 1,
  hipGraphInstantiateInvalidStructure = 2,
  hipGraphInstantiateNodeOperationNotSupported = 3,
  hipGraphInstantiateMultipleDevicesNotSupported = 4
} hipGraphInstantiateResult;

typedef struct hipGraphInstantiateParams {
  hipGraphNode_t errNode_out; ///< The node that was at fault, or null.
  unsigned long long flags;
  hipGraphInstantiateResult result_out;
  hipStream_t uploadStream; ///< For hipGraphInstantiateFlagUpload.
} hipGraphInstantiateParams;

/// Why a graph could not take the place of the one that was instantiated.
typedef enum hipGraphExecUpdateResult {
  hipGraphExecUpdateSuccess = 0x0,
  hipGraphExecUpdateError = 0x1,
  hipGraphExecUpdateErrorTopologyChanged = 0x2,
  hipGraphExecUpdateErrorNodeTypeChanged = 0x3,
  hipGraphExecUpdateErrorFunctionChanged = 0x4,
  hipGraphExecUpdateErrorParametersChanged = 0x5,
  hipGraphExecUpdateErrorNotSupported = 0x6,
  hipGraphExecUpdateErrorUnsupportedFunctionChange = 0x7
} hipGraphExecUpdateResult;

/// Memory of all graphs of a device: uint64_t in bytes; the highest values can be set to 0.
typedef enum hipGraphMemAttributeType {
  hipGraphMemAttrUsedMemCurrent = 0,
  hipGraphMemAttrUsedMemHigh = 1,
  hipGraphMemAttrReservedMemCurrent = 2,
  hipGraphMemAttrReservedMemHigh = 3
} hipGraphMemAttributeType;

typedef enum hipUserObjectFlags { hipUserObjectNoDestructorSync = 0x1 } hipUserObjectFlags;

/// "Move" hands the caller's own references to the graph.
typedef enum hipUserObjectRetainFlags { hipGraphUserObjectMove = 0x1 } hipUserObjectRetainFlags;

/// What hipGraphDebugDotPrint writes.
enum hipGraphDebugDotFlags {
  hipGraphDebugDotFlagsVerbose = 1 << 0,
  hipGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  hipGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  hipGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  hipGraphDebugDotFlagsHostNodeParams = 1 << 5,
  hipGraphDebugDotFlagsEventNodeParams = 1 << 6,
  hipGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  hipGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  hipGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  hipGraphDebugDotFlagsHandles = 1 << 10
};
