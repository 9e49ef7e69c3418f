// Text for what kernels printed.
#pragma once

#include <hip/spirv_detail/services/messages.h>

#include <cstddef>
#include <span>
#include <string>

namespace chip {

/// The text of a record's pieces (a format and its arguments), as the C library would print it. Pieces come from a device: what
/// is malformed ends the text, arguments of another type than the format says are taken as what they are.
std::string format_message(std::span<const std::byte> pieces);

} // namespace chip
