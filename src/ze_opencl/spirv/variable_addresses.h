// Variables as the addresses that the driver gave them. Where a function uses one, or a constant that is made of one, its first
// block computes it: as instructions everybody takes what is, as a constant, more than some implementations can (rusticl 26.1).
#pragma once

#include "assembly.h"

#include <map>
#include <set>

namespace ze_opencl {

class VariableAddresses {
public:
  /// `addresses` is by the ids of variables.
  VariableAddresses(std::span<const ParsedInstruction> module,
                    std::map<uint32_t, uint64_t> addresses);

  bool empty() const { return addresses_.empty(); }
  bool is_variable(uint32_t id) const { return addresses_.contains(id); }
  /// A variable, or a constant made of one, that is no constant any more.
  bool is_removed(uint32_t id) const { return derived_.contains(id) && !declared_.contains(id); }

  /// In the place of a variable's declaration.
  void declare(Assembler &out, const ParsedInstruction &variable, uint32_t type_u64);
  /// To be called before writing each instruction of a function.
  void before(Assembler &out, const ParsedInstruction &instruction);
  /// What an instruction of the function at hand has to use instead of `id`.
  uint32_t in_place_of(uint32_t id) const {
    const auto found = computed_.find(id);
    return found == computed_.end() ? id : found->second;
  }

private:
  void compute(Assembler &out, const ParsedInstruction &instruction);

  const std::map<uint32_t, uint64_t> addresses_;
  std::map<uint32_t, const ParsedInstruction *> derived_; // variables, and what is made of them
  std::set<uint32_t> declared_; // of those, what initial values need as constants
  std::map<uint32_t, std::vector<uint32_t>> needs_; // by function: in the order of the module
  std::map<uint32_t, uint32_t> numbers_;            // constants with addresses, by variable
  // Of the function that is being written.
  uint32_t function_ = 0;
  bool is_computed_ = false;
  std::map<uint32_t, uint32_t> computed_;
};

} // namespace ze_opencl
