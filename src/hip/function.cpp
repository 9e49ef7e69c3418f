// HIP API reference: Execution control, what a kernel is and how it prefers to run.
#include "../runtime/code/module.h"
#include "../runtime/code/program.h"
#include "../runtime/code/shared_memory.h"
#include "driver/hints.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

Kernel &kernel_of(const void *function) {
  return find_kernel(function, Platform::current_device());
}

hipFuncAttributes attributes_of(const Kernel &kernel) {
  const ze::KernelProperties &properties = kernel.target.properties;
  const int dynamic = kernel.max_dynamic_shared_bytes.load(std::memory_order_relaxed);
  hipFuncAttributes result{};
  result.binaryVersion = result.ptxVersion =
      kernel.device->attribute(hipDeviceAttributeComputeCapabilityMajor) * 10 +
      kernel.device->attribute(hipDeviceAttributeComputeCapabilityMinor);
  result.sharedSizeBytes = static_shared_bytes(kernel.target);
  result.constSizeBytes = kernel.constant_bytes.load(std::memory_order_relaxed);
  result.localSizeBytes = properties.private_bytes + properties.registers_spill;
  result.maxThreadsPerBlock = int(properties.max_group_size);
  result.maxDynamicSharedSizeBytes =
      dynamic >= 0 ? dynamic : int(most_dynamic_shared_bytes(kernel));
  result.preferredShmemCarveout = kernel.shared_carveout.load(std::memory_order_relaxed);
  return result;
}

} // namespace

hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
  return entry([&] { required(attributes) = attributes_of(kernel_of(function)); });
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute,
                               hipFunction_t function) {
  return entry([&] {
    required(value);
    const hipFuncAttributes attributes = attributes_of(find_function(function));
    switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = attributes.maxThreadsPerBlock;
      break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = int(attributes.sharedSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = int(attributes.constSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = int(attributes.localSizeBytes);
      break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      *value = attributes.numRegs;
      break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = attributes.ptxVersion;
      break;
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = attributes.binaryVersion;
      break;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = attributes.cacheModeCA;
      break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = attributes.maxDynamicSharedSizeBytes;
      break;
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = attributes.preferredShmemCarveout;
      break;
    default:
      throw Error(hipErrorInvalidValue, "`attribute` is unknown");
    }
  });
}

hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value) {
  return entry([&] {
    Kernel &kernel = kernel_of(function);
    switch (attribute) {
    case hipFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || uint64_t(value) > most_dynamic_shared_bytes(kernel))
        throw Error(hipErrorInvalidValue,
                    "`value` is negative, or more shared memory than the kernel leaves");
      // Any launch may use all there is; the limit only reads back.
      kernel.max_dynamic_shared_bytes.store(value, std::memory_order_relaxed);
      break;
    case hipFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100)
        throw Error(hipErrorInvalidValue, "`value` is not -1, or from 0 to 100 per cent");
      kernel.shared_carveout.store(value, std::memory_order_relaxed);
      break;
    default:
      throw Error(hipErrorInvalidValue, "`attribute` is unknown");
    }
  });
}

hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t config) {
  return entry([&] {
    kernel_of(function);
    chip::hip::check_cache_config(config);
  });
}

hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig config) {
  return entry([&] {
    kernel_of(function);
    chip::hip::check_bank_width(config);
  });
}
