// The Level Zero drivers that this process runs on: found once, each with its devices, its context and its capabilities.
#pragma once

#include "../common/device_contract.h"
#include "capabilities.h"
#include "error.h"
#include "handles.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace chip::ze {

/// What a device is and can, in Level Zero's own terms.
struct DeviceInfo {
  ze_device_handle_t handle = nullptr;
  ze_device_properties_t properties{};
  ze_device_compute_properties_t compute{};
  ze_device_module_properties_t module{};
  ze_device_memory_properties_t memory{};
  ze_device_cache_properties_t cache{};
  ze_device_memory_access_properties_t access{};
  ze_pci_ext_properties_t pci{};
  uint32_t compute_ordinal = 0; // the command queue group that can compute and copy
  bool cooperative = false;
  /// Threads that execute together: as many as kernels are compiled for where the device has sub-groups of that size (or says
  /// nothing of sub-groups), else those of its widest.
  uint32_t warp_size = device_contract::warp_size;
  double timestamp_ns = 1; // length of one tick of device timestamps
  uint64_t timestamp_mask = ~0ull;
};

/// A driver that has devices, and the one context that they share. Events and memory of one driver mean nothing to another.
class Driver {
public:
  /// Devices that are on no bus get addresses from `first_address` on. Makes a context unless it is given one, which has to live
  /// longer. Throws what the driver's calls fail with.
  Driver(ze_driver_handle_t driver, DeviceKind kind, std::span<const ze_device_handle_t> devices,
         uint32_t first_address, ze_context_handle_t context = nullptr);
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  ze_driver_handle_t handle() const { return driver_; }
  DeviceKind kind() const { return kind_; }
  ze_context_handle_t context() const { return context_; }
  const Capabilities &capabilities() const { return capabilities_; }
  const std::vector<DeviceInfo> &devices() const { return devices_; }

private:
  const ze_driver_handle_t driver_;
  const DeviceKind kind_;
  Capabilities capabilities_;
  std::vector<DeviceInfo> devices_;
  Context own_context_;
  ze_context_handle_t context_;
};

/// Objects that the program has made, for HIP to use.
struct NativeObjects {
  ze_driver_handle_t driver;
  ze_context_handle_t context;
  std::vector<ze_device_handle_t> devices; // all of the context
};

/// Initialises Level Zero and opens the drivers that CHIP_DEVICE names, in its order. Throws hipErrorNoDevice with what to do
/// where there is no device.
std::vector<std::unique_ptr<Driver>> open_drivers();
/// The driver of the program's objects, with their devices only.
std::vector<std::unique_ptr<Driver>> open_driver_of(const NativeObjects &objects);

/// A USM allocation of the driver. Sizes and alignments in bytes; throws hipErrorOutOfMemory, and hipErrorNotSupported for a kind
/// of memory that no device has.
void *allocate_device(const Driver &driver, const DeviceInfo &device, size_t size,
                      size_t alignment);
void *allocate_host(const Driver &driver, size_t size, size_t alignment);
void *allocate_shared(const Driver &driver, const DeviceInfo &device, size_t size,
                      size_t alignment);
/// Memory that commands write and the host reads, as time stamps, and that kernels need not reach: where devices have no memory of
/// the host it is the process's own. For discard_results().
void *allocate_results(const Driver &driver, size_t size, size_t alignment);
void discard_results(const Driver &driver, void *pointer, size_t alignment) noexcept;
/// Whether import_file() can work for the device.
bool can_import_files(const DeviceInfo &device);
/// Device memory that is the first `size` bytes of what a file descriptor stands for, which stays the caller's. Throws
/// hipErrorInvalidValue for a descriptor of anything else, or of less.
void *import_file(const Driver &driver, const DeviceInfo &device, int descriptor, size_t size);
/// Frees what one of them returned. The caller has made sure that no work uses it.
void free_memory(const Driver &driver, void *pointer);
/// The same where nobody could do anything about a failure.
void discard_memory(const Driver &driver, void *pointer) noexcept;
/// Whether kernels of a device can use memory of another, and whether atomic operations on it are atomic for both.
bool can_access_peer(const DeviceInfo &device, const DeviceInfo &peer);
bool has_peer_atomics(const DeviceInfo &device, const DeviceInfo &peer);
/// Whether import_memory works.
bool can_import_memory(const Driver &driver);
/// Lets all devices reach memory that the driver did not allocate, until it is released. Throws hipErrorNotSupported where
/// they cannot.
void import_memory(const Driver &driver, void *pointer, size_t size);
void release_imported_memory(const Driver &driver, void *pointer) noexcept;
/// Where the driver's allocation that `pointer` lies in begins; nullptr if the driver cannot tell.
void *allocation_base(const Driver &driver, const void *pointer);

/// An allocation of a driver, whoever made it.
struct NativeMemory {
  ze_memory_type_t type;
  ze_device_handle_t device; // null for memory of the host
  void *base;
  size_t bytes;
};
/// The one that `pointer` lies in; nullopt if the driver's context has none.
std::optional<NativeMemory> describe_memory(const Driver &driver, const void *pointer);

namespace detail {
inline constinit std::atomic<uint64_t> memory_epoch{0};
}
/// Changes whenever memory is freed: an address may then come to mean another allocation.
inline uint64_t memory_epoch() { return detail::memory_epoch.load(std::memory_order_acquire); }
inline void memory_was_freed() { detail::memory_epoch.fetch_add(1, std::memory_order_release); }

} // namespace chip::ze
