// The device compiler's programs, run one after the other in a process of their own each: what a
// compiler does to its own process, a crash say, must not happen to the program that calls us,
// which may also hold another LLVM.
#pragma once

#include "installation.h"
#include "workspace.h"

#include <filesystem>
#include <string>
#include <vector>

namespace chip::hiprtc {

/// The installation that this library belongs to. Throws if it cannot be found.
hipcc::Installation installation();

/// Of all programs that compile: whatever is replaced by another build changes it.
std::string identity_of_compiler();

class Compiler {
public:
  explicit Compiler(const Workspace &workspace) : workspace_(workspace) {}

  /// Runs hipcc. False if `output` was not made; log() says why.
  bool compile(const std::vector<std::string> &arguments, const std::filesystem::path &output);

  /// Makes one file of bitcode, text or binary, of several.
  bool link(const std::vector<std::filesystem::path> &inputs, const std::filesystem::path &output);

  /// Takes what is for our devices out of a bundle. `type` is clang-offload-bundler's name for it: "bc"
  /// for bitcode, "o" for an object, "a" for an archive of either.
  bool unbundle(const std::filesystem::path &input, const std::string &type,
                const std::filesystem::path &output);

  /// Bitcode to SPIR-V, as hipcc's driver does it.
  bool emit(const std::filesystem::path &bitcode, const std::filesystem::path &output);

  /// All that the programs said until now. Without the workspace's name.
  const std::string &log() const { return log_; }

private:
  bool run(const std::vector<std::string> &command, const std::filesystem::path &output);

  const Workspace &workspace_;
  std::string log_;
};

/// The code object that hipModuleLoadData takes: clang's offload bundle.
std::string bundle(std::string_view spirv);

} // namespace chip::hiprtc
