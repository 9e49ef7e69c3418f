#include "compiler.h"

#include "../../common/object_cache.h"
#include "../contract/program.h"
#include "requests.h"
#include "serialize.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace ze_cpu {

std::string processor_identity() {
  Writer writer;
#if defined(__x86_64__)
  // What LLVM asks for, without what differs between the processors of one machine.
  constexpr struct {
    uint32_t leaf, part;
  } questions[] = {{0, 0},    {1, 0},    {7, 0},    {7, 1},          {0xd, 1},       {0x14, 0},
                   {0x19, 0}, {0x1e, 1}, {0x24, 0}, {0x80000001, 0}, {0x80000008, 0}};
  for (const auto [leaf, part] : questions) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, part, &a, &b, &c, &d);
    if (leaf == 1)
      b = 0; // has the number of the processor that was asked
    for (const uint32_t answer : {a, b, c, d})
      writer.put(answer);
  }
  // Which registers the operating system keeps.
  uint32_t low = 0, high = 0;
  if (uint32_t a, b, c, d; __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE))
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  writer.put(low);
  writer.put(high);
#else
  for (const unsigned long what : {AT_HWCAP, AT_HWCAP2})
    writer.put(static_cast<uint64_t>(getauxval(what)));
#endif
  return writer.take();
}

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

std::expected<std::string, std::string> compiler_identity(const disk_cache::ObjectCache &cache) {
  struct Known {
    std::mutex mutex;
    std::string identity;
  };
  static Known &known = *new Known;
  const std::lock_guard lock(known.mutex);
  if (!known.identity.empty())
    return known.identity;
  Writer about;
  about.put(protocol_version);
  about.put(compiler_path());
  about.put(processor_identity());
  const disk_cache::Hash key = disk_cache::hash_of({"compiler", about.take()});
  if (const auto kept = cache.find(key))
    if (const auto compiler = deserialize<Compiler>(*kept);
        compiler && !compiler->files.empty() &&
        std::ranges::all_of(compiler->files, [](const FileVersion &file) {
          return FileVersion::of(file.path) == file;
        }))
      return known.identity = compiler->identity;
  const auto compiler = request_compiler();
  if (!compiler)
    return std::unexpected(compiler.error());
  cache.store(key, serialize(*compiler));
  return known.identity = compiler->identity;
}

} // namespace ze_cpu
