#include "value.h"
#include "copy.h"
#include "host_function.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace chip::operations {

/// What the function of the host works with.
struct ValueWaiter {
  explicit ValueWaiter(const WaitValue &value) : wait(value) {
    if (wait.device)
      queue.emplace(wait.device->scheduler());
  }

  const WaitValue wait;
  std::optional<InternalQueue> queue; // to look at memory that the host cannot read

  uint64_t load() {
    void *place = const_cast<void *>(wait.address);
    uint64_t copied = 0;
    if (queue) {
      (*queue)->submit(Copy{&copied, place, wait.bytes});
      (*queue)->finish();
      return copied; // little endian, so its low bytes are the value
    }
    return wait.bytes == 4
               ? std::atomic_ref(*static_cast<uint32_t *>(place)).load(std::memory_order_acquire)
               : std::atomic_ref(*static_cast<uint64_t *>(place)).load(std::memory_order_acquire);
  }

  // Runs on a thread of the driver that may block. The value may never come: the end of the process ends the wait, which is
  // waited for before the queues go.
  void run() noexcept {
    using namespace std::chrono_literals;
    try {
      for (int turn = 0; !Platform::is_ending() && !wait.condition.holds(load(), wait.bytes);
           ++turn) {
        if (turn < 100)
          std::this_thread::yield();
        else
          std::this_thread::sleep_for(20us);
      }
    } catch (const Error &) {
      // The device is lost; the stream's next call says so.
    }
  }
};

void WaitValue::perform(const StreamTarget &stream) const {
  // The queue to look with is lent before the stream's lock is taken.
  auto waiter = std::make_unique<ValueWaiter>(*this);
  const auto run_once = [](void *data) {
    std::unique_ptr<ValueWaiter>(static_cast<ValueWaiter *>(data))->run();
  };
  stream.queue->submit(HostFunction{run_once, waiter.get()});
  waiter.release();
}

KeptWaitValue WaitValue::keep() const { return KeptWaitValue(*this); }

KeptWaitValue::KeptWaitValue(const WaitValue &wait)
    : wait_(wait), waiter_(std::make_shared<ValueWaiter>(wait)) {}

void KeptWaitValue::append(Encoder &encoder, ze::Waits waits) const {
  const auto run = [](void *data) { static_cast<ValueWaiter *>(data)->run(); };
  HostFunction{run, waiter_.get()}.append(encoder, waits);
}

} // namespace chip::operations
