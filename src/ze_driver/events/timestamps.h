// The memory that an event's timestamps are written to.
#pragma once

#include "ref.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace ze_driver {

class SharedSlots;

/// When a command ran, for events that ask for it; in now_ns() time.
class Timestamps final : public RefCounted {
public:
  Timestamps() = default;
  /// The timestamps of an event that other processes have too.
  Timestamps(std::shared_ptr<SharedSlots> memory, std::atomic<uint64_t> &shared_start,
             std::atomic<uint64_t> &shared_end)
      : start(shared_start), end(shared_end), memory_(std::move(memory)) {}

private:
  ~Timestamps() override = default;

  std::atomic<uint64_t> own_start_{0}, own_end_{0};

public:
  std::atomic<uint64_t> &start = own_start_;
  std::atomic<uint64_t> &end = own_end_;

private:
  const std::shared_ptr<SharedSlots> memory_;
};

} // namespace ze_driver
