// The property test of the CPU driver's execution: random kernels in all ways of executing work-items, compared with what
// the kernels mean.
#include "forms.h"
#include "generator.h"
#include "runner.h"
#include "shrinker.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace random_kernels;

namespace {

constexpr const char *usage =
    "ze_cpu_random_test [--seed N] [--kernels N | --seconds N] [--print | --forms] [--keep-going]\n"
    "Runs kernels N, N+1, ... and compares what they do with what they mean.\n"
    "  --seed N      the first kernel (1)\n"
    "  --kernels N   how many (1000; 1 if a seed is given)\n"
    "  --seconds N   as many as can be run in that time\n"
    "  --print       prints the kernels and runs nothing\n"
    "  --forms       prints how many of the kernels have which forms, and runs nothing\n"
    "  --keep-going  does not stop at the first failure, and shrinks none\n";

struct Options {
  uint64_t seed = 1;
  uint64_t kernels = 1000;
  uint64_t seconds = 0; // 0: all of the kernels
  bool print = false;
  bool forms = false;
  bool keep_going = false;
};

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  bool counted = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--print") {
      options.print = true;
    } else if (name == "--forms") {
      options.forms = true;
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
    } else if (name == "--seconds") {
      options.seconds = std::strtoull(argv[++i], nullptr, 0);
      options.kernels = UINT64_MAX / 2;
      counted = true;
    } else {
      return {};
    }
  }
  return options;
}

// For a module: who waits for ever is busy with it, however many others are. Who sleeps is ended, too.
constexpr unsigned busy_seconds = 20, most_seconds = 600;
void limit_time() {
  const itimerval busy{.it_interval = {}, .it_value = {.tv_sec = busy_seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &busy, nullptr);
  alarm(most_seconds);
}

// Modules begin at multiples of this, so that a seed has the same build flags when it runs alone.
constexpr uint64_t kernels_per_module = 8;
uint64_t module_of(uint64_t seed) { return seed / kernels_per_module * kernels_per_module; }

// What a child process tells the one that watches it: wrong code may end it in any way.
struct Progress {
  uint64_t seed; // the kernel that failed, or the first of the module that it is at
  bool failed;
  char what[1000];
};

struct Failure {
  uint64_t seed;
  bool is_exact; // else one of the module that begins there
  std::string what;
};

// Runs `work` in a process of its own; what is wrong with the kernel, if anything.
template <class Work> std::optional<Failure> watch(Progress &progress, Work work) {
  progress.failed = false;
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(progress.failed);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    return Failure{progress.seed, false, "it cannot be run: there is no process for it"};
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM))
    return Failure{progress.seed, false, "it does not end"};
  if (WIFSIGNALED(status))
    return Failure{progress.seed, false, strsignal(WTERMSIG(status))};
  if (progress.failed)
    return Failure{progress.seed, true, progress.what};
  return std::nullopt;
}

std::optional<Failure> check_alone(Progress &progress, const Kernel &kernel) {
  return watch(progress, [&] {
    progress.seed = kernel.seed;
    limit_time();
    if (auto mismatch = check({&kernel, 1}, build_of(module_of(kernel.seed)))) {
      progress.failed = true;
      std::snprintf(progress.what, sizeof progress.what, "%s", mismatch->what.c_str());
    }
  });
}

using Clock = std::chrono::steady_clock;

// In [begin, end), as many as there is time for: the first that was not run is the progress then.
std::optional<Failure> check_all(Progress &progress, uint64_t begin, uint64_t end,
                                 Clock::time_point deadline) {
  return watch(progress, [&] {
    for (uint64_t seed = begin;;) {
      progress.seed = seed;
      if (seed >= end || Clock::now() >= deadline)
        return;
      const Build build = build_of(module_of(seed));
      std::vector<Kernel> kernels;
      for (const uint64_t first = module_of(seed); seed < end && module_of(seed) == first; ++seed)
        kernels.push_back(generate(seed));
      limit_time();
      auto mismatch = check(kernels, build);
      if (!mismatch)
        continue;
      progress.failed = true;
      progress.seed = kernels[mismatch->kernel].seed;
      std::snprintf(progress.what, sizeof progress.what, "%s", mismatch->what.c_str());
      return;
    }
  });
}

void report(Progress &progress, Failure failure, uint64_t end) {
  if (!failure.is_exact)
    for (uint64_t seed = failure.seed; seed < end && module_of(seed) == module_of(failure.seed);
         ++seed)
      if (auto alone = check_alone(progress, generate(seed))) {
        failure = *alone;
        failure.seed = seed;
        break;
      }
  const Kernel kernel = generate(failure.seed);
  std::printf("kernel %llu failed: %s\n", static_cast<unsigned long long>(failure.seed),
              failure.what.c_str());
  std::fflush(stdout);
  if (!check_alone(progress, kernel)) {
    std::printf("It does not fail in a module of its own.\n%s", to_string(kernel).c_str());
    return;
  }
  const Kernel small = shrink(kernel, [&](const Kernel &candidate) {
    return check_alone(progress, candidate).has_value();
  });
  const auto again = check_alone(progress, small);
  std::printf("\nIt is, shrunk:\n%s\nwhich fails: %s\n", to_string(small).c_str(),
              again ? again->what.c_str() : "no longer");
  std::printf("\nRun it again: ze_cpu_random_test --seed %llu\n",
              static_cast<unsigned long long>(failure.seed));
}

} // namespace

int main(int argc, char **argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::fputs(usage, stderr);
    return 2;
  }
  const uint64_t end = options->seed + options->kernels;
  if (options->forms) {
    Forms forms;
    for (uint64_t seed = options->seed; seed < end; ++seed)
      forms.add(generate(seed));
    std::fputs(forms.to_string().c_str(), stdout);
    return 0;
  }
  if (options->print) {
    for (uint64_t seed = options->seed; seed < end; ++seed)
      std::printf("%s%s\n",
                  build_of(module_of(seed)).optimised ? "" : "// built without optimisation\n",
                  to_string(generate(seed)).c_str());
    return 0;
  }
  void *shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 2;
  auto &progress = *new (shared) Progress{};
  const Clock::time_point begin = Clock::now(),
                          deadline = options->seconds
                                         ? begin + std::chrono::seconds(options->seconds)
                                         : Clock::time_point::max();
  uint64_t failures = 0, seed = options->seed;
  while (seed < end) {
    const auto failure = check_all(progress, seed, end, deadline);
    if (!failure) {
      seed = progress.seed;
      break;
    }
    ++failures;
    if (!options->keep_going) {
      std::printf("after %llu kernels, ",
                  static_cast<unsigned long long>(failure->seed - options->seed));
      load_compiler(); // once, and not in each child
      report(progress, *failure, end);
      return 1;
    }
    std::printf("kernel %llu%s: %s\n", static_cast<unsigned long long>(failure->seed),
                failure->is_exact ? "" : " or one of its module", failure->what.c_str());
    std::fflush(stdout);
    seed = failure->is_exact ? failure->seed + 1 : module_of(failure->seed) + kernels_per_module;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("%llu kernels in %.1f s, %llu failed\n",
              static_cast<unsigned long long>(seed - options->seed), seconds,
              static_cast<unsigned long long>(failures));
  return failures != 0;
}
