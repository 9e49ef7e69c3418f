#include "command_line.h"

#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace chip::hipcc {
namespace {

enum class Language { none, c, hip };

/// Options of AMD's compiler that choose among AMD's devices or tune their code generation: accepted, and dropped.
constexpr std::array dropped_prefixes{
    std::string_view("--offload-arch="), std::string_view("--no-offload-arch="),
    std::string_view("--amdgpu-target="), std::string_view("--cuda-gpu-arch="),
    std::string_view("--rocm-path="), std::string_view("--hip-path="),
    std::string_view("--rocm-device-lib-path="), std::string_view("--hip-device-lib-path="),
    std::string_view("--hip-version="), std::string_view("-mcode-object-version="),
    std::string_view("-mcumode"), std::string_view("-mno-cumode"),
    std::string_view("-mwavefrontsize64"), std::string_view("-mno-wavefrontsize64"),
    std::string_view("-munsafe-fp-atomics"), std::string_view("-mno-unsafe-fp-atomics"),
    std::string_view("-parallel-jobs="), std::string_view("-famd-opt"),
    std::string_view("-fno-offload-uniform-block"), std::string_view("-foffload-uniform-block"),
};
/// The same, with their value as the next word.
constexpr std::array dropped_with_value{std::string_view("--offload-arch"),
                                        std::string_view("--amdgpu-target"),
                                        std::string_view("--cuda-gpu-arch")};

/// Options whose next word is a value, and must not be taken for an input file.
constexpr std::array with_value{
    std::string_view("-o"),         std::string_view("-I"),         std::string_view("-L"),
    std::string_view("-D"),         std::string_view("-U"),         std::string_view("-l"),
    std::string_view("-MF"),        std::string_view("-MT"),        std::string_view("-MQ"),
    std::string_view("-include"),   std::string_view("-isystem"),   std::string_view("-idirafter"),
    std::string_view("-iquote"),    std::string_view("-imacros"),   std::string_view("-Xlinker"),
    std::string_view("-Xclang"),    std::string_view("-Xarch_device"), std::string_view("-Xarch_host"),
    std::string_view("-Xpreprocessor"), std::string_view("-Xassembler"), std::string_view("-mllvm"),
    std::string_view("-framework"), std::string_view("-target"),    std::string_view("-B"),
    std::string_view("-T"),         std::string_view("-u"),         std::string_view("-z"),
    std::string_view("-e"),         std::string_view("-rpath"),     std::string_view("-arch"),
    std::string_view("-iprefix"),   std::string_view("-isysroot"),  std::string_view("-Xoffload-linker"),
};

template <class List> bool contains(const List &list, std::string_view word) {
  for (std::string_view entry : list)
    if (entry == word)
      return true;
  return false;
}

template <class List> bool has_prefix_in(const List &list, std::string_view word) {
  for (std::string_view entry : list)
    if (word.starts_with(entry))
      return true;
  return false;
}

/// The words of a response file: separated by white space, quoted with ' or ", escaped with a backslash.
std::vector<std::string> words_of(std::istream &file) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) {
    char c = *at;
    if (c == '\\' && quote != '\'') {
      if (++at == end)
        break;
      word += *at;
      in_word = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (in_word)
        words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word)
    words.push_back(word);
  return words;
}

void expand(const std::vector<std::string> &arguments, std::vector<std::string> &result, int depth = 0) {
  for (const std::string &argument : arguments) {
    std::ifstream file;
    if (argument.size() > 1 && argument[0] == '@' && depth < 16)
      file.open(argument.substr(1));
    if (file.is_open())
      expand(words_of(file), result, depth + 1);
    else
      result.push_back(argument);
  }
}

/// What a source file is, by its ending: AMD's hipcc takes C++ files for HIP too. Nothing for what only the linker reads.
std::optional<Language> language_of(std::string_view file) {
  size_t dot = file.rfind('.');
  if (dot == file.npos)
    return std::nullopt;
  std::string_view ending = file.substr(dot + 1);
  for (std::string_view hip : {"hip", "cu", "cpp", "cc", "cxx", "c++", "C", "CPP"})
    if (ending == hip)
      return Language::hip;
  if (ending == "c")
    return Language::c;
  return std::nullopt;
}

struct Scan {
  std::vector<std::string> arguments; // for clang
  bool compiles_only = false;         // -c, -S, -E, -M...: nothing is linked
  bool device_only = false;           // --genco
  bool has_hip = false;
  bool has_objects = false;
  bool optimises = false; // the user said -O<something>
  bool raises_device_optimisation = true;
  bool relocatable = false; // -fgpu-rdc
  bool standard_headers = true; // no -nostdinc and its like
  bool any_input = false;
  bool print_version = false;
};

Scan scan(const std::vector<std::string> &words) {
  Scan s;
  bool language_is_given = false; // by -x, which then holds for all that follows
  bool language_is_ours = false;  // the last -x is ours, for one file only
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    const bool has_next = i + 1 < words.size();
    if (contains(dropped_with_value, word) && has_next) {
      ++i;
    } else if (has_prefix_in(dropped_prefixes, word)) {
    } else if (word == "-mllvm" && has_next && words[i + 1].starts_with("-amdgpu")) {
      ++i;
    } else if (word == "--genco") {
      s.device_only = s.compiles_only = true;
      s.arguments.push_back("--cuda-device-only");
    } else if (word == "--version" || word == "-version") {
      s.print_version = true;
      s.arguments.push_back("--version");
    } else if (word == "-x" || (word.starts_with("-x") && word.size() > 2 && !word.starts_with("-xc++-header"))) {
      std::string language = word == "-x" && has_next ? words[++i] : word.substr(2);
      if (language == "cu" || language == "cuda")
        language = "hip";
      language_is_given = language != "none";
      language_is_ours = false;
      s.has_hip |= language == "hip";
      s.arguments.insert(s.arguments.end(), {"-x", language});
    } else if (contains(with_value, word) && has_next) {
      s.arguments.insert(s.arguments.end(), {word, words[++i]});
    } else if (word.starts_with("-") && word != "-") {
      if (word == "-c" || word == "-S" || word == "-E" || word == "-M" || word == "-MM" ||
          word == "-fsyntax-only" || word == "--precompile")
        s.compiles_only = true;
      if (word.starts_with("-O"))
        s.optimises = true;
      if (word == "-O2" || word == "-O3" || word == "-Ofast")
        s.raises_device_optimisation = false;
      else if (word.starts_with("-O"))
        s.raises_device_optimisation = true;
      if (word == "-nostdinc" || word == "-nostdlibinc" || word == "-nostdinc++")
        s.standard_headers = false;
      if (word == "-fgpu-rdc")
        s.relocatable = true;
      if (word == "-fno-gpu-rdc")
        s.relocatable = false;
      // OpenMP is the host's here: clang refuses to offload for both.
      if (word == "-fopenmp" || word.starts_with("-fopenmp="))
        s.arguments.push_back("-Xarch_host");
      s.arguments.push_back(word);
    } else {
      s.any_input = true;
      auto language = language_of(word);
      if (!language_is_given && language) {
        // clang++ would take a C file for C++.
        const bool hip = language == Language::hip;
        s.has_hip |= hip;
        s.arguments.insert(s.arguments.end(), {"-x", hip ? "hip" : "c", word});
        language_is_ours = true;
      } else {
        // clang warns of one that no file follows.
        if (language_is_ours)
          s.arguments.insert(s.arguments.end(), {"-x", "none"});
        language_is_ours = false;
        s.has_objects |= !language && !language_is_given;
        s.arguments.push_back(word);
      }
    }
  }
  return s;
}

} // namespace

Request translate(const Installation &installation, const std::vector<std::string> &arguments) {
  std::vector<std::string> words;
  expand(arguments, words);
  Scan s = scan(words);

  Request request;
  request.print_version = s.print_version;
  auto &out = request.clang_arguments;
  auto add = [&](std::initializer_list<std::string> more) { out.insert(out.end(), more); };

  const bool links = !s.compiles_only && s.any_input;
  // Programs that know only two platforms take AMD's code path.
  add({"-D__HIP_PLATFORM_SPIRV__=1", "-D__HIP_PLATFORM_AMD__=1"});
  // Before the system's directories, where AMD's own headers may be.
  add({"-isystem", installation.include()});
  if (s.has_hip || (links && s.has_objects)) {
    add({"--offload=spirv64", "-nogpuinc", "-nogpulib", "-B" + installation.tools().string(),
         "--hipspv-pass-plugin=" + installation.passes().string(), "-Wno-unused-command-line-argument",
         "--hip-path=" + installation.prefix.string()});
  }
  if (s.has_hip) {
    // Of the standard headers, these make std::complex, new and some more usable in kernels.
    if (s.standard_headers)
      add({"-isystem", installation.standard_wrappers()});
    add({"-include", "hip/spirv_detail/runtime_wrapper.h"});
    // Widened loop exit values would become integers of odd widths, which SPIR-V has not.
    add({"-Xarch_device", "-mllvm=-replexitval=never"});
    if (!s.optimises)
      add({"-O3"});
  }
  if (links)
    add({"--hip-link", "-no-hip-rt"});
  out.insert(out.end(), s.arguments.begin(), s.arguments.end());
  // Unoptimised device code holds constructs that later steps do not take; whatever the host is compiled with.
  if (s.has_hip && s.optimises && s.raises_device_optimisation)
    add({"-Xarch_device", "-O2"});
  if (links)
    add({"-L" + installation.lib().string(), "-Wl,-rpath," + installation.lib().string(), "-lCHIP"});
  return request;
}

} // namespace chip::hipcc
