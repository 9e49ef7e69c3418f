#include "options.h"

#include "error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace chip::hiprtc {
namespace {

// They name another output or another input, or make files that nobody asked hiprtc for.
constexpr std::array refused{
    std::string_view("-c"),
    std::string_view("-S"),
    std::string_view("-E"),
    std::string_view("-o"),
    std::string_view("-x"),
    std::string_view("-###"),
    std::string_view("-"),
    std::string_view("--help"),
    std::string_view("--version"),
    std::string_view("--genco"),
    std::string_view("-fsyntax-only"),
    std::string_view("--precompile"),
};
constexpr std::array refused_prefixes{
    std::string_view("@"),
    std::string_view("-M"),
    std::string_view("-save-temps"),
    std::string_view("--save-temps"),
    std::string_view("-ftime-trace"),
    std::string_view("--cuda-host-only"),
    std::string_view("--cuda-compile-host-device"),
};

// hiprtc names devices as CUDA's counterpart does; hipcc, which knows one kind of device only, has
// not this spelling.
constexpr std::string_view architecture = "--gpu-architecture";

// Programs like to be compiled with -DN=256 or -DT=float, which must not change HIP's headers: only
// macros that C++ keeps for implementations, and HIP's own, are for them.
bool is_for_headers(std::string_view macro) {
  return macro.starts_with('_') || macro.starts_with("HIP");
}

std::string directive(bool defines, std::string_view macro) {
  if (!defines)
    return "#undef " + std::string(macro) + "\n";
  const size_t equals = macro.find('=');
  const std::string_view value = equals == macro.npos ? "1" : macro.substr(equals + 1);
  // As on the command line, a value ends with its line.
  return "#define " + std::string(macro.substr(0, equals)) + " " +
         std::string(value.substr(0, value.find('\n'))) + "\n";
}

bool is_refused(std::string_view option) {
  return std::ranges::contains(refused, option) ||
         std::ranges::any_of(refused_prefixes,
                             [&](auto prefix) { return option.starts_with(prefix); });
}

} // namespace

Options read_options(const std::vector<std::string> &options) {
  Options result;
  for (size_t i = 0; i < options.size(); ++i) {
    const std::string &option = options[i];
    if (is_refused(option))
      throw Error(HIPRTC_ERROR_INVALID_OPTION,
                  "error: '" + option + "' is no option for run-time compilation\n");
    if (option == architecture) {
      ++i;
      continue;
    }
    if (option.empty() || option.starts_with(std::string(architecture) + "="))
      continue;
    if (const bool defines = option.starts_with("-D"); defines || option.starts_with("-U")) {
      const bool is_joined = option.size() > 2;
      if (is_joined || i + 1 < options.size()) {
        const std::string macro = is_joined ? option.substr(2) : options[++i];
        if (is_for_headers(macro))
          result.arguments.insert(result.arguments.end(), {option.substr(0, 2), macro});
        else
          result.macros += directive(defines, macro);
        continue;
      }
    }
    if (option == "-fgpu-rdc")
      result.relocatable = true;
    if (option == "-fno-gpu-rdc")
      result.relocatable = false;
    if (!option.starts_with("-O") && !option.starts_with("-std=") &&
        !option.starts_with("--std=") && !option.starts_with("--offload-arch=") &&
        option != "-fgpu-rdc" && option != "-w" && option != "-ffast-math")
      result.depends_on_directory = true;
    result.arguments.push_back(option);
  }
  return result;
}

} // namespace chip::hiprtc
