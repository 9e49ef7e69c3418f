#include "installation.h"

#include "configuration.h"

#include <hip/hip_version.h>

#include <cstdio>
#include <cstdlib>
#include <format>
#include <fstream>

namespace chip::hipcc {

namespace fs = std::filesystem;

fs::path Installation::standard_wrappers() const {
  return llvm_bin.parent_path() / "lib" / "clang" / CHIP_CLANG_MAJOR / "include" / "cuda_wrappers";
}

std::string Installation::version() const {
  std::string revision;
  std::ifstream(tools() / "revision") >> revision;
  return std::format("{}.{}.{}-{}", HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH,
                     revision.empty() ? "0000000" : revision);
}

Installation find_installation(int levels) {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    std::fprintf(stderr, "hipcc: cannot find its own path: is /proc mounted?\n");
    std::exit(1);
  }
  fs::path prefix = self.parent_path();
  for (int i = 0; i < levels; ++i)
    prefix = prefix.parent_path();
  return installation_at(std::move(prefix));
}

Installation installation_at(fs::path prefix) {
  Installation installation;
  installation.prefix = std::move(prefix);
  const char *clang_path = std::getenv("HIP_CLANG_PATH");
  std::error_code ignored;
  // Build systems set the variable to what hipconfig says; the compiler there is hipcc.
  const bool is_given =
      clang_path && *clang_path && !fs::equivalent(clang_path, installation.clang_names(), ignored);
  installation.llvm_bin = is_given ? clang_path : CHIP_LLVM_BIN;
  return installation;
}

} // namespace chip::hipcc
