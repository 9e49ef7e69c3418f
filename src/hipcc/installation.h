// Where the parts of the compiler are. Everything of ours is found relative to the running program, so that a build tree and
// an installation anywhere work alike.
#pragma once

#include <filesystem>
#include <string>

namespace chip::hipcc {

struct Installation {
  std::filesystem::path prefix; // holds bin, lib and include
  /// Of clang and LLVM's tools; HIP_CLANG_PATH overrides what CMake found.
  std::filesystem::path llvm_bin;

  std::filesystem::path include() const { return prefix / "include"; }
  std::filesystem::path lib() const { return prefix / "lib"; }
  /// What only the compiler looks for: the emitter and the plugins.
  std::filesystem::path tools() const { return lib() / "chip"; }
  std::filesystem::path passes() const { return tools() / "libchip-passes.so"; }
  std::filesystem::path frontend() const { return tools() / "libchip-frontend.so"; }
  /// "6.4.x-<githash>", as hipconfig --version prints it and build systems take it apart.
  std::string version() const;
  /// Where hipcc is called clang and clang++.
  std::filesystem::path clang_names() const { return tools() / "bin"; }
  std::filesystem::path clang() const { return llvm_bin / "clang++"; }
  /// clang's own headers around the standard ones, for kernels.
  std::filesystem::path standard_wrappers() const;
};

/// Found from the running program, which is `levels` directories below the prefix. Ends the program with a message if that
/// cannot be.
Installation find_installation(int levels);

/// Of what lies below `prefix`.
Installation installation_at(std::filesystem::path prefix);

} // namespace chip::hipcc
