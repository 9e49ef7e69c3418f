/// Attributes of kernels and descriptions of launches.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/handles.h>

// Tags in the `extra` array of hipModuleLaunchKernel, which passes all arguments as one buffer:
// {BUFFER_POINTER, address, BUFFER_SIZE, pointer to a size_t in bytes, END}.
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define HIP_LAUNCH_PARAM_END ((void *)0x03)

/// Flag of hipExtLaunchKernel: the kernel need not wait for earlier work of its stream.
#define hipExtAnyOrderLaunch 0x01

// Flags of the occupancy functions.
#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01

// Flags of hipLaunchCooperativeKernelMultiDevice: which side need not wait for the other devices.
#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02

/// What hipFuncGetAttributes stores. Sizes are in bytes.
typedef struct hipFuncAttributes {
  int binaryVersion;
  int cacheModeCA;
  size_t constSizeBytes;
  size_t localSizeBytes; ///< Private memory, per thread.
  int maxDynamicSharedSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;                ///< Registers of 32 bits, per thread.
  int preferredShmemCarveout; ///< Per cent, or -1 for no preference.
  int ptxVersion;
  size_t sharedSizeBytes; ///< Statically allocated, per block.
} hipFuncAttributes;

/// What hipFuncSetAttribute changes.
typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,    ///< Bytes.
  hipFuncAttributePreferredSharedMemoryCarveout = 9, ///< Percent; a hint.
  hipFuncAttributeMax
} hipFuncAttribute;

/// How memory on chip is divided between cache and shared memory: a hint.
typedef enum hipFuncCache_t {
  hipFuncCachePreferNone = 0,
  hipFuncCachePreferShared = 1,
  hipFuncCachePreferL1 = 2,
  hipFuncCachePreferEqual = 3
} hipFuncCache_t;

typedef enum hipSharedMemConfig {
  hipSharedMemBankSizeDefault = 0,
  hipSharedMemBankSizeFourByte = 1,
  hipSharedMemBankSizeEightByte = 2
} hipSharedMemConfig;

/// The launch on one device of hipLaunchCooperativeKernelMultiDevice.
typedef struct hipLaunchParams_t {
  void *func;
  dim3 gridDim;  ///< Blocks.
  dim3 blockDim; ///< Threads.
  void **args;
  size_t sharedMem; ///< Dynamic, bytes.
  hipStream_t stream;
} hipLaunchParams;

/// The launch on one device of hipModuleLaunchCooperativeKernelMultiDevice.
typedef struct hipFunctionLaunchParams_t {
  hipFunction_t function;
  unsigned int gridDimX; ///< Blocks.
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX; ///< Threads.
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes; ///< Dynamic.
  hipStream_t hStream;
  void **kernelParams;
} hipFunctionLaunchParams;

/// How a look-up by hipGetProcAddress ended.
typedef enum hipDriverProcAddressQueryResult {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} hipDriverProcAddressQueryResult;

typedef enum hipAccessProperty {
  hipAccessPropertyNormal = 0,
  hipAccessPropertyStreaming = 1,
  hipAccessPropertyPersisting = 2
} hipAccessProperty;

/// Memory that a launch would like to find in the cache, or not.
typedef struct hipAccessPolicyWindow {
  void *base_ptr;
  hipAccessProperty hitProp;
  float hitRatio; ///< The part of the window, 0 to 1, that gets hitProp; the rest gets missProp.
  hipAccessProperty missProp;
  size_t num_bytes; ///< The size of the window in bytes.
} hipAccessPolicyWindow;

#if HIP_API_HAS_7
/// How a host thread waits for a stream.
typedef enum hipSynchronizationPolicy {
  hipSyncPolicyAuto = 1,
  hipSyncPolicySpin = 2,
  hipSyncPolicyYield = 3,
  hipSyncPolicyBlockingSync = 4
} hipSynchronizationPolicy;

/// Which memory operations a fence of a kernel orders: those of kernels in the same domain.
typedef enum hipLaunchMemSyncDomain {
  hipLaunchMemSyncDomainDefault = 0,
  hipLaunchMemSyncDomainRemote = 1
} hipLaunchMemSyncDomain;

/// The physical domains that the two stand for.
typedef struct hipLaunchMemSyncDomainMap {
  unsigned char default_;
  unsigned char remote;
} hipLaunchMemSyncDomainMap;
#endif

typedef enum hipLaunchAttributeID {
  hipLaunchAttributeAccessPolicyWindow = 1,
  hipLaunchAttributeCooperative = 2,
#if HIP_API_HAS_7
  hipLaunchAttributeSynchronizationPolicy = 3, ///< Of streams only.
#endif
  hipLaunchAttributePriority = 8,
#if HIP_API_HAS_7
  hipLaunchAttributeMemSyncDomainMap = 9,
  hipLaunchAttributeMemSyncDomain = 10,
  hipLaunchAttributeMax
#endif
} hipLaunchAttributeID;

/// The library reads and writes only the member that an attribute has: the size is another in 7.
typedef union hipLaunchAttributeValue {
#if HIP_API_IS_7
  char pad[64];
#endif
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative; ///< 1 or 0.
  int priority;    ///< As for hipStreamCreateWithPriority.
#if HIP_API_HAS_7
  hipSynchronizationPolicy syncPolicy;
  hipLaunchMemSyncDomainMap memSyncDomainMap;
  hipLaunchMemSyncDomain memSyncDomain;
#endif
} hipLaunchAttributeValue;

#if HIP_API_HAS_7
// The attributes of a stream, and those of hipDrvLaunchKernelEx, are those of a launch.
#define hipStreamAttrID hipLaunchAttributeID
#define hipStreamAttrValue hipLaunchAttributeValue
#define hipStreamAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipStreamAttributeSynchronizationPolicy hipLaunchAttributeSynchronizationPolicy
#define hipStreamAttributeMemSyncDomainMap hipLaunchAttributeMemSyncDomainMap
#define hipStreamAttributeMemSyncDomain hipLaunchAttributeMemSyncDomain
#define hipStreamAttributePriority hipLaunchAttributePriority
#define hipDrvLaunchAttribute hipLaunchAttribute
#define hipDrvLaunchAttributeID hipLaunchAttributeID
#define hipDrvLaunchAttributeValue hipLaunchAttributeValue
#define hipDrvLaunchAttributeCooperative hipLaunchAttributeCooperative
#endif

/// One attribute of a launch. Its value takes 64 bytes, so that attributes added later fit.
typedef struct hipLaunchAttribute_st {
  hipLaunchAttributeID id;
  char pad[8 - sizeof(hipLaunchAttributeID)];
  union {
    hipLaunchAttributeValue val;
    hipLaunchAttributeValue value;
#if !HIP_API_IS_7
    char value_bytes[64];
#endif
  };
} hipLaunchAttribute;

/// A launch as hipLaunchKernelExC takes it.
typedef struct hipLaunchConfig_st {
  dim3 gridDim;            ///< Blocks.
  dim3 blockDim;           ///< Threads.
  size_t dynamicSmemBytes; ///< Dynamic shared memory.
  hipStream_t stream;
  hipLaunchAttribute *attrs;
  unsigned int numAttrs;
} hipLaunchConfig_t;

/// A launch as hipDrvLaunchKernelEx takes it.
typedef struct HIP_LAUNCH_CONFIG_st {
  unsigned int gridDimX; ///< Blocks.
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX; ///< Threads.
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes; ///< Dynamic.
  hipStream_t hStream;
  hipLaunchAttribute *attrs;
  unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

// The attributes of a kernel node are those of a launch.
#define hipKernelNodeAttrID hipLaunchAttributeID
#define hipKernelNodeAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipKernelNodeAttributeCooperative hipLaunchAttributeCooperative
#define hipKernelNodeAttributePriority hipLaunchAttributePriority
#define hipKernelNodeAttrValue hipLaunchAttributeValue
