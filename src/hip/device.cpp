// HIP API reference: Initialization and version; Device management.
#include "../runtime/devices.h"
#include "../runtime/platform/device_services.h"
#include "../runtime/streams/stream.h"
#include "driver/hints.h"
#include "entry.h"

#include <cstdio>
#include <cstring>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

hipError_t hipInit(unsigned int flags) {
  return entry([&] {
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` is not 0");
    Platform::get();
  });
}

hipError_t hipDriverGetVersion(int *version) {
  return entry([&] { required(version) = HIP_VERSION; });
}

hipError_t hipRuntimeGetVersion(int *version) {
  return entry([&] { required(version) = HIP_VERSION; });
}

hipError_t hipGetDeviceCount(int *count) {
  return entry([&] {
    required(count) = 0;
    *count = Platform::get().device_count();
  });
}

hipError_t hipSetDevice(int device) {
  return entry([&] { Platform::set_current_device(device); });
}

hipError_t hipGetDevice(int *device) {
  return entry([&] { required(device) = Platform::current_device().ordinal(); });
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
  return entry([&] { required(device) = Platform::get().device(ordinal).ordinal(); });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  return entry([&] { Platform::get().device(device).fill_properties(required(properties)); });
}

hipError_t hipSetValidDevices(int *devices, int length) {
  return entry([&] {
    Platform &platform = Platform::get();
    if (!devices || length < 0 || length > platform.device_count())
      throw Error(hipErrorInvalidValue, "`devices` is null, or `length` is negative or more than "
                                        "the number of devices");
    for (int i = 0; i < length; ++i)
      platform.device(devices[i]);
    Platform::set_first_device(length == 0 ? 0 : devices[0]);
  });
}

hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *properties) {
  return entry([&] {
    required(properties);
    required(device) = choose_device(*properties);
  });
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  return entry([&] { required(value) = Platform::get().device(device).attribute(attribute); });
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  return entry([&] {
    hipDeviceProp_t p;
    Platform::get().device(device).fill_properties(p);
    required(major) = p.major;
    required(minor) = p.minor;
  });
}

hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device) {
  return entry([&] {
    const char *text = Platform::get().device(device).info().properties.name;
    required(name);
    if (length <= 0)
      throw Error(hipErrorInvalidValue, "`length` is not positive");
    std::snprintf(name, size_t(length), "%s", text);
  });
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  return entry([&] {
    const auto &id = Platform::get().device(device).info().properties.uuid;
    std::memcpy(required(uuid).bytes, id.id, sizeof uuid->bytes);
  });
}

hipError_t hipDeviceGetPCIBusId(char *pci_address, int length, int device) {
  return entry([&] {
    const auto &address = Platform::get().device(device).info().pci.address;
    required(pci_address);
    // Domain, bus, device and function, as lspci -D prints them: 12 characters. What has room is stored in any case.
    if (length > 0)
      std::snprintf(pci_address, size_t(length), "%04x:%02x:%02x.%01x", address.domain, address.bus,
                    address.device, address.function);
    if (length < 13)
      throw Error(hipErrorInvalidValue, "`length` is less than 13, the size of a PCI address");
  });
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *pci_address) {
  return entry([&] {
    Platform &platform = Platform::get();
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    if (std::sscanf(&required(pci_address), "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3)
      throw Error(hipErrorInvalidValue,
                  "`pci_address` is not domain:bus:device.function in hexadecimal digits");
    for (int i = 0; i < platform.device_count(); ++i) {
      const auto &address = platform.device(i).info().pci.address;
      if (address.domain == domain && address.bus == bus && address.device == slot) {
        required(device) = i;
        return;
      }
    }
    throw Error(hipErrorInvalidDevice, "no device has the address `pci_address`");
  });
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  return entry([&] { required(bytes) = Platform::get().device(device).memory_info().second; });
}

// As HIP 6.4 declares it, there is nowhere to store a width.
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t *pool, int device) {
  return entry([&] {
    required(pool);
    Platform::get().device(device);
    throw Error(hipErrorNotSupported, "this function has no parameter for its result");
  });
}

hipError_t hipDeviceSynchronize() {
  return entry(CaptureRule::wide, [] { chip::synchronize(Platform::current_device()); });
}

hipError_t hipDeviceReset() {
  return entry(CaptureRule::wide, [] { reset_device(Platform::current_device()); });
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
  return entry([&] { required(flags) = Platform::current_device().flags; });
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
  return entry([&] {
    Platform::current_device().flags = checked_device_flags(flags) & hipDeviceScheduleMask;
  });
}

hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t limit) {
  return entry([&] { required(value) = Platform::current_device().services().limit(limit); });
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  return entry([&] { Platform::current_device().services().set_limit(limit, value); });
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  return entry([&] { chip::hip::set_cache_config(config); });
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) {
  return entry([&] { required(config) = Platform::current_device().cache_config; });
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return entry([&] { chip::hip::set_bank_width(config); });
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config) {
  return entry([&] { required(config) = chip::hip::bank_width(); });
}

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return entry([&] {
    Platform::get();
    if (least)
      *least = lowest_priority;
    if (greatest)
      *greatest = highest_priority;
  });
}
