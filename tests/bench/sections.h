// The parts of the launch benchmark. Each adds its figures to the results; a HIP call that fails
// throws.
#pragma once

#include "measure.h"
#include "raw_level_zero.h"

#include <string>
#include <vector>

namespace bench {

struct Setting {
  Effort effort;
  RawDevice &raw;
  const std::vector<char> &code_object; // with the kernel `add`
  Results &results;
};

/// What a launch on the null stream costs by the number of other streams: idle ones, and unless `only_idle` busy ones.
void measure_launches(const Setting &setting, bool only_idle);
/// Two threads, each with a stream of its own.
void measure_threads(const Setting &setting);
/// Heap allocations of a launch.
void count_heap_allocations(const Setting &setting);
/// Waits, event records, creating and destroying.
void measure_calls(const Setting &setting);
/// Loops that programs run and that have hurt them on other implementations.
void measure_loops(const Setting &setting);
/// Whether two streams run at the same time. Needs a device that executes.
void measure_overlap(const Setting &setting);

/// The raw ways to launch with one argument changed, waiting for nothing.
std::vector<Operation> raw_launches(const RawDevice &device, RawLauncher &launcher);

} // namespace bench
