/// Flags, attributes and descriptions for the memory functions.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/handles.h>

// Flags of hipHostMalloc and hipHostAlloc.
#define hipHostAllocDefault 0x0
#define hipHostMallocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostMallocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostMallocMapped 0x2
#define hipHostAllocWriteCombined 0x4
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000

#if HIP_API_HAS_7
#define hipHostAllocUncached 0x10000000
#define hipHostMallocUncached 0x10000000
#endif

// Flags of hipMallocManaged and hipStreamAttachMemAsync.
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04

// Flags of hipExtMallocWithFlags.
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4

// Flags of hipHostRegister.
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x08
#define hipExtHostRegisterCoarseGrained 0x8
#if HIP_API_HAS_7
#define hipExtHostRegisterUncached 0x80000000
#endif

/// What hipPointerGetAttributes stores about an address.
typedef struct hipPointerAttribute_t {
  enum hipMemoryType type;
  int device; ///< The number of the device, or -2 for memory that HIP does not know.
  void *devicePointer;
  void *hostPointer; ///< Null where the host cannot reach the memory.
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;

// Between processes

#define hipIpcMemLazyEnablePeerAccess 0x01
#define HIP_IPC_HANDLE_SIZE 64

typedef struct hipIpcMemHandle_st {
  char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcMemHandle_t;

typedef struct hipIpcEventHandle_st {
  char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcEventHandle_t;

// Managed memory

/// What hipMemAdvise tells about the use of managed memory.
typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6,
  hipMemAdviseSetCoarseGrain = 100, ///< Writes become visible only when a kernel ends.
  hipMemAdviseUnsetCoarseGrain = 101
} hipMemoryAdvise;

typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0,
  hipMemRangeCoherencyModeCoarseGrain = 1,
  hipMemRangeCoherencyModeIndeterminate = 2 ///< Both kinds of page occur in the range.
} hipMemRangeCoherencyMode;

typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1,
  hipMemRangeAttributePreferredLocation = 2,
  hipMemRangeAttributeAccessedBy = 3,
  hipMemRangeAttributeLastPrefetchLocation = 4,
  hipMemRangeAttributeCoherencyMode = 100
} hipMemRangeAttribute;

// Pools and virtual memory

typedef enum hipMemLocationType {
  hipMemLocationTypeInvalid = 0,
  hipMemLocationTypeDevice = 1,
#if HIP_API_HAS_7
  hipMemLocationTypeNone = 0,
  hipMemLocationTypeHost = 2,           ///< The number means nothing.
  hipMemLocationTypeHostNuma = 3,       ///< The number is that of a NUMA node.
  hipMemLocationTypeHostNumaCurrent = 4 ///< The calling thread's NUMA node.
#endif
} hipMemLocationType;

typedef struct hipMemLocation {
  hipMemLocationType type;
  int id; ///< The device's number, where the type is not another.
} hipMemLocation;

typedef enum hipMemAccessFlags {
  hipMemAccessFlagsProtNone = 0,
  hipMemAccessFlagsProtRead = 1,
  hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;

/// Who may do what with memory.
typedef struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
} hipMemAccessDesc;

typedef enum hipMemAllocationType {
  hipMemAllocationTypeInvalid = 0x0,
  hipMemAllocationTypePinned = 0x1, ///< Does not move from its location.
#if HIP_API_HAS_7
  hipMemAllocationTypeUncached = 0x40000000,
#endif
  hipMemAllocationTypeMax = 0x7FFFFFFF
} hipMemAllocationType;

/// How memory may be handed to another process.
typedef enum hipMemAllocationHandleType {
  hipMemHandleTypeNone = 0x0,
  hipMemHandleTypePosixFileDescriptor = 0x1,
  hipMemHandleTypeWin32 = 0x2,
  hipMemHandleTypeWin32Kmt = 0x4
} hipMemAllocationHandleType;

/// The reuse attributes are int (0, 1), all others uint64_t in bytes.
typedef enum hipMemPoolAttr {
  hipMemPoolReuseFollowEventDependencies = 0x1,
  hipMemPoolReuseAllowOpportunistic = 0x2,
  hipMemPoolReuseAllowInternalDependencies = 0x3,
  hipMemPoolAttrReleaseThreshold = 0x4, ///< The bytes that a synchronisation leaves in the pool.
  hipMemPoolAttrReservedMemCurrent = 0x5,
  hipMemPoolAttrReservedMemHigh = 0x6, ///< The highest value so far; can be set to 0.
  hipMemPoolAttrUsedMemCurrent = 0x7,
  hipMemPoolAttrUsedMemHigh = 0x8 ///< The highest value so far; can be set to 0.
} hipMemPoolAttr;

typedef struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;             ///< Bytes; 0 leaves it to the system.
  unsigned char reserved[56]; ///< 0
} hipMemPoolProps;

typedef struct hipMemPoolPtrExportData {
  unsigned char reserved[64];
} hipMemPoolPtrExportData;

typedef enum hipMemAllocationGranularity_flags {
  hipMemAllocationGranularityMinimum = 0x0,
  hipMemAllocationGranularityRecommended = 0x1
} hipMemAllocationGranularity_flags;

/// Physical memory that hipMemCreate makes.
typedef struct hipMemAllocationProp {
  hipMemAllocationType type;
#if HIP_API_IS_7
  union {
    hipMemAllocationHandleType requestedHandleType;
    hipMemAllocationHandleType requestedHandleTypes;
  };
#else
  hipMemAllocationHandleType requestedHandleType;
#endif
  hipMemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
} hipMemAllocationProp;

typedef enum hipMemHandleType { hipMemHandleTypeGeneric = 0x0 } hipMemHandleType;

typedef enum hipMemOperationType {
  hipMemOperationTypeMap = 0x1,
  hipMemOperationTypeUnmap = 0x2
} hipMemOperationType;

typedef enum hipArraySparseSubresourceType {
  hipArraySparseSubresourceTypeSparseLevel = 0x0,
  hipArraySparseSubresourceTypeMiptail = 0x1
} hipArraySparseSubresourceType;

/// One change to the memory behind a sparse array.
typedef struct hipArrayMapInfo {
  hipResourceType resourceType;
  union {
    hipMipmappedArray mipmap;
    hipArray_t array;
  } resource;
  hipArraySparseSubresourceType subresourceType;
  union {
    struct {
      unsigned int level;
      unsigned int layer;
      unsigned int offsetX; ///< This and what follows: elements.
      unsigned int offsetY;
      unsigned int offsetZ;
      unsigned int extentWidth;
      unsigned int extentHeight;
      unsigned int extentDepth;
    } sparseLevel;
    struct {
      unsigned int layer;
      unsigned long long offset; ///< Bytes.
      unsigned long long size;   ///< Bytes.
    } miptail;
  } subresource;
  hipMemOperationType memOperationType;
  hipMemHandleType memHandleType;
  union {
    hipMemGenericAllocationHandle_t memHandle;
  } memHandle;
  unsigned long long offset; ///< Bytes, into memHandle.
  unsigned int deviceBitMask;
  unsigned int flags;       ///< 0
  unsigned int reserved[2]; ///< 0
} hipArrayMapInfo;
