// printf in kernels: what comes out, in what form, and that it is there when the host has waited.
#include "device_test.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace device_test;

__global__ void integers(int n, char c, short s, unsigned u, long l, unsigned long long ull, size_t size) {
  printf("%d %5d|%-4d|%04d %c %hd %u %x %ld %llu %zu %lld%%\n", n, n, n, n, c, s, u, u, l, ull, size, -1LL);
}
__global__ void floats(float f, double d) { printf("%f %.2f %e %g %lf\n", f, f, d, d, d); }
__global__ void strings(int n) {
  printf("%s %s\n", "literal", n > 3 ? "large" : "small");
  printf(n > 3 ? "a large number: %d\n" : "a small number: %d\n", n);
}
__global__ void by_other_names() {
  std::printf("no arguments\n");
  printf("");
}
__device__ __attribute__((noinline)) void in_function(int n) { printf("thread %d\n", n); }
__global__ void each_thread() { in_function(threadIdx.x); }

// What is written to standard output while a function runs.
template <class Function> std::string output_of(Function function) {
  char path[] = "/tmp/printf_test.XXXXXX";
  const int file = mkstemp(path);
  std::fflush(stdout);
  const int saved = dup(1);
  dup2(file, 1);
  function();
  wait();
  dup2(saved, 1);
  close(saved);
  close(file);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path);
  return text.str();
}

int main() {
  CHECK(output_of([] { integers<<<1, 1>>>(42, 'x', -7, 255u, 1L << 40, ~0ull, 12); }) ==
        "42    42|42  |0042 x -7 255 ff 1099511627776 18446744073709551615 12 -1%\n");
  CHECK(output_of([] { floats<<<1, 1>>>(1.5f, 0.25); }) ==
        "1.500000 1.50 2.500000e-01 0.25 0.250000\n");
  CHECK(output_of([] { strings<<<1, 1>>>(3); }) == "literal small\na small number: 3\n");
  CHECK(output_of([] { strings<<<1, 1>>>(4); }) == "literal large\na large number: 4\n");
  CHECK(output_of([] { by_other_names<<<1, 1>>>(); }) == "no arguments\n");
  const std::string text = output_of([] { each_thread<<<1, 40>>>(); });
  CHECK(std::count(text.begin(), text.end(), '\n') == 40);
  for (int i = 0; i < 40; ++i)
    CHECK(text.find("thread " + std::to_string(i) + "\n") != text.npos);
  return result();
}
