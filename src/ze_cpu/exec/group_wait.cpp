#include "group_wait.h"
#include "../../common/processor/relax.h"
#include "checks/source_places.h"
#include "pool.h"

#include <cstdio>
#include <thread>

namespace ze_cpu {
namespace {

using namespace std::chrono_literals;

// Clocks are slow beside a round.
constexpr uint64_t rounds_per_look = 64;
// Groups that run at the same time are waited for no longer than this, else the processor goes to somebody else.
constexpr auto own_time = 20us;
// To start a thread costs about as much.
constexpr auto worth_a_thread = 100us;
constexpr auto patience = 10s;

thread_local GroupWait *current = nullptr;

} // namespace

GroupWait::GroupWait(Grid &grid) : grid_(grid) { current = this; }

GroupWait::~GroupWait() {
  current = nullptr;
  if (is_waiting_)
    grid_.pool->end_wait(grid_);
}

void GroupWait::again(SourcePlace *place) {
  if (++rounds_ % rounds_per_look == 0)
    look_at_clock(place);
  else
    common::relax_processor();
}

void GroupWait::look_at_clock(SourcePlace *place) {
  const Clock::time_point now = Clock::now();
  if (rounds_ == rounds_per_look)
    begin_ = now;
  const auto waited = now - begin_;
  if (waited < own_time)
    return;
  if (waited > worth_a_thread && !is_waiting_) {
    is_waiting_ = true;
    grid_.pool->begin_wait(grid_);
  }
  if (waited > patience && !grid_.has_complained.exchange(true, std::memory_order_relaxed))
    std::fprintf(
        stderr,
        "ze_cpu: %s: a work-item has waited for %d s%s in a loop that reads memory which nobody "
        "writes; a barrier, or a sub-group operation of lanes behind it, does not let others "
        "pass\n",
        label(*grid_.launch.code).c_str(), int(patience / 1s), at_place(number_of(place)).c_str());
  std::this_thread::yield();
}

} // namespace ze_cpu

void ze_cpu_wait(ze_cpu::SourcePlace *place) {
  if (ze_cpu::current)
    ze_cpu::current->again(place);
}
