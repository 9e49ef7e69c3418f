// Marks of lines in device code (common/marks/line_marks.h), made into what SPIR-V has for them.
#pragma once

#include <cstdint>
#include <vector>

namespace chip::hipcc {

/// The module with an OpLine for each mark. Without marks, or if it is not well formed, it is what it was.
std::vector<uint32_t> with_lines(std::vector<uint32_t> words);

} // namespace chip::hipcc
