#include "stream_value.h"
#include "../memory/route.h"

namespace chip {
namespace {

Allocation check_place(const void *address, size_t bytes) {
  if (!address || reinterpret_cast<uintptr_t>(address) % bytes)
    throw Error(hipErrorInvalidValue, "`address` is null, or not aligned to the size of the value");
  auto allocation = find_allocation(address);
  if (!allocation)
    throw Error(hipErrorInvalidValue,
                "`address` is not in memory that HIP allocated or registered");
  check_range(*allocation, address, bytes);
  return *allocation;
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
  const Allocation allocation = check_place(address, bytes);
  check_target(allocation, address, bytes);
  enqueue_on(*allocation.device, stream, operations::WriteValue{address, value, bytes});
}

void wait_value(const StreamTarget &stream, const void *address, const ValueCondition &condition,
                size_t bytes) {
  if (condition.condition > hipStreamWaitValueNor)
    throw Error(hipErrorInvalidValue, "`flags` is not a condition of hipStreamWaitValue");
  const Allocation allocation = check_place(address, bytes);
  check_host_functions(stream);
  enqueue(stream, operations::WaitValue{address, condition, bytes,
                                        allocation.host_can_reach() ? nullptr : allocation.device});
}

} // namespace chip
