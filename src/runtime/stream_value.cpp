#include "stream_value.h"
#include "memory.h"
#include "platform.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace chip {
namespace {

void check_place(const void *address, size_t bytes, bool host_reads) {
  if (!address || reinterpret_cast<uintptr_t>(address) % bytes)
    throw Error(hipErrorInvalidValue, "the address of a stream's value is null or not aligned");
  auto allocation = find_allocation(address);
  if (!allocation)
    throw Error(hipErrorInvalidValue, "the memory of a stream's value was not allocated by HIP");
  check_range(*allocation, address, bytes);
  // The memory of a device that is a CPU is the host's.
  const bool on_cpu = allocation->device->info().properties.type == ZE_DEVICE_TYPE_CPU;
  if (host_reads && !allocation->host_can_reach() && !on_cpu)
    throw Error(hipErrorInvalidValue, "a stream waits for values in host memory only: allocate it with "
                                      "hipExtMallocWithFlags and hipMallocSignalMemory");
}

struct Wait {
  const void *address;
  ValueCondition condition;
  size_t bytes;

  uint64_t load() const {
    void *place = const_cast<void *>(address);
    return bytes == 4 ? std::atomic_ref(*static_cast<uint32_t *>(place)).load(std::memory_order_acquire)
                      : std::atomic_ref(*static_cast<uint64_t *>(place)).load(std::memory_order_acquire);
  }
};

// Runs on a thread of the driver that may block. The value may never come: the end of the process ends the wait.
void wait_on_host(void *data) {
  using namespace std::chrono_literals;
  std::unique_ptr<Wait> wait(static_cast<Wait *>(data));
  for (int turn = 0; !wait->condition.holds(wait->load(), wait->bytes) && !Platform::is_ending(); ++turn) {
    if (turn < 100)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(20us);
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
  check_place(address, bytes, false);
  stream.queue->submit([&](ze::CommandList &list, ze::Waits waits) {
    list.fill(address, &value, bytes, bytes, waits);
  });
}

void wait_value(const StreamTarget &stream, const void *address, const ValueCondition &condition,
                size_t bytes) {
  if (condition.condition > hipStreamWaitValueNor)
    throw Error(hipErrorInvalidValue, "an unknown condition of a value to wait for");
  check_place(address, bytes, true);
  append_host_function(stream, wait_on_host, std::make_unique<Wait>(address, condition, bytes));
}

} // namespace chip
