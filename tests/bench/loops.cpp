// Loops that programs run and that have hurt them elsewhere, next to raw Level Zero that does the
// least that has to be done: it keeps lists, modules and memory from one round to the next.
#include "hip_launcher.h"
#include "sections.h"

#include <deque>

namespace bench {
namespace {

/// Launches over many streams, round robin, then one wait for the device.
void measure_streams(const Setting &setting) {
  constexpr size_t count = 21;
  std::deque<RawLauncher> raw;
  for (size_t i = 0; i < count; ++i)
    raw.emplace_back(setting.raw);
  DeviceInt sum;
  Streams streams(sum.get());
  streams.grow_to(count);
  const auto wait_for_raw = [&raw] {
    for (auto &launcher : raw)
      launcher.synchronize();
  };
  const auto round_robin = [](auto launch, auto wait) {
    return [launch, wait](int launches) {
      const auto start = Clock::now();
      for (int i = 0; i < launches; ++i)
        launch(static_cast<size_t>(i) % count);
      wait();
      return Nanoseconds(Clock::now() - start).count();
    };
  };

  std::vector<Operation> operations{
      {"raw_loop_21_streams_ns", round_robin([&raw](size_t i) { raw[i].launch(); }, wait_for_raw)}};
  if (setting.raw.has_launch_with_arguments())
    operations.push_back(
        {"raw_loop_21_streams_with_arguments_ns",
         round_robin([&raw](size_t i) { raw[i].launch_with_arguments(); }, wait_for_raw)});
  operations.push_back(
      {"loop_21_streams_ns",
       round_robin([&streams](size_t i) { streams[i].launch(); }, synchronize_device)});
  measure(operations, {setting.effort.batches, setting.effort.batch_size * 10});
  setting.results.add(operations);
  const double launch = operations.back().nanoseconds;
  operations.pop_back();
  setting.results.add("loop_21_streams_ratio", launch / same_way(operations));
}

/// A library that sets itself up for each call. The raw loop launches and waits.
void measure_module_loop(const Setting &setting) {
  RawLauncher raw(setting.raw);
  DeviceInt sum;
  const auto round = [&setting, argument = sum.get()] {
    hipStream_t stream;
    hipModule_t module;
    hipFunction_t function;
    int *memory = argument;
    int value = 1;
    void *arguments[] = {&memory, &value};
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipModuleLoadData(&module, setting.code_object.data()));
    HIP_CHECK(hipModuleGetFunction(&function, module, "add"));
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipModuleUnload(module));
    HIP_CHECK(hipStreamDestroy(stream));
  };
  std::vector<Operation> operations{{"raw_loop_module_ns", repeated([&raw] {
                                       raw.launch();
                                       raw.synchronize();
                                     })},
                                    {"loop_module_ns", repeated(round)}};
  measure(operations, setting.effort);
  setting.results.add(operations);
}

/// Memory for arguments and results, taken and given back in the stream's order, with no wait in
/// between. The raw loop copies in, launches and copies out.
void measure_stream_ordered(const Setting &setting) {
  RawLauncher raw(setting.raw);
  std::vector<Operation> operations{{"raw_loop_stream_ordered_ns", repeated([&raw] {
                                       raw.copy_in();
                                       raw.launch();
                                       raw.copy_out();
                                     }),
                                     [&raw] { raw.synchronize(); }}};
  DeviceInt unused; // initialises HIP's memory before the pinned part is asked for
  int *host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), 2 * sizeof(int), hipHostMallocDefault));
  const auto round = [host] {
    void *input = nullptr, *output = nullptr;
    HIP_CHECK(hipMallocAsync(&input, sizeof(int), nullptr));
    HIP_CHECK(hipMallocAsync(&output, sizeof(int), nullptr));
    HIP_CHECK(hipMemcpyAsync(input, host, sizeof(int), hipMemcpyHostToDevice, nullptr));
    HipLauncher(static_cast<int *>(output)).launch();
    HIP_CHECK(hipMemcpyAsync(host + 1, output, sizeof(int), hipMemcpyDeviceToHost, nullptr));
    HIP_CHECK(hipFreeAsync(input, nullptr));
    HIP_CHECK(hipFreeAsync(output, nullptr));
  };
  operations.push_back({"loop_stream_ordered_ns", repeated(round), synchronize_device});
  measure(operations, setting.effort);
  setting.results.add(operations);
  HIP_CHECK(hipHostFree(host));
}

} // namespace

void measure_loops(const Setting &setting) {
  measure_streams(setting);
  measure_module_loop(setting);
  measure_stream_ordered(setting);
}

} // namespace bench
