// Values in memory that streams write and wait for.
#pragma once

#include "../streams/stream_value.h"
#include "fill.h"

#include <memory>

namespace chip::operations {

/// Writes the low `bytes` (4 or 8) of a value.
struct WriteValue {
  void *address;
  uint64_t value;
  size_t bytes;

  void append(Encoder &encoder, ze::Waits waits) const {
    Fill{address, value, bytes, bytes}.append(encoder, waits);
  }
  bool operator==(const WriteValue &) const = default;
};

class KeptWaitValue;
struct ValueWaiter;

/// Waits until the `bytes` (4 or 8) at `address` meet a condition. The host looks at them, through copies of `device` where it
/// cannot reach the memory.
struct WaitValue {
  const void *address;
  ValueCondition condition;
  size_t bytes;
  Device *device; // null: the host can reach the memory

  void perform(const StreamTarget &stream) const;
  KeptWaitValue keep() const;
  bool operator==(const WaitValue &) const = default;
};

/// The same, for any number of times; owns what the function of the host works with.
class KeptWaitValue {
public:
  explicit KeptWaitValue(const WaitValue &wait);

  const WaitValue &wait() const { return wait_; }
  void append(Encoder &encoder, ze::Waits waits) const;
  bool operator==(const KeptWaitValue &other) const { return wait_ == other.wait_; }

private:
  WaitValue wait_;
  std::shared_ptr<ValueWaiter> waiter_;
};

} // namespace chip::operations
