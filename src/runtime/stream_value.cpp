#include "stream_value.h"
#include "memory.h"
#include "platform.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace chip {
namespace {

Allocation check_place(const void *address, size_t bytes) {
  if (!address || reinterpret_cast<uintptr_t>(address) % bytes)
    throw Error(hipErrorInvalidValue, "the address of a stream's value is null or not aligned");
  auto allocation = find_allocation(address);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "the memory of a stream's value was not allocated by HIP");
  check_range(*allocation, address, bytes);
  return *allocation;
}

struct Wait {
  const void *address;
  ValueCondition condition;
  size_t bytes;
  std::optional<LentQueue> queue; // to look at memory of the device, which the host cannot read

  uint64_t load() {
    void *place = const_cast<void *>(address);
    uint64_t copied = 0;
    if (queue) {
      (*queue)->submit([&](ze::CommandList &list, ze::Waits waits) { list.copy(&copied, place, bytes, waits); });
      (*queue)->finish();
      return copied; // little endian, so its low bytes are the value
    }
    return bytes == 4 ? std::atomic_ref(*static_cast<uint32_t *>(place)).load(std::memory_order_acquire)
                      : std::atomic_ref(*static_cast<uint64_t *>(place)).load(std::memory_order_acquire);
  }
};

// Runs on a thread of the driver that may block. The value may never come: the end of the process ends the wait, which is
// waited for before the queues go.
void wait_on_host(void *data) {
  using namespace std::chrono_literals;
  std::unique_ptr<Wait> wait(static_cast<Wait *>(data));
  try {
    for (int turn = 0; !Platform::is_ending() && !wait->condition.holds(wait->load(), wait->bytes); ++turn) {
      if (turn < 100)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(20us);
    }
  } catch (const Error &) {
    // The device is lost; the stream's next call says so.
  }
}

} // namespace

bool ValueCondition::holds(uint64_t found, size_t bytes) const {
  const uint64_t width = bytes == 4 ? UINT32_MAX : UINT64_MAX;
  const uint64_t masked = found & mask & width;
  switch (condition) {
  case hipStreamWaitValueGte:
    return masked >= (value & width);
  case hipStreamWaitValueEq:
    return masked == (value & width);
  case hipStreamWaitValueAnd:
    return (masked & value) != 0;
  default:
    return (~(masked | (value & mask)) & width) != 0;
  }
}

void write_value(const StreamTarget &stream, void *address, uint64_t value, size_t bytes) {
  check_place(address, bytes);
  stream.queue->submit([&](ze::CommandList &list, ze::Waits waits) {
    list.fill(address, &value, bytes, bytes, waits);
  });
}

void wait_value(const StreamTarget &stream, const void *address, const ValueCondition &condition,
                size_t bytes) {
  if (condition.condition > hipStreamWaitValueNor)
    throw Error(hipErrorInvalidValue, "an unknown condition of a value to wait for");
  const Allocation allocation = check_place(address, bytes);
  auto wait = std::make_unique<Wait>(address, condition, bytes);
  if (!allocation.host_can_reach())
    wait->queue.emplace(allocation.device->scheduler());
  append_host_function(stream, wait_on_host, std::move(wait));
}

} // namespace chip
