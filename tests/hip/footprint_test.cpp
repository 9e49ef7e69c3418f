// What a process pays that only initialises HIP: memory, and which libraries come in.
#include <hip/hip_runtime_api.h>
#include <level_zero/ze_api.h>

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      long value = 0;
      status >> value;
      return value;
    }
  return 0;
}

bool is_mapped(const char *library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != std::string::npos)
      return true;
  return false;
}

/// What `body` returns, run in a process of its own.
template <class Body> long in_own_process(Body &&body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    long value = body();
    ssize_t written = write(ends[1], &value, sizeof value);
    _exit(written == sizeof value ? 0 : 1);
  }
  close(ends[1]);
  long value = -1;
  REQUIRE(read(ends[0], &value, sizeof value) == sizeof value);
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  return value;
}

} // namespace

TEST_CASE("hip footprint: hipInit takes little more memory than zeInit") {
  // On a machine without a GPU zeInit alone finds no driver: the bar is the higher for it.
  long raw = in_own_process([] {
    (void)zeInit(0);
    return resident_kib();
  });
  long hip = in_own_process([] { return hipInit(0) == hipSuccess ? resident_kib() : -1; });
  REQUIRE(raw > 0);
  REQUIRE(hip > 0);
  REQUIRE(hip - raw < 60 * 1024);
}

TEST_CASE("hip footprint: no compiler is loaded before device code is used") {
  REQUIRE(in_own_process(
              [] { return hipInit(0) == hipSuccess && !is_mapped("libLLVM") ? 1L : 0L; }) == 1);
  REQUIRE(in_own_process([] {
            hipModule_t module = nullptr;
            void *memory = nullptr;
            bool good = hipMalloc(&memory, 64) == hipSuccess &&
                        hipDeviceSynchronize() == hipSuccess && !is_mapped("libLLVM") &&
                        hipModuleLoad(&module, TEST_KERNELS) == hipSuccess;
            return good ? 1L : 0L;
          }) == 1);
}
