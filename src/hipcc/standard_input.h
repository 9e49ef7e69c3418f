// Standard input, for a compiler that reads its input twice.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace chip::hipcc {

/// Reads all of standard input and puts a file name that the started program can open, as often as
/// it likes, in place of the
/// '-' at `index` of `arguments`. Throws std::system_error.
void keep_standard_input(std::vector<std::string> &arguments, size_t index);

} // namespace chip::hipcc
