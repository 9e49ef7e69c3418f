// build_program: finds the compiler, which is a library of its own, when the first module is built.
#include "contract/jit_host.h"
#include "contract/kernel_code.h"
#include "contract/region_table.h"
#include "exec/checking.h"
#include "exec/group_wait.h"
#include "exec/memory_check.h"

#include <dlfcn.h>
#include <string>

namespace ze_cpu {
namespace {

// The directory of the file that this code is in: the driver's, or a test program's.
std::string own_directory() {
  Dl_info info = {};
  if (!dladdr(reinterpret_cast<void *>(&build_program), &info) || !info.dli_fname)
    return {};
  std::string file = info.dli_fname;
  size_t slash = file.rfind('/');
  return slash == std::string::npos ? std::string(".") : file.substr(0, slash);
}

struct Loaded {
  JitEntry *entry = nullptr;
  JitLinkEntry *link = nullptr;
  std::string error;
};

Loaded load() {
  std::string directory = own_directory();
  std::string error;
  for (const char *place : {"/", "/../lib/"}) {
    std::string path = directory + place + jit_library;
    // Never closed: code that it made and threads that run it may outlive everything else.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char *reason = dlerror();
      error += (error.empty() ? "" : "; ") + std::string(reason ? reason : path.c_str());
      continue;
    }
    void *entry = dlsym(library, jit_entry), *link = dlsym(library, jit_link_entry);
    if (entry && link)
      return {reinterpret_cast<JitEntry *>(entry), reinterpret_cast<JitLinkEntry *>(link), {}};
    error += path + " is of another version";
  }
  return {nullptr, nullptr, std::string("the kernel compiler cannot be loaded: ") + error};
}

const Loaded &loaded_jit() {
  static const Loaded jit = load();
  return jit;
}

const JitHost &this_host() {
  static const JitHost host = {jit_interface_version, ze_cpu_sync,
                               ze_cpu_run_diverged,   ze_cpu_exchange,
                               ze_cpu_wait,           is_checking() ? ze_cpu_check : nullptr};
  return host;
}

} // namespace

BuildResult build_program(std::span<const std::byte> spirv, std::string_view build_flags,
                          std::span<const SpecializationConstant> constants) {
  const Loaded &jit = loaded_jit();
  if (!jit.entry)
    return std::unexpected(BuildError{BuildError::Kind::failed, jit.error});
  BuildResult result;
  jit.entry(&this_host(), spirv, build_flags, constants, &result);
  return result;
}

LinkResult link_programs(std::span<const std::span<const std::byte>> programs) {
  const Loaded &jit = loaded_jit();
  if (!jit.link)
    return std::unexpected(jit.error);
  LinkResult result;
  jit.link(&this_host(), programs, &result);
  return result;
}

} // namespace ze_cpu
