// Builds modules with a few changes that a seed decides: what the fuzzer does at random, in a fixed order.
#include "mutate.h"
#include "target.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuzz;

namespace {

constexpr const char *usage =
    "ze_cpu_mutation_test [--seed N] [--inputs N] [--keep-going] [--write FILE] MODULE...\n"
    "Builds changed modules, as inputs N, N+1, ... have them; none may end the process.\n"
    "  --seed N      the first input (1)\n"
    "  --inputs N    how many (1000)\n"
    "  --keep-going  does not stop at the first failure\n"
    "  --write FILE  writes the first input and builds nothing\n";

struct Options {
  uint64_t seed = 1, inputs = 1000;
  bool keep_going = false;
  std::string write;
  std::vector<Words> modules;
};

Words read_module(const char *path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Words words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

Words input(const Options &options, uint64_t seed) {
  Random random(seed);
  Words module = options.modules[random() % options.modules.size()];
  const Words &other = options.modules[random() % options.modules.size()];
  for (uint64_t changes = 1 + random() % 4; changes > 0; --changes)
    mutate(module, other, random);
  return module;
}

// What becomes of one input, in a process of its own; afterwards a good module still has to build.
[[noreturn]] void run_child(const Options &options, uint64_t seed) {
  constexpr unsigned time_limit = 60;
  alarm(time_limit);
  rlimit memory{8ul << 30, 8ul << 30};
  setrlimit(RLIMIT_AS, &memory);
  const Words words = input(options, seed);
  const int reached = build_all(std::as_bytes(std::span(words)));
  if (build_all(std::as_bytes(std::span(options.modules[0]))) != 2)
    std::abort();
  _exit(reached);
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--keep-going")
      options.keep_going = true;
    else if (!name.starts_with("--"))
      options.modules.push_back(read_module(argv[i]));
    else if (i + 1 == argc)
      return false;
    else if (name == "--seed")
      options.seed = std::strtoull(argv[++i], nullptr, 0);
    else if (name == "--inputs")
      options.inputs = std::strtoull(argv[++i], nullptr, 0);
    else if (name == "--write")
      options.write = argv[++i];
    else
      return false;
  }
  return !options.modules.empty();
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (!options.write.empty()) {
    const Words words = input(options, options.seed);
    std::ofstream(options.write, std::ios::binary)
        .write(reinterpret_cast<const char *>(words.data()),
               static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
    return 0;
  }
  // Loads the compiler once for all.
  if (build_all(std::as_bytes(std::span(options.modules[0]))) != 2) {
    std::printf("the first module does not build\n");
    return 2;
  }
  const uint64_t end = options.seed + options.inputs;
  uint64_t reached[3] = {};
  int failures = 0;
  for (uint64_t seed = options.seed; seed < end; ++seed) {
    const pid_t child = fork();
    if (child < 0)
      return 2;
    if (child == 0)
      run_child(options, seed);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 3) {
      ++reached[WEXITSTATUS(status)];
      continue;
    }
    ++failures;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    std::printf("input %llu: %s\n", static_cast<unsigned long long>(seed),
                signal == SIGALRM ? "takes too long" : signal ? strsignal(signal) : "ended the process");
    std::fflush(stdout);
    if (!options.keep_going)
      break;
  }
  std::printf("%llu refused, %llu built, %llu of them with kernels that compiled; %d failures\n",
              static_cast<unsigned long long>(reached[0]), static_cast<unsigned long long>(reached[1] + reached[2]),
              static_cast<unsigned long long>(reached[2]), failures);
  return failures != 0;
}
