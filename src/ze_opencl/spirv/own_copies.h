// Structs that kernels are given by value. Each work-item has one of its own, to which it may write; implementations pass them all
// the same one (PoCL 7.1). So a kernel copies it first.
#pragma once

#include "assembly.h"

#include <map>

namespace ze_opencl {

class OwnCopies {
public:
  explicit OwnCopies(std::span<const ParsedInstruction> module);

  /// Decorations of the copies.
  void decorate(Assembler &out);
  /// To be called around writing each instruction of a function: the copies come behind the label of a kernel's first block, and
  /// are filled behind the variables there.
  void before(Assembler &out, const ParsedInstruction &instruction);
  void after(Assembler &out, const ParsedInstruction &instruction);
  /// What an instruction has to use instead of `id`: itself if it is no such parameter.
  uint32_t in_place_of(uint32_t id) const {
    const auto copy = copies_.find(id);
    return copy == copies_.end() ? id : copy->second.variable;
  }

private:
  struct Copy {
    uint32_t type; // of the pointer
    uint32_t alignment;
    uint32_t variable;
  };

  std::map<uint32_t, Copy> copies_; // by parameter
  std::map<uint32_t, std::vector<uint32_t>>
      parameters_;                 // with copies, by kernel; until they are made
  std::vector<uint32_t> unfilled_; // parameters whose copies are declared
};

} // namespace ze_opencl
