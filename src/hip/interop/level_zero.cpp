// Interoperation with raw Level Zero: chip/interop.h, and hip/hip_interop.h with the names that programs know.
#include "../../runtime/memory/memory.h"
#include "../../runtime/streams/event.h"
#include "../entry.h"

#include <chip/interop.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

template <class T> void store_if_asked(T *pointer, T value) {
  if (pointer)
    *pointer = value;
}

void initialize_with(ze_driver_handle_t driver, ze_context_handle_t context,
                     std::span<const ze_device_handle_t> devices) {
  if (!driver || !context || devices.empty() || std::ranges::contains(devices, nullptr))
    throw Error(hipErrorInvalidValue,
                "`driver`, `context` or an element of `devices` is null, or `count` is 0");
  Platform::initialize_with({driver, context, {devices.begin(), devices.end()}});
}

template <class Handle> Handle from_number(uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}
uintptr_t to_number(const void *handle) { return reinterpret_cast<uintptr_t>(handle); }

} // namespace

// ---- chip/interop.h

hipError_t chipDeviceGetNative(int device, ze_driver_handle_t *driver, ze_device_handle_t *native,
                               ze_context_handle_t *context) {
  return entry([&] {
    const Device &found = Platform::get().device(device);
    store_if_asked(driver, found.driver().handle());
    store_if_asked(native, found.info().handle);
    store_if_asked(context, found.driver().context());
  });
}

hipError_t chipInitFromNative(ze_driver_handle_t driver, ze_context_handle_t context,
                              const ze_device_handle_t *devices, unsigned int count) {
  return entry([&] { initialize_with(driver, context, {&required(devices), count}); });
}

hipError_t chipStreamAppend(hipStream_t stream, chipAppend_t append, void *user_data) {
  return entry([&] {
    if (!append)
      throw Error(hipErrorInvalidValue, "`append` is null");
    append_native(resolve(stream), append, user_data);
  });
}

hipError_t chipStreamGetNative(hipStream_t stream, ze_command_list_handle_t *list) {
  return entry([&] {
    required(list) = nullptr;
    *list = share_list(resolve(stream));
  });
}

hipError_t chipStreamFromNative(hipStream_t *stream, ze_command_list_handle_t list,
                                unsigned int flags) {
  return entry([&] {
    required(stream) = nullptr;
    if (!list)
      throw Error(hipErrorInvalidValue, "`list` is null");
    *stream = stream_from_native(list, flags);
  });
}

hipError_t chipEventGetNative(hipEvent_t event, ze_event_handle_t *native) {
  return entry([&] {
    Platform::get();
    required(native) = nullptr;
    *native = native_event(find_event(event));
  });
}

hipError_t chipEventFromNative(hipEvent_t *event, ze_event_handle_t native) {
  return entry([&] {
    required(event) = nullptr;
    if (!native)
      throw Error(hipErrorInvalidValue, "`native` is null");
    *event = event_from_native(native);
  });
}

hipError_t chipMemGetNative(const void *address, void **base, size_t *bytes,
                            ze_device_handle_t *device, ze_context_handle_t *context) {
  return entry([&] {
    Platform::get();
    const auto allocation = find_allocation(address);
    if (!allocation)
      throw Error(hipErrorInvalidValue,
                  "`address` is not in memory that HIP allocated or was told of");
    const ze::Driver &driver = allocation->device->driver();
    const auto memory = ze::describe_memory(driver, address);
    if (!memory)
      throw Error(hipErrorInvalidValue, "`address` is in memory that Level Zero did not allocate");
    store_if_asked(base, memory->base);
    store_if_asked(bytes, memory->bytes);
    store_if_asked(device, memory->device);
    store_if_asked(context, driver.context());
  });
}

hipError_t chipMemFromNative(void *address) {
  return entry([&] { borrow_memory(address); });
}

hipError_t chipMemForget(void *address) {
  return entry([&] {
    Platform::get();
    return_memory(address);
  });
}

// ---- hip/hip_interop.h

int hipGetBackendNativeHandles(uintptr_t stream, uintptr_t *handles, int *count) {
  return entry([&] {
    // Of programs that know of four: driver, device, context, queue.
    constexpr int all = 6, without_list = 4;
    if (!handles) {
      required(count) = all;
      return;
    }
    const int room = count ? *count : all;
    if (room < without_list)
      throw Error(hipErrorInvalidValue, "`*count` is less than 4");
    const StreamTarget target = resolve(from_number<hipStream_t>(stream));
    const ze::Driver &driver = target.device->driver();
    if (room >= all)
      *handles++ = to_number("level0");
    *handles++ = to_number(driver.handle());
    *handles++ = to_number(target.device->info().handle);
    *handles++ = to_number(driver.context());
    *handles++ = 0;
    if (room >= all)
      *handles = to_number(share_list(target));
    store_if_asked(count, room >= all ? all : without_list);
  });
}

int hipInitFromNativeHandles(const uintptr_t *handles, int count) {
  return entry([&] {
    if (count != 4 && count != 6)
      throw Error(hipErrorInvalidValue, "`count` is neither 4 nor 6");
    const uintptr_t *first = &required(handles) + (count == 6 ? 1 : 0); // behind the text
    const auto device = from_number<ze_device_handle_t>(first[1]);
    initialize_with(from_number<ze_driver_handle_t>(first[0]),
                    from_number<ze_context_handle_t>(first[2]), {&device, 1});
  });
}

void *hipGetNativeEventFromHipEvent(void *event) {
  ze_event_handle_t native = nullptr;
  std::ignore = chipEventGetNative(static_cast<hipEvent_t>(event), &native);
  return native;
}

void *hipGetHipEventFromNativeEvent(void *event) {
  hipEvent_t created = nullptr;
  std::ignore = chipEventFromNative(&created, static_cast<ze_event_handle_t>(event));
  return created;
}
