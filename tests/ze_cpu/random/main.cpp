// The property test of the CPU driver's execution: random kernels in all ways of executing work-items, compared with what
// the kernels mean.
#include "generator.h"
#include "runner.h"
#include "shrinker.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <unistd.h>

using namespace random_kernels;

namespace {

constexpr const char *usage =
    "ze_cpu_random_test [--seed N] [--kernels N] [--print] [--keep-going]\n"
    "Runs kernels N, N+1, ... and compares what they do with what they mean.\n"
    "  --seed N      the first kernel (1)\n"
    "  --kernels N   how many (1000; 1 if a seed is given)\n"
    "  --print       prints the kernels and runs nothing\n"
    "  --keep-going  does not stop at the first failure, and shrinks none\n";

struct Options {
  uint64_t seed = 1;
  uint64_t kernels = 1000;
  bool print = false;
  bool keep_going = false;
};

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  bool counted = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--print") {
      options.print = true;
    } else if (name == "--keep-going") {
      options.keep_going = true;
    } else if (i + 1 == argc) {
      return {};
    } else if (name == "--seed") {
      options.seed = std::strtoull(argv[++i], nullptr, 0);
      if (!counted)
        options.kernels = 1;
    } else if (name == "--kernels") {
      options.kernels = std::strtoull(argv[++i], nullptr, 0);
      counted = true;
    } else {
      return {};
    }
  }
  return options;
}

// A kernel that never ends cannot be interrupted; say which it is.
constexpr unsigned time_limit = 120;
volatile uint64_t running_seed;
void give_up(int) {
  std::printf("kernel %llu, or one of the next few, does not end\n",
              static_cast<unsigned long long>(running_seed));
  std::fflush(stdout);
  _exit(1);
}

std::optional<std::string> check_one(const Kernel &kernel, bool optimised) {
  alarm(time_limit);
  auto mismatch = check({&kernel, 1}, optimised);
  return mismatch ? std::optional(mismatch->what) : std::nullopt;
}

void report(const Kernel &kernel, bool optimised, const std::string &what) {
  std::printf("kernel %llu failed, %s\n", static_cast<unsigned long long>(kernel.seed), what.c_str());
  std::fflush(stdout);
  if (!check_one(kernel, optimised)) {
    std::printf("It does not fail in a module of its own.\n");
    return;
  }
  Kernel small =
      shrink(kernel, [&](const Kernel &candidate) { return check_one(candidate, optimised).has_value(); });
  std::printf("\nIt is, shrunk:\n%s\nwhich is %s\n", to_string(small).c_str(),
              check_one(small, optimised).value_or("no longer wrong").c_str());
}

} // namespace

// Modules begin at multiples of this, so that a seed has the same build flags when it runs alone.
constexpr uint64_t kernels_per_module = 8;

int main(int argc, char **argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::fputs(usage, stderr);
    return 2;
  }
  const uint64_t end = options->seed + options->kernels;
  std::signal(SIGALRM, give_up);
  const auto begin = std::chrono::steady_clock::now();
  uint64_t failures = 0;
  for (uint64_t seed = options->seed; seed < end;) {
    const uint64_t first = seed / kernels_per_module * kernels_per_module;
    const bool optimised = is_optimised(first);
    std::vector<Kernel> kernels;
    running_seed = seed;
    for (; seed < end && seed < first + kernels_per_module; ++seed)
      kernels.push_back(generate(seed));
    if (options->print) {
      for (const Kernel &kernel : kernels)
        std::printf("%s%s\n", optimised ? "" : "// built without optimisation\n", to_string(kernel).c_str());
      continue;
    }
    alarm(time_limit);
    auto mismatch = check(kernels, optimised);
    if (!mismatch)
      continue;
    ++failures;
    if (!options->keep_going) {
      const Kernel &kernel = kernels[mismatch->kernel];
      std::printf("after %llu kernels, ", static_cast<unsigned long long>(kernel.seed - options->seed));
      report(kernel, optimised, mismatch->what);
      std::printf("\nRun it again: ze_cpu_random_test --seed %llu\n", static_cast<unsigned long long>(kernel.seed));
      return 1;
    }
    std::printf("kernel %llu: %s\n", static_cast<unsigned long long>(kernels[mismatch->kernel].seed),
                mismatch->what.c_str());
    seed = kernels[mismatch->kernel].seed + 1;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%llu kernels in %.1f s, %llu failed\n", static_cast<unsigned long long>(options->kernels), seconds,
              static_cast<unsigned long long>(failures));
  return failures != 0;
}
