// Arguments by value of any size: those that no driver takes directly are spilled to memory, which must keep them until the
// kernel has run.
#include "fixture.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <memory>

using namespace fixture;

namespace {

std::vector<int> block(size_t bytes, int seed) {
  std::vector<int> words(bytes / 4);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = seed + int(i);
  return words;
}

struct LargeLaunch {
  hipFunction_t kernel;
  size_t bytes;
  HostMemory<int> flag{1}, wrong{1};

  explicit LargeLaunch(size_t argument_bytes)
      : kernel(function(std::format("large_{}", argument_bytes).c_str())), bytes(argument_bytes) {}
  void submit(hipStream_t stream, int seed) {
    auto words = block(bytes, seed);
    void *flag_address = flag.get(), *wrong_address = wrong.get();
    void *arguments[] = {words.data(), &flag_address, &wrong_address, &seed};
    REQUIRE_HIP(hipModuleLaunchKernel(kernel, 1, 1, 1, 16, 1, 1, 0, stream, arguments, nullptr));
    std::memset(words.data(), 0xee, bytes); // the launch has its own copy
  }
  void release() { reinterpret_cast<std::atomic<int> *>(flag.get())->store(1); }
};

} // namespace

TEST_CASE("queue large arguments: every size arrives bit for bit while kernels wait") {
  for (size_t bytes : {16, 1000, 1024, 4080, 65536, 130048, 131072, 1048576}) {
    CAPTURE(bytes);
    LargeLaunch launch(bytes);
    Streams streams(2);
    for (int i = 0; i < 6; ++i)
      launch.submit(streams[i % 2], 1000 * i);
    launch.submit(nullptr, 77);
    launch.release();
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE(launch.wrong[0] == 0);
  }
}

TEST_CASE("queue large arguments: equal bytes, then others, arrive while all kernels wait") {
  for (size_t bytes : {4080, 131072}) {
    LargeLaunch launch(bytes);
    Streams streams(1);
    for (int seed : {5, 5, 6, 6, 5})
      launch.submit(streams[0], seed);
    launch.release();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    REQUIRE(launch.wrong[0] == 0);
  }
}

TEST_CASE("queue large arguments: launches may have more than the arena holds") {
  LargeLaunch launch(1048576);
  launch.release(); // nothing waits, so the launches may
  Streams streams(1);
  for (int i = 0; i < 200; ++i)
    launch.submit(streams[0], i);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(launch.wrong[0] == 0);
}

TEST_CASE("queue large arguments: those in a buffer are found each at its place") {
  struct Buffer {
    char first;
    int a[65536 / 4];
    double second;
    int b[2048 / 4];
    int *wrong;
    int seed;
  };
  HostMemory<int> wrong(1);
  auto buffer = std::make_unique<Buffer>();
  buffer->first = 9;
  buffer->second = 9.5;
  std::ranges::copy(block(sizeof buffer->a, 9), buffer->a);
  std::ranges::copy(block(sizeof buffer->b, 10), buffer->b);
  buffer->wrong = wrong.get();
  buffer->seed = 9;
  size_t bytes = sizeof(Buffer);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer.get(), HIP_LAUNCH_PARAM_BUFFER_SIZE,
                   &bytes, HIP_LAUNCH_PARAM_END};
  hipFunction_t kernel = function("two_large");
  REQUIRE_HIP(hipModuleLaunchKernel(kernel, 1, 1, 1, 16, 1, 1, 0, nullptr, nullptr, extra));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(wrong[0] == 0);
  bytes = offsetof(Buffer, seed); // ends too early
  REQUIRE(hipModuleLaunchKernel(kernel, 1, 1, 1, 16, 1, 1, 0, nullptr, nullptr, extra) ==
          hipErrorInvalidValue);
}
