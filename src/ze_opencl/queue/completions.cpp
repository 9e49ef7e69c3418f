#include "completions.h"

#include "../../ze_driver/memory/allocations.h"
#include "../platform/error.h"
#include "../program/kernel_clock.h"
#include "device_clock.h"
#include "workers.h"

#include <algorithm>
#include <atomic>
#include <format>
#include <pthread.h>

namespace ze_opencl {

using namespace ze_driver;

namespace {

/// After so many commands of which nobody asked, it is looked what is finished: their events take memory.
constexpr size_t most_unasked = 256;

std::atomic<bool> forked{false};

[[gnu::constructor]] void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
}

cl_int status_of(const ClEvent &event) {
  if (is_forked())
    return CL_DEVICE_NOT_AVAILABLE;
  cl_int status = CL_COMPLETE;
  if (const cl_int error = api().GetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof status, &status, nullptr);
      error != CL_SUCCESS)
    return error;
  return status;
}

} // namespace

bool is_forked() { return forked.load(std::memory_order_relaxed); }

void Completions::add(Counter &counter, CommandEnd &end, ClEvent event, const char *what,
                      bool reads_clock) {
  const uint64_t value = end.value;
  // Somebody has to end the clock, too.
  const bool tells = end.signal || reads_clock;
  bool is_awaited = false;
  ClEvent told;
  {
    const std::lock_guard lock(mutex_);
    if (++unasked_ >= most_unasked)
      settle_finished(counter);
    if (!event && !pending_.empty())
      event = pending_.back().event;
    pending_.emplace_back() = {std::move(end), std::move(event), what, reads_clock};
    if (!pending_.front().event)
      settle_finished(counter); // nothing before it, and nothing of its own
    is_awaited = (tells || announced_ >= value) && !pending_.empty();
    if (is_awaited)
      told = pending_.back().event;
  }
  if (is_awaited)
    call_back(counter, told);
}

bool Completions::has_pending(Counter &counter) {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  return !pending_.empty();
}

const Completions::Pending *Completions::find(uint64_t value) const {
  const auto found =
      std::ranges::lower_bound(pending_, value, {}, [](const Pending &p) { return p.end.value; });
  return found == pending_.end() ? nullptr : &*found;
}

ClEvent Completions::event_for(Counter &counter, uint64_t value, bool &is_known) {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  is_known = true;
  if (counter.value() >= value)
    return {};
  const Pending *const pending = find(value);
  is_known = pending != nullptr;
  return pending ? pending->event : ClEvent();
}

void Completions::refresh(Counter &counter) noexcept {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
}

void Completions::announce(Counter &counter, uint64_t value) noexcept {
  ClEvent event;
  {
    const std::lock_guard lock(mutex_);
    settle_finished(counter);
    if (counter.value() >= value)
      return;
    announced_ = std::max(announced_, value);
    const Pending *const pending = find(value);
    // Without one, add() sees to it. A callback for a later command would come too late.
    if (!pending)
      return;
    event = pending->event;
  }
  call_back(counter, event);
}

bool Completions::wait(Counter &counter, uint64_t value) noexcept {
  ClEvent event;
  {
    const std::lock_guard lock(mutex_);
    settle_finished(counter);
    if (counter.value() >= value)
      return true;
    const Pending *const pending = find(value);
    if (!pending)
      return false;
    event = pending->event;
  }
  const cl_event handle = event.get();
  // A child of fork found it finished above. An error of the command's is seen when it is settled.
  api().WaitForEvents(1, &handle);
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  return counter.value() >= value;
}

void Completions::settle_finished(Counter &counter) noexcept {
  unasked_ = 0;
  while (!pending_.empty()) {
    const Pending &next = pending_.front();
    const cl_int status = next.event ? status_of(next.event) : CL_COMPLETE;
    if (status > CL_COMPLETE)
      return;
    settle_front(counter, status);
  }
}

void Completions::settle_front(Counter &counter, cl_int status) noexcept {
  Pending settled = std::move(pending_.front());
  pending_.pop_front();
  const uint64_t value = settled.end.value;
  if (settled.reads_clock)
    KernelClock::instance().end();
  if (status < 0 && !counter.is_lost(value)) {
    if (!counter.is_lost())
      report_fault(
          std::format("{} failed on {}: {}", settled.what, device_.facts.name, error_name(status)),
          std::nullopt);
    counter.lose_after(value - 1);
  }
  if (Timestamps *const stamps = settled.end.stamps.get())
    clock_.write(settled.event.get(), *stamps);
  if (settled.end.signal)
    settled.end.signal->assign(1, counter.is_lost(value));
  counter.advance(value);
}

void Completions::call_back(Counter &counter, const ClEvent &event) noexcept {
  counter.retain(); // until called_back()
  if (api().SetEventCallback(event.get(), CL_COMPLETE, &called_back, &counter) == CL_SUCCESS)
    return;
  // Implementations without callbacks, or out of memory: a thread waits.
  Workers::instance().run([event, &counter] {
    const cl_event handle = event.get();
    api().WaitForEvents(1, &handle);
    called_back(handle, CL_COMPLETE, &counter);
  });
}

void Completions::called_back(cl_event, cl_int, void *counter) {
  auto *const self = static_cast<Counter *>(counter);
  of(*self)->refresh(*self);
  self->release();
}

} // namespace ze_opencl
