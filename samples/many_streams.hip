// Many small kernels on the null stream, while other streams exist.
//
// HIP orders the null stream after all work on every other (blocking) stream and every such stream
// after it. Real applications create streams once, in a library's start-up code, and then launch
// thousands of small kernels on the null stream: the idle streams should cost nothing. This program
// is that pattern; it prints what one launch took.
//
// The kernel lives in many_streams_kernel.hip. The two files can be compiled on their own,
//
//   hipcc -O2 many_streams.hip many_streams_kernel.hip -o many_streams && ./many_streams
//
// or, with -fgpu-rdc, have their device code linked together as well.
#include "check.h"
#include "many_streams.h"

#include <chrono>
#include <vector>

int main() {
  constexpr int stream_count = 20, array_count = 100, length = 100, repetitions = 100;

  std::vector<float *> arrays(array_count);
  for (auto &array : arrays)
    HIP_CHECK(hipMalloc(&array, length * sizeof(float)));

  // Each stream initialises some of the arrays. Nothing waits for them here: the null stream will.
  std::vector<hipStream_t> streams(stream_count);
  for (auto &stream : streams)
    HIP_CHECK(hipStreamCreate(&stream));
  for (int i = 0; i < array_count; ++i)
    HIP_CHECK(hipMemsetAsync(arrays[i], 0, length * sizeof(float), streams[i % stream_count]));

  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double, std::nano> launching{};
  std::vector<float> result(length);
  bool right = true;
  for (int repetition = 1; repetition <= repetitions; ++repetition) {
    const auto start = Clock::now();
    for (int i = 0; i < array_count; ++i)
      add<<<1, length>>>(arrays[i], static_cast<float>(i), length);
    if (repetition > 1) // the first one also builds the kernel
      launching += Clock::now() - start;
    HIP_CHECK(hipGetLastError());

    const int checked = repetition % array_count;
    HIP_CHECK(
        hipMemcpy(result.data(), arrays[checked], length * sizeof(float), hipMemcpyDeviceToHost));
    HIP_CHECK(hipDeviceSynchronize());
    for (float value : result)
      right = right && value == static_cast<float>(checked * repetition);
  }

  for (auto stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
  for (auto array : arrays)
    HIP_CHECK(hipFree(array));

  const int timed = (repetitions - 1) * array_count;
  std::printf("%d launches on the null stream next to %d streams: %.0f ns each\n", timed,
              stream_count, launching.count() / timed);
  return report(right);
}
