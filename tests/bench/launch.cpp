// What a kernel launch, and what programs do around it, costs the host: HIP on libCHIP next to raw
// Level Zero that does the same work. Prints one figure a line; tests/bench/launch.py makes tables
// and a plot of them.
#include "hip_launcher.h"
#include "sections.h"

#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace {

using namespace bench;

struct Options {
  Effort effort;
  int launches = 0; // if not 0, nothing is measured: the program launches so often and ends
  bool executes = false;
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
    if (option == "--executes") { // the device runs kernels: how they overlap can be measured
      options.executes = true;
      continue;
    }
    int *number = option == "--batches"      ? &options.effort.batches
                  : option == "--batch-size" ? &options.effort.batch_size
                  : option == "--launches"   ? &options.launches
                                             : nullptr;
    if (i + 1 == argc || (option != "--json" && !number))
      throw std::runtime_error("usage: bench_launch [--json FILE] [--batches N] [--batch-size N] "
                               "[--executes] | --launches N");
    if (number)
      *number = positive_number(argv[++i]);
    else
      options.json = argv[++i];
  }
  return options;
}

/// The code object with the kernel lies beside the program.
std::string code_object_path() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bench_add.code")
      .string();
}

std::vector<char> read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
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

  const auto code_object = read_file(code_object_path());
  RawDevice raw(read_spirv(code_object_path()));
  Results results;
  const Setting setting{options.effort, raw, code_object, results};
  // The part that makes a thousand streams comes last: what is measured before must not depend on
  // them.
  count_heap_allocations(setting);
  measure_calls(setting);
  measure_threads(setting);
  measure_loops(setting);
  if (options.executes)
    measure_overlap(setting);
  measure_launches(setting);
  results.add("batches", options.effort.batches);
  results.add("batch_size", options.effort.batch_size);

  results.print();
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
