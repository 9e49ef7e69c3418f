// printf in kernels: what comes out, in what form, what it returns, and that it is there when the host has waited.
#include "device_test.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

using namespace device_test;

enum Colour { red, green };
enum class Level : unsigned char { low = 7 };

__global__ void integers(int n, char c, short s, unsigned u, long l, unsigned long long ull, size_t size) {
  printf("%d %5d|%-4d|%04d %c %hd %u %x %ld %llu %zu %lld%%\n", n, n, n, n, c, s, u, u, l, ull, size, -1LL);
  printf("%hhd %hhu %d %d %d %p\n", c + 256, static_cast<signed char>(-1), green, static_cast<int>(Level::low), n == 42, nullptr);
}
__global__ void floats(float f, double d) {
  printf("%f %.2f %e %g %lf %a\n", f, f, d, d, d, d);
  printf("%*.*f|%-*d|\n", 9, 3, d, 5, 42);
}
__global__ void strings(int n) {
  printf("%s %s\n", "literal", n > 3 ? "large" : "small");
  printf(n > 3 ? "a large number: %d\n" : "a small number: %d\n", n);
}
__device__ const char *table[] = {"zero", "one"};
__device__ char text_of_host[64] = "unset";
// Formats and strings that nobody knows before the kernel runs.
__global__ void computed(const char *format, const char *string, int n) {
  char made[8] = {'%', static_cast<char>('c' + n), '.', '\n', 0};
  printf(made, n);
  printf(format, string, n, string + 1);
  printf("%s %s %.2s %p\n", table[n], text_of_host, string, static_cast<const char *>(nullptr));
}
__global__ void lengths(int *length, int n) {
  length[0] = printf("%d\n", n);
  length[1] = printf("%s|%5.1f|%e\n", "some text", n * 1.5, 1e100);
  length[2] = printf("");
  length[3] = printf(static_cast<const char *>(nullptr));
}
__global__ void by_other_names() {
  std::printf("no arguments\n");
  ::printf("");
}
struct Shape {
  virtual __device__ void print() const { printf("shape\n"); }
};
__global__ void many_kinds(volatile int *v, const Shape *shape) {
  const int block = blockIdx.x;
  auto lambda = [=](auto value) { printf("%g %d %u\n", value, block, threadIdx.x); };
  lambda(1.5f);
  lambda(2.5);
  printf("%d %s\n", *v, shape == nullptr ? "null" : "there");
}
__device__ __attribute__((noinline)) void in_function(int n) { printf("thread %d\n", n); }
__global__ void each_thread() { in_function(threadIdx.x); }
__global__ void much(int lines) {
  for (int i = 0; i < lines; ++i)
    printf("block %d thread %d line %d and more text to fill the room\n", blockIdx.x, threadIdx.x, i);
}
__global__ void results(int *lost, int lines) {
  for (int i = 0; i < lines; ++i)
    if (printf("%63d\n", i) < 0)
      ++*lost;
}
__global__ void long_text(const char *text) { printf("<%s>\n", text); }

// What is written to a stream while a function runs.
std::string output_of(const std::function<void()> &function, FILE *stream = stdout) {
  char path[] = "/tmp/printf_test.XXXXXX";
  const int file = mkstemp(path);
  std::fflush(stream);
  const int number = fileno(stream), saved = dup(number);
  dup2(file, number);
  function();
  std::fflush(stream);
  dup2(saved, number);
  close(saved);
  close(file);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path);
  return text.str();
}
std::string output_after_wait(const std::function<void()> &function) {
  return output_of([&] {
    function();
    wait();
  });
}

void check_when_it_appears() {
  hipStream_t stream;
  hipEvent_t event;
  CALL(hipStreamCreate(&stream));
  CALL(hipEventCreate(&event));
  const auto print = [&] { each_thread<<<1, 1, 0, stream>>>(); };
  const std::string expected = "thread 0\n";
  CHECK(output_of([&] { print(); CALL(hipStreamSynchronize(stream)); }) == expected);
  CHECK(output_of([&] { print(); CALL(hipEventRecord(event, stream)); CALL(hipEventSynchronize(event)); }) == expected);
  CHECK(output_of([&] { print(); while (hipStreamQuery(stream) == hipErrorNotReady) {} }) == expected);
  CHECK(output_of([&] {
          int *memory;
          CALL(hipMalloc(&memory, 4));
          print();
          CALL(hipFree(memory));
        }) == expected);
  CHECK(output_of([&] {
          Array<int> from(1);
          int to = 0;
          each_thread<<<1, 1>>>();
          CALL(hipMemcpy(&to, from.get(), sizeof to, hipMemcpyDefault));
        }) == expected);
  // In order with what the host prints.
  CHECK(output_of([&] {
          std::printf("before\n");
          print();
          CALL(hipStreamSynchronize(stream));
          std::printf("after\n");
        }) == "before\nthread 0\nafter\n");
  CALL(hipEventDestroy(event));
  CALL(hipStreamDestroy(stream));
}

void check_limit() {
  size_t limit = 0;
  CALL(hipDeviceGetLimit(&limit, hipLimitPrintfFifoSize));
  CHECK(limit >= 32 << 20); // 40,000 threads print several lines each, and a busy host looks too late
  CALL(hipDeviceSetLimit(hipLimitPrintfFifoSize, 8192));
  size_t smaller = 0;
  CALL(hipDeviceGetLimit(&smaller, hipLimitPrintfFifoSize));
  CHECK(smaller == 8192);
  // Longer than all the room there is: lost, whole, and said so.
  std::string text(100000, 'x');
  Array<char> string(text.size() + 1);
  std::copy(text.begin(), text.end(), string.get());
  std::string output;
  std::string errors = output_of([&] { output = output_after_wait([&] { long_text<<<1, 1>>>(string.get()); }); }, stderr);
  CHECK(output.empty());
  CHECK(errors.find("lost") != errors.npos && errors.find("hipLimitPrintfFifoSize") != errors.npos);
  // What there was room for is whole, and the rest returned -1.
  Array<int> lost(1);
  constexpr int lines = 100000;
  errors = output_of([&] { output = output_after_wait([&] { results<<<1, 1>>>(lost.get(), lines); }); }, stderr);
  CHECK(output.size() % 64 == 0 && output.size() / 64 + size_t(lost[0]) == lines);
  CHECK((lost[0] > 0) == (errors.find("lost") != errors.npos));
  CALL(hipDeviceSetLimit(hipLimitPrintfFifoSize, limit));
  CHECK(output_after_wait([&] { long_text<<<1, 1>>>(string.get()); }) == "<" + text + ">\n");
}

int main() {
  CHECK(output_after_wait([] { integers<<<1, 1>>>(42, 'x', -7, 255u, 1L << 40, ~0ull, 12); }) ==
        "42    42|42  |0042 x -7 255 ff 1099511627776 18446744073709551615 12 -1%\n"
        "120 255 1 7 1 (nil)\n");
  CHECK(output_after_wait([] { floats<<<1, 1>>>(1.5f, 0.25); }) ==
        "1.500000 1.50 2.500000e-01 0.25 0.250000 0x1p-2\n    0.250|42   |\n");
  CHECK(output_after_wait([] { strings<<<1, 1>>>(3); }) == "literal small\na small number: 3\n");
  CHECK(output_after_wait([] { strings<<<1, 1>>>(4); }) == "literal large\na large number: 4\n");
  CHECK(output_after_wait([] { by_other_names<<<1, 1>>>(); }) == "no arguments\n");

  const std::string format = "[%s] %d [%10s]\n", string = "from the host";
  Array<char> memory(200);
  std::copy(format.begin(), format.end(), memory.get());
  std::copy(string.begin(), string.end(), memory.get() + 100);
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(text_of_host), "set", 4));
  CHECK(output_after_wait([&] { computed<<<1, 1>>>(memory.get(), memory.get() + 100, 1); }) ==
        "1.\n[from the host] 1 [rom the host]\none set fr (nil)\n");

  Array<int> length(4);
  const std::string printed = output_after_wait([&] { lengths<<<1, 1>>>(length.get(), -42); });
  CHECK(printed == "-42\nsome text|-63.0|1.000000e+100\n");
  CHECK(length[0] == 4 && length[1] == int(printed.size()) - 4 && length[2] == 0 && length[3] == -1);

  CHECK(output_after_wait([&] { many_kinds<<<1, 1>>>(length.get(), nullptr); }) == "1.5 0 0\n2.5 0 0\n4 null\n");

  std::string text = output_after_wait([] { each_thread<<<1, 40>>>(); });
  CHECK(std::count(text.begin(), text.end(), '\n') == 40);
  for (int i = 0; i < 40; ++i)
    CHECK(text.find("thread " + std::to_string(i) + "\n") != text.npos);
  text = output_after_wait([] { much<<<20, 100>>>(10); });
  CHECK(std::count(text.begin(), text.end(), '\n') == 20 * 100 * 10);
  CHECK(text.find("block 19 thread 99 line 9 and more text to fill the room\n") != text.npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    CHECK(line.substr(0, 6) == "block " && line.size() > 30 && line.substr(line.size() - 16) == "to fill the room");

  check_when_it_appears();
  check_limit();
  return result();
}
