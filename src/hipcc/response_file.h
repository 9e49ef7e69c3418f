// The words of a command line that stand elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chip::hipcc {

/// Separated by white space, quoted with ' or ", escaped with a backslash.
std::vector<std::string> words_of(std::string_view text);

/// `arguments` with each @FILE replaced by the words of the file, as clang does; what cannot be
/// read stays as it is.
std::vector<std::string> expand_response_files(const std::vector<std::string> &arguments);

} // namespace chip::hipcc
