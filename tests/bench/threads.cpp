// Two threads that launch at the same time, each on a stream, or a command list, of its own.
#include "hip_launcher.h"
#include "sections.h"

#include <algorithm>
#include <barrier>
#include <exception>
#include <thread>

namespace bench {
namespace {

/// Runs both bodies `count` times, each in a thread of its own, and returns the nanoseconds from
/// the start of the first to the end of the last.
template <typename Body> auto in_two_threads(Body body) {
  return [body](int count) {
    std::barrier start(2);
    std::exception_ptr failure[2];
    Clock::time_point began[2], ended[2];
    const auto work = [&](int self) {
      start.arrive_and_wait();
      began[self] = Clock::now();
      try {
        for (int i = 0; i < count; ++i)
          body(self);
      } catch (...) {
        failure[self] = std::current_exception();
      }
      ended[self] = Clock::now();
    };
    {
      std::jthread other(work, 1);
      work(0);
    }
    for (const auto &one : failure)
      if (one)
        std::rethrow_exception(one);
    return Nanoseconds(std::max(ended[0], ended[1]) - std::min(began[0], began[1])).count();
  };
}

} // namespace

void measure_threads(const Setting &setting) {
  RawLauncher raw[]{RawLauncher(setting.raw), RawLauncher(setting.raw)};
  DeviceInt sum;
  Streams streams(sum.get());
  streams.grow_to(2);
  const auto finish = [&raw] {
    for (auto &launcher : raw)
      launcher.synchronize();
  };

  std::vector<Operation> operations{
      {"raw_threads_2_ns", in_two_threads([&raw](int self) { raw[self].launch(); }), finish}};
  if (setting.raw.has_launch_with_arguments())
    operations.push_back({"raw_threads_2_with_arguments_ns",
                          in_two_threads([&raw](int self) { raw[self].launch_with_arguments(); }),
                          finish});
  operations.push_back({"threads_2_ns", in_two_threads([&streams](int self) {
                          streams[static_cast<size_t>(self)].launch();
                        }),
                        synchronize_device});
  auto effort = setting.effort;
  effort.batch_size *= 5; // so that the moment in which one thread runs alone does not matter
  measure(operations, effort);
  setting.results.add(operations);
  const double threads = operations.back().nanoseconds;
  operations.pop_back();
  setting.results.add("ratio_threads_2", threads / same_way(operations));
}

} // namespace bench
