// The options of hiprtcCompileProgram.
#pragma once

#include <string>
#include <vector>

namespace chip::hiprtc {

struct Options {
  std::vector<std::string> arguments; // for hipcc
  std::string macros;                 // directives, for between HIP's headers and the program
  bool relocatable = false;           // -fgpu-rdc: the result is bitcode, for hiprtcLinkAddData
  bool depends_on_directory = false;  // paths may be meant relative to the current directory
};

/// Throws HIPRTC_ERROR_INVALID_OPTION for what would make something other than the code of the
/// program. What clang does not know, it says itself.
Options read_options(const std::vector<std::string> &options);

} // namespace chip::hiprtc
