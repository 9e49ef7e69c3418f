// What a hiprtcLinkState stands for: inputs, and the code object that they became.
#pragma once

#include "../common/guarded.h"

#include <hip/hiprtc.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chip::hiprtc {

/// Where the program wants messages.
struct LogBuffer {
  char *text = nullptr;
  size_t size = 0;
};

/// Functions may be called by several threads at once; they throw Error.
class Linker {
public:
  /// Of the options only the buffers for messages mean something: how code is made for a device is
  /// its driver's matter.
  Linker(std::span<const hiprtcJIT_option> options, void **values);

  /// Throws HIPRTC_ERROR_INVALID_INPUT for what is not LLVM's bitcode, a bundle or an object with it,
  /// an archive of either, or SPIR-V.
  void add(hiprtcJITInputType type, std::string_view bytes);
  /// Throws HIPRTC_ERROR_PROGRAM_CREATION_FAILURE if the file cannot be read.
  void add_file(hiprtcJITInputType type, const char *path);

  /// The code object. It lives as long as the linker.
  std::string_view complete();

private:
  struct Input {
    hiprtcJITInputType type;
    std::string bytes;
  };

  struct State {
    std::vector<Input> inputs;
    std::string code; // once complete
  };

  void link(State &state) const;

  common::Guarded<State> state_;
  LogBuffer information_, errors_;
};

} // namespace chip::hiprtc
