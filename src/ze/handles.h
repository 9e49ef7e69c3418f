// Owning Level Zero handles: move-only, destroyed with the object. A raw handle elsewhere is always borrowed.
#pragma once

#include <level_zero/ze_api.h>

#include <utility>

namespace chip::ze {

/// False once the process is so far down that the loader may be gone: handles are then left to the system.
bool loader_alive();
void loader_is_gone();

template <class Raw, ze_result_t(ZE_APICALL *destroy)(Raw)> class Handle {
public:
  Handle() = default;
  explicit Handle(Raw raw) : raw_(raw) {}
  Handle(Handle &&other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() {
    if (raw_ && loader_alive())
      destroy(raw_);
  }
  Raw get() const { return raw_; }
  explicit operator bool() const { return raw_; }

private:
  Raw raw_ = nullptr;
};

using Context = Handle<ze_context_handle_t, zeContextDestroy>;
using Module = Handle<ze_module_handle_t, zeModuleDestroy>;
using BuildLog = Handle<ze_module_build_log_handle_t, zeModuleBuildLogDestroy>;
using Kernel = Handle<ze_kernel_handle_t, zeKernelDestroy>;
using CommandListHandle = Handle<ze_command_list_handle_t, zeCommandListDestroy>;
using EventPool = Handle<ze_event_pool_handle_t, zeEventPoolDestroy>;
using EventHandle = Handle<ze_event_handle_t, zeEventDestroy>;

} // namespace chip::ze
