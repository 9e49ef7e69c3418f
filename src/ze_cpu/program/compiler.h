// Which compiler there is: a library with LLVM that the process that compiles loads, and no other.
#pragma once

#include "file_version.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace disk_cache {
class ObjectCache;
}

namespace ze_cpu {

/// To change with whatever the two ends of the connection to the compiler share: one may have been replaced without the other.
inline constexpr uint32_t protocol_version = 3;
inline constexpr const char *version_mismatch =
    "libze_cpu.so and libze_cpu_jit.so are not of the same version";
inline constexpr const char *compiler_library = "libze_cpu_jit.so";

struct Compiler {
  std::string
      identity; // of the library, of LLVM and the translator, and of this machine's processor as LLVM knows it
  std::vector<FileVersion> files; // of which it is made
  bool has_slow_gathers = false;  // the processor, as measured
};

/// The compiler. What is known of it is kept in `cache`, so that nothing has to be loaded or measured to tell it, as long as the files are
/// there that it was made of, and in this process. The error says why there is no compiler.
std::expected<Compiler, std::string> find_compiler(const disk_cache::ObjectCache &cache);

/// The full path of the library next to this one, or of where it should be.
const std::string &compiler_path();

} // namespace ze_cpu
