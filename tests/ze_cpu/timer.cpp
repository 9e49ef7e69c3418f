// ZE_CPU_TIMESTAMP_BITS and ZE_CPU_TIMESTAMP_START: a timer that is about to wrap around.
#include "support.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

constexpr uint64_t period = uint64_t{1} << 40; // 18 minutes
constexpr uint64_t before_wrap = 100'000'000;

/// The driver reads them when it is loaded.
const int chosen =
    setenv("ZE_CPU_TIMESTAMP_BITS", "40", 1) |
    setenv("ZE_CPU_TIMESTAMP_START", std::to_string(period - before_wrap).c_str(), 1);

struct Times {
  uint64_t host = 0, device = 0;
};

class TimerTest : public Driver {
public:
  Times now() {
    Times times;
    REQUIRE_ZE(zeDeviceGetGlobalTimestamps(device, &times.host, &times.device));
    return times;
  }
};

uint64_t elapsed(uint64_t from, uint64_t to) { return (to - from) % period; }

} // namespace

TEST_CASE_METHOD(TimerTest, "ze_cpu timer: it wraps around where its bits end") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(properties.timestampValidBits == 40);
  CHECK(properties.kernelTimestampValidBits == 40);

  const Times first = now();
  CHECK(first.device < period);
  CHECK(elapsed(period - before_wrap, first.device) < period / 2); // it began there

  // A command that runs while it wraps: a host function that waits for that.
  struct Wait {
    TimerTest *test;
    uint64_t start;
    bool wrapped;
  } wait{this, 0, false};
  const auto until_wrapped = [](void *data) {
    auto &self = *static_cast<Wait *>(data);
    ze_device_handle_t device = self.test->device;
    uint64_t host = 0, device_time = 0;
    zeDeviceGetGlobalTimestamps(device, &host, &self.start);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!self.wrapped && std::chrono::steady_clock::now() < give_up) {
      zeDeviceGetGlobalTimestamps(device, &host, &device_time);
      self.wrapped = device_time < period / 2;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  const List list = immediate();
  const Event event = counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                    ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
  uint64_t *written = shared<uint64_t>(2);
  auto *collected = shared<ze_kernel_timestamp_result_t>(1);
  ze_event_handle_t queried = event;
  REQUIRE_ZE(zeCommandListAppendWriteGlobalTimestamp(list, &written[0], nullptr, 0, nullptr));
  REQUIRE_ZE(
      zeCommandListAppendHostFunction(list, until_wrapped, &wait, nullptr, event, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendWriteGlobalTimestamp(list, &written[1], nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendQueryKernelTimestamps(list, 1, &queried, collected, nullptr,
                                                      nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  REQUIRE(wait.wrapped);

  uint32_t count = 1;
  ze_kernel_timestamp_result_t stamps{};
  ze_synchronized_timestamp_result_ext_t synchronized{};
  ze_event_query_kernel_timestamps_results_ext_properties_t results{};
  results.stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES;
  results.pKernelTimestampsBuffer = &stamps;
  results.pSynchronizedTimestampsBuffer = &synchronized;
  REQUIRE_ZE(zeEventQueryKernelTimestampsExt(event, device, &count, &results));
  const Times last = now();
  CHECK(last.host > last.device);
  CHECK(elapsed(first.device, last.device) == last.host - first.host);
  for (uint64_t time : {written[0], written[1], stamps.global.kernelStart, stamps.global.kernelEnd})
    CHECK(time < period);
  CHECK(stamps.global.kernelEnd < period / 2);
  if (wait.start > period / 2) { // on a slow machine it had wrapped before
    CHECK(stamps.global.kernelStart > stamps.global.kernelEnd);
    CHECK(written[0] > written[1]);
  }
  CHECK(elapsed(written[0], stamps.global.kernelStart) < period / 2);
  CHECK(elapsed(stamps.global.kernelEnd, written[1]) < period / 2);
  // What is synchronised with the host's clock does not wrap.
  CHECK(synchronized.global.kernelStart >= first.host);
  CHECK(synchronized.global.kernelEnd <= last.host);
  CHECK(elapsed(stamps.global.kernelStart, stamps.global.kernelEnd) ==
        synchronized.global.kernelEnd - synchronized.global.kernelStart);
  CHECK(collected->global.kernelStart == stamps.global.kernelStart);
  CHECK(collected->context.kernelEnd == stamps.context.kernelEnd);
}
