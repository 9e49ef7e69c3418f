// Name expressions: what kernels and variables are called after mangling.
//
// A variable that nobody uses is initialised with the address of each. The compiler's output tells
// what that is, forces templates to be instantiated, and the device passes drop the variable.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace chip::hiprtc {

/// Declarations to go behind the program's text.
std::string declarations_for_names(std::span<const std::string> expressions);

/// The names in LLVM's text of the compiled program. Throws HIPRTC_ERROR_COMPILATION for an
/// expression that is no kernel or variable of its own.
std::map<std::string, std::string> read_names(std::string_view module,
                                              std::span<const std::string> expressions);

} // namespace chip::hiprtc
