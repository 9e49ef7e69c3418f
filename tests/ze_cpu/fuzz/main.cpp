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
#include <unistd.h>

using namespace fuzz;

namespace {

constexpr const char *usage =
    "ze_cpu_mutation_test [--seed N] [--inputs N] [--write FILE] MODULE...\n"
    "Builds changed modules, as inputs N, N+1, ... have them; none may end the process.\n"
    "  --seed N      the first input (1)\n"
    "  --inputs N    how many (1000)\n"
    "  --write FILE  writes the first input and builds nothing\n";

struct Options {
  uint64_t seed = 1, inputs = 1000;
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

uint64_t current = 0;

void on_end(int signal) {
  // A program that is about to end may still call this.
  std::printf("input %llu: %s\n", static_cast<unsigned long long>(current),
              signal == SIGALRM ? "takes too long" : strsignal(signal));
  std::fflush(stdout);
  _exit(1);
}

// What bad input does must neither end this process, nor take for ever, nor take its memory.
void watch() {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    std::signal(signal, on_end);
  rlimit memory{8ul << 30, 8ul << 30};
  setrlimit(RLIMIT_AS, &memory);
  setenv("ZE_CPU_COMPILER_SECONDS", "20", 0);
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (!name.starts_with("--"))
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
  watch();
  const uint64_t end = options.seed + options.inputs;
  uint64_t reached[3] = {};
  for (current = options.seed; current < end; ++current) {
    constexpr unsigned time_limit = 120;
    alarm(time_limit);
    const Words words = input(options, current);
    ++reached[build_all(std::as_bytes(std::span(words)))];
  }
  alarm(0);
  const bool builds = build_all(std::as_bytes(std::span(options.modules[0]))) == 2;
  std::printf("%llu refused, %llu built, %llu of them with kernels that compiled; "
              "%llu times the compiler ended; a good module %s\n",
              static_cast<unsigned long long>(reached[0]),
              static_cast<unsigned long long>(reached[1] + reached[2]),
              static_cast<unsigned long long>(reached[2]),
              static_cast<unsigned long long>(compiler_ends()),
              builds ? "still builds" : "no longer builds");
  return !builds;
}
