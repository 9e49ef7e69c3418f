// The last step of the device compiler: LLVM bitcode to SPIR-V. clang's HIPSPV driver calls it as it would call llvm-spirv
// (found through -B by that name): `--spirv-max-version=... --spirv-ext=... IN -o OUT`. What the driver asks for there would
// make modules that Intel's compiler refuses, so version and extensions are ours.
#include "configuration.h"
#include "installation.h"
#include "process.h"

#include <cstdio>
#include <cxxabi.h>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace {

// SPIR-V 1.4 has what warp functions need. Only extensions that Intel's compiler and our CPU driver take are allowed.
constexpr const char *target = "-mtriple=spirv64v1.4-unknown-unknown";
constexpr const char *extensions =
    "--spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,"
    "+SPV_INTEL_function_pointers,+SPV_INTEL_inline_assembly,+SPV_INTEL_long_composites,"
    "+SPV_INTEL_variable_length_array,+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,"
    "+SPV_KHR_shader_clock";

std::string demangled(const std::string &name) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

// The back end says why on a line of its own, and names the function at that line's end or in the trace that follows.
void explain(const std::string &errors) {
  std::string reason = "it gave no reason", function;
  for (std::string_view mark : {"LLVM ERROR: ", "error: ", "Assertion "})
    if (size_t at = errors.find(mark); at != std::string::npos) {
      reason = errors.substr(at + mark.size(), errors.find('\n', at) - at - mark.size());
      break;
    }
  for (std::string_view mark : {"(in function: ", "on function '@", "in function "})
    if (size_t at = errors.find(mark); at != std::string::npos) {
      at += mark.size();
      function = errors.substr(at, errors.find_first_of("')\n ", at) - at);
      break;
    }
  if (function.empty())
    std::fprintf(stderr, "error: the device code cannot be expressed in SPIR-V: %s\n", reason.c_str());
  else
    std::fprintf(stderr, "error: '%s' cannot be expressed in SPIR-V: %s\n", demangled(function).c_str(),
                 reason.c_str());
}

} // namespace

int main(int argc, char **argv) {
  using namespace chip::hipcc;
  std::string input, output;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "-o" && i + 1 < argc)
      output = argv[++i];
    else if (!argument.starts_with("-"))
      input = argument;
  }
  if (input.empty() || output.empty()) {
    std::fprintf(stderr, "usage: %s IN -o OUT\n", argv[0]);
    return 1;
  }
  Installation installation = find_installation(2);
  Result result = run({installation.llvm_bin / "llc", "-O2", target, extensions, "-filetype=obj", input, "-o", output});
  if (result.exit_code == 0) {
    std::fputs(result.errors.c_str(), stderr); // warnings
    return 0;
  }
  std::error_code ignored;
  std::filesystem::remove(output, ignored); // half-written
  explain(result.errors);
  return 1;
}
