#include "shared_memory.h"
#include "../common/processes.h"

#include <sys/prctl.h>

#include <cstring>

namespace chip::ze {
namespace {

/// The first word is the descriptor; drivers that fetch it themselves say in another whose it is.
bool names_this_process(const ze_ipc_mem_handle_t &handle) {
  const int32_t process = getpid();
  for (size_t i = sizeof process; i < sizeof handle.data; i += sizeof process)
    if (std::memcmp(handle.data + i, &process, sizeof process) == 0)
      return true;
  return false;
}

/// A descriptor of another process, for as long as this lives.
class ForeignDescriptor {
public:
  ForeignDescriptor(pid_t process, int descriptor)
      : descriptor_(common::fetch_descriptor(process, descriptor)) {
    if (descriptor_ < 0)
      descriptor_ = common::reopen_descriptor(process, descriptor);
    if (descriptor_ < 0)
      throw Error(hipErrorInvalidValue, "the other process does not give the descriptor away");
  }
  ForeignDescriptor(const ForeignDescriptor &) = delete;
  ~ForeignDescriptor() { close(descriptor_); }
  int32_t get() const { return descriptor_; }

private:
  int descriptor_;
};

void *open_handle(const Driver &driver, const DeviceInfo &device,
                  const ze_ipc_mem_handle_t &handle) {
  void *pointer = nullptr;
  const ze_result_t result =
      zeMemOpenIpcHandle(driver.context(), device.handle, handle, 0, &pointer);
  if (hipError_t code = to_hip(result);
      code != hipSuccess && code != hipErrorOutOfMemory && code != hipErrorLaunchFailure)
    throw Error(hipErrorInvalidValue, "the driver cannot open the handle");
  check(result, "zeMemOpenIpcHandle");
  return pointer;
}

} // namespace

MemoryHandle export_memory(const Driver &driver, const void *pointer) {
  MemoryHandle handle{};
  check(zeMemGetIpcHandle(driver.context(), pointer, &handle.bytes), "zeMemGetIpcHandle");
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  check(zeMemGetAllocProperties(driver.context(), pointer, &properties, nullptr),
        "zeMemGetAllocProperties");
  handle.allocation = properties.id;
  handle.needs_descriptor =
      !driver.capabilities().opens_foreign_handles || !names_this_process(handle.bytes);
  // Many systems let only parents fetch descriptors of their children, unless these say that others may.
  if (handle.needs_descriptor)
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  return handle;
}

void *open_memory(const Driver &driver, const DeviceInfo &device, const MemoryHandle &handle,
                  pid_t process) {
  if (!handle.needs_descriptor)
    return open_handle(driver, device, handle.bytes);
  ze_ipc_mem_handle_t own = handle.bytes;
  int32_t number;
  std::memcpy(&number, own.data, sizeof number);
  const ForeignDescriptor descriptor(process, number);
  number = descriptor.get();
  std::memcpy(own.data, &number, sizeof number);
  return open_handle(driver, device, own);
}

void close_memory(const Driver &driver, void *pointer) noexcept {
  detail::memory_epoch.fetch_add(1, std::memory_order_release);
  if (loader_alive())
    zeMemCloseIpcHandle(driver.context(), pointer);
}

size_t bytes_behind(const Driver &driver, const void *pointer) {
  void *base = nullptr;
  size_t bytes = 0;
  if (zeMemGetAddressRange(driver.context(), pointer, &base, &bytes) != ZE_RESULT_SUCCESS)
    return 0;
  return bytes - size_t(static_cast<const std::byte *>(pointer) - static_cast<std::byte *>(base));
}

} // namespace chip::ze
