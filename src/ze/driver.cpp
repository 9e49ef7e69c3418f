#include "driver.h"
#include "../common/driver_contract.h"
#include "environment.h"
#include "log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <format>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace chip::ze {
namespace {

/// Where `kinds` were asked for.
std::string no_device_text(const std::vector<DeviceKind> &kinds) {
  constexpr const char *mask_variable = "ZE_AFFINITY_MASK";
  if (const std::string_view mask = common::variable(mask_variable); !mask.empty())
    return common::complaint(
        mask_variable, mask, "leaves no Level Zero device",
        "a comma-separated list of indices of the driver's devices, which begin with 0");
  if (kinds == std::vector{DeviceKind::opencl})
    return "no OpenCL device that takes SPIR-V: install an implementation for the device "
           "(pocl-opencl-icd for the CPU) and see that clinfo lists it; lines that begin with "
           "ze_opencl say what is wrong with those that are installed; to do without OpenCL set "
           "CHIP_DEVICE=cpu";
  return "no Level Zero device: for an Intel GPU install its Level Zero driver (libze-intel-gpu1) "
         "and see that you may read "
         "and write /dev/dri/renderD*; to run on the CPU set CHIP_DEVICE=cpu";
}

/// A driver that has devices.
struct FoundDriver {
  ze_driver_handle_t handle;
  std::vector<ze_device_handle_t> devices;
  DeviceKind kind;
};

DeviceKind kind_of(ze_driver_handle_t driver) {
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  check(zeDriverGetProperties(driver, &properties), "zeDriverGetProperties");
  // Its devices call themselves GPUs, which programs look for.
  const std::string_view uuid(reinterpret_cast<const char *>(properties.uuid.id),
                              sizeof properties.uuid.id);
  if (uuid.starts_with(driver_contract::cpu_uuid_prefix))
    return DeviceKind::cpu;
  return uuid.starts_with(driver_contract::opencl_uuid_prefix) ? DeviceKind::opencl
                                                               : DeviceKind::gpu;
}

std::vector<ze_driver_handle_t> all_drivers() {
  ze_init_driver_type_desc_t type{};
  type.stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC;
  type.flags = ZE_INIT_DRIVER_TYPE_FLAG_GPU;
  using InitDrivers =
      ze_result_t(ZE_APICALL *)(uint32_t *, ze_driver_handle_t *, ze_init_driver_type_desc_t *);
  std::vector<ze_driver_handle_t> drivers;
  uint32_t count = 0;
  if (auto init_drivers = reinterpret_cast<InitDrivers>(loader_function("zeInitDrivers"))) {
    if (init_drivers(&count, nullptr, &type) == ZE_RESULT_SUCCESS && count) {
      drivers.resize(count);
      if (init_drivers(&count, drivers.data(), &type) == ZE_RESULT_SUCCESS) {
        drivers.resize(count);
        return drivers;
      }
    }
    drivers.clear();
  }
  if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS ||
      zeDriverGet(&count, nullptr) != ZE_RESULT_SUCCESS || !count)
    return {};
  drivers.resize(count);
  if (zeDriverGet(&count, drivers.data()) != ZE_RESULT_SUCCESS)
    return {};
  drivers.resize(count);
  return drivers;
}

template <class T> T with_type(ze_structure_type_t type) {
  T result{};
  result.stype = type;
  return result;
}

DeviceInfo describe(ze_device_handle_t handle, uint32_t index) {
  DeviceInfo info;
  info.handle = handle;
  info.properties = with_type<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2);
  check(zeDeviceGetProperties(handle, &info.properties), "zeDeviceGetProperties");
  info.compute =
      with_type<ze_device_compute_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES);
  check(zeDeviceGetComputeProperties(handle, &info.compute), "zeDeviceGetComputeProperties");
  // HIP tells sizes of grids as int, and a launch above what it tells is refused, whatever the driver takes.
  for (uint32_t *limit :
       {&info.compute.maxGroupCountX, &info.compute.maxGroupCountY, &info.compute.maxGroupCountZ})
    *limit = std::min<uint32_t>(*limit, INT32_MAX);
  const std::span<const uint32_t> widths(
      info.compute.subGroupSizes,
      std::min<uint32_t>(info.compute.numSubGroupSizes, ZE_SUBGROUPSIZE_COUNT));
  if (!widths.empty() && !std::ranges::contains(widths, info.warp_size))
    info.warp_size = std::ranges::max(widths);
  info.module =
      with_type<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES);
  check(zeDeviceGetModuleProperties(handle, &info.module), "zeDeviceGetModuleProperties");

  // The rest only fills in what hipGetDeviceProperties reports; a driver may lack it.
  uint32_t count = 1;
  info.memory =
      with_type<ze_device_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES);
  zeDeviceGetMemoryProperties(handle, &count, &info.memory);
  count = 1;
  info.cache = with_type<ze_device_cache_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES);
  zeDeviceGetCacheProperties(handle, &count, &info.cache);
  info.access = with_type<ze_device_memory_access_properties_t>(
      ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES);
  // Where a driver does not tell, an allocation of the host's memory will.
  if (zeDeviceGetMemoryAccessProperties(handle, &info.access) != ZE_RESULT_SUCCESS)
    info.access.hostAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  info.pci = with_type<ze_pci_ext_properties_t>(ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES);
  // What is on no bus gets an address all the same: programs tell devices by it.
  if (zeDevicePciGetPropertiesExt(handle, &info.pci) != ZE_RESULT_SUCCESS)
    info.pci.address.device = index;

  count = 0;
  check(zeDeviceGetCommandQueueGroupProperties(handle, &count, nullptr),
        "zeDeviceGetCommandQueueGroupProperties");
  std::vector<ze_command_queue_group_properties_t> groups(
      count, with_type<ze_command_queue_group_properties_t>(
                 ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES));
  check(zeDeviceGetCommandQueueGroupProperties(handle, &count, groups.data()),
        "zeDeviceGetCommandQueueGroupProperties");
  bool found = false;
  for (uint32_t i = 0; i < count && !found; ++i)
    if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) {
      info.compute_ordinal = i;
      info.cooperative = groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
      found = true;
    }
  if (!found)
    throw Error(hipErrorNoDevice, "the device has no command queue group that can compute");

  // In version 1.2 of the properties the timer resolution is in cycles a second.
  if (info.properties.timerResolution)
    info.timestamp_ns = 1e9 / double(info.properties.timerResolution);
  if (uint32_t bits = info.properties.timestampValidBits; bits && bits < 64)
    info.timestamp_mask = (1ull << bits) - 1;
  return info;
}

template <class Allocate> void *allocate(size_t size, Allocate &&allocate, const char *call) {
  void *pointer = nullptr;
  check_addressable(size);
  const ze_result_t result = allocate(&pointer);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_SIZE || to_hip(result) == hipErrorOutOfMemory)
    throw Error(hipErrorOutOfMemory,
                std::format("{}: there is no memory for {} bytes", call, size));
  check(result, call);
  return pointer;
}

ze_relaxed_allocation_limits_exp_desc_t relaxed_limits() {
  ze_relaxed_allocation_limits_exp_desc_t relaxed{};
  relaxed.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC;
  relaxed.flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE;
  return relaxed;
}

// Sizes over the device's ordinary limit (often 4 GiB) have to be asked for.
template <class Desc>
void relax(Desc &desc, ze_relaxed_allocation_limits_exp_desc_t &relaxed, size_t size,
           uint64_t limit) {
  if (size > limit)
    desc.pNext = &relaxed;
}

void tell_what_it_is(ze_driver_handle_t driver, DeviceKind kind, const Capabilities &capabilities) {
  const auto version = [&] {
    ze_api_version_t version = ZE_API_VERSION_1_0;
    zeDriverGetApiVersion(driver, &version);
    return std::format("Level Zero {}.{}", ZE_MAJOR_VERSION(version), ZE_MINOR_VERSION(version));
  };
  log(LogLevel::info, [&] {
    auto properties = with_type<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES);
    zeDriverGetProperties(driver, &properties);
    return std::format("the driver for {} has version {:#x} and {}",
                       kind == DeviceKind::cpu      ? "the CPU"
                       : kind == DeviceKind::opencl ? "OpenCL"
                                                    : "GPUs",
                       properties.driverVersion, version());
  });
  if (!capabilities.counter_based_event_create)
    log(LogLevel::warn, [&] {
      return std::format("the driver has {} and no counter-based events, which came with 1.15: "
                         "waits between streams take longer",
                         version());
    });
}

} // namespace

Driver::Driver(ze_driver_handle_t driver, DeviceKind kind,
               std::span<const ze_device_handle_t> devices, uint32_t first_address,
               ze_context_handle_t context)
    : driver_(driver), kind_(kind), context_(context) {
  for (ze_device_handle_t device : devices)
    devices_.push_back(describe(device, first_address + uint32_t(devices_.size())));
  capabilities_ = Capabilities::query(driver, kind);
  tell_what_it_is(driver, kind, capabilities_);
  if (context_)
    return;
  ze_context_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  check(zeContextCreate(driver, &desc, &context_), "zeContextCreate");
  own_context_ = Context(context_);
}

namespace {

/// Throws what is wrong where none has a device, but for hipErrorNoDevice.
std::vector<FoundDriver> find_drivers() {
  std::vector<FoundDriver> found;
  std::optional<Error> failure; // another driver may do; else this is what has to be told
  for (ze_driver_handle_t driver : all_drivers()) {
    try {
      uint32_t count = 0;
      check(zeDeviceGet(driver, &count, nullptr), "zeDeviceGet");
      if (!count)
        continue;
      std::vector<ze_device_handle_t> devices(count);
      check(zeDeviceGet(driver, &count, devices.data()), "zeDeviceGet");
      found.push_back({driver, std::move(devices), kind_of(driver)});
    } catch (const Error &error) {
      failure = error;
    }
  }
  if (found.empty() && failure && failure->code() != hipErrorNoDevice)
    throw *failure;
  return found;
}

} // namespace

std::vector<std::unique_ptr<Driver>> open_drivers() {
  std::vector<DeviceKind> kinds = choose_drivers();
  const std::vector<FoundDriver> found = find_drivers();
  const auto has_kind = [&](DeviceKind kind) {
    return std::ranges::contains(found, kind, &FoundDriver::kind);
  };
  if (!found.empty() && !kinds.empty() && std::ranges::none_of(kinds, has_kind))
    refuse_wanted_devices("names no device that Level Zero has here");
  const std::string without_device = no_device_text(kinds);
  if (kinds.empty()) {
    const auto best = std::ranges::min_element(found, {}, &FoundDriver::kind);
    kinds = {best == found.end() ? DeviceKind::cpu : best->kind};
    if (kinds.front() == DeviceKind::cpu && !found.empty())
      log(LogLevel::warn, [] {
        return "no Intel GPU was found: kernels run on the CPU (CHIP_DEVICE=cpu asks for that)";
      });
  }
  std::vector<std::unique_ptr<Driver>> drivers;
  uint32_t devices = 0;
  for (DeviceKind kind : kinds)
    for (const FoundDriver &driver : found)
      if (driver.kind == kind) {
        drivers.push_back(std::make_unique<Driver>(driver.handle, kind, driver.devices, devices));
        devices += uint32_t(driver.devices.size());
      }
  if (drivers.empty()) {
    tell_user_once(without_device);
    throw Error(hipErrorNoDevice, without_device);
  }
  return drivers;
}

std::vector<std::unique_ptr<Driver>> open_driver_of(const NativeObjects &objects) {
  std::vector<std::unique_ptr<Driver>> drivers;
  drivers.push_back(std::make_unique<Driver>(objects.driver, kind_of(objects.driver),
                                             objects.devices, 0, objects.context));
  return drivers;
}

void *allocate_device(const Driver &driver, const DeviceInfo &device, size_t size,
                      size_t alignment) {
  ze_device_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  auto relaxed = relaxed_limits();
  relax(desc, relaxed, size, device.properties.maxMemAllocSize);
  return allocate(
      size,
      [&](void **p) {
        return zeMemAllocDevice(driver.context(), &desc, size, alignment, device.handle, p);
      },
      "zeMemAllocDevice");
}

namespace {

bool has_host_memory(const Driver &driver) {
  return std::ranges::any_of(driver.devices(), [](const DeviceInfo &device) {
    return device.access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  });
}

} // namespace

void *allocate_host(const Driver &driver, size_t size, size_t alignment) {
  if (!has_host_memory(driver))
    throw Error(
        hipErrorNotSupported,
        "the device has no memory of the host: hipHostMalloc needs it, and so do modules with "
        "printf or assert");
  ze_host_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  auto relaxed = relaxed_limits();
  relax(desc, relaxed, size, driver.devices().front().properties.maxMemAllocSize);
  return allocate(
      size, [&](void **p) { return zeMemAllocHost(driver.context(), &desc, size, alignment, p); },
      "zeMemAllocHost");
}

void *allocate_results(const Driver &driver, size_t size, size_t alignment) {
  return has_host_memory(driver) ? allocate_host(driver, size, alignment)
                                 : ::operator new(size, std::align_val_t(alignment));
}

void discard_results(const Driver &driver, void *pointer, size_t alignment) noexcept {
  if (has_host_memory(driver))
    discard_memory(driver, pointer);
  else
    ::operator delete(pointer, std::align_val_t(alignment));
}

void *allocate_shared(const Driver &driver, const DeviceInfo &device, size_t size,
                      size_t alignment) {
  ze_device_mem_alloc_desc_t device_desc{};
  device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t host_desc{};
  host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  auto relaxed = relaxed_limits();
  relax(device_desc, relaxed, size, device.properties.maxMemAllocSize);
  return allocate(
      size,
      [&](void **p) {
        return zeMemAllocShared(driver.context(), &device_desc, &host_desc, size, alignment,
                                device.handle, p);
      },
      "zeMemAllocShared");
}

namespace {

/// The types of descriptors that memory of the device can be made of.
ze_external_memory_type_flags_t importable_files(const DeviceInfo &device) {
  auto properties = with_type<ze_device_external_memory_properties_t>(
      ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  const ze_result_t result = zeDeviceGetExternalMemoryProperties(device.handle, &properties);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return 0;
  check(result, "zeDeviceGetExternalMemoryProperties");
  return properties.memoryAllocationImportTypes &
         (ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF);
}

} // namespace

bool can_import_files(const DeviceInfo &device) { return importable_files(device) != 0; }

void *import_file(const Driver &driver, const DeviceInfo &device, int descriptor, size_t size) {
  const auto types = importable_files(device);
  auto import =
      with_type<ze_external_memory_import_fd_t>(ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  // An opaque descriptor of a driver for a GPU is one of a dma-buf.
  import.flags = types & ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD
                     ? ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD
                     : ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
  import.fd = descriptor;
  auto desc = with_type<ze_device_mem_alloc_desc_t>(ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC);
  desc.pNext = &import;
  return allocate(
      size,
      [&](void **p) {
        return zeMemAllocDevice(driver.context(), &desc, size, 0, device.handle, p);
      },
      "zeMemAllocDevice");
}

void free_memory(const Driver &driver, void *pointer) {
  memory_was_freed();
  if (loader_alive())
    check(zeMemFree(driver.context(), pointer), "zeMemFree");
}

namespace {

// Shared virtual memory of the whole system: there is nothing to import.
bool reaches_all_memory(const Driver &driver) {
  return std::ranges::all_of(driver.devices(), [](const DeviceInfo &device) {
    return device.access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  });
}

} // namespace

bool can_access_peer(const DeviceInfo &device, const DeviceInfo &peer) {
  ze_bool_t can_access = false;
  check(zeDeviceCanAccessPeer(device.handle, peer.handle, &can_access), "zeDeviceCanAccessPeer");
  return can_access;
}

bool has_peer_atomics(const DeviceInfo &device, const DeviceInfo &peer) {
  auto properties = with_type<ze_device_p2p_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES);
  check(zeDeviceGetP2PProperties(device.handle, peer.handle, &properties),
        "zeDeviceGetP2PProperties");
  return (properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS) != 0;
}

bool can_import_memory(const Driver &driver) {
  const Capabilities &capabilities = driver.capabilities();
  return reaches_all_memory(driver) ||
         (capabilities.import_external_pointer && capabilities.release_imported_pointer);
}

void import_memory(const Driver &driver, void *pointer, size_t size) {
  if (!can_import_memory(driver))
    throw Error(hipErrorNotSupported, "this Level Zero driver cannot import memory");
  if (!reaches_all_memory(driver))
    check(driver.capabilities().import_external_pointer(driver.handle(), pointer, size),
          "zexDriverImportExternalPointer");
}

void release_imported_memory(const Driver &driver, void *pointer) noexcept {
  memory_was_freed();
  if (!reaches_all_memory(driver) && loader_alive())
    driver.capabilities().release_imported_pointer(driver.handle(), pointer);
}

void *allocation_base(const Driver &driver, const void *pointer) {
  void *base = nullptr;
  size_t bytes = 0;
  ze_result_t result = zeMemGetAddressRange(driver.context(), pointer, &base, &bytes);
  return result == ZE_RESULT_SUCCESS ? base : nullptr;
}

std::optional<NativeMemory> describe_memory(const Driver &driver, const void *pointer) {
  auto properties =
      with_type<ze_memory_allocation_properties_t>(ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES);
  NativeMemory memory{};
  if (zeMemGetAllocProperties(driver.context(), pointer, &properties, &memory.device) !=
          ZE_RESULT_SUCCESS ||
      properties.type == ZE_MEMORY_TYPE_UNKNOWN)
    return std::nullopt;
  memory.type = properties.type;
  if (memory.type == ZE_MEMORY_TYPE_HOST)
    memory.device = nullptr;
  check(zeMemGetAddressRange(driver.context(), pointer, &memory.base, &memory.bytes),
        "zeMemGetAddressRange");
  return memory;
}

void discard_memory(const Driver &driver, void *pointer) noexcept {
  memory_was_freed();
  if (loader_alive())
    zeMemFree(driver.context(), pointer);
}

} // namespace chip::ze
