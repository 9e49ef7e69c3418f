// The model test of the scheduler: random HIP programs on the CPU driver under ZE_CPU_CHAOS, compared with HIP's ordering rules.
#include "generator.h"
#include "shrinker.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

using namespace model;

namespace {

constexpr const char *usage =
    "model_test [--seed N] [--programs N] [--repeat N] [--print] [--expect-failure]\n"
    "Runs programs N, N+1, ... and tells what they do against HIP's rules.\n"
    "  --seed N          the first program (CHIP_MODEL_SEED; 1)\n"
    "  --programs N      how many (1000)\n"
    "  --repeat N        runs each so often (1)\n"
    "  --print           prints the programs and runs nothing\n"
    "  --expect-failure  succeeds at the first failure, and fails if there is none\n"
    "ZE_CPU_CHAOS is the seed of the driver's delays; it is set to 1 if it is not.\n";

struct Options {
  uint64_t seed = 1;
  int programs = 1000;
  int repeat = 1;
  bool print = false;
  bool expect_failure = false;
};

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  if (const char *seed = std::getenv("CHIP_MODEL_SEED"))
    options.seed = std::strtoull(seed, nullptr, 0);
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--print")
      options.print = true;
    else if (name == "--expect-failure")
      options.expect_failure = true;
    else if (i + 1 == argc)
      return {};
    else if (name == "--seed")
      options.seed = std::strtoull(argv[++i], nullptr, 0);
    else if (name == "--programs")
      options.programs = std::atoi(argv[++i]);
    else if (name == "--repeat")
      options.repeat = std::atoi(argv[++i]);
    else
      return {};
  }
  return options;
}

void print(const Violations &violations) {
  for (const std::string &violation : violations)
    std::printf("%s\n", violation.c_str());
}

int run(const Options &options) {
  Runner runner(TEST_KERNELS);
  Watchdog watchdog(std::chrono::seconds(options.expect_failure ? 10 : 60),
                    options.expect_failure ? 0 : 3);
  size_t operations = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t seed = options.seed; seed < options.seed + uint64_t(options.programs); ++seed) {
    const Program program = generate(seed);
    operations += program.ops.size();
    Violations violations;
    try {
      violations = run_often(runner, watchdog, program, options.repeat);
    } catch (const Lost &) {
      std::printf("program %llu ended with the device lost:\n%s",
                  static_cast<unsigned long long>(seed), to_string(program).c_str());
      throw;
    }
    if (violations.empty())
      continue;
    std::printf("program %llu of %llu failed\n",
                static_cast<unsigned long long>(seed - options.seed + 1),
                static_cast<unsigned long long>(options.programs));
    print(violations);
    std::fflush(stdout);
    if (options.expect_failure) {
      std::fflush(stdout);
      std::_Exit(0); // what is broken may not survive an orderly end
    }
    Failure failure = shrink(runner, watchdog, program, std::chrono::seconds(60));
    std::printf("\nIt is, %s:\n%s\n",
                failure.violations.empty() ? "as it did not fail again" : "shrunk",
                to_string(failure.program).c_str());
    print(failure.violations);
    std::printf(
        "\nRun it again: ZE_CPU_CHAOS=%s model_test --seed %llu --programs 1 --repeat 1000\n",
        std::getenv("ZE_CPU_CHAOS"), static_cast<unsigned long long>(seed));
    return 1;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%d programs of %zu operations ran in %.1f s, each as HIP promises\n",
              options.programs, operations, seconds);
  return options.expect_failure ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (options->print) {
    for (uint64_t seed = options->seed; seed < options->seed + uint64_t(options->programs); ++seed)
      std::printf("program %llu\n%s\n", static_cast<unsigned long long>(seed),
                  to_string(generate(seed)).c_str());
    return 0;
  }
  setenv("ZE_ENABLE_ALT_DRIVERS", TEST_CPU_DRIVER, 0);
  setenv("ZE_CPU_CHAOS", "1", 0);
  try {
    return run(*options);
  } catch (const Lost &lost) {
    std::printf("%s\n", lost.what());
    std::fflush(stdout);
    std::_Exit(options->expect_failure ? 0 : 1); // no orderly end is possible
  }
}
