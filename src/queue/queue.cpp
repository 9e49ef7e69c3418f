#include "../ze/caches.h"
#include "submission.h"

#include <algorithm>

namespace chip {
namespace {

struct OnlyWait {
  void append(Encoder &encoder, ze::Waits waits) const { encoder.list.wait(waits); }
};

struct WriteTimestamp {
  const Marker &marker;
  void append(Encoder &encoder, ze::Waits waits) const {
    encoder.list.write_timestamp(marker.timestamp, marker.event, waits);
  }
};

ze::ImmediateList make_list(const Scheduler &scheduler, ze_command_queue_priority_t priority,
                            ze_command_list_handle_t borrowed) {
  if (borrowed)
    return ze::ImmediateList(scheduler.driver(), borrowed);
  return ze::ImmediateList(scheduler.driver(), scheduler.device(), priority);
}

} // namespace

Queue::Queue(Scheduler &scheduler, uint32_t slot, ze_command_queue_priority_t priority,
             ze_command_list_handle_t list)
    : scheduler_(scheduler), priority_(priority), slot_(slot), has_borrowed_list_(list != nullptr),
      is_shared_(list != nullptr), state_(std::in_place, *this, priority, list),
      list_(state_.lock()->list.progress(),
            has_borrowed_list_ || !ze::Caches::of_process().queues) {}

Queue::State::State(const Queue &queue, ze_command_queue_priority_t priority,
                    ze_command_list_handle_t borrowed)
    : list(make_list(queue.scheduler_, priority, borrowed)),
      encoder{list.appender(), SpillArena(queue.scheduler_.driver(), &queue), {}} {}

// ---- Order across queues

bool Queue::needs_wait(const Marker &marker, const State &state) const {
  if (marker.queue == this || marker.queue->has_drained(marker.sequence))
    return false;
  const uint32_t slot = marker.queue->slot_;
  return slot >= state.seen.size() || state.seen[slot] < marker.sequence;
}

void Queue::Submission::add_wait(Queue &queue, State &state, MarkerRef marker) {
  state.pending.push_back(std::move(marker));
  queue.has_pending_.store(true, std::memory_order_release);
}

ze::Waits Queue::Submission::gather_waits(Queue &queue, State &state) {
  state.waits.clear();
  for (const MarkerRef &marker : state.pending)
    if (queue.needs_wait(*marker, state))
      state.waits.push_back(marker->event);
  return state.waits.empty() ? ze::Waits() : ze::Waits(state.waits);
}

void Queue::Submission::waits_submitted(Queue &queue, State &state) {
  std::vector<uint64_t> &seen = state.seen;
  for (const MarkerRef &marker : state.pending) {
    Queue &other = *marker->queue;
    if (other.slot_ >= seen.size())
      seen.resize(other.slot_ + 1);
    seen[other.slot_] = std::max(seen[other.slot_], marker->sequence);
    if (other.kind() == Kind::null_stream)
      queue.seen_null_.store(seen[other.slot_], std::memory_order_release);
  }
  drop_waits(queue, state);
}

void Queue::Submission::flush_waits() {
  if (state_->pending.empty())
    return;
  if (state_->unsignalled)
    signal_end();
  if (ze::Waits waits = gather_waits(queue_, *state_); !waits.empty())
    state_->encoder.list.wait(waits);
  waits_submitted(queue_, *state_);
  waits_ = {};
}

void Queue::Submission::drop_waits(Queue &queue, State &state) {
  state.pending.clear();
  state.waits.clear();
  queue.has_pending_.store(false, std::memory_order_release);
}

void Queue::Submission::commit_arena(State &state, uint64_t sequence) {
  state.encoder.arena.commit(sequence);
}

void Queue::Submission::abandon_arena(State &state) { state.encoder.arena.abandon(); }

void Queue::Submission::prune_waits() {
  std::vector<MarkerRef> &pending = state_->pending;
  std::ranges::sort(pending, [](const MarkerRef &a, const MarkerRef &b) {
    return std::pair(a->queue, b->sequence) <
           std::pair(b->queue, a->sequence); // a queue's last point first
  });
  const auto same_queue = [](const MarkerRef &a, const MarkerRef &b) {
    return a->queue == b->queue;
  };
  const auto [first, last] = std::ranges::unique(pending, same_queue);
  pending.erase(first, last);
  state_->prune_at = std::max<size_t>(64, 2 * pending.size());
}

void Queue::Submission::collect_dirty(Queue &queue, State &state) {
  std::vector<MarkerRef> &pending = state.pending;
  queue.scheduler_.dirty_queues().take([&](DirtyList::Entry &entry) {
    if (pending.size() == pending.capacity())
      pending.reserve(2 * pending.size() + 1); // nothing may fail once the entry is unlisted
    Queue &other = entry.queue;
    Submission submission(other, Unordered());
    // A queue that was lent again since, as a non-blocking one, was empty then.
    MarkerRef marker;
    if (other.kind() != Kind::non_blocking)
      marker = submission.marker(); // the signal is no new work: the queue is still listed
    entry.unlist();
    if (marker)
      add_wait(queue, state, std::move(marker));
  });
}

/// Work of a blocking queue comes after all earlier work of the null stream. Not for who holds this queue's lock (see 'Locks' in
/// queue.h). Two threads may both find that it has to wait, which is harmless.
void Queue::come_after_null_stream() {
  Queue *null_queue = scheduler_.null_queue_if_used();
  if (!null_queue)
    return;
  const uint64_t sequence = null_queue->submitted();
  if (seen_null_.load(std::memory_order_acquire) >= sequence || null_queue->has_drained(sequence))
    return;
  if (MarkerRef marker = null_queue->marker())
    Submission(*this, Submission::Unordered()).add_wait(std::move(marker));
}

MarkerRef Queue::marker() {
  return scheduler_.noticing_loss(
      [&] { return Submission(*this, Submission::Unordered()).marker(); });
}

MarkerRef Queue::Submission::marker() {
  flush_waits();
  if (queue_.is_shared()) [[unlikely]]
    bump(); // others may have appended something since the last marker
  const uint64_t sequence = queue_.submitted_.load(std::memory_order_relaxed);
  if (queue_.has_drained(sequence))
    return {};
  if (state_->unsignalled)
    signal_end();
  MarkerRef &last_marker = state_->last_marker;
  if (last_marker && last_marker->sequence == sequence)
    return last_marker;
  Scheduler &scheduler = queue_.scheduler_;
  if (scheduler.driver().capabilities().empty_by_query && queue_.list_.is_complete()) {
    queue_.raise_drained(sequence);
    return {};
  }
  next_marker({});
  state_->encoder.list.signal(last_marker->event);
  // The signal is a command of its own: who comes after the work before it does not yet come after it.
  last_marker->sequence = bump();
  if (sequence != state_->last_signal)
    state_->work_before_signal = sequence;
  state_->last_signal = last_marker->sequence;
  return last_marker;
}

void Queue::Submission::signal_end(Queue &queue, State &state) {
  MarkerRef &end = state.unsignalled;
  if (!queue.has_drained(end->sequence)) {
    state.encoder.list.signal(end->event);
    state.last_marker = end;
  }
  end = {};
}

/// Makes the queue's last marker one for a point that is about to be submitted. Who holds `end` gives it up for that.
void Queue::Submission::next_marker(const MarkerRef &end) {
  MarkerRef &marker = state_->last_marker;
  // Waits capture an event's value when they are appended, so it may be signalled again once nobody else holds the marker.
  if (marker && marker == end && marker.has_only(2))
    return; // which stands for the earlier point if the submission fails
  if (!marker || !marker.has_only(1))
    marker = queue_.scheduler_.markers().acquire();
  marker->queue = &queue_;
  marker->sequence = 0;
}

MarkerRef Queue::signalled(const MarkerRef &end) {
  if (has_drained(end->sequence))
    return {};
  return scheduler_.noticing_loss([&] {
    Submission submission(*this, Submission::Unordered());
    if (submission.state().unsignalled == end)
      submission.signal_end();
    return end;
  });
}

MarkerRef Queue::record_marker() {
  return scheduler_.noticing_loss([&] {
    Submission submission(*this);
    if (!submission.waits().empty())
      submission.append(OnlyWait());
    return submission.marker();
  });
}

MarkerRef Queue::timed_marker() {
  MarkerRef marker =
      scheduler_.noticing_loss([&] { return scheduler_.markers().acquire_timed(*this, slot_); });
  // If the submission fails, the sequence number stays that of the last write, which this queue may still have before it.
  marker->sequence = submit(WriteTimestamp{*marker});
  return marker;
}

void Queue::wait_for(const MarkerRef &marker) {
  scheduler_.check_alive();
  scheduler_.noticing_loss([&] {
    Submission submission(*this, Submission::Unordered());
    State &state = submission.state();
    const size_t before = state.pending.size();
    if (kind() == Kind::null_stream)
      submission.come_after_blocking_queues(); // even without a marker, blocking streams meet here
    if (marker && needs_wait(*marker, state))
      submission.add_wait(marker);
    if (state.pending.size() == before)
      return;
    if (state.pending.size() >= state.prune_at)
      submission.prune_waits();
    submission.bump(); // it makes the queue busy, and others may have to come after it
  });
}

uint64_t Queue::point() {
  return scheduler_.noticing_loss([&] {
    Submission submission(*this);
    // The waits are work that the point includes; the next submission carries them. And others may have appended something.
    if (!submission.waits().empty() || is_shared())
      submission.bump();
    return submitted_.load(std::memory_order_relaxed);
  });
}

uint64_t Queue::ordered_after(const Queue &other) {
  Submission submission(*this, Submission::Unordered());
  const State &state = submission.state();
  uint64_t sequence = other.drained();
  if (other.slot_ < state.seen.size())
    sequence = std::max(sequence, state.seen[other.slot_]);
  for (const MarkerRef &marker : state.pending)
    if (marker->queue == &other)
      sequence = std::max(sequence, marker->sequence);
  return sequence;
}

uint64_t Queue::last_work() {
  Submission submission(*this, Submission::Unordered());
  const State &state = submission.state();
  const uint64_t sequence = submitted_.load(std::memory_order_relaxed);
  return sequence == state.last_signal ? state.work_before_signal : sequence;
}

ze_command_list_handle_t Queue::share_list() {
  return scheduler_.noticing_loss([&] {
    Submission submission(*this);
    submission.flush_waits();
    if (submission.state().unsignalled)
      submission.signal_end();
    is_shared_.store(true, std::memory_order_release);
    return submission.state().encoder.list.native();
  });
}

void Queue::return_list() noexcept {
  settle();
  drop_waits();
  raise_drained(submitted());
  is_shared_.store(false, std::memory_order_release);
  list_.end();
}

void Queue::borrow_list(ze_command_list_handle_t list) {
  ze::ImmediateList borrowed(scheduler_.driver(), list);
  Submission(*this, Submission::Unordered()).state().encoder.list = borrowed.appender();
  list_.begin(borrowed.progress());
}

void Queue::replace_list() {
  ze::ImmediateList list = make_list(scheduler_, priority_, nullptr);
  Submission submission(*this, Submission::Unordered());
  list_.end();
  list_.begin(list.progress());
  submission.state().encoder.list = list.appender();
  submission.state().encoder.kernels = {};
  submission.state().list = std::move(list);
}

void Queue::lend(Kind kind) {
  Submission submission(*this, Submission::Unordered());
  kind_ = kind;
  is_shared_.store(has_borrowed_list_, std::memory_order_release);
  // Of submissions that failed: commands of the new owner must not carry them.
  submission.drop_waits();
}

void Queue::drop_waits() { Submission(*this, Submission::Unordered()).drop_waits(); }

// ---- Waiting on the host

void Queue::raise_drained(uint64_t sequence) {
  uint64_t drained = drained_.load(std::memory_order_relaxed);
  while (drained < sequence &&
         !drained_.compare_exchange_weak(drained, sequence, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
}

void Queue::finish() {
  scheduler_.check_alive();
  uint64_t sequence = submitted();
  if (is_known_done(sequence))
    return;
  submit_waits();
  // If a queue ever gets a second list (for copies, say), this is the place that has to wait for it too.
  wait_for_list();
  raise_drained(sequence);
  scheduler_.work_completed();
}

void Queue::submit_waits() {
  if (!has_pending_.load(std::memory_order_acquire))
    return;
  scheduler_.noticing_loss([&] { Submission(*this, Submission::Unordered()).flush_waits(); });
}

void Queue::wait_for_list() {
  scheduler_.noticing_loss([&] {
    scheduler_.wait_observed(
        [&] { list_.synchronize(); },
        [&](uint64_t nanoseconds) { return list_.is_complete_within(nanoseconds); });
  });
}

uint64_t Queue::executed() const {
  const uint64_t sequence = submitted_.load(std::memory_order_relaxed);
  return !has_drained(sequence) && list_.is_complete() ? sequence : drained();
}

void Queue::settle() noexcept {
  const uint64_t sequence = submitted();
  if (is_known_done(sequence))
    return;
  try {
    list_.synchronize();
    if (!has_pending_.load(std::memory_order_acquire))
      raise_drained(sequence);
  } catch (const DeviceLost &) {
    scheduler_.set_lost();
  } catch (const Error &) {
    // Nobody is left to tell.
  }
}

bool Queue::settle_until(std::chrono::steady_clock::time_point deadline) noexcept {
  if (empty())
    return true;
  const std::chrono::nanoseconds left = deadline - std::chrono::steady_clock::now();
  try {
    return list_.is_complete_within(uint64_t(std::max<int64_t>(left.count(), 0)));
  } catch (const Error &) {
    return true; // lost: nothing of it runs
  }
}

bool Queue::is_lost() noexcept {
  try {
    scheduler_.noticing_loss([&] { (void)list_.is_complete(); });
  } catch (const DeviceLost &) {
    return true;
  } catch (const Error &) {
    // It is asked again.
  }
  return false;
}

bool Queue::query() {
  scheduler_.check_alive();
  uint64_t sequence = submitted();
  if (is_known_done(sequence))
    return true;
  submit_waits();
  // A signal that this queue added behind the last work may be all that is left, and is nobody's work.
  if (!scheduler_.noticing_loss([&] { return list_.is_complete(); }))
    return !is_shared() && has_drained(last_work());
  raise_drained(sequence);
  scheduler_.work_completed();
  return true;
}

// ---- Submissions

/// After a submission has thrown, as the handler of that: makes room in the arena if that was what it lacked. By finding out how
/// far the queue is, since the host may never have waited for it, else by more memory, and where there may be no more, by
/// waiting without the lock.
void Queue::recover() {
  try {
    throw;
  } catch (const SpillArena::Full &full) {
    make_room(full.bytes);
  } catch (const DeviceLost &) {
    scheduler_.set_lost();
    throw;
  }
}

void Queue::make_room(size_t bytes) {
  const bool made = scheduler_.noticing_loss([&] {
    Submission submission(*this, Submission::Unordered());
    submission.learn_progress();
    return submission.state().encoder.arena.make_room(bytes);
  });
  if (!made)
    finish();
}

void Queue::learn_progress() {
  scheduler_.noticing_loss([&] { Submission(*this, Submission::Unordered()).learn_progress(); });
}

void Queue::Submission::learn_progress() {
  if (queue_.empty())
    return;
  // A queue that always has work gets a point that can be asked the next time.
  MarkerRef &probe = state_->probe;
  if (probe && !queue_.has_drained(probe->sequence) && ze::event_is_complete(probe->event))
    queue_.raise_drained(probe->sequence);
  if (!probe || queue_.has_drained(probe->sequence))
    probe = marker();
}

void Queue::forget_kernel(uint32_t kernel_id) {
  Submission(*this, Submission::Unordered()).state().encoder.kernels.forget(kernel_id);
}

} // namespace chip
