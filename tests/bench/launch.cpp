// What a kernel launch, and what programs do around it, costs the host: HIP on libCHIP next to raw
// Level Zero that does the same work. Prints one figure a line; tests/bench/launch.py makes tables
// and a plot of them.
#include "hip_launcher.h"
#include "program.h"
#include "sections.h"

#include <cstdio>
#include <string_view>

namespace {

using namespace bench;

struct Options {
  Effort effort;
  int launches = 0; // if not 0, nothing is measured: the program launches so often and ends
  bool executes = false;
  bool only_idle = false;
  std::string json;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--executes") { // the device runs kernels: how they overlap can be measured
      options.executes = true;
      continue;
    }
    if (option == "--only-idle") { // what scripts/demo shows
      options.only_idle = true;
      continue;
    }
    int *number = option == "--batches"      ? &options.effort.batches
                  : option == "--batch-size" ? &options.effort.batch_size
                  : option == "--launches"   ? &options.launches
                                             : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error("usage: bench_launch [--json FILE] [--batches N] [--batch-size N] "
                               "[--executes] [--only-idle] | --launches N");
    if (number)
      *number = positive_number(argv[++i]);
    else
      options.json = argv[++i];
  }
  return options;
}

/// For a profiler: what two runs differ in is launches and nothing else.
void launch_only(int launches) {
  DeviceInt sum;
  HipLauncher hip(sum.get());
  for (int i = 0; i < launches; ++i)
    hip.launch();
  synchronize_device();
}

void run(const Options &options) {
  HIP_CHECK(hipInit(0));
  if (options.launches) {
    launch_only(options.launches);
    return;
  }
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s; medians of %d batches of %d\n", properties.name, options.effort.batches,
              options.effort.batch_size);

  const std::string path = path_beside_program("bench_add.code");
  const auto code_object = read_file<char>(path);
  RawDevice raw(read_spirv(path));
  Results results;
  const Setting setting{options.effort, raw, code_object, results};
  // The part that makes a thousand streams comes last: what is measured before must not depend on
  // them.
  if (!options.only_idle) {
    count_heap_allocations(setting);
    measure_calls(setting);
    measure_threads(setting);
    measure_loops(setting);
    if (options.executes)
      measure_overlap(setting);
  }
  measure_launches(setting, options.only_idle);
  results.add("batches", options.effort.batches);
  results.add("batch_size", options.effort.batch_size);

  report(results, options.json);
}

} // namespace

int main(int argc, char **argv) {
  return bench::run_program("bench_launch", [&] { run(parse(argc, argv)); });
}
