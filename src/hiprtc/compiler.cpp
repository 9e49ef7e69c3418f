#include "compiler.h"
#include "../common/align.h"

#include "configuration.h"
#include "error.h"
#include "process.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <format>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace chip::hiprtc {
namespace {

namespace fs = std::filesystem;
using hipcc::Installation;

constexpr std::string_view target = "hip-spirv64-unknown-unknown-unknown-generic";
// As in clang's code objects, whatever processor the host has: the entry is empty.
constexpr std::string_view host_target = "host-x86_64-unknown-linux-gnu-";

// The file that this code was mapped from. dladdr would give the name that it was asked for by,
// which may be relative to a directory that is no longer the current one.
fs::path own_file() {
  const auto inside = reinterpret_cast<uintptr_t>(&own_file);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream fields(line);
    if (fields >> std::hex >> begin >> dash >> end && begin <= inside && inside < end)
      if (size_t name = line.find('/'); name != line.npos)
        return line.substr(name);
  }
  throw Error(HIPRTC_ERROR_INTERNAL_ERROR,
              "libhiprtc.so cannot find its own file: is /proc mounted?");
}

fs::path hipcc_program(const Installation &installation) {
  return installation.prefix / "bin" / "hipcc";
}
// Under the name that clang looks for.
fs::path emitter(const Installation &installation) {
  return installation.tools() / "llvm-spirv-" CHIP_CLANG_MAJOR;
}

// Only what finding the compiler takes: CPATH and its like must not change what a program means.
std::vector<std::string> environment(const Workspace &workspace) {
  std::vector<std::string> result;
  for (const char *name : {"HIP_CLANG_PATH", "LD_LIBRARY_PATH"})
    if (const char *value = std::getenv(name))
      result.push_back(std::string(name) + "=" + value);
  result.push_back("LC_ALL=C.UTF-8");
  // What a crash leaves goes with the workspace.
  for (const char *name : {"TMPDIR", "TMP", "TEMP"})
    result.push_back(std::string(name) + "=" + workspace.path().string());
  return result;
}

} // namespace

Installation installation() {
  // Never destroyed: threads may compile until the process is gone.
  static const auto &prefix = *new fs::path(own_file().parent_path().parent_path());
  return hipcc::installation_at(prefix);
}

std::string identity_of_compiler() {
  const Installation where = installation();
  std::string identity = where.version();
  for (const fs::path &file :
       {hipcc_program(where), where.clang(), where.llvm_bin / "llvm-link", where.llvm_bin / "opt",
        where.llvm_bin / "llc", where.frontend(), where.passes(), emitter(where)}) {
    struct stat status{};
    (void)stat(file.c_str(), &status);
    identity += std::format("\n{} {} {} {}.{}", file.string(), status.st_ino, status.st_size,
                            status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return identity;
}

bool Compiler::run(const std::vector<std::string> &command, const fs::path &output) {
  const hipcc::Result result = hipcc::run_apart(command, environment(workspace_));
  log_ += workspace_.without_path(result.errors);
  if (result.exit_code > 128)
    log_ += std::format("error: the compiler was ended by signal {} ({})\n", result.exit_code - 128,
                        strsignal(result.exit_code - 128));
  std::error_code error;
  const bool is_there = fs::is_regular_file(output, error);
  if ((result.exit_code == 0 || result.exit_code == hipcc::unknown_exit_code) && is_there)
    return true;
  if (log_.empty())
    log_ = std::format("error: {} failed without a message\n", command[0]);
  return false;
}

bool Compiler::compile(const std::vector<std::string> &arguments, const fs::path &output) {
  std::vector<std::string> command{hipcc_program(installation())};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"-o", output});
  return run(command, output);
}

bool Compiler::link(const std::vector<fs::path> &inputs, const fs::path &output) {
  std::vector<std::string> command{installation().llvm_bin / "llvm-link"};
  command.insert(command.end(), inputs.begin(), inputs.end());
  command.insert(command.end(), {"-o", output});
  return run(command, output);
}

bool Compiler::unbundle(const fs::path &input, const std::string &type, const fs::path &output) {
  return run({installation().llvm_bin / "clang-offload-bundler", "-unbundle", "-type=" + type,
              "-targets=" + std::string(target), "-input=" + input.string(),
              "-output=" + output.string()},
             output);
}

bool Compiler::emit(const fs::path &bitcode, const fs::path &output) {
  const fs::path lowered = workspace_ / "lowered.bc";
  return run({installation().llvm_bin / "opt", bitcode, "-load-pass-plugin",
              installation().passes(), "-passes=hip-post-link-passes", "-o", lowered},
             lowered) &&
         run({emitter(installation()), lowered, "-o", output}, output);
}

std::string bundle(std::string_view spirv) {
  // clang's documentation, "Clang Offload Bundler", "Bundled Binary File Layout". Its tools want an
  // entry for the host.
  std::string result("__CLANG_OFFLOAD_BUNDLE__");
  auto number = [&](uint64_t value) {
    result.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  constexpr size_t entry = 3 * sizeof(uint64_t), alignment = 4096;
  const size_t header =
      result.size() + sizeof(uint64_t) + 2 * entry + host_target.size() + target.size();
  const size_t start = common::round_up(header, alignment);
  number(2);
  for (auto [size, name] : {std::pair(size_t(0), host_target), std::pair(spirv.size(), target)}) {
    number(start);
    number(size);
    number(name.size());
    result += name;
  }
  result.resize(start);
  result += spirv;
  return result;
}

} // namespace chip::hiprtc
