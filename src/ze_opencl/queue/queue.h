// A queue that passes its commands on to an in-order queue of OpenCL: on the thread that appends them, as long as nothing holds
// it up. What OpenCL has no command for (functions of the program, group counts in memory, resets of events) is done on a
// thread of the driver's once everything before it is finished; the commands behind it follow on that thread.
#pragma once

#include "../../ze_driver/events/chaos.h"
#include "../memory/access.h"
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
  // Who drives the queue: the appending thread while it is idle, which needs no reference and no atomic operation for it; else
  // whoever made it busy, until it makes it idle.
  enum State : uint32_t {
    idle = 0,
    busy =
        1, // another thread drives it, or will when what it is parked at is reached; it has a reference to itself
    has_more = 2, // with busy: something was appended since
  };

  Queue(const Device &device, cl_command_queue queue, std::unique_ptr<Completions> completions);
  ~Queue() override;

  void published() override;
  bool pass_launch(const ze_driver::LaunchCommand &launch, const std::byte *arguments) override;
  void reached(bool lost) noexcept override;
  void drive(bool may_block) noexcept;
  void become_busy() noexcept;
  bool become_idle() noexcept;
  void drive_on_worker() noexcept;
  bool is_free(ze_driver::Counter &counter, uint64_t value);
  void hand_over(ze_driver::Command &command, ze_driver::CommandEnd end) noexcept;
  void pass(ze_driver::Command &command, ze_driver::CommandEnd &end);
  void flush() noexcept;
  cl_int profile();
  cl_int enqueue(ze_driver::Command &command, cl_event *event);
  cl_int enqueue_copy_region(const ze_driver::CopyRegionCommand &region, const Order &order);
  cl_int enqueue_indirect(ze_driver::Command &command, cl_event *event);
  cl_int do_on_host(ze_driver::Command &command);
  cl_int copy_now(void *destination, const void *source, size_t bytes);
  void await_all();
  void fail(const char *what, cl_int error);

  const Device &device_;
  Completions &completions_; // done()'s source

  std::atomic<uint32_t> state_{State::idle};
  // The driving thread's.
  cl_command_queue queue_;
  bool profiles_ = false; // queue_ does
  bool is_busy_ = false;  // the state is
  ze_driver::ChaosSource chaos_;
  std::vector<ClEvent> waits_; // that the next command has to wait for
  std::vector<cl_event> wait_handles_;
};

} // namespace ze_opencl
