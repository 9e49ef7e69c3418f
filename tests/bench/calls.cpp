// What calls other than launches cost: waits, event records, creating and destroying.
#include "hip_launcher.h"
#include "sections.h"

#include <algorithm>

namespace bench {
namespace {

class Event {
public:
  explicit Event(unsigned flags) { HIP_CHECK(hipEventCreateWithFlags(&event_, flags)); }
  ~Event() { static_cast<void>(hipEventDestroy(event_)); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  void record() { HIP_CHECK(hipEventRecord(event_, nullptr)); }

private:
  hipEvent_t event_ = nullptr;
};

void measure_waits(const Setting &setting, RawLauncher &raw, HipLauncher &hip) {
  std::vector<Operation> operations{{"raw_launch_sync_ns", repeated([&raw] {
                                       raw.launch();
                                       raw.synchronize();
                                     })}};
  if (setting.raw.has_launch_with_arguments())
    operations.push_back({"raw_launch_with_arguments_sync_ns", repeated([&raw] {
                            raw.launch_with_arguments();
                            raw.synchronize();
                          })});
  operations.push_back({"launch_sync_ns", repeated([&hip] {
                          hip.launch();
                          HIP_CHECK(hipStreamSynchronize(nullptr));
                        })});
  measure(operations, setting.effort);
  setting.results.add(operations);
  const double launch = operations.back().nanoseconds;
  operations.pop_back();
  setting.results.add("launch_sync_ratio", launch / same_way(operations));
  setting.results.add("launch_sync_ratio_to_cheapest", launch / cheapest(operations));

  std::vector<Operation> idle{{"raw_finish_idle_ns", repeated([&raw] { raw.synchronize(); })},
                              {"finish_idle_ns", repeated(synchronize_device)}};
  measure(idle, setting.effort);
  setting.results.add(idle);
}

/// A record that follows no new work may be free, so each is measured after a launch, alone.
void measure_records(const Setting &setting, HipLauncher &hip) {
  Event untimed(hipEventDisableTiming), timed(hipEventDefault);
  const auto launch = [&hip] { hip.launch(); };
  const auto record = [&untimed] { untimed.record(); };
  const auto record_timed = [&timed] { timed.record(); };
  std::vector<Operation> synchronized{{"event_record_ns",
                                       repeated_after(
                                           [&hip] {
                                             synchronize_device();
                                             hip.launch();
                                           },
                                           record),
                                       synchronize_device}};
  measure(synchronized, setting.effort);
  setting.results.add(synchronized);

  std::vector<Operation> many{
      {"event_record_200_ns", repeated_after(launch, record), synchronize_device},
      {"event_record_timed_200_ns", repeated_after(launch, record_timed), synchronize_device}};
  measure(many, {setting.effort.batches, std::min(200, setting.effort.batch_size)});
  setting.results.add(many);
}

void cycle_module(const std::vector<char> &code_object) {
  hipModule_t module;
  hipFunction_t function;
  HIP_CHECK(hipModuleLoadData(&module, code_object.data()));
  HIP_CHECK(hipModuleGetFunction(&function, module, "add"));
  HIP_CHECK(hipModuleUnload(module));
}

void measure_cycles(const Setting &setting) {
  std::vector<Operation> operations{
      {"raw_list_cycle_ns", repeated([&setting] { setting.raw.create_list(); })},
      {"stream_cycle_ns", repeated([] {
         hipStream_t stream;
         HIP_CHECK(hipStreamCreate(&stream));
         HIP_CHECK(hipStreamDestroy(stream));
       })},
      {"module_cycle_ns", repeated([&setting] { cycle_module(setting.code_object); })},
  };
  measure(operations, setting.effort);
  setting.results.add(operations);
}

void measure_memory(const Setting &setting) {
  constexpr size_t bytes = 4096;
  std::vector<Operation> operations{
      {"raw_memory_pair_ns", repeated([&setting] { setting.raw.cycle_memory(bytes); })},
      {"malloc_async_pair_ns", repeated([] {
         void *memory = nullptr;
         HIP_CHECK(hipMallocAsync(&memory, bytes, nullptr));
         HIP_CHECK(hipFreeAsync(memory, nullptr));
       }),
       synchronize_device}};
  measure(operations, setting.effort);
  setting.results.add(operations);
}

} // namespace

void measure_calls(const Setting &setting) {
  RawLauncher raw(setting.raw);
  DeviceInt sum;
  HipLauncher hip(sum.get());
  measure_waits(setting, raw, hip);
  measure_records(setting, hip);
  measure_cycles(setting);
  measure_memory(setting);
}

} // namespace bench
