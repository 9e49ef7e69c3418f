#include "execute.h"
#include "caches.h"
#include "grid.h"
#include "kernel_thread.h"
#include "memory_check.h"
#include "pool.h"
#include "resident_groups.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace ze_cpu {
namespace {

using Clock = std::chrono::steady_clock;

// Work that takes the caller less than this is not worth waking threads for: that costs tens of
// microseconds of latency.
constexpr float worth_sharing_ns = 40'000;
// How long one thread should be busy with what it takes at a time.
constexpr float chunk_ns = 10'000;
// Of groups that wait for each other, each but the last wants a thread of its own.
constexpr uint64_t waiting_groups_per_thread = 8;

float nanoseconds(Clock::duration elapsed) {
  return static_cast<float>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}

// One thread, all groups. Kernels that run in well under a microsecond would see the clock.
void run_alone(Grid &grid) {
  grid.next.store(grid.total, std::memory_order_relaxed);
  KernelThread &thread = KernelThread::current();
  if (!thread.prepare(grid.launch))
    return grid.fail({true, label(*grid.launch.code) + ": not enough memory to run it"});
  grid.run(0, grid.total);
}

// Begins alone and measures, in slices that grow, until what is left is known to be worth sharing.
void run_measured(Grid &grid, Pool &pool, float items_per_group) {
  const KernelCode &code = *grid.launch.code;
  float per_item = code.nanoseconds_per_item.load(std::memory_order_relaxed);
  KernelThread &thread = KernelThread::current();
  if (!thread.prepare(grid.launch))
    return grid.fail({true, label(code) + ": not enough memory to run it"});
  uint64_t done = 0, slice = 1;
  auto begin = Clock::now();
  for (;;) {
    float left_ns = per_item * items_per_group * static_cast<float>(grid.total - done);
    if (done == grid.total || left_ns > worth_sharing_ns)
      break;
    if (per_item > 0 && done == 0)
      slice = grid.total; // expected to be quick
    slice = std::min(slice, grid.total - done);
    if (!grid.run(done, done + slice))
      return;
    done += slice;
    slice *= 2;
    per_item = nanoseconds(Clock::now() - begin) / (items_per_group * static_cast<float>(done));
  }
  grid.next.store(done, std::memory_order_relaxed);
  uint64_t shared = grid.total - done;
  unsigned width = 1;
  if (shared > 0) {
    float group_ns = std::max(per_item * items_per_group, 1e-3f);
    auto by_time = static_cast<uint64_t>(std::max(1.0f, chunk_ns / group_ns));
    grid.chunk = std::clamp<uint64_t>(shared / (8 * uint64_t(pool.width())), 1,
                                      std::max<uint64_t>(by_time, shared / 256));
    auto shared_begin = Clock::now();
    pool.share(grid);
    if (grid.faulted.load(std::memory_order_relaxed))
      return;
    width = pool.width();
    per_item = nanoseconds(Clock::now() - shared_begin) * static_cast<float>(width) /
               (items_per_group * static_cast<float>(shared));
  }
  // An estimate is enough, and racing launches of one kernel may overwrite each other's.
  float before = code.nanoseconds_per_item.load(std::memory_order_relaxed);
  code.nanoseconds_per_item.store(before == 0 ? per_item : 0.5f * (before + per_item),
                                  std::memory_order_relaxed);
}

// Groups may wait for others: those after them get their turn, and whoever takes several at a time would let others wait for all
// of them.
void run_waiting(Grid &grid, Pool &pool, float items_per_group) {
  std::atomic<float> &per_item = grid.launch.code->nanoseconds_per_item;
  const float before = per_item.load(std::memory_order_relaxed),
              items = items_per_group * static_cast<float>(grid.total);
  const bool alone = pool.width() == 1 || (before > 0 && before * items < worth_sharing_ns);
  const auto begin = Clock::now();
  if (alone)
    pool.work_alone(grid);
  else
    pool.share(grid);
  const float threads = alone ? 1 : static_cast<float>(pool.width()),
              now = nanoseconds(Clock::now() - begin) * threads / items;
  per_item.store(before == 0 ? now : 0.5f * (before + now), std::memory_order_relaxed);
}

// Each group runs until it waits for the others; when all do, they all go on. Between two barriers,
// teams of groups are the units of work that threads share.
void run_resident(Grid &grid, Pool &pool) {
  ResidentGroups groups(grid.launch, pool.width());
  for (bool worth_sharing = true; groups.teams() != 0; groups.next_phase()) {
    Grid phase(grid.launch, groups.teams());
    phase.resident = &groups;
    auto begin = Clock::now();
    if (phase.total == 1 || pool.width() == 1 || !worth_sharing) {
      phase.work();
      worth_sharing = nanoseconds(Clock::now() - begin) > worth_sharing_ns;
    } else {
      pool.share(phase);
      worth_sharing =
          nanoseconds(Clock::now() - begin) * static_cast<float>(pool.width()) > worth_sharing_ns;
    }
    if (phase.faulted.load(std::memory_order_relaxed))
      return grid.fail(std::move(phase.fault));
  }
}

} // namespace

KernelFootprint footprint(const KernelCode &code) {
  return {code.local_bytes, code.private_bytes, code.sub_group_size};
}

uint32_t max_cooperative_groups(const KernelCode &code, uint32_t group_items, uint32_t local_bytes,
                                uint32_t items, uint64_t memory_bytes, uint32_t threads) {
  const uint32_t sub_groups = (group_items - 1) / code.sub_group_size + 1;
  uint64_t groups = items / (sub_groups * code.sub_group_size);
  if (code.has_grid_sync)
    groups = std::min(groups, memory_bytes / ResidentGroups::bytes(code, group_items, local_bytes));
  else if (code.waits_for_memory)
    groups = std::min<uint64_t>(groups, threads * waiting_groups_per_thread);
  return static_cast<uint32_t>(std::max<uint64_t>(groups, 1));
}

uint32_t group_items(const Launch &launch) {
  return launch.group_size[0] * launch.group_size[1] * launch.group_size[2];
}

void describe(const Launch &launch, GroupContext &group) {
  for (int i = 0; i < 3; ++i) {
    group.groups[i] = launch.groups[i];
    group.group_size[i] = launch.group_size[i];
    group.global_offset[i] = launch.global_offset[i];
  }
  if (launch.code->of_columns)
    std::swap(group.group_size[0], group.group_size[1]);
  group.local_bytes = launch.local_bytes;
  group.arguments = launch.arguments;
  group.all_bits = ~uint64_t(0);
  group.memory_generation = memory_generation();
  group.nontemporal_stores =
      launch.code->nontemporal_bytes != 0 &&
      uint64_t(launch.groups[0]) * launch.groups[1] * launch.groups[2] * group_items(launch) >
          (nontemporal_threshold() - 1) / launch.code->nontemporal_bytes;
  auto extends = [&](int i) { return launch.groups[i] > 1 || launch.group_size[i] > 1; };
  group.work_dimensions = extends(2) ? 3 : extends(1) ? 2 : 1;
}

Fault execute(const Launch &launch) {
  uint64_t groups, items, row;
  if (__builtin_mul_overflow(uint64_t(launch.groups[0]) * launch.groups[1],
                             uint64_t(launch.groups[2]), &groups) ||
      __builtin_mul_overflow(uint64_t(launch.group_size[0]) * launch.group_size[1],
                             uint64_t(launch.group_size[2]), &row) ||
      __builtin_mul_overflow(groups, row, &items) || row > UINT32_MAX)
    return {true, label(*launch.code) + ": the grid has too many work-items"};
  if (items == 0)
    return {};
  Grid grid(launch, groups);
  try {
    if (launch.code->waits_for_memory)
      grid.pool = &Pool::of(launch.device);
    if (groups == 1) {
      run_alone(grid);
    } else {
      Pool &pool = Pool::of(launch.device);
      if (launch.cooperative && launch.code->has_grid_sync)
        run_resident(grid, pool);
      else if (launch.code->waits_for_memory)
        run_waiting(grid, pool, static_cast<float>(row));
      else if (pool.width() == 1)
        run_alone(grid);
      else
        run_measured(grid, pool, static_cast<float>(row));
    }
  } catch (const std::bad_alloc &) {
    grid.fail({true, label(*launch.code) + ": not enough memory to run it"});
  }
  return std::move(grid.fault);
}

bool is_simple(const Launch &launch) {
  return launch.groups[0] == 1 && launch.groups[1] == 1 && launch.groups[2] == 1 &&
         KernelThread::runs_here(*launch.code);
}

Fault execute_simple(const Launch &launch, const std::function<bool()> &next) {
  KernelThread &thread = KernelThread::current();
  prepare_fault_handling();
  FaultGuard guard;
  bool has_memory = true;
  const int signal = run_guarded(guard, [&] {
    do {
      has_memory = thread.make_ready(launch);
      if (has_memory)
        thread.run_group(launch);
    } while (has_memory && next());
  });
  if (signal != 0)
    return describe_fault(*launch.code, guard, signal);
  if (!has_memory)
    return {true, label(*launch.code) + ": not enough memory to run it"};
  return {};
}

} // namespace ze_cpu
