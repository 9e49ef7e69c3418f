/// For programs that were compiled before HIP 6.0: device properties in their older layout.
#ifndef HIP_INCLUDE_HIP_HIP_DEPRECATED_H
#define HIP_INCLUDE_HIP_HIP_DEPRECATED_H

#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>

/// See hipDeviceProp_t; members have the same meaning, and another order.
typedef struct hipDeviceProp_tR0000 {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  int memoryClockRate;
  int memoryBusWidth;
  size_t totalConstMem;
  int major;
  int minor;
  int multiProcessorCount;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  int computeMode;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  int concurrentKernels;
  int pciDomainID;
  int pciBusID;
  int pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard;
  int canMapHostMemory;
  int gcnArch;
  char gcnArchName[256];
  int integrated;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear;
  int maxTexture1D;
  int maxTexture2D[2];
  int maxTexture3D[3];
  unsigned int *hdpMemFlushCntl;
  unsigned int *hdpRegFlushCntl;
  size_t memPitch;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int kernelExecTimeoutEnabled;
  int ECCEnabled;
  int tccDriver;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar;
  int asicRevision;
  int managedMemory;
  int directManagedMemAccessFromHost;
  int concurrentManagedAccess;
  int pageableMemoryAccess;
  int pageableMemoryAccessUsesHostPageTables;
} hipDeviceProp_tR0000;

HIP_API_BEGIN

/// Stores all properties of a device in the layout before HIP 6.0. Programs that were compiled
/// before call it under the name hipGetDeviceProperties.
/// Errors: hipErrorInvalidValue (`properties` is null), @device-number.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *properties, int device);

/// Stores the number of the device that meets most of the requested properties, which are in the
/// layout before HIP 6.0. Programs that were compiled before call it under the name
/// hipChooseDevice.
/// Errors: hipErrorInvalidValue (`device` or `properties` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_tR0000 *properties);

HIP_API_END

#endif
