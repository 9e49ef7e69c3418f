// hipcc: compiles and links HIP programs, with the options that AMD's hipcc takes. It is clang's
// HIPSPV driver with our pass plugin, emitter, headers and runtime library; what happens is shown
// by -###. Called clang or clang++, as build systems want a compiler to be called, it takes for HIP
// only what is said to be.
#include "../common/environment.h"
#include "command_line.h"
#include "process.h"
#include "standard_input.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace {

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// AMD's: bit 0 of HIPCC_VERBOSE asks for the command that is run, bits 1 and 2 for what it depends on.
void show(const std::vector<std::string> &command) {
  constexpr common::Settings settings("hipcc");
  if ((settings.number("HIPCC_VERBOSE", 0, 7).value_or(0) & 1) == 0)
    return;
  std::fputs("hipcc-cmd:", stdout);
  for (const std::string &word : command)
    std::printf(" %s", word.c_str());
  std::puts("");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  using namespace chip::hipcc;
  try {
    if (argc < 2) {
      std::fprintf(stderr,
                   "hipcc: no input; usage: hipcc [option...] file... (options are clang's)\n");
      return 1;
    }
    Installation installation = find_installation(1);
    const std::string called = std::filesystem::path(argv[0]).filename();
    const Role role = called.starts_with("clang") ? Role::clang : Role::hipcc;
    Request request = translate(
        installation, {argv + 1, argv + argc}, role,
        {environment("HIPCC_COMPILE_FLAGS_APPEND"), environment("HIPCC_LINK_FLAGS_APPEND")});
    if (request.print_version && role == Role::hipcc) {
      std::printf("HIP version: %s\n", installation.version().c_str());
      std::fflush(stdout);
    }
    if (request.standard_input)
      keep_standard_input(request.clang_arguments, *request.standard_input);
    // clang is for C where it links.
    std::vector<std::string> command{called == "clang" ? installation.llvm_bin / "clang"
                                                       : installation.clang()};
    command.insert(command.end(), request.clang_arguments.begin(), request.clang_arguments.end());
    show(command);
    return replace_by(command);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hipcc: error: %s\n", error.what());
    return 1;
  }
}
