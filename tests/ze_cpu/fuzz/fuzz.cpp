// The libFuzzer target: see CMakeLists.txt for how to run it.
#include "coverage.h"
#include "mutate.h"
#include "target.h"

#include "contract/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuzz;

namespace {

Words to_words(const uint8_t *data, size_t size) {
  Words words(size / sizeof(uint32_t));
  std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  return words;
}

size_t to_bytes(const Words &words, uint8_t *data, size_t max_size) {
  size_t size = std::min(words.size(), max_size / sizeof(uint32_t)) * sizeof(uint32_t);
  std::memcpy(data, words.data(), size);
  return size;
}

// libFuzzer takes what is in this section for coverage too.
[[gnu::section("__libfuzzer_extra_counters"),
  gnu::used]] alignas(4096) uint8_t counters[coverage_bytes];
volatile uint64_t *sanitizer_reports = nullptr;

void print_ends() {
  std::printf("the compiler ended %llu times\n", static_cast<unsigned long long>(compiler_ends()));
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] int LLVMFuzzerInitialize(int *, char ***) {
  const int file = memfd_create("coverage", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, coverage_bytes + reports_bytes) != 0 ||
      mmap(counters, coverage_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
          counters)
    std::abort();
  void *reports =
      mmap(nullptr, reports_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, coverage_bytes);
  if (reports == MAP_FAILED)
    std::abort();
  sanitizer_reports = static_cast<uint64_t *>(reports);
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
  setenv(coverage_variable, path.c_str(), 1);
  // What takes longer or more is to end before libFuzzer calls it a finding.
  setenv("ZE_CPU_COMPILER_SECONDS", "20", 0);
  setenv("ZE_CPU_COMPILER_MB", "4096", 0);
  std::atexit(print_ends);
  const auto nothing = ze_cpu::build_program({}, "", {});
  if (nothing || nothing.error().kind != ze_cpu::BuildError::Kind::invalid) {
    std::fprintf(stderr, "there is no compiler: %s\n", nothing ? "" : nothing.error().log.c_str());
    std::exit(1);
  }
  return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

[[gnu::visibility("default")]] int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  build_all(std::as_bytes(std::span(data, size)));
  if (*sanitizer_reports != 0)
    std::abort();
  return 0;
}

[[gnu::visibility("default")]] size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                                              size_t max_size, unsigned seed) {
  if (seed % 50 == 0) // any bytes
    return LLVMFuzzerMutate(data, size, max_size);
  Random random(seed);
  Words words = to_words(data, size);
  for (unsigned changes = 1 + seed % 3; changes > 0; --changes)
    mutate(words, words, random);
  return to_bytes(words, data, max_size);
}

[[gnu::visibility("default")]] size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size,
                                                                const uint8_t *other,
                                                                size_t other_size, uint8_t *out,
                                                                size_t max_size, unsigned seed) {
  Random random(seed);
  Words words = to_words(data, size);
  mutate(words, to_words(other, other_size), random);
  return to_bytes(words, out, max_size);
}
}
