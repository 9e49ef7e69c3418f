// Lines of the source in device code. LLVM's back end for SPIR-V writes none, so the device passes put a call in
// front of what a line is known of, whose function is named after the file, and the last step of the
// device compiler makes an OpLine of each.
#pragma once

namespace chip::line_marks {

/// What the name of such a function begins with; the file's name follows. Its parameters are line and column.
inline constexpr const char *prefix = "__chip_line:";

} // namespace chip::line_marks
