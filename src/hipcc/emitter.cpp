// The last step of the device compiler: LLVM bitcode to SPIR-V. clang's HIPSPV driver calls it as it would call llvm-spirv
// (found through -B by that name): `--spirv-max-version=... --spirv-ext=... IN -o OUT`. What the driver asks for there would
// make modules that Intel's compiler refuses, so version and extensions are ours.
#include "../common/device_contract.h"
#include "../common/readable_name.h"
#include "../common/spirv.h"
#include "configuration.h"
#include "installation.h"
#include "line_marks.h"
#include "process.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

namespace {

// To check that formats are constant, LLVM 22 looks up the type of a call's operand among those of the function that it
// translated last, so whether it demands this extension is chance. Our pass has made all formats constant.
constexpr std::string_view printf_extension = "SPV_EXT_relaxed_printf_string_address_space";

// SPIR-V 1.4 has what warp functions need. Only extensions that Intel's compiler and our CPU driver take are allowed.
constexpr const char *target = "-mtriple=spirv64v1.4-unknown-unknown";
constexpr const char *extensions =
    "--spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,"
    "+SPV_INTEL_function_pointers,+SPV_INTEL_inline_assembly,+SPV_INTEL_long_composites,"
    "+SPV_INTEL_variable_length_array,+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,"
    "+SPV_KHR_shader_clock,+SPV_EXT_relaxed_printf_string_address_space";

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
    std::fprintf(stderr, "error: the device code cannot be expressed in SPIR-V: %s\n",
                 reason.c_str());
  else
    std::fprintf(stderr, "error: '%s' cannot be expressed in SPIR-V: %s\n",
                 common::readable_name(function).c_str(), reason.c_str());
}

std::vector<std::byte> read(const std::string &path) {
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char *>(bytes.data()), std::streamsize(bytes.size()));
  return bytes;
}

// An OpModuleProcessed that says for which version of the contract with the runtime the module was compiled.
std::vector<uint32_t> version_note() {
  const std::string text = std::string(chip::device_contract::version_prefix) +
                           std::to_string(chip::device_contract::version);
  std::vector<uint32_t> words(1 + text.size() / sizeof(uint32_t) + 1);
  words[0] = uint32_t(words.size()) << 16 | spirv::op_module_processed;
  std::memcpy(&words[1], text.data(), text.size());
  return words;
}

// Takes the mention of printf_extension out of a module, and puts the version in, whose place is before the first instruction
// of section 2.4's part 8 and after names (part 7b): the first decoration or, in a module without any, the first type.
bool finish(const std::string &path) {
  const std::vector<uint32_t> words = chip::hipcc::with_lines(spirv::words_of(read(path)));
  std::vector<uint32_t> finished(words.begin(),
                                 words.begin() + std::min(words.size(), spirv::header_words));
  const std::vector<uint32_t> note = version_note();
  bool has_version = false;
  const bool well_formed =
      spirv::for_each_instruction(words, [&](const spirv::Instruction &instruction) {
        if (instruction.op == spirv::op_extension &&
            spirv::text_of(instruction.operands) == printf_extension)
          return true;
        if (!has_version && spirv::follows_names(instruction.op)) {
          finished.insert(finished.end(), note.begin(), note.end());
          has_version = true;
        }
        finished.insert(finished.end(), words.begin() + instruction.begin,
                        words.begin() + instruction.end);
        return true;
      });
  if (words.empty() || !well_formed)
    return false;
  if (!has_version) // a file without device code
    finished.insert(finished.end(), note.begin(), note.end());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char *>(finished.data()),
            std::streamsize(finished.size() * sizeof(uint32_t)));
  return out.flush().good();
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
  // Strength reduction of loops makes integers of such widths as 28 bits, which LLVM 22 then translates wrongly.
  Result result = run({installation.llvm_bin / "llc", "-O2", "-disable-lsr", target, extensions,
                       "-filetype=obj", input, "-o", output});
  if (result.exit_code == 0) {
    std::fputs(result.errors.c_str(), stderr); // warnings
    if (finish(output))
      return 0;
    std::fprintf(stderr, "error: cannot rewrite %s\n", output.c_str());
    return 1;
  }
  std::error_code ignored;
  std::filesystem::remove(output, ignored); // half-written
  explain(result.errors);
  return 1;
}
