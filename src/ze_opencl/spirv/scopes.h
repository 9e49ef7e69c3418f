// Scopes of atomics and fences: on devices whose memory operations are never ordered with those of the host or of other devices,
// the widest there is is the device's own.
#pragma once

#include "abilities.h"
#include "assembly.h"

#include <set>

namespace ze_opencl {

class Scopes {
public:
  Scopes(std::span<const ParsedInstruction> module, const Abilities &abilities);

  /// Whether there are any to change.
  bool any() const { return !wider_.empty(); }
  void declare(Assembler &out, TypeTable &types);
  /// Changes the scope of `instruction`, whose words are the last that were written, from `begin` on.
  void narrow(Assembler &out, size_t begin, const ParsedInstruction &instruction) const;

private:
  std::set<uint32_t> wider_; // constants of scopes that are used, and wider than a device
  uint32_t device_ = 0;
};

} // namespace ze_opencl
