// Links the IR of several modules into one whose imports are resolved.
#pragma once

#include "module_ir.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace ze_cpu {

/// A variable that stays where a provider has it.
struct BorrowedVariable {
  std::string symbol;   // in the linked IR
  uint32_t provider;    // by number
  std::string original; // the provider's symbol
};

struct LinkedIr {
  ModuleIr ir;
  std::vector<BorrowedVariable> borrowed;
};

/// Links `members`, which may import from each other, with what they need of `providers`, which
/// import nothing: their code is copied, their variables stay where they are.
/// The error is text for the link log.
std::expected<LinkedIr, std::string> link_ir(std::span<const ModuleIr> members,
                                             std::span<const ModuleIr> providers);

} // namespace ze_cpu
