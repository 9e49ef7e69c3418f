// A queue that passes its commands on to an in-order queue of OpenCL: on the thread that appends them, as long as nothing holds
// it up. What OpenCL has no command for (functions of the program, group counts in memory, resets of events) is done on a
// thread of the driver's once everything before it is finished; the commands behind it follow on that thread.
#pragma once

#include "../../ze_driver/events/chaos.h"
#include "completions.h"
#include "device_clock.h"

#include <atomic>
#include <vector>

namespace ze_opencl {

class Queue final : public ze_driver::QueueBackend, private ze_driver::Waiter {
public:
  /// Throws std::bad_alloc where OpenCL makes no queue.
  static ze_driver::Ref<ze_driver::QueueBackend> make(const Device &device,
                                                      const DeviceClock &clock);

private:
  // A queue that is not idle has a reference to itself.
  // idle: all commands are passed on. driven: a thread passes them on. parked: waits for a counter, and goes on when it is told.
  enum class State : uint32_t { idle, driven, parked };

  Queue(const Device &device, cl_command_queue queue, std::unique_ptr<Completions> completions);
  ~Queue() override;

  void published() override;
  void reached(bool lost) noexcept override;
  bool claim() {
    State idle = State::idle;
    return state_.compare_exchange_strong(idle, State::driven, std::memory_order_seq_cst);
  }
  void drive(bool may_block) noexcept;
  void drive_on_worker() noexcept;
  bool is_free(ze_driver::Counter &counter, uint64_t value);
  void hand_over(ze_driver::Command &command, ze_driver::CommandEnd end) noexcept;
  void pass(ze_driver::Command &command, ze_driver::CommandEnd &end);
  void flush() noexcept;
  cl_int enqueue(ze_driver::Command &command, cl_event *event);
  cl_int enqueue_copy_region(const ze_driver::CopyRegionCommand &region, cl_event *event);
  cl_int enqueue_indirect(ze_driver::Command &command, cl_event *event);
  cl_int do_on_host(ze_driver::Command &command);
  cl_int copy_now(void *destination, const void *source, size_t bytes);
  void await_all();
  void fail(const char *what, cl_int error);

  const Device &device_;
  const cl_command_queue queue_;
  Completions &completions_; // done()'s source

  std::atomic<State> state_{State::idle};
  // The driving thread's.
  ze_driver::ChaosSource chaos_;
  std::vector<ClEvent> waits_; // that the next command has to wait for
};

} // namespace ze_opencl
