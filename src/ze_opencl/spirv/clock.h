// Clocks on devices that have none: memory that the driver keeps advancing (program/kernel_clock.h).
#pragma once

#include "assembly.h"

namespace ze_opencl {

class ClockReads {
public:
  /// Reads in `module` become reads at `address`; 0: there is no such memory, and they stay.
  ClockReads(std::span<const ParsedInstruction> module, uint64_t address);

  /// Whether there are any to change.
  bool any() const { return any_; }
  void declare(Assembler &out, TypeTable &types, uint32_t type_u64);
  /// Instructions in the place of a read. Each read advances the clock by one: two of them are never the same.
  void read(Assembler &out, const ParsedInstruction &read) const;

private:
  const uint64_t address_;
  bool any_ = false;
  uint32_t type_u64_ = 0, type_pointer_ = 0;
  uint32_t number_ = 0, scope_ = 0, semantics_ = 0;
};

} // namespace ze_opencl
