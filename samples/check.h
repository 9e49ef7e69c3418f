// What every sample needs: errors end the program with a message, and the last line says whether
// the result is right.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

// Every HIP call can fail; a program that does not look finds out much later, elsewhere.
#define HIP_CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(hipError_t error, const char *call, const char *file, int line) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\nFAILED\n", file, line, call, hipGetErrorName(error),
               hipGetErrorString(error));
  std::exit(1);
}

// True on a simulated device, which takes every call but executes nothing (scripts/pvc-sim sets the
// variable).
inline bool results_unchecked() { return std::getenv("CHIP_SAMPLE_UNCHECKED") != nullptr; }

// Prints the verdict and returns the program's exit code.
inline int report(bool right) {
  if (results_unchecked()) {
    std::puts("PASSED (all calls were accepted; results are not checked on a simulated device)");
    return 0;
  }
  std::puts(right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
