// Numbers and atomics that a device may lack: which declarations of a module it cannot have, and which instructions it
// cannot run. What every device has is in OpenCL's core.
#pragma once

#include "abilities.h"
#include "assembly.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace ze_opencl {

class LackingTypes {
public:
  LackingTypes(std::span<const ParsedInstruction> module, const Abilities &abilities);

  /// Whether it is a type, or a constant or variable of one, that the device does not have.
  bool contains(uint32_t id) const { return lacking_.contains(id); }
  /// What the instruction of a function needs and the device has not.
  std::optional<std::string> missing(const ParsedInstruction &instruction) const;

private:
  bool is_of_64_bits(const ParsedInstruction &atomic) const;
  std::optional<std::string> missing_float_atomics(const ParsedInstruction &instruction) const;

  const Abilities &abilities_;
  std::map<uint32_t, const char *> lacking_; // and what of it the device lacks
  std::map<uint32_t, uint32_t> integers_;    // types, and their bits
  std::map<uint32_t, uint32_t> floats_;      // the same
  std::set<uint32_t> values_of_64_bits_;     // integers
};

/// Whether the capability is one of those that the device has not.
bool is_lacking_capability(uint32_t capability, const Abilities &abilities);

} // namespace ze_opencl
