// Generic pointers on devices that promise none. Those that only ever point to global memory do no harm where an implementation
// takes them; one that may point to private or work-group memory ends the process when a kernel follows it (rusticl 26.1).
#pragma once

#include "abilities.h"
#include "assembly.h"

#include <set>

namespace ze_opencl {

class GenericPointers {
public:
  GenericPointers(std::span<const ParsedInstruction> module, const Abilities &abilities);

  /// Whether it makes or uses a generic pointer to another memory than the global one, which the device has not.
  bool is_lacking(const ParsedInstruction &instruction) const {
    return casts_.contains(instruction.result) ||
           (!casts_.empty() && instruction.uses([&](uint32_t id) { return casts_.contains(id); }));
  }

private:
  std::set<uint32_t> casts_; // and constants made of them
};

} // namespace ze_opencl
