// HIP API reference: Device management, properties in their layout before HIP 6, and the names that programs had for them then.
#include "../../runtime/devices.h"
#include "../entry.h"

#include <hip/hip_deprecated.h>

#include <algorithm>
#include <cstring>

using namespace chip;
using chip::hip::device_of;
using chip::hip::entry;
using chip::hip::required;

namespace {

template <class Value, size_t n> void copy_elements(Value (&to)[n], const Value (&from)[n]) {
  std::copy_n(from, n, to);
}

hipDeviceProp_tR0000 to_older_layout(const hipDeviceProp_t &p) {
  hipDeviceProp_tR0000 old;
  std::memset(&old, 0, sizeof old);
  copy_elements(old.name, p.name);
  old.totalGlobalMem = p.totalGlobalMem;
  old.sharedMemPerBlock = p.sharedMemPerBlock;
  old.regsPerBlock = p.regsPerBlock;
  old.warpSize = p.warpSize;
  old.maxThreadsPerBlock = p.maxThreadsPerBlock;
  copy_elements(old.maxThreadsDim, p.maxThreadsDim);
  copy_elements(old.maxGridSize, p.maxGridSize);
  old.clockRate = p.clockRate;
  old.memoryClockRate = p.memoryClockRate;
  old.memoryBusWidth = p.memoryBusWidth;
  old.totalConstMem = p.totalConstMem;
  old.major = p.major;
  old.minor = p.minor;
  old.multiProcessorCount = p.multiProcessorCount;
  old.l2CacheSize = p.l2CacheSize;
  old.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  old.computeMode = p.computeMode;
  old.clockInstructionRate = p.clockInstructionRate;
  old.arch = p.arch;
  old.concurrentKernels = p.concurrentKernels;
  old.pciDomainID = p.pciDomainID;
  old.pciBusID = p.pciBusID;
  old.pciDeviceID = p.pciDeviceID;
  old.maxSharedMemoryPerMultiProcessor = p.maxSharedMemoryPerMultiProcessor;
  old.isMultiGpuBoard = p.isMultiGpuBoard;
  old.canMapHostMemory = p.canMapHostMemory;
  copy_elements(old.gcnArchName, p.gcnArchName);
  old.integrated = p.integrated;
  old.cooperativeLaunch = p.cooperativeLaunch;
  old.cooperativeMultiDeviceLaunch = p.cooperativeMultiDeviceLaunch;
  old.maxTexture1DLinear = p.maxTexture1DLinear;
  old.maxTexture1D = p.maxTexture1D;
  copy_elements(old.maxTexture2D, p.maxTexture2D);
  copy_elements(old.maxTexture3D, p.maxTexture3D);
  old.hdpMemFlushCntl = p.hdpMemFlushCntl;
  old.hdpRegFlushCntl = p.hdpRegFlushCntl;
  old.memPitch = p.memPitch;
  old.textureAlignment = p.textureAlignment;
  old.texturePitchAlignment = p.texturePitchAlignment;
  old.kernelExecTimeoutEnabled = p.kernelExecTimeoutEnabled;
  old.ECCEnabled = p.ECCEnabled;
  old.tccDriver = p.tccDriver;
  old.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedFunc;
  old.cooperativeMultiDeviceUnmatchedGridDim = p.cooperativeMultiDeviceUnmatchedGridDim;
  old.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedBlockDim;
  old.cooperativeMultiDeviceUnmatchedSharedMem = p.cooperativeMultiDeviceUnmatchedSharedMem;
  old.isLargeBar = p.isLargeBar;
  old.asicRevision = p.asicRevision;
  old.managedMemory = p.managedMemory;
  old.directManagedMemAccessFromHost = p.directManagedMemAccessFromHost;
  old.concurrentManagedAccess = p.concurrentManagedAccess;
  old.pageableMemoryAccess = p.pageableMemoryAccess;
  old.pageableMemoryAccessUsesHostPageTables = p.pageableMemoryAccessUsesHostPageTables;
  return old;
}

} // namespace

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *properties, int device) {
  return entry([&] {
    hipDeviceProp_t found;
    device_of(device).fill_properties(found);
    required(properties) = to_older_layout(found);
  });
}

hipError_t hipChooseDeviceR0000(int *device, const hipDeviceProp_tR0000 *properties) {
  return entry([&] {
    hipDeviceProp_t wanted{};
    wanted.totalGlobalMem = required(properties).totalGlobalMem;
    wanted.multiProcessorCount = properties->multiProcessorCount;
    wanted.major = properties->major;
    wanted.minor = properties->minor;
    required(device) = choose_device(wanted);
  });
}

// The headers rename what the plain names stood for, so programs that were built before still have the older functions.
extern "C" {
[[gnu::visibility("default")]] hipError_t
plain_name_of_get_properties(hipDeviceProp_tR0000 *properties,
                             int device) __asm__("gated_hipGetDeviceProperties");
[[gnu::visibility("default")]] hipError_t plain_name_of_choose_device(
    int *device, const hipDeviceProp_tR0000 *properties) __asm__("gated_hipChooseDevice");

hipError_t plain_name_of_get_properties(hipDeviceProp_tR0000 *properties, int device) {
  return hipGetDevicePropertiesR0000(properties, device);
}
hipError_t plain_name_of_choose_device(int *device, const hipDeviceProp_tR0000 *properties) {
  return hipChooseDeviceR0000(device, properties);
}
}
