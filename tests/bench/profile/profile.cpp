// Prints how many nanoseconds a call of hipGetDevice takes: as a program calls it, and by the address that libCHIP itself has for
// it, in turns.
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

} // namespace

int main(int count, char **arguments) {
  const int batches = count > 1 ? std::atoi(arguments[1]) : 101;
  void *library = dlopen("libCHIP.so", RTLD_LAZY | RTLD_NOLOAD);
  const auto direct =
      library ? reinterpret_cast<Function>(dlsym(library, "hipGetDevice")) : nullptr;
  if (!direct || batches < 1)
    return 1;
  std::vector<double> called, by_address;
  for (int i = 0; i < batches; ++i) {
    called.push_back(time_of([](int *device) { return hipGetDevice(device); }, 2000));
    by_address.push_back(time_of([=](int *device) { return direct(device); }, 2000));
  }
  std::printf("%f %f\n", median(called), median(by_address));
}
