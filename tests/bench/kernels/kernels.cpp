// How quickly kernels run on the CPU driver: raw Level Zero next to a plain OpenMP loop and, where there is one, to
// OpenCL on the same processors, in turns; then what a launch costs. With --compile: what building the kernels takes, in a
// process that does nothing else. Prints one figure a line; kernels.py makes a table and a plot of them.
#include "kernels.h"
#include "../measure.h"
#include "../program.h"
#include "../raw_level_zero.h"
#include "launch.h"
#include "opencl.h"
#include "suite.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace bench;

struct Options {
  Effort effort{15, 100};
  bool compile = false;
  bool is_small = false;
  std::string only;
  std::string json;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--compile")
      options.compile = true;
    else if (option == "--small")
      options.is_small = true;
    else if (i + 1 == argc)
      throw std::runtime_error("usage: bench_kernels [--json FILE] [--batches N] [--batch-size N] "
                               "[--only KEY] [--small] | --compile [--json FILE]");
    else if (option == "--json")
      options.json = argv[++i];
    else if (option == "--only")
      options.only = argv[++i];
    else if (option == "--batches")
      options.effort.batches = positive_number(argv[++i]);
    else if (option == "--batch-size")
      options.effort.batch_size = positive_number(argv[++i]);
    else
      throw std::runtime_error(std::format("what is {}?", option));
  }
  return options;
}

void measure_case(const RawContext &device, ze_module_handle_t module, OpenCl *opencl,
                  const Case &what, Effort effort, Results &results) {
  // Each has an output of its own.
  const SharedMemory memory(device, what.sizes);
  const SharedMemory outputs(device, {what.sizes.back(), what.sizes.back()});
  const std::vector<Buffer> ours = memory.buffers();
  std::vector<Buffer> natives = ours, pocls = ours;
  natives.back() = outputs.buffers()[0];
  pocls.back() = outputs.buffers()[1];
  what.fill(ours);

  Launch launch(device, module, what, ours);
  const auto native = [&] {
    if (what.clears)
      std::ranges::fill(natives.back(), 0.0f);
    what.native(natives);
  };
  std::vector<Operation> operations;
  operations.push_back({what.key + "_ns", repeated([&] { launch.run(); })});
  operations.push_back({what.key + "_native_ns", repeated(native)});
  const auto pocl = opencl ? opencl->prepare(what, pocls) : nullptr;
  if (pocl)
    operations.push_back({what.key + "_pocl_ns", repeated([&] { pocl->run(); })});
  // What takes seconds varies little.
  constexpr double limit_ns = 5e9;
  double slowest = 0;
  for (const Operation &operation : operations)
    slowest = std::max(slowest, operation.run(1));
  measure(operations,
          {std::clamp(static_cast<int>(limit_ns / slowest), 1, effort.batches), effort.batch_size});

  require_right(what, "the driver", ours, natives);
  if (pocl)
    require_right(what, "OpenCL", pocls, natives);
  const double native_ns = operations[1].nanoseconds;
  results.add(what.key, operations[0].nanoseconds / native_ns);
  if (pocl)
    results.add(what.key + "_pocl", operations[2].nanoseconds / native_ns);
  results.add(operations);
}

/// The driver's own threads are spinning for work, or they sleep.
void measure_latency(const RawContext &device, ze_module_handle_t module, Effort effort,
                     Results &results) {
  Case nothing;
  nothing.kernel = "empty";
  Launch launch(device, module, nothing, {});
  const auto append_awake = [&](int count) {
    launch.append(); // wakes the worker
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i)
      launch.append();
    return Nanoseconds(Clock::now() - start).count();
  };
  std::vector<Operation> operations;
  operations.push_back({"append_ns", append_awake, [&] { launch.synchronize(); }});
  operations.push_back({"launch_sync_ns", repeated([&] { launch.run(); })});
  operations.push_back(
      {"launch_sync_idle_ns",
       repeated_after([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
                      [&] { launch.run(); })});
  measure(operations, {std::max(effort.batches, 1), effort.batch_size * 10});
  results.add(operations);
}

/// Memory of this process that is there, in MB.
double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  if (!(file >> all >> resident))
    throw std::runtime_error("/proc/self/statm cannot be read");
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// From a process in which nothing has been built: first one kernel that runs, then all there are.
void measure_compile(const RawContext &device, const std::vector<uint8_t> &spirv,
                     Results &results) {
  Case nothing;
  nothing.kernel = "empty";
  const auto start = Clock::now();
  const auto module = device.create_module(spirv);
  Launch first(device, module.get(), nothing, {});
  first.run();
  results.add("first_launch_ms", Nanoseconds(Clock::now() - start).count() / 1e6);
  results.add("resident_mb", resident_megabytes());
  uint32_t count = 0;
  ZE_CHECK(zeModuleGetKernelNames(module.get(), &count, nullptr));
  std::vector<const char *> names(count);
  ZE_CHECK(zeModuleGetKernelNames(module.get(), &count, names.data()));
  for (const char *name : names)
    create_kernel(module.get(), name);
  results.add("compile_ms_per_kernel", Nanoseconds(Clock::now() - start).count() / 1e6 / count);
}

void run(const Options &options) {
  const RawContext device;
  const auto spirv = read_file<uint8_t>(path_beside_program("bench_kernels.spv"));
  Results results;
  if (options.compile) {
    measure_compile(device, spirv, results);
  } else {
    const auto source = read_file<char>(path_beside_program("bench_kernels.cl"));
    const auto opencl = open_cl({source.begin(), source.end()});
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    ZE_CHECK(zeDeviceGetProperties(device.device(), &properties));
    std::printf("%s; OpenCL: %s; medians of %d batches\n", properties.name,
                opencl ? opencl->device_name().c_str() : "none", options.effort.batches);
    const auto module = device.create_module(spirv);
    for (const Case &what : kernel_cases())
      if (options.only.empty() || options.only == what.key)
        measure_case(device, module.get(), opencl.get(), what, options.effort, results);
    measure_suite(
        device,
        {options.only == "suite" ? "" : options.only, options.is_small, options.effort.batches},
        results);
    if (options.only.empty() || options.only == "latency")
      measure_latency(device, module.get(), options.effort, results);
  }
  report(results, options.json);
}

} // namespace

int main(int argc, char **argv) {
  return bench::run_program("bench_kernels", [&] { run(parse(argc, argv)); });
}
