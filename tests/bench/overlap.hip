// Whether two streams run at the same time: two kernels of one work-group each, so that each keeps
// one core busy, on two streams and on one.
#include "hip_launcher.h"
#include "sections.h"

#include <algorithm>

__global__ void spin(float *result, int rounds) {
  float x = *result;
  for (int i = 0; i < rounds; ++i) // each round needs the one before
    x = x * 0.999f + 0.001f;
  *result = x;
}

namespace bench {
namespace {

/// Milliseconds are long beside a launch and short beside what a user waits for.
constexpr double wanted_ns = 10e6;

double time_of_both(hipStream_t first, hipStream_t second, float *memory, int rounds) {
  const auto start = Clock::now();
  spin<<<1, 1, 0, first>>>(memory, rounds);
  spin<<<1, 1, 0, second>>>(memory + 64, rounds);
  HIP_CHECK(hipGetLastError());
  synchronize_device();
  return Nanoseconds(Clock::now() - start).count();
}

} // namespace

void measure_overlap(const Setting &setting) {
  hipStream_t streams[2];
  for (auto &stream : streams)
    HIP_CHECK(hipStreamCreate(&stream));
  float *memory = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), 128 * sizeof(float)));
  HIP_CHECK(hipMemset(memory, 0, 128 * sizeof(float)));

  constexpr int trial = 1 << 18;
  time_of_both(streams[0], streams[0], memory, trial); // compiles
  const double each = time_of_both(streams[0], streams[0], memory, trial) / (2.0 * trial);
  const int rounds = static_cast<int>(std::clamp(wanted_ns / each, 1.0, 1e9));

  const auto both = [memory, rounds](hipStream_t first, hipStream_t second) {
    return [=](int count) {
      double total = 0;
      for (int i = 0; i < count; ++i)
        total += time_of_both(first, second, memory, rounds);
      return total;
    };
  };
  std::vector<Operation> operations{{"overlap_one_stream_ns", both(streams[0], streams[0])},
                                    {"overlap_two_streams_ns", both(streams[0], streams[1])}};
  measure(operations, {setting.effort.batches, 1});
  setting.results.add(operations);
  setting.results.add("two_streams_speedup", operations[0].nanoseconds / operations[1].nanoseconds);

  HIP_CHECK(hipFree(memory));
  for (auto stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
}

} // namespace bench
