// A queue that the processors execute: at most one thread at a time, whichever that is: one of the
// dispatcher, or one that synchronizes with the queue and would only wait.
#pragma once

#include "../../ze_driver/events/chaos.h"
#include "../../ze_driver/records/queue_backend.h"

#include <atomic>

namespace ze_cpu {

struct Fault;
using ze_driver::Command;
using ze_driver::Counter;
using ze_driver::Deadline;

class Stream final : public ze_driver::QueueBackend, private ze_driver::Waiter {
public:
  explicit Stream(unsigned device);

  /// Executes the commands itself if no other thread does.
  bool synchronize(uint64_t target, const Deadline &deadline) override;

  // For the dispatcher.

  /// Executes what there is, or until the gate closes. The calling thread is inside the gate, and
  /// has claimed the stream.
  void run(uint64_t until = UINT64_MAX);

private:
  friend class Dispatcher;

  enum class State : uint32_t { idle, ready, running, parked };

  ~Stream() override;
  void published() override;
  void reached(bool lost) noexcept override;
  bool claim(State from) {
    return state_.compare_exchange_strong(from, State::running, std::memory_order_acq_rel);
  }
  bool await(Counter &counter, uint64_t value);
  void execute(Command &command);
  template <class MustLeave> void execute_recorded_launches(MustLeave must_leave);
  void report(const Fault &fault);

  alignas(64) std::atomic<State> state_{State::idle}; // apart from what the executing thread writes

  // The executing thread's.
  const unsigned device_;
  ze_driver::ChaosSource chaos_;

  // The dispatcher's.
  Stream *next_ = nullptr;
  Stream *previous_ = nullptr;
  bool queued_ = false;
};

} // namespace ze_cpu
