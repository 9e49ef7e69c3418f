// HIP and raw Level Zero in one process: what the tests of both share.
#pragma once

#include "fixture.h"

#include <chip/interop.h>

#include <algorithm>
#include <vector>

#define REQUIRE_ZE(call) REQUIRE((call) == ZE_RESULT_SUCCESS)

namespace fixture {

/// What is behind HIP's first device.
struct Native {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  Native() { REQUIRE_HIP(chipDeviceGetNative(0, &driver, &device, &context)); }
};

/// Level Zero without HIP.
struct Own {
  ze_driver_handle_t driver = nullptr;
  std::vector<ze_device_handle_t> devices;
  ze_context_handle_t context = nullptr;
  Own() {
    REQUIRE_ZE(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    uint32_t count = 1;
    REQUIRE_ZE(zeDriverGet(&count, &driver));
    REQUIRE_ZE(zeDeviceGet(driver, &count, nullptr));
    devices.resize(count);
    REQUIRE_ZE(zeDeviceGet(driver, &count, devices.data()));
    context = make_context();
  }
  /// The context lives until the process ends, as HIP may work in it until then.
  ze_context_handle_t make_context() const {
    static auto &all = *new std::vector<ze_context_handle_t>; // what LeakSanitizer reaches
    const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t made = nullptr;
    REQUIRE_ZE(zeContextCreate(driver, &desc, &made));
    return all.emplace_back(made);
  }
};

/// An event that the host signals. Declared after what would wait for it in its destructor.
class Gate {
public:
  explicit Gate(const Native &native) {
    const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                    ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_device_handle_t device = native.device;
    REQUIRE_ZE(zeEventPoolCreate(native.context, &pool, 1, &device, &pool_));
    const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                               ZE_EVENT_SCOPE_FLAG_HOST};
    REQUIRE_ZE(zeEventCreate(pool_, &desc, &event));
  }
  ~Gate() {
    open(); // a test that has failed leaves nothing waiting
    (void)hipDeviceSynchronize();
    zeEventDestroy(event);
    zeEventPoolDestroy(pool_);
  }
  Gate(const Gate &) = delete;
  void open() { zeEventHostSignal(event); }
  ze_event_handle_t event = nullptr;

private:
  ze_event_pool_handle_t pool_ = nullptr;
};

/// An immediate list that the program has made.
class List {
public:
  explicit List(const Native &native) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    REQUIRE_ZE(zeCommandListCreateImmediate(native.context, native.device, &desc, &list_));
  }
  ~List() {
    finish();
    zeCommandListDestroy(list_);
  }
  List(const List &) = delete;
  operator ze_command_list_handle_t() const { return list_; }
  void finish() { zeCommandListHostSynchronize(list_, UINT64_MAX); }
  bool is_complete() { return zeCommandListHostSynchronize(list_, 0) == ZE_RESULT_SUCCESS; }

private:
  ze_command_list_handle_t list_ = nullptr;
};

/// 64 bytes of a device, and what they are set to.
class Bytes {
public:
  static constexpr size_t count = 64;
  Bytes() { REQUIRE_HIP(hipMalloc(&data_, count)); }
  ~Bytes() { (void)hipFree(data_); }
  Bytes(const Bytes &) = delete;
  void *data() const { return data_; }
  bool are_all(unsigned char value) const {
    unsigned char read[count] = {};
    REQUIRE_HIP(hipMemcpy(read, data_, count, hipMemcpyDeviceToHost));
    return std::ranges::all_of(read, [&](unsigned char byte) { return byte == value; });
  }

private:
  void *data_ = nullptr;
};

inline ze_result_t fill(ze_command_list_handle_t list, void *memory, unsigned char value,
                        ze_event_handle_t after = nullptr) {
  return zeCommandListAppendMemoryFill(list, memory, &value, 1, Bytes::count, nullptr,
                                       after ? 1 : 0, after ? &after : nullptr);
}

} // namespace fixture
