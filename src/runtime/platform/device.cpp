#include "device.h"
#include "../../ze/environment.h"
#include "../memory/array.h"
#include "../memory/virtual_memory.h"
#include "../pools/pools.h"
#include "../streams/bridge.h"
#include "device_services.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>

namespace chip {
namespace {

int to_int(uint64_t value) { return int(std::min<uint64_t>(value, INT_MAX)); }

/// Textures are plain memory that kernels read by themselves: these limits are ours, not the device's.
void fill_texture_limits(hipDeviceProp_t &p) {
  constexpr int w1 = max_array_1d, w2 = max_array_2d, w3 = max_array_3d, layers = max_array_layers;
  auto set = [](auto &limits, auto... values) {
    int i = 0;
    ((limits[i++] = values), ...);
  };
  p.textureAlignment = p.surfaceAlignment = texture_alignment;
  p.texturePitchAlignment = texture_pitch_alignment;
  p.maxTexture1D = p.maxTexture1DMipmap = p.maxSurface1D = w1;
  p.maxTexture1DLinear = max_linear_texture;
  set(p.maxTexture2D, w2, w2);
  set(p.maxTexture2DMipmap, w2, w2);
  set(p.maxTexture2DLinear, w2, w2, INT_MAX);
  set(p.maxTexture2DGather, w2, w2);
  set(p.maxSurface2D, w2, w2);
  set(p.maxTexture3D, w3, w3, w3);
  set(p.maxTexture3DAlt, w3, w3, w3);
  set(p.maxSurface3D, w3, w3, w3);
  set(p.maxTexture1DLayered, w1, layers);
  set(p.maxSurface1DLayered, w1, layers);
  set(p.maxTexture2DLayered, w2, w2, layers);
  set(p.maxSurface2DLayered, w2, w2, layers);
  p.maxTextureCubemap = p.maxSurfaceCubemap = w2;
  set(p.maxTextureCubemapLayered, w2, layers / 6 * 6);
  set(p.maxSurfaceCubemapLayered, w2, layers / 6 * 6);
}

} // namespace

Device::Device(int ordinal, const ze::Driver &driver, const ze::DeviceInfo &info)
    : ordinal_(ordinal), driver_(driver), info_(info), scheduler_(driver, info),
      bridge_(std::make_unique<Bridge>(scheduler_)),
      services_(std::make_unique<DeviceServices>(scheduler_)), default_pool_(open_pool(*this, {})),
      // Some is kept, however often the program waits.
      small_pool_(
          open_pool(*this, {.release_threshold = PoolRequest::shared_chunk, .is_hidden = true})) {
  publish(default_pool_);
  current_pool = &default_pool_;
}

Device::~Device() = default;

std::pair<size_t, size_t> Device::memory_info() const {
  size_t total = info_.memory.totalSize;
  const size_t hidden = ze::settings.number("HIP_HIDDEN_FREE_MEM", 0, SIZE_MAX >> 20).value_or(0)
                        << 20;
  size_t used = allocated_bytes.load(std::memory_order_relaxed) + services_->heap_size();
  used = std::min(total, used) + std::min(total, hidden);
  return {total - std::min(total, used), total};
}

void Device::fill_properties(hipDeviceProp_t &p) const {
  std::memset(&p, 0, sizeof p);
  const auto &device = info_.properties;
  const auto &compute = info_.compute;
  std::snprintf(p.name, sizeof p.name, "%s", device.name);
  std::memcpy(p.uuid.bytes, device.uuid.id, sizeof p.uuid.bytes);
  p.totalGlobalMem = info_.memory.totalSize;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = compute.maxSharedLocalMemory;
  p.sharedMemPerMultiprocessor = p.maxSharedMemoryPerMultiProcessor = compute.maxSharedLocalMemory;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536; // there is no such limit to ask for
  const uint32_t warp_size = info_.warp_size;
  p.warpSize = to_int(warp_size);
  p.memPitch = INT_MAX;
  p.maxThreadsPerBlock = to_int(compute.maxTotalGroupSize);
  p.maxThreadsDim[0] = to_int(compute.maxGroupSizeX);
  p.maxThreadsDim[1] = to_int(compute.maxGroupSizeY);
  p.maxThreadsDim[2] = to_int(compute.maxGroupSizeZ);
  p.maxGridSize[0] = to_int(compute.maxGroupCountX);
  p.maxGridSize[1] = to_int(compute.maxGroupCountY);
  p.maxGridSize[2] = to_int(compute.maxGroupCountZ);
  p.clockRate = p.clockInstructionRate = to_int(uint64_t(device.coreClockRate) * 1000);
  p.totalConstMem = info_.memory.totalSize ? std::min<size_t>(info_.memory.totalSize, INT_MAX) : 0;
  // The feature level that code written for HIP asks for; not a statement about AMD's or NVIDIA's generations.
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = to_int(uint64_t(device.numSlices) * device.numSubslicesPerSlice);
  p.maxThreadsPerMultiProcessor =
      std::max(p.maxThreadsPerBlock,
               to_int(uint64_t(device.numEUsPerSubslice) * device.numThreadsPerEU * warp_size));
  p.maxBlocksPerMultiProcessor = std::max(1, p.maxThreadsPerMultiProcessor / p.warpSize);
  p.integrated = (device.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0;
  p.ECCEnabled = (device.flags & ZE_DEVICE_PROPERTY_FLAG_ECC) != 0;
  p.hostRegisterSupported = ze::can_import_memory(driver_);
  p.ipcEventSupported = p.hostRegisterSupported; // lists write them as they do the program's memory
  const auto reaches = [](ze_memory_access_cap_flags_t access) {
    return (access & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  };
  p.canMapHostMemory = p.unifiedAddressing = reaches(info_.access.hostAllocCapabilities);
  p.managedMemory = reaches(info_.access.sharedSingleDeviceAllocCapabilities);
  p.cooperativeLaunch = info_.cooperative;
  p.concurrentKernels = p.deviceOverlap = p.asyncEngineCount = 1;
  p.streamPrioritiesSupported = 1;
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes = hipMemHandleTypePosixFileDescriptor;
  p.concurrentManagedAccess = (info_.access.sharedSingleDeviceAllocCapabilities &
                               ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT) != 0;
  p.pageableMemoryAccess = reaches(info_.access.sharedSystemAllocCapabilities);
  p.hostNativeAtomicSupported =
      (info_.access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC) != 0;
  p.pciDomainID = to_int(info_.pci.address.domain);
  p.pciBusID = to_int(info_.pci.address.bus);
  p.pciDeviceID = to_int(info_.pci.address.device);
  p.memoryClockRate = to_int(uint64_t(info_.memory.maxClockRate) * 1000);
  p.memoryBusWidth = to_int(info_.memory.maxBusWidth);
  p.l2CacheSize = to_int(info_.cache.cacheSize);
  p.singleToDoublePrecisionPerfRatio = 2;
  fill_texture_limits(p);
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "spirv64");
  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = 1;
  p.arch.hasSharedInt32Atomics = p.arch.hasSharedFloatAtomicExch = 1;
  p.arch.hasFloatAtomicAdd = 1;
  p.arch.hasGlobalInt64Atomics = p.arch.hasSharedInt64Atomics =
      (info_.module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0;
  p.arch.hasDoubles = (info_.module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  p.arch.hasWarpVote = p.arch.hasWarpBallot = p.arch.hasWarpShuffle =
      info_.compute.numSubGroupSizes != 0;
  p.arch.hasThreadFenceSystem = p.arch.has3dGrid = 1;
}

int Device::attribute(hipDeviceAttribute_t attribute) const {
  hipDeviceProp_t p;
  fill_properties(p);
  switch (attribute) {
  case hipDeviceAttributeEccEnabled:
    return p.ECCEnabled;
  case hipDeviceAttributeAccessPolicyMaxWindowSize:
    return p.accessPolicyMaxWindowSize;
  case hipDeviceAttributeAsyncEngineCount:
    return p.asyncEngineCount;
  case hipDeviceAttributeCanMapHostMemory:
    return p.canMapHostMemory;
  case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    return p.canUseHostPointerForRegisteredMem;
  case hipDeviceAttributeClockRate:
    return p.clockRate;
  case hipDeviceAttributeComputeMode:
    return p.computeMode;
  case hipDeviceAttributeComputePreemptionSupported:
    return p.computePreemptionSupported;
  case hipDeviceAttributeConcurrentKernels:
    return p.concurrentKernels;
  case hipDeviceAttributeConcurrentManagedAccess:
    return p.concurrentManagedAccess;
  case hipDeviceAttributeCooperativeLaunch:
    return p.cooperativeLaunch;
  case hipDeviceAttributeCooperativeMultiDeviceLaunch:
    return p.cooperativeMultiDeviceLaunch;
  case hipDeviceAttributeDeviceOverlap:
    return p.deviceOverlap;
  case hipDeviceAttributeDirectManagedMemAccessFromHost:
    return p.directManagedMemAccessFromHost;
  case hipDeviceAttributeGlobalL1CacheSupported:
    return p.globalL1CacheSupported;
  case hipDeviceAttributeHostNativeAtomicSupported:
    return p.hostNativeAtomicSupported;
  case hipDeviceAttributeIntegrated:
    return p.integrated;
  case hipDeviceAttributeIsMultiGpuBoard:
    return p.isMultiGpuBoard;
  case hipDeviceAttributeKernelExecTimeout:
    return p.kernelExecTimeoutEnabled;
  case hipDeviceAttributeL2CacheSize:
    return p.l2CacheSize;
  case hipDeviceAttributeLocalL1CacheSupported:
    return p.localL1CacheSupported;
  case hipDeviceAttributeLuidDeviceNodeMask:
    return int(p.luidDeviceNodeMask);
  case hipDeviceAttributeComputeCapabilityMajor:
    return p.major;
  case hipDeviceAttributeComputeCapabilityMinor:
    return p.minor;
  case hipDeviceAttributeManagedMemory:
    return p.managedMemory;
  case hipDeviceAttributeMaxBlocksPerMultiProcessor:
    return p.maxBlocksPerMultiProcessor;
  case hipDeviceAttributeMaxBlockDimX:
    return p.maxThreadsDim[0];
  case hipDeviceAttributeMaxBlockDimY:
    return p.maxThreadsDim[1];
  case hipDeviceAttributeMaxBlockDimZ:
    return p.maxThreadsDim[2];
  case hipDeviceAttributeMaxThreadsDim:
    return p.maxThreadsDim[0];
  case hipDeviceAttributeMaxGridDimX:
    return p.maxGridSize[0];
  case hipDeviceAttributeMaxGridDimY:
    return p.maxGridSize[1];
  case hipDeviceAttributeMaxGridDimZ:
    return p.maxGridSize[2];
  case hipDeviceAttributeMaxThreadsPerBlock:
    return p.maxThreadsPerBlock;
  case hipDeviceAttributeMaxThreadsPerMultiProcessor:
    return p.maxThreadsPerMultiProcessor;
  case hipDeviceAttributeMaxPitch:
    return to_int(p.memPitch);
  case hipDeviceAttributeMemoryBusWidth:
    return p.memoryBusWidth;
  case hipDeviceAttributeMemoryClockRate:
    return p.memoryClockRate;
  case hipDeviceAttributeMultiGpuBoardGroupID:
    return p.multiGpuBoardGroupID;
  case hipDeviceAttributeMultiprocessorCount:
  case hipDeviceAttributePhysicalMultiProcessorCount:
    return p.multiProcessorCount;
  case hipDeviceAttributePageableMemoryAccess:
    return p.pageableMemoryAccess;
  case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    return p.pageableMemoryAccessUsesHostPageTables;
  case hipDeviceAttributePciBusId:
    return p.pciBusID;
  case hipDeviceAttributePciDeviceId:
    return p.pciDeviceID;
  case hipDeviceAttributePciDomainID:
    return p.pciDomainID;
  case hipDeviceAttributePersistingL2CacheMaxSize:
    return p.persistingL2CacheMaxSize;
  case hipDeviceAttributeMaxRegistersPerBlock:
    return p.regsPerBlock;
  case hipDeviceAttributeMaxRegistersPerMultiprocessor:
    return p.regsPerMultiprocessor;
  case hipDeviceAttributeReservedSharedMemPerBlock:
    return to_int(p.reservedSharedMemPerBlock);
  case hipDeviceAttributeMaxSharedMemoryPerBlock:
  case hipDeviceAttributeSharedMemPerBlockOptin:
    return to_int(p.sharedMemPerBlock);
  case hipDeviceAttributeSharedMemPerMultiprocessor:
  case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
    return to_int(p.sharedMemPerMultiprocessor);
  case hipDeviceAttributeSingleToDoublePrecisionPerfRatio:
    return p.singleToDoublePrecisionPerfRatio;
  case hipDeviceAttributeStreamPrioritiesSupported:
    return p.streamPrioritiesSupported;
  case hipDeviceAttributeSurfaceAlignment:
    return to_int(p.surfaceAlignment);
  case hipDeviceAttributeTccDriver:
    return p.tccDriver;
  case hipDeviceAttributeTextureAlignment:
    return to_int(p.textureAlignment);
  case hipDeviceAttributeTexturePitchAlignment:
    return to_int(p.texturePitchAlignment);
  case hipDeviceAttributeTotalConstantMemory:
    return to_int(p.totalConstMem);
  case hipDeviceAttributeTotalGlobalMem:
    return to_int(p.totalGlobalMem);
  case hipDeviceAttributeUnifiedAddressing:
    return p.unifiedAddressing;
  case hipDeviceAttributeWarpSize:
    return p.warpSize;
  case hipDeviceAttributeMemoryPoolsSupported:
    return p.memoryPoolsSupported;
  case hipDeviceAttributeHostRegisterSupported:
    return p.hostRegisterSupported;
  case hipDeviceAttributeMemoryPoolSupportedHandleTypes:
    return int(p.memoryPoolSupportedHandleTypes);
  case hipDeviceAttributeClockInstructionRate:
    return p.clockInstructionRate;
  case hipDeviceAttributeWallClockRate:
    if (driver_.kind() == ze::DeviceKind::cpu)
      return p.clockRate; // kernels read another counter than that of timestamps
    return to_int(uint64_t(1e6 / info_.timestamp_ns));
  case hipDeviceAttributeIsLargeBar:
    return p.isLargeBar;
  case hipDeviceAttributeAsicRevision:
    return p.asicRevision;
  case hipDeviceAttributeFineGrainSupport:
    return 1;
  case hipDeviceAttributeCanUseStreamWaitValue:
    return driver_.capabilities().append_host_function != nullptr;
  case hipDeviceAttributeImageSupport:
    return 1;
  case hipDeviceAttributeMaxSurface1D:
    return p.maxSurface1D;
  case hipDeviceAttributeMaxSurface1DLayered:
    return p.maxSurface1DLayered[0];
  case hipDeviceAttributeMaxSurface2D:
    return p.maxSurface2D[0];
  case hipDeviceAttributeMaxSurface2DLayered:
    return p.maxSurface2DLayered[0];
  case hipDeviceAttributeMaxSurface3D:
    return p.maxSurface3D[0];
  case hipDeviceAttributeMaxSurfaceCubemap:
    return p.maxSurfaceCubemap;
  case hipDeviceAttributeMaxSurfaceCubemapLayered:
    return p.maxSurfaceCubemapLayered[0];
  case hipDeviceAttributeMaxTexture1DWidth:
    return p.maxTexture1D;
  case hipDeviceAttributeMaxTexture1DLayered:
    return p.maxTexture1DLayered[0];
  case hipDeviceAttributeMaxTexture1DLinear:
    return p.maxTexture1DLinear;
  case hipDeviceAttributeMaxTexture1DMipmap:
    return p.maxTexture1DMipmap;
  case hipDeviceAttributeMaxTexture2DWidth:
    return p.maxTexture2D[0];
  case hipDeviceAttributeMaxTexture2DHeight:
    return p.maxTexture2D[1];
  case hipDeviceAttributeMaxTexture2DGather:
    return p.maxTexture2DGather[0];
  case hipDeviceAttributeMaxTexture2DLayered:
    return p.maxTexture2DLayered[0];
  case hipDeviceAttributeMaxTexture2DLinear:
    return p.maxTexture2DLinear[0];
  case hipDeviceAttributeMaxTexture2DMipmap:
    return p.maxTexture2DMipmap[0];
  case hipDeviceAttributeMaxTexture3DWidth:
    return p.maxTexture3D[0];
  case hipDeviceAttributeMaxTexture3DHeight:
    return p.maxTexture3D[1];
  case hipDeviceAttributeMaxTexture3DDepth:
    return p.maxTexture3D[2];
  case hipDeviceAttributeMaxTexture3DAlt:
    return p.maxTexture3DAlt[0];
  case hipDeviceAttributeMaxTextureCubemap:
    return p.maxTextureCubemap;
  case hipDeviceAttributeMaxTextureCubemapLayered:
    return p.maxTextureCubemapLayered[0];
  case hipDeviceAttributeVirtualMemoryManagementSupported:
    return has_virtual_memory(*this);
  // What is not there yet: cooperative multi-device launches.
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
    return 0;
  case hipDeviceAttributeHdpMemFlushCntl: // as the properties say: there is no such register
  case hipDeviceAttributeHdpRegFlushCntl:
    return 0;
  case hipDeviceAttributeHostNumaId:
    return -1; // Level Zero does not say
  case hipDeviceAttributeNumberOfXccs:
    return 1;
  case hipDeviceAttributeMaxAvailableVgprsPerThread:
    return 0; // nor this
  case hipDeviceAttributePciChipId:
    return int(info_.properties.deviceId);
  default:
    throw Error(hipErrorInvalidValue, "`attribute` is not a hipDeviceAttribute_t");
  }
}

} // namespace chip
