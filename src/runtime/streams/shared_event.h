// Events between processes that have nothing to do with each other. What all of them know of such an event lies in memory that
// they share: for each queue that has recorded it a counter, which the queue's device writes, and which record was the last one.
#pragma once

#include "../../common/guarded.h"
#include "../../queue/scheduler.h"

#include <hip/hip_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace chip {

class SharedEvent {
public:
  /// Throws hipErrorOutOfMemory, hipErrorNotSupported if lists of the driver cannot write memory of the program.
  static std::shared_ptr<SharedEvent> create(const ze::Driver &driver);
  /// The event of another process, which has not ended. Throws hipErrorInvalidValue for what is no handle,
  /// hipErrorInvalidContext for one of this process.
  static std::shared_ptr<SharedEvent> open(const hipIpcEventHandle_t &handle);
  SharedEvent(const SharedEvent &) = delete;
  SharedEvent &operator=(const SharedEvent &) = delete;
  /// No list is going to write a counter of this process.
  ~SharedEvent();

  hipIpcEventHandle_t handle() const;

  /// Which counter, and the value that it has from then on; 0: none.
  using Record = uint64_t;
  /// Lets the queue write a counter in its place in HIP's order. The event has to live until that is done.
  Record submit(Queue &queue);
  /// The event stands for the record from now on.
  void publish(Record record);
  Record last() const;

  bool is_reached(Record record) const;
  /// Whether the process that submitted the record has ended before it was reached, so that it never is.
  bool is_abandoned(Record record) const;

private:
  struct Counter;
  struct Page;
  struct Own {
    std::vector<std::pair<const Queue *, size_t>> counters; // of queues of this process
    std::vector<const ze::Driver *> drivers;                // that know of the memory
  };

  explicit SharedEvent(int descriptor);
  void let_write(const ze::Driver &driver);
  size_t counter_of(const Queue &queue);
  size_t claim_counter(const Queue &queue);
  const Counter *find(Record record) const;

  const int descriptor_;
  Page *page_ = nullptr;
  common::Guarded<Own> own_;
};

/// How often who waits for a process looks whether that still lives.
constexpr auto process_look_every = std::chrono::milliseconds(10);

/// A record of an event that another process may have made.
struct SharedPoint {
  std::shared_ptr<const SharedEvent> event;
  SharedEvent::Record record;

  bool is_reached() const { return event->is_reached(record); }
  bool is_abandoned() const { return event->is_abandoned(record); }
  /// Blocks until it is one of both. Throws hipErrorDeinitialized if this process ends before.
  void wait() const;
};

} // namespace chip
