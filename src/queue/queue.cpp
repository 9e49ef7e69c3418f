#include "queue.h"
#include "scheduler.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <numeric>

namespace chip {
namespace {

/// The arena has no free block of that size.
struct ArenaFull {
  size_t bytes;
};

// As memcmp and memcpy, without a call for the sizes that most arguments have.
bool equal(const std::byte *a, const void *b, size_t bytes) {
  const auto as = [](auto type, const void *value) {
    std::memcpy(&type, value, sizeof type);
    return type;
  };
  if (bytes == 8)
    return as(uint64_t(), a) == as(uint64_t(), b);
  if (bytes == 4)
    return as(uint32_t(), a) == as(uint32_t(), b);
  return std::memcmp(a, b, bytes) == 0;
}
void assign(std::byte *to, const void *from, size_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes == 4)
    std::memcpy(to, from, 4);
  else
    std::memcpy(to, from, bytes);
}

bool equal(const ze_group_size_t &a, const ze_group_size_t &b) {
  return a.groupSizeX == b.groupSizeX && a.groupSizeY == b.groupSizeY && a.groupSizeZ == b.groupSizeZ;
}

void launch_cooperative(ze::CommandList &list, ze_kernel_handle_t kernel, const LaunchShape &shape,
                        ze::Waits waits) {
  const uint64_t asked = uint64_t(shape.groups.groupCountX) * shape.groups.groupCountY * shape.groups.groupCountZ;
  if (const uint32_t limit = ze::max_cooperative_groups(kernel); asked > limit)
    throw Error(hipErrorCooperativeLaunchTooLarge,
                std::format("a cooperative launch asks for {} blocks, {} can run at once", asked, limit));
  list.launch_cooperative(kernel, shape.groups, waits);
}

} // namespace

Queue::Queue(Scheduler &scheduler, uint32_t slot, ze_command_queue_priority_t priority)
    : scheduler_(scheduler), list_(scheduler.driver(), scheduler.device(), priority),
      priority_(priority), slot_(slot), arena_(scheduler.driver()) {}

// ---- Order across queues

bool Queue::needs_wait(const Marker &marker) const {
  if (marker.queue == this || marker.queue->has_drained(marker.sequence))
    return false;
  uint32_t slot = marker.queue->slot_;
  return slot >= seen_.size() || seen_[slot] < marker.sequence;
}

void Queue::gather_waits() {
  waits_.clear();
  for (const MarkerRef &marker : pending_)
    if (needs_wait(*marker))
      waits_.push_back(marker->event);
}

void Queue::waits_submitted() {
  for (const MarkerRef &marker : pending_) {
    Queue &other = *marker->queue;
    if (other.slot_ >= seen_.size())
      seen_.resize(other.slot_ + 1);
    seen_[other.slot_] = std::max(seen_[other.slot_], marker->sequence);
    if (other.kind() == Kind::null_stream)
      seen_null_.store(seen_[other.slot_], std::memory_order_release);
  }
  drop_waits();
}

void Queue::flush_waits() {
  if (pending_.empty())
    return;
  gather_waits();
  if (!waits_.empty())
    list_.wait(waits_);
  waits_submitted();
}

void Queue::drop_waits() {
  pending_.clear();
  waits_.clear();
  has_pending_.store(false, std::memory_order_release);
}

/// Leaves one wait for each other queue: waits may be added for ever without a submission that carries them.
void Queue::prune_pending() {
  std::ranges::sort(pending_, [](const MarkerRef &a, const MarkerRef &b) {
    return std::pair(a->queue, b->sequence) < std::pair(b->queue, a->sequence); // a queue's last point first
  });
  const auto same_queue = [](const MarkerRef &a, const MarkerRef &b) { return a->queue == b->queue; };
  const auto [first, last] = std::ranges::unique(pending_, same_queue);
  pending_.erase(first, last);
  prune_at_ = std::max<size_t>(64, 2 * pending_.size());
}

/// Work of a blocking queue comes after all earlier work of the null stream. The marker is made before this queue's lock is
/// taken (see 'Locks' in queue.h); two threads may both make one, which is harmless.
MarkerRef Queue::after_null_stream() {
  if (Queue *null_queue = scheduler_.null_queue_if_used())
    if (uint64_t sequence = null_queue->submitted();
        seen_null_.load(std::memory_order_acquire) < sequence && !null_queue->has_drained(sequence))
      return null_queue->marker();
  return {};
}

MarkerRef Queue::marker() {
  return noticing_loss([&] {
    std::lock_guard lock(mutex_);
    return marker_locked();
  });
}

MarkerRef Queue::marker_locked() {
  flush_waits();
  uint64_t sequence = submitted_.load(std::memory_order_relaxed);
  if (has_drained(sequence))
    return {};
  if (last_marker_ && last_marker_->sequence == sequence)
    return last_marker_;
  if (scheduler_.driver().capabilities().empty_by_query && list_.is_complete()) {
    raise_drained(sequence);
    return {};
  }
  // Waits capture an event's value when they are appended, so it may be signalled again once nobody holds the marker.
  if (!last_marker_ || !last_marker_.unique())
    last_marker_ = scheduler_.markers().acquire();
  last_marker_->queue = this;
  last_marker_->sequence = 0;
  list_.signal(last_marker_->event);
  // The signal is a command of its own: who comes after the work before it does not yet come after it.
  last_marker_->sequence = bump();
  return last_marker_;
}

MarkerRef Queue::record_marker() {
  return noticing_loss([&] {
    auto lock = begin();
    if (!waits_.empty()) {
      list_.wait(waits_);
      bump();
    }
    waits_submitted();
    return marker_locked();
  });
}

MarkerRef Queue::timed_marker() {
  MarkerRef marker = noticing_loss([&] { return scheduler_.markers().acquire_timed(*this, slot_); });
  // If the submission fails, the sequence number stays that of the last write, which this queue may still have before it.
  marker->sequence = submit([&](ze::CommandList &list, ze::Waits waits) {
    list.write_timestamp(marker->timestamp, marker->event, waits);
  });
  return marker;
}

void Queue::wait_for(const MarkerRef &marker) {
  scheduler_.check_alive();
  noticing_loss([&] {
    std::lock_guard lock(mutex_);
    const size_t before = pending_.size();
    if (kind() == Kind::null_stream)
      scheduler_.collect_dirty(*this); // even without a marker, blocking streams meet here
    if (marker && needs_wait(*marker))
      pending_.push_back(marker);
    if (pending_.size() == before)
      return;
    if (pending_.size() >= prune_at_)
      prune_pending();
    has_pending_.store(true, std::memory_order_release);
    bump(); // it makes the queue busy, and others may have to come after it
  });
}

uint64_t Queue::point() {
  return noticing_loss([&] {
    auto lock = begin();
    if (!waits_.empty())
      bump(); // the waits are work that the point includes; the next submission carries them
    return submitted_.load(std::memory_order_relaxed);
  });
}

bool Queue::is_ordered_after(const Queue &other, uint64_t sequence) {
  if (&other == this || other.has_drained(sequence))
    return true;
  std::lock_guard lock(mutex_);
  if (other.slot_ < seen_.size() && seen_[other.slot_] >= sequence)
    return true;
  return std::ranges::any_of(pending_, [&](const MarkerRef &marker) {
    return marker->queue == &other && marker->sequence >= sequence;
  });
}

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
  if (has_drained(sequence))
    return;
  if (has_pending_.load(std::memory_order_acquire))
    submit_waits();
  // If a queue ever gets a second list (for copies, say), this is the place that has to wait for it too.
  wait_for_list();
  raise_drained(sequence);
  scheduler_.work_completed();
}

void Queue::submit_waits() {
  noticing_loss([&] {
    std::lock_guard lock(mutex_);
    flush_waits();
  });
}

void Queue::wait_for_list() {
  noticing_loss([&] {
    scheduler_.wait_observed([&] { list_.synchronize(); },
                             [&](uint64_t nanoseconds) { return list_.is_complete_within(nanoseconds); });
  });
}

void Queue::settle() noexcept {
  const uint64_t sequence = submitted();
  if (has_drained(sequence))
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
  if (has_drained(submitted()))
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
    noticing_loss([&] { (void)list_.is_complete(); });
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
  if (has_drained(sequence))
    return true;
  if (has_pending_.load(std::memory_order_acquire))
    submit_waits();
  if (!noticing_loss([&] { return list_.is_complete(); }))
    return false;
  raise_drained(sequence);
  scheduler_.work_completed();
  return true;
}

// ---- Launches

Queue::KernelInstance &Queue::make_instance(const KernelTarget &target) {
  if (target.id >= instances_.size())
    instances_.resize(target.id + 1);
  auto instance = std::make_unique<KernelInstance>();
  instance->handle = ze::create_kernel(target.module, target.name);
  size_t count = target.parameters.size(), bytes = 0;
  for (const Parameter &parameter : target.parameters) {
    instance->value_bytes.push_back(uint32_t(parameter.bytes_in_handle()));
    bytes += instance->value_bytes.back();
  }
  instance->values.resize(bytes);
  instance->spills.resize(count);
  argument_pointers_.resize(std::max(argument_pointers_.size(), count));
  spill_pointers_.resize(std::max(spill_pointers_.size(), count));
  instances_[target.id] = std::move(instance);
  return *instances_[target.id];
}

/// Raises `drained` as far as the driver can tell now, though the host may never have waited for this queue.
void Queue::learn_progress() {
  const uint64_t sequence = submitted_.load(std::memory_order_relaxed);
  if (has_drained(sequence))
    return;
  // A queue that always has work gets a point that can be asked the next time.
  if (probe_ && !has_drained(probe_->sequence) && ze::event_is_complete(probe_->event))
    raise_drained(probe_->sequence);
  if (!probe_ || has_drained(probe_->sequence))
    probe_ = marker_locked();
}

/// Makes room for a block in the arena: by finding out how far the queue is, since the host may never have waited for it, else
/// by more memory, and where there may be no more, by waiting without the lock. Submissions that failed give theirs back.
void Queue::make_room(size_t bytes) {
  const bool made = noticing_loss([&] {
    std::lock_guard lock(mutex_);
    arena_.abandon();
    learn_progress();
    return arena_.make_room(bytes, drained_.load(std::memory_order_acquire));
  });
  if (!made)
    finish();
}

/// submit() of what takes memory of the arena.
template <class Append> void Queue::submit_with_room(Append &&append) {
  for (;;) {
    try {
      submit(append);
      return;
    } catch (const ArenaFull &full) {
      make_room(full.bytes);
    }
  }
}

SpillArena::Block Queue::allocate_in_arena(size_t bytes) {
  auto block = arena_.allocate(bytes, drained_.load(std::memory_order_acquire));
  // Waits that are not in the list yet use no memory of the arena.
  if (const uint64_t sequence = submitted_.load(std::memory_order_relaxed);
      !block && !has_drained(sequence) && list_.is_complete())
    block = arena_.allocate(bytes, sequence);
  if (!block)
    throw ArenaFull{bytes};
  return block;
}

void *Queue::spill(SpillArena::Block &last, const void *value, size_t bytes) {
  // Loops often launch with the same large arguments again and again: the block of the last launch then serves.
  if (last && std::memcmp(last.data(), value, bytes) == 0 && arena_.share(last))
    return last.data();
  last = allocate_in_arena(bytes);
  std::memcpy(last.data(), value, bytes);
  return last.data();
}

void **Queue::prepare_arguments(KernelInstance &instance, const KernelTarget &target,
                                const LaunchShape &shape, void *const *arguments) {
  if (!target.needs_copies)
    return const_cast<void **>(arguments);
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    const Parameter &parameter = target.parameters[i];
    switch (parameter.kind) {
    case ParameterKind::spilled:
      spill_pointers_[i] = spill(instance.spills[i], arguments[i], parameter.bytes);
      argument_pointers_[i] = &spill_pointers_[i];
      break;
    case ParameterKind::local:
      local_bytes_ = std::max<size_t>(shape.dynamic_local_bytes, 1); // none at all is no valid size
      argument_pointers_[i] = &local_bytes_;
      break;
    default:
      argument_pointers_[i] = arguments[i];
    }
  }
  return argument_pointers_.data();
}

/// Whether the handle lacks something of this launch and the launch itself can pass it, which is one call; the handle's memory
/// epoch is then for the caller to set. Else the handle gets what it lacks.
bool Queue::update(KernelInstance &instance, const KernelTarget &target, const LaunchShape &shape,
                   void *const *arguments, uint64_t epoch) {
  changed_.clear();
  uint32_t index = 0;
  std::byte *last = instance.values.data();
  for (const uint32_t bytes : instance.value_bytes) {
    if (!equal(last, arguments[index], bytes)) {
      assign(last, arguments[index], bytes);
      changed_.push_back(index);
    }
    last += bytes;
    ++index;
  }
  // A pointer that looks the same may mean a new allocation if memory has been freed since; the driver has to see it.
  const bool all = instance.memory_epoch != epoch;
  const bool resized = all || !equal(instance.group_size, shape.group_size);
  if (!resized && changed_.empty())
    return false;
  instance.memory_epoch = KernelInstance::nothing_set; // until all is set
  instance.group_size = shape.group_size;
  if (list_.launches_with_arguments() && !shape.cooperative)
    return true;
  if (resized)
    ze::set_group_size(instance.handle.get(), shape.group_size);
  if (all) {
    changed_.resize(target.parameters.size());
    std::iota(changed_.begin(), changed_.end(), 0);
  }
  for (const uint32_t i : changed_) {
    if (target.parameters[i].kind == ParameterKind::local)
      ze::set_argument(instance.handle.get(), i, local_bytes_, nullptr);
    else
      ze::set_argument(instance.handle.get(), i, instance.value_bytes[i], arguments[i]);
  }
  instance.memory_epoch = epoch;
  return false;
}

void Queue::launch(const KernelTarget &target, const LaunchShape &shape, void *const *arguments) {
  auto append = [&](ze::CommandList &list, ze::Waits waits) {
    KernelInstance &kernel = instance(target);
    void **values = prepare_arguments(kernel, target, shape, arguments);
    const uint64_t epoch = ze::memory_epoch();
    if (update(kernel, target, shape, values, epoch)) {
      list.launch(kernel.handle.get(), shape.groups, shape.group_size, values, waits);
      kernel.memory_epoch = epoch;
      return;
    }
    if (shape.cooperative)
      launch_cooperative(list, kernel.handle.get(), shape, waits);
    else
      list.launch(kernel.handle.get(), shape.groups, waits);
  };
  submit_with_room(append);
}

void Queue::copy_from_pageable(void *destination, const void *source, size_t bytes) {
  constexpr size_t staged_bytes = 64 << 10; // beyond, waiting for the copy costs less than copying twice
  if (bytes > staged_bytes) {
    submit([&](ze::CommandList &list, ze::Waits waits) { list.copy(destination, source, bytes, waits); });
    finish();
    return;
  }
  auto append = [&](ze::CommandList &list, ze::Waits waits) {
    auto block = allocate_in_arena(bytes);
    std::memcpy(block.data(), source, bytes);
    list.copy(destination, block.data(), bytes, waits);
  };
  submit_with_room(append);
}

void Queue::forget_kernel(uint32_t kernel_id) {
  std::lock_guard lock(mutex_);
  if (kernel_id < instances_.size())
    instances_[kernel_id].reset();
}

} // namespace chip
