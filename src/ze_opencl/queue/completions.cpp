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

} // namespace

bool is_forked() { return forked.load(std::memory_order_relaxed); }

cl_int ClEvent::status() const noexcept {
  if (is_forked())
    return CL_DEVICE_NOT_AVAILABLE;
  cl_int status = CL_COMPLETE;
  if (const cl_int error = api().GetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof status, &status, nullptr);
      error != CL_SUCCESS)
    return error;
  return status;
}

/// Nobody asks for these commands any more, unless they failed. A later one was given to OpenCL after them, and is kept.
void Completions::let_go_locked(Counter &counter, Batch &batch) noexcept {
  for (const Given &command : std::span(batch.commands).first(batch.count)) {
    const cl_int status = command.event.status();
    // What fails while the next one is in the queue takes that with it, and so on up to one that is kept.
    if (status > CL_COMPLETE)
      break;
    if (status < 0)
      lose(counter, command.value, command.what, status);
  }
  while (batch.count != 0)
    batch.pop();
}

void Completions::let_go(Counter &counter, Batch &batch) noexcept {
  // Another thread may lose the queue meanwhile.
  const std::lock_guard lock(mutex_);
  let_go_locked(counter, batch);
}

void Completions::add(Counter &counter, CommandEnd &end, ClEvent event, const char *what,
                      const AtEnd &also) {
  const uint64_t value = end.value;
  // Somebody has to end the clock, too.
  const bool tells = end.signal || also.ends_clock;
  bool is_awaited = false;
  ClEvent told;
  {
    const std::lock_guard lock(mutex_);
    if (++unasked_ >= most_unasked)
      settle_finished(counter);
    Entry &added = entries_.emplace_back();
    Batch before;
    {
      const std::lock_guard recent_lock(recent_mutex_);
      before = std::exchange(*recent_, {});
      given_ = value;
      is_awaited = tells || announced_ >= value;
    }
    if (!event) {
      event = before.pop().event;
      if (!event && entries_.size() > 1)
        event = entries_[entries_.size() - 2].event;
    }
    added = {std::move(end), value, std::move(event), what, also};
    let_go_locked(counter, before);
    if (!entries_.front().event)
      settle_finished(counter); // nothing before it, and nothing of its own
    is_awaited = is_awaited && !entries_.empty();
    if (is_awaited)
      told = entries_.back().event;
  }
  if (is_awaited)
    call_back(counter, told);
}

/// Makes an entry for the newest command, if it has none.
void Completions::enter_newest(Counter &counter) noexcept {
  Batch before;
  uint64_t given = 0;
  {
    const std::lock_guard lock(recent_mutex_);
    before = std::exchange(*recent_, {});
    given = given_;
  }
  if (const Given newest = before.pop(); newest.event) {
    let_go_locked(counter, before);
    try {
      entries_.push_back({{newest.value, {}, {}}, given, newest.event, newest.what, {}});
    } catch (const std::bad_alloc &) {
      // There is no memory to remember it by: everything ends here.
      const cl_event handle = newest.event.get();
      if (!is_forked())
        api().WaitForEvents(1, &handle);
      settle_entries(counter);
      if (const cl_int status = newest.event.status(); status < 0)
        lose(counter, newest.value, newest.what, status);
      counter.advance(given);
    }
  } else if (!entries_.empty()) {
    entries_.back().covers = given;
  } else if (counter.value() < given) {
    counter.advance(given);
  }
}

const Completions::Entry *Completions::find(uint64_t value) const {
  const auto found = std::ranges::lower_bound(entries_, value, {}, &Entry::covers);
  return found == entries_.end() ? nullptr : &*found;
}

ClEvent Completions::event_for(Counter &counter, uint64_t value, bool &is_known) {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  is_known = true;
  if (counter.value() >= value)
    return {};
  const Entry *const entry = find(value);
  is_known = entry != nullptr;
  return entry ? entry->event : ClEvent();
}

ClEvent Completions::event_for_all(Counter &counter) {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  return entries_.empty() ? ClEvent() : entries_.back().event;
}

void Completions::refresh(Counter &counter) noexcept {
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
}

void Completions::announce(Counter &counter, uint64_t value) noexcept {
  ClEvent event;
  {
    const std::lock_guard lock(mutex_);
    {
      // What is given to OpenCL from now on sees to it itself.
      const std::lock_guard recent_lock(recent_mutex_);
      if (given_ < value) {
        announced_ = std::max(announced_, value);
        return;
      }
    }
    settle_finished(counter);
    if (counter.value() >= value)
      return;
    event = find(value)->event;
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
    const Entry *const entry = find(value);
    if (!entry)
      return false;
    event = entry->event;
  }
  const cl_event handle = event.get();
  // A child of fork found it finished above. An error of the command's is seen when it is settled.
  api().WaitForEvents(1, &handle);
  const std::lock_guard lock(mutex_);
  settle_finished(counter);
  return counter.value() >= value;
}

void Completions::settle_finished(Counter &counter) noexcept {
  enter_newest(counter);
  settle_entries(counter);
}

void Completions::settle_entries(Counter &counter) noexcept {
  unasked_ = 0;
  while (!entries_.empty()) {
    const Entry &next = entries_.front();
    const cl_int status = next.event ? next.event.status() : CL_COMPLETE;
    if (status > CL_COMPLETE)
      return;
    settle_front(counter, status);
  }
}

void Completions::settle_front(Counter &counter, cl_int status) noexcept {
  Entry settled = std::move(entries_.front());
  entries_.pop_front();
  const uint64_t value = settled.end.value;
  if (settled.also.ends_clock)
    KernelClock::instance().end();
  if (status < 0)
    lose(counter, value, settled.what, status);
  if (Timestamps *const stamps = settled.end.stamps.get())
    clock_.write(settled.event.get(), *stamps);
  if (settled.also.time && status >= 0)
    *settled.also.time = device_time(clock_.end_of(settled.event.get()));
  if (settled.end.signal)
    settled.end.signal->assign(1, counter.is_lost(value));
  counter.advance(settled.covers);
}

void Completions::lose(Counter &counter, uint64_t value, const char *what, cl_int status) noexcept {
  if (counter.is_lost(value))
    return;
  if (!counter.is_lost())
    report_fault(std::format("{} failed on {}: {}", what, device_.facts.name, error_name(status)),
                 std::nullopt);
  counter.lose_after(value - 1);
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
