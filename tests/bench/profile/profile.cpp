// Prints how many nanoseconds a call of hipGetDevice takes: as a program calls it, and past its gate, in turns. What is behind
// the gate is known if CHIP_TOOL names the library of ungated.cpp; elsewhere both are as a program calls it.
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dlfcn.h>

namespace {

using Function = hipError_t (*)(int *);

template <class Call> double time_of(const Call &call, int count) {
  int device = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i)
    if (call(&device) != hipSuccess)
      std::abort();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
             .count() /
         count;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void *library_of_tool() {
  const char *const path = std::getenv("CHIP_TOOL");
  return path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
}

} // namespace

int main(int count, char **arguments) {
  const int batches = count > 1 ? std::atoi(arguments[1]) : 101;
  if (batches < 1)
    return 1;
  Function ungated = hipGetDevice;
  if (void *const library = library_of_tool())
    if (void *const known = dlsym(library, "ungated_get_device"))
      ungated = *static_cast<Function *>(known);
  std::vector<double> called, past_gate;
  for (int i = 0; i < batches; ++i) {
    called.push_back(time_of([](int *device) { return hipGetDevice(device); }, 2000));
    past_gate.push_back(time_of([=](int *device) { return ungated(device); }, 2000));
  }
  std::printf("%f %f\n", median(called), median(past_gate));
}
