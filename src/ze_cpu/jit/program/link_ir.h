// Links the IR of several modules into one whose imports are resolved.
#pragma once

#include "../../program/units.h"

#include <expected>
#include <span>
#include <string>

namespace ze_cpu {

/// Links `members`, which may import from each other, with what they need of `providers`, which
/// import nothing: their code is copied, their variables stay where they are.
/// The error is text for the link log.
std::expected<LinkedIr, std::string> link_ir(std::span<const ModuleIr> members,
                                             std::span<const ModuleIr> providers);

} // namespace ze_cpu
