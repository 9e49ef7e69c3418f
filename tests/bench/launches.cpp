// What a launch on the null stream costs while other blocking streams exist: idle ones that have
// worked before, or busy ones, each with a launch since the last one on the null stream.
#include "hip_launcher.h"
#include "sections.h"

#include <algorithm>

namespace bench {
namespace {

constexpr int stream_counts[] = {0, 1, 4, 8, 16, 64, 256, 1000};

void measure_idle(const Setting &setting, RawLauncher &raw, HipLauncher &hip, int streams) {
  auto operations = raw_launches(setting.raw, raw);
  operations.push_back({"launch", repeated([&hip] { hip.launch(); }), synchronize_device});
  measure(operations, setting.effort);
  const double launch = operations.back().nanoseconds;
  operations.pop_back();
  if (streams == 0)
    setting.results.add(operations);
  setting.results.add(std::format("raw_launch_idle_{}_ns", streams), same_way(operations));
  setting.results.add(std::format("launch_idle_{}_ns", streams), launch);
  setting.results.add(std::format("ratio_idle_{}", streams), launch / same_way(operations));
  setting.results.add(std::format("ratio_idle_{}_to_cheapest", streams),
                      launch / cheapest(operations));
}

/// The launch on the null stream alone is timed, not those that make the other streams busy. Raw Level Zero signals an event
/// for each of as many lists, and launches behind them.
void measure_busy(const Setting &setting, RawLauncher &raw, RawLaunchers &raw_others,
                  HipLauncher &hip, Streams &others, int streams) {
  std::vector<Operation> operations{
      {std::format("raw_busy_{}_launch_ns", streams),
       repeated_after([&raw_others] { raw_others.launch_on_each(); },
                      [&] { raw_others.launch_after_all(raw); }),
       [&raw] { raw.synchronize(); }},
      {std::format("busy_{}_null_launch_ns", streams),
       repeated_after([&others] { others.launch_on_each(); }, [&hip] { hip.launch(); }),
       synchronize_device}};
  // About as many launches as with 16 streams, however many there are.
  auto effort = setting.effort;
  effort.batch_size = std::max(1, std::min(effort.batch_size, 16 * effort.batch_size / streams));
  measure(operations, effort);
  setting.results.add(operations);
  setting.results.add(std::format("ratio_busy_{}", streams),
                      operations[1].nanoseconds / operations[0].nanoseconds);
}

} // namespace

std::vector<Operation> raw_launches(const RawDevice &device, RawLauncher &launcher) {
  const auto finish = [&launcher] { launcher.synchronize(); };
  std::vector<Operation> operations{
      {"raw_append_ns", repeated([&launcher] { launcher.launch(); }), finish}};
  if (device.has_launch_with_arguments())
    operations.push_back({"raw_append_with_arguments_ns",
                          repeated([&launcher] { launcher.launch_with_arguments(); }), finish});
  return operations;
}

void measure_launches(const Setting &setting, bool only_idle) {
  RawLaunchers raw_others(setting.raw);
  RawLauncher raw(setting.raw);
  DeviceInt sum;
  HipLauncher hip(sum.get());
  Streams others(sum.get());
  for (const int count : stream_counts) {
    raw_others.grow_to(static_cast<size_t>(count));
    others.grow_to(static_cast<size_t>(count));
    synchronize_device();
    measure_idle(setting, raw, hip, count);
    if (count > 0 && !only_idle)
      measure_busy(setting, raw, raw_others, hip, others, count);
  }
  if (only_idle)
    return;

  std::vector<Operation> same{
      {"raw_append_again_ns", repeated([&raw] { raw.launch_again(); }),
       [&raw] { raw.synchronize(); }},
      {"launch_again_ns", repeated([&hip] { hip.launch_again(); }), synchronize_device}};
  measure(same, setting.effort);
  setting.results.add(same);
  setting.results.add("ratio_same_arguments", same[1].nanoseconds / same[0].nanoseconds);
}

} // namespace bench
