#include "compiler.h"

#include "../../common/object_cache.h"
#include "../contract/program.h"
#include "processor/architecture.h"
#include "requests.h"
#include "serialize.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unistd.h>

namespace ze_cpu {

// Never destroyed: programs build modules as they end, too.
const std::string &compiler_path() {
  static const std::string &path = *new std::string([] {
    Dl_info own = {};
    std::error_code error;
    std::filesystem::path directory;
    if (dladdr(reinterpret_cast<void *>(&build_program), &own) && own.dli_fname)
      directory = std::filesystem::canonical(own.dli_fname, error).parent_path();
    // The library lies next to the driver; that of a program for tests in the folder for libraries.
    for (const char *place : {".", "../lib"})
      if (auto library = (directory / place / compiler_library).lexically_normal();
          access(library.c_str(), R_OK) == 0)
        return library.string();
    return (directory / compiler_library).string();
  }());
  return path;
}

std::expected<Compiler, std::string> find_compiler(const disk_cache::ObjectCache &cache) {
  struct Known {
    std::mutex mutex;
    std::optional<Compiler> compiler;
  };
  static Known &known = *new Known;
  const std::lock_guard lock(known.mutex);
  if (known.compiler)
    return *known.compiler;
  Writer about;
  about.put(protocol_version);
  about.put(compiler_path());
  about.put(processor_identity());
  const disk_cache::Hash key = disk_cache::hash_of({"compiler", about.take()});
  if (const auto kept = cache.find(key))
    if (auto compiler = deserialize<Compiler>(*kept);
        compiler && !compiler->files.empty() &&
        std::ranges::all_of(compiler->files, [](const FileVersion &file) {
          return FileVersion::of(file.path) == file;
        }))
      return *(known.compiler = std::move(compiler));
  auto compiler = request_compiler();
  if (!compiler)
    return std::unexpected(std::move(compiler.error()));
  cache.store(key, serialize(*compiler));
  return *(known.compiler = std::move(*compiler));
}

} // namespace ze_cpu
