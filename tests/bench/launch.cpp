// What a kernel launch costs the host: HIP on libCHIP next to raw Level Zero that does the same
// work.
//
// The table shows nanoseconds per launch on the null stream while 0, 8, 64 and 1,000 other blocking
// streams exist that were used once and are idle. `ratio` is to the cheaper of the two raw ways to
// launch, measured in turns with it.
#include "measure.h"
#include "raw_level_zero.h"

#include <hip/hip_runtime.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <format>
#include <stdexcept>
#include <string_view>

extern "C" __global__ void add(int *sum, int value);

namespace {

using bench::Operation;

void check(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw std::runtime_error(std::format("{}: {}", call, hipGetErrorString(error)));
}
#define HIP_CHECK(call) check(call, #call)

struct Options {
  int batches = 9;
  int batch_size = 1000;
  std::string json;
};

int positive_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw std::runtime_error(std::format("'{}' is not a positive number", text));
  return number;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (i + 1 == argc || (option != "--json" && option != "--batches" && option != "--batch-size"))
      throw std::runtime_error("usage: bench_launch [--json FILE] [--batches N] [--batch-size N]");
    const char *value = argv[++i];
    if (option == "--json")
      options.json = value;
    else
      (option == "--batches" ? options.batches : options.batch_size) = positive_number(value);
  }
  return options;
}

/// Blocking streams that have done some work once and are idle.
class IdleStreams {
public:
  explicit IdleStreams(int *sum) : sum_(sum) {}
  ~IdleStreams() {
    for (auto stream : streams_)
      static_cast<void>(hipStreamDestroy(stream));
  }
  IdleStreams(const IdleStreams &) = delete;
  IdleStreams &operator=(const IdleStreams &) = delete;

  void grow_to(size_t count) {
    while (streams_.size() < count) {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreate(&stream));
      streams_.push_back(stream);
      add<<<1, 1, 0, stream>>>(sum_, 1);
      HIP_CHECK(hipGetLastError());
      HIP_CHECK(hipStreamSynchronize(stream));
    }
  }

private:
  int *sum_;
  std::vector<hipStream_t> streams_;
};

/// Launches the kernel on the null stream with two arguments, through the call that <<< >>> ends
/// in.
class HipLauncher {
public:
  HipLauncher() {
    HIP_CHECK(hipMalloc(&sum_, sizeof(int)));
    HIP_CHECK(hipEventCreateWithFlags(&event_, hipEventDisableTiming));
  }
  ~HipLauncher() {
    static_cast<void>(hipEventDestroy(event_));
    static_cast<void>(hipFree(sum_));
  }
  HipLauncher(const HipLauncher &) = delete;
  HipLauncher &operator=(const HipLauncher &) = delete;

  int *sum() const { return sum_; }
  hipEvent_t event() const { return event_; }
  void launch() {
    void *arguments[] = {&sum_, &value_};
    HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void *>(add), 1, 1, arguments, 0, nullptr));
  }

private:
  int *sum_ = nullptr;
  int value_ = 1;
  hipEvent_t event_ = nullptr;
};

/// Repeats `body`, as a batch.
template <typename Body> auto repeated(Body body) {
  return [body](int count) {
    for (int i = 0; i < count; ++i)
      body();
  };
}

/// The raw ways to launch, waiting for nothing.
std::vector<Operation> raw_launches(bench::RawLauncher &raw) {
  const auto finish = [&raw] { raw.synchronize(); };
  std::vector<Operation> operations{{"raw_append_ns", repeated([&raw] { raw.launch(); }), finish}};
  if (raw.has_launch_with_arguments())
    operations.push_back({"raw_append_with_arguments_ns",
                          repeated([&raw] { raw.launch_with_arguments(); }), finish});
  return operations;
}

double cheapest(const std::vector<Operation> &operations) {
  return std::ranges::min_element(operations, {}, &Operation::nanoseconds)->nanoseconds;
}

void measure_launches(bench::Results &results, const Options &options, bench::RawLauncher &raw,
                      HipLauncher &hip, IdleStreams &idle, const std::vector<int> &stream_counts) {
  for (const int count : stream_counts) {
    idle.grow_to(static_cast<size_t>(count));
    HIP_CHECK(hipDeviceSynchronize());
    auto operations = raw_launches(raw);
    operations.push_back(
        {"launch", repeated([&hip] { hip.launch(); }), [] { HIP_CHECK(hipDeviceSynchronize()); }});
    bench::measure(operations, options.batches, options.batch_size);
    const double launch = operations.back().nanoseconds;
    operations.pop_back();
    if (count == 0)
      results.add(operations);
    results.add(std::format("raw_launch_idle_{}_ns", count), cheapest(operations));
    results.add(std::format("launch_idle_{}_ns", count), launch);
    results.add(std::format("ratio_idle_{}", count), launch / cheapest(operations));
  }
}

void measure_waits(bench::Results &results, const Options &options, bench::RawLauncher &raw,
                   HipLauncher &hip) {
  const auto synchronize = [] { HIP_CHECK(hipDeviceSynchronize()); };
  std::vector<Operation> operations{
      {"raw_launch_sync_ns", repeated([&raw] {
         raw.launch();
         raw.synchronize();
       })},
      {"launch_sync_ns", repeated([&hip] {
         hip.launch();
         HIP_CHECK(hipStreamSynchronize(nullptr));
       })},
      {"raw_finish_idle_ns", repeated([&raw] { raw.synchronize(); })},
      {"finish_idle_ns", repeated(synchronize)},
      {"launch_ns", repeated([&hip] { hip.launch(); }), synchronize},
      {"launch_record_ns", repeated([&hip] {
         hip.launch();
         HIP_CHECK(hipEventRecord(hip.event(), nullptr));
       }),
       synchronize},
      {"raw_list_cycle_ns", repeated([&raw] { raw.cycle_list(); })},
      {"stream_cycle_ns", repeated([] {
         hipStream_t stream;
         HIP_CHECK(hipStreamCreate(&stream));
         HIP_CHECK(hipStreamDestroy(stream));
       })},
  };
  bench::measure(operations, options.batches, options.batch_size);
  results.add(operations);
  // A record that follows no new work may be free, so it is measured after a launch.
  results.add("event_record_ns", results.at("launch_record_ns") - results.at("launch_ns"));
  results.add("launch_sync_ratio", results.at("launch_sync_ns") / results.at("raw_launch_sync_ns"));
}

void print(const bench::Results &results, const std::vector<int> &stream_counts,
           bool with_arguments) {
  std::printf("%-34s %10s\n", "launch", "ns");
  std::printf("%-34s %10.0f\n", "raw Level Zero, append", results.at("raw_append_ns"));
  if (with_arguments)
    std::printf("%-34s %10.0f\n", "raw Level Zero, with arguments",
                results.at("raw_append_with_arguments_ns"));
  for (const int count : stream_counts) {
    const auto label = std::format("HIP, next to {} idle streams", count);
    std::printf("%-34s %10.0f   ratio %.2f\n", label.c_str(),
                results.at(std::format("launch_idle_{}_ns", count)),
                results.at(std::format("ratio_idle_{}", count)));
  }
  std::printf("%-34s %10.0f\n", "raw Level Zero, launch + wait", results.at("raw_launch_sync_ns"));
  std::printf("%-34s %10.0f   ratio %.2f\n", "HIP, launch + wait", results.at("launch_sync_ns"),
              results.at("launch_sync_ratio"));
  std::printf("%-34s %10.0f\n", "HIP, wait for an idle device", results.at("finish_idle_ns"));
  std::printf("%-34s %10.0f\n", "HIP, event record after a launch", results.at("event_record_ns"));
  std::printf("%-34s %10.0f\n", "HIP, stream create + destroy", results.at("stream_cycle_ns"));
}

/// The code object with the kernel lies beside the program.
std::string kernel_path() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bench_add.code")
      .string();
}

void run(const Options &options) {
  HIP_CHECK(hipInit(0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s; medians of %d batches of %d\n", properties.name, options.batches,
              options.batch_size);

  bench::Results results;
  bench::RawLauncher raw(bench::read_spirv(kernel_path()));
  HipLauncher hip;
  IdleStreams idle(hip.sum());
  const std::vector<int> stream_counts{0, 8, 64, 1000};
  // Without streams first: what is measured next must not depend on them.
  measure_waits(results, options, raw, hip);
  measure_launches(results, options, raw, hip, idle, stream_counts);
  results.add("batches", options.batches);
  results.add("batch_size", options.batch_size);

  print(results, stream_counts, raw.has_launch_with_arguments());
  if (!options.json.empty())
    results.write_json(options.json);
}

} // namespace

int main(int argc, char **argv) {
  try {
    run(parse(argc, argv));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench_launch: %s\n", error.what());
    return 1;
  }
}
