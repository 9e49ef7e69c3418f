// Events that several processes signal and wait for: their numbers lie in a file that all map.
// No process is told of what another does: while something waits for such an event, a thread polls
// it.
#pragma once

#include "../ipc/shared_file.h"
#include "counter.h"

#include <expected>
#include <span>

namespace ze_driver {

/// What the processes share of one event.
struct alignas(64) SharedSlot {
  std::atomic<uint64_t> value;   // 0 or 1
  std::atomic<uint64_t> signals; // how often it became 1, so that none is missed
  std::atomic<uint64_t> start, end;
  std::atomic<uint64_t> lost_from; // 1: what was to be done before the signal was not done
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// The slots of an event pool, and what an opener must know of it.
class SharedSlots {
public:
  static std::shared_ptr<SharedSlots> create(uint32_t count, uint32_t pool_flags);
  /// Null: the file is no such thing. Throws std::bad_alloc.
  static std::shared_ptr<SharedSlots> open(std::shared_ptr<SharedFile> file);

  SharedSlots(const SharedSlots &) = delete;
  SharedSlots &operator=(const SharedSlots &) = delete;
  ~SharedSlots();

  const SharedFile &file() const { return *file_; }
  uint32_t pool_flags() const { return pool_flags_; }
  std::span<SharedSlot> slots() const { return slots_; }

private:
  struct Header;

  SharedSlots(std::shared_ptr<SharedFile> file, Header *header, size_t bytes);
  static size_t bytes_for(uint32_t count);

  const std::shared_ptr<SharedFile> file_;
  Header *const header_;
  const size_t bytes_;
  uint32_t pool_flags_ = 0;
  std::span<SharedSlot> slots_;
};

/// Polls the counters that other processes have too, and that something in this process waits for.
class SharedCounterWatch {
public:
  static SharedCounterWatch &instance();

  /// Polls `counter` until nothing waits for it any more.
  void add(Ref<Counter> counter);

  /// Called around a fork, before what the waiters that are told may take. A child finds no counter
  /// half told.
  void before_fork();
  void after_fork(bool is_child);

private:
  void watch();

  std::mutex looking_; // held while others are told; taken before mutex_
  std::mutex mutex_;
  std::vector<Ref<Counter>> counters_;
  bool is_running_ = false;
};

} // namespace ze_driver
