#include "shrinker.h"

#include <algorithm>

namespace model {
namespace {

using Clock = std::chrono::steady_clock;

/// The program without some operations, and without those that were only possible because of them.
Program without(const Program &program, size_t first, size_t count) {
  Program rest{program.seed, program.threads, {}};
  Order order;
  for (size_t i = 0; i < program.ops.size(); ++i)
    if ((i < first || i >= first + count) && !is_run(program.ops[i]) &&
        order.accepts(program.ops[i]))
      order.append(program.ops[i]);
  rest.ops = order.ops();
  return rest;
}

/// What the last thread does, the first does.
Program with_fewer_threads(const Program &program) {
  const int last = program.threads - 1;
  Program merged{program.seed, last, {}};
  for (Op op : program.ops) {
    if (is_run(op))
      continue;
    if (op.thread == last) {
      op.thread = 0;
      if (op.stream == per_thread_stream(last))
        op.stream = int16_t(per_thread_stream(0));
    }
    if (op.kind == OpKind::hand_over) {
      if (op.other == last)
        op.other = 0;
      if (op.other == op.thread)
        continue;
    }
    merged.ops.push_back(op);
  }
  return without(merged, 0, 0);
}

} // namespace

Violations run_often(Runner &runner, Watchdog &watchdog, const Program &program, int times) {
  const std::vector<Promise> promises = promises_of(program);
  Violations violations;
  for (int i = 0; i < times && violations.empty(); ++i) {
    watchdog.begin(program);
    violations = runner.run(program, promises);
    watchdog.end();
  }
  return violations;
}

Failure shrink(Runner &runner, Watchdog &watchdog, const Program &program,
               std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  Failure smallest{program, {}};
  constexpr int trials = 100;
  int failures = 0;
  for (int i = 0; i < trials && Clock::now() < deadline; ++i)
    if (Violations violations = run_often(runner, watchdog, program, 1); !violations.empty()) {
      smallest.violations = std::move(violations);
      ++failures;
    }
  if (failures == 0)
    return smallest;
  constexpr int most_times = 400;
  int times = std::clamp(5 * trials / failures, 5, most_times);

  auto accept = [&](Program candidate) {
    const bool is_smaller = candidate.threads < smallest.program.threads ||
                            candidate.ops.size() < smallest.program.ops.size();
    if (!is_smaller || candidate.ops.empty() || Clock::now() > deadline)
      return false;
    Violations violations = run_often(runner, watchdog, candidate, times);
    if (violations.empty())
      return false;
    smallest = {std::move(candidate), std::move(violations)};
    return true;
  };
  for (bool smaller = true; smaller || times < most_times;) {
    // What is smaller may fail more rarely, and asked too few times it looks as if it did not fail at all.
    if (!smaller)
      times = most_times;
    smaller = false;
    while (smallest.program.threads > 1 && accept(with_fewer_threads(smallest.program)))
      smaller = true;
    for (size_t chunk = std::max<size_t>(smallest.program.ops.size() / 2, 1); chunk > 0; chunk /= 2)
      for (size_t first = 0; first < smallest.program.ops.size();)
        if (accept(without(smallest.program, first, chunk)))
          smaller = true;
        else
          first += chunk;
  }
  return smallest;
}

} // namespace model
