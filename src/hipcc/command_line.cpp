#include "command_line.h"

#include "configuration.h"
#include "options.h"
#include "response_file.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace chip::hipcc {
namespace {

enum class Kind { c, cxx, hip, preprocessed_hip, linker_input };

template <class List> bool has_prefix_in(const List &list, std::string_view word) {
  return std::ranges::any_of(list, [&](auto prefix) { return word.starts_with(prefix); });
}

/// What an input is, by its ending. AMD's hipcc takes C++ files for HIP too.
Kind kind_of(std::string_view file, Role role) {
  const size_t dot = file.rfind('.');
  const std::string_view ending = dot == file.npos ? ""sv : file.substr(dot + 1);
  if (ending == "hip" || ending == "cu")
    return Kind::hip;
  if (ending == "hipi")
    return Kind::preprocessed_hip;
  if (ending == "c")
    return Kind::c;
  for (std::string_view cxx : {"cpp", "cc", "cxx", "c++", "C", "CC", "CPP", "CXX", "C++"})
    if (ending == cxx)
      return role == Role::hipcc ? Kind::hip : Kind::cxx;
  return Kind::linker_input;
}

/// Whether no language has files of this name, so that -x cannot be meant for it.
bool is_object(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.ends_with(".o") || name.ends_with(".a") || name.ends_with(".so") ||
         name.find(".so.") != name.npos;
}

std::string_view language_of(Kind kind) {
  switch (kind) {
  case Kind::c:
    return "c";
  case Kind::cxx:
    return "c++";
  case Kind::preprocessed_hip:
    return "hip-cpp-output";
  default:
    return "hip";
  }
}

bool is_hip(std::string_view language) { return language == "hip" || language == "hip-cpp-output"; }

/// One of AMD's devices, or one of the words that mean whatever device there is. Nothing at all is
/// what a script passes that asked for the machine's devices in vain.
bool is_architecture(std::string_view name) {
  name = name.substr(0, name.find(':')); // features follow
  if (name.starts_with("gfx"))
    return name.size() > 3 && std::ranges::all_of(name.substr(3), [](unsigned char c) {
             return std::isalnum(c) || c == '-';
           });
  return name.empty() || name == "native" || name == "generic" || name == "all" ||
         name == "amdgcnspirv" || name.starts_with("spirv64");
}

void check_architectures(std::string_view names) {
  while (true) {
    const size_t comma = names.find(',');
    const std::string name(names.substr(0, comma));
    if (!is_architecture(name))
      throw std::invalid_argument("unknown architecture '" + name +
                                  "': what hipcc compiles runs on every device, so leave the "
                                  "option out, or give 'native' or one "
                                  "of AMD's names, as gfx90a");
    if (comma == names.npos)
      return;
    names.remove_prefix(comma + 1);
  }
}

bool makes_static_library(std::string_view word) {
  return word == "--emit-static-lib" || word == "-static-lib" || word == "--static-lib";
}

/// Whether no shared library may be linked with.
bool links_statically(std::string_view word) {
  return word == "-static" || word == "--static" || word == "-static-pie";
}

/// Whether a target, as clang calls it (aarch64-linux-gnu), is not of the processor that this program is for.
bool is_other_processor(std::string_view target) {
  return target.substr(0, target.find('-')) != CHIP_PROCESSOR;
}

constexpr std::string_view printf_kind = "-mprintf-kind=";

/// How our headers are told, as clang has these kinds for AMD's devices only. Both print in the
/// same way here, but do not return the same.
std::string_view printf_kind_definition(const std::string &word) {
  const std::string_view kind = std::string_view(word).substr(printf_kind.size());
  if (kind == "buffered")
    return "-D__CHIP_BUFFERED_PRINTF__=1";
  if (kind == "hostcall")
    return "-U__CHIP_BUFFERED_PRINTF__";
  throw std::invalid_argument("invalid value '" + std::string(kind) + "' in '" + word + '\'');
}

/// Reads a command line word by word.
class Scan {
public:
  Scan(const std::vector<std::string> &words, Role role) : words_(words), role_(role) {
    for (at_ = 0; at_ < words_.size(); ++at_)
      read(words_[at_]);
  }

  std::vector<std::string> arguments; // for clang
  bool compiles_only = false;         // -c, -S, -E, -M...: nothing is linked
  bool has_sources = false;
  bool has_hip = false;
  bool has_objects = false;
  bool any_input = false;
  bool optimises = false; // the user said -O<something>
  bool raises_device_optimisation = true;
  bool is_unoptimised = false;  // -O0
  bool relocatable = false;     // -fgpu-rdc
  bool hip_link = false;        // --hip-link
  bool with_runtime = true;     // neither -r, nor -no-hip-rt and its like
  bool runs_elsewhere = false;  // --target says so
  bool standard_headers = true; // no -nostdinc and its like
  bool print_version = false;
  bool host_only = false;
  bool emits_llvm = false;
  bool emits_assembly = false;
  bool lists_dependencies = false; // -M, -MM
  bool has_debug_information = false;
  bool has_output = false;
  std::optional<size_t> standard_input;
  std::optional<std::string> links_statically_by; // the option

private:
  bool has_next() const { return at_ + 1 < words_.size(); }
  /// What follows the option at hand. clang would take for it what we put behind.
  const std::string &next() {
    if (!has_next())
      throw std::invalid_argument("argument to '" + words_[at_] + "' is missing");
    return words_[++at_];
  }
  void pass(std::initializer_list<std::string_view> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  }

  void read(const std::string &word) {
    if (is_dropped(word))
      return;
    if (word == "-x" || (word.starts_with("-x") && word.size() > 2))
      read_language(word == "-x" ? next() : word.substr(2));
    else if (std::ranges::contains(with_value, word))
      read_valued(word, next());
    else if (word.starts_with("-") && word != "-")
      read_option(word);
    else
      read_input(word);
  }

  bool is_dropped(const std::string &word) {
    for (std::string_view option : architecture_options) {
      if (!word.starts_with(option))
        continue;
      const std::string_view rest = std::string_view(word).substr(option.size());
      if (rest.starts_with('='))
        check_architectures(rest.substr(1));
      else if (rest.empty())
        check_architectures(next());
      else
        continue;
      return true;
    }
    if (word == "-mllvm" && has_next() && words_[at_ + 1].starts_with("-amdgpu")) {
      ++at_;
      return true;
    }
    return has_prefix_in(dropped_prefixes, word) || word.starts_with("-mllvm=-amdgpu");
  }

  void read_language(std::string language) {
    if (language == "cu" || language == "cuda")
      language = "hip";
    language_is_given_ = language != "none";
    language_is_ours_ = false;
    language_ = language;
    pass({"-x", language});
  }

  void read_valued(const std::string &option, const std::string &value) {
    has_output |= option == "-o" || option == "--output";
    if (option == "--target" || option == "-target")
      runs_elsewhere = is_other_processor(value);
    pass({option, value});
  }

  void read_option(const std::string &word) {
    lists_dependencies |= word == "-M" || word == "-MM";
    emits_assembly |= word == "-S" || word == "--assemble";
    emits_llvm |= word == "-emit-llvm";
    host_only |= word == "--cuda-host-only" || word == "--offload-host-only";
    compiles_only |= word == "-c" || word == "-E" || word == "-fsyntax-only" ||
                     word == "--precompile" || word == "--genco" || makes_static_library(word) ||
                     lists_dependencies || emits_assembly;
    if (word.starts_with("-O")) {
      optimises = true;
      raises_device_optimisation = word != "-O2" && word != "-O3" && word != "-Ofast";
      is_unoptimised = word == "-O0";
    }
    if (word.starts_with("-g") && !word.starts_with("-gpu") && !word.starts_with("-gcc"))
      has_debug_information = word != "-g0";
    if (word == "-nostdinc" || word == "-nostdlibinc" || word == "-nostdinc++")
      standard_headers = false;
    if (word == "-r" || word == "-no-hip-rt" || word == "--no-hip-rt" || word == "-nostdlib" ||
        word == "-nodefaultlibs")
      with_runtime = false;
    if (word == "-fgpu-rdc" || word == "-fno-gpu-rdc")
      relocatable = word == "-fgpu-rdc";
    hip_link |= word == "--hip-link";
    if (links_statically(word))
      links_statically_by = word;
    if (constexpr std::string_view target = "--target="; word.starts_with(target))
      runs_elsewhere = is_other_processor(std::string_view(word).substr(target.size()));
    print_version |= word == "--version" || word == "-version";
    has_output |= word.starts_with("-o");

    // OpenMP is the host's here: clang refuses to offload for both.
    if (word == "-fopenmp" || word.starts_with("-fopenmp=") ||
        has_prefix_in(host_only_prefixes, word))
      pass({"-Xarch_host"});
    if (word == "--genco")
      pass({"--cuda-device-only"});
    else if (word == "-version")
      pass({"--version"});
    else if (makes_static_library(word))
      pass({"--emit-static-lib"});
    else if (word.starts_with(printf_kind))
      pass({printf_kind_definition(word)});
    else
      pass({word});
  }

  void read_input(const std::string &word) {
    any_input = true;
    if (language_is_given_ && !is_object(word)) {
      has_sources = true;
      has_hip |= is_hip(language_);
      if (word == "-" && is_hip(language_))
        standard_input = arguments.size();
      pass({word});
      return;
    }
    const Kind kind = language_is_given_ ? Kind::linker_input : kind_of(word, role_);
    if (kind == Kind::linker_input) {
      // clang warns of a language that no file follows.
      if (language_is_ours_ || language_is_given_)
        pass({"-x", "none"});
      pass({word});
      if (language_is_given_)
        pass({"-x", language_});
      language_is_ours_ = false;
      has_objects = true;
    } else {
      // clang++ would take a C file for C++.
      pass({"-x", language_of(kind), word});
      has_sources = true;
      has_hip |= is_hip(language_of(kind));
      language_is_ours_ = true;
    }
  }

  const std::vector<std::string> &words_;
  const Role role_;
  size_t at_ = 0;
  std::string language_;
  bool language_is_given_ = false; // by -x, which then holds for all that follows
  bool language_is_ours_ = false;  // the last -x is ours, for one file only
};

Scan scan_with(std::vector<std::string> words, Role role, const Appended &appended) {
  const Scan without(words, role);
  const auto add = [&](const std::string &flags) {
    const std::vector<std::string> more = words_of(flags);
    words.insert(words.begin(), more.begin(), more.end());
  };
  if (!without.compiles_only && without.any_input)
    add(appended.link_flags);
  if (without.has_sources)
    add(appended.compile_flags);
  return Scan(words, role);
}

} // namespace

Request translate(const Installation &installation, const std::vector<std::string> &arguments,
                  Role role, const Appended &appended) {
  const Scan s = scan_with(expand_response_files(arguments), role, appended);

  Request request;
  request.print_version = s.print_version;
  auto &out = request.clang_arguments;
  auto add = [&](std::initializer_list<std::string> more) { out.insert(out.end(), more); };

  // Where `clang -v` says that HIP is, which CMake reads.
  add({"--rocm-path=" + installation.prefix.string()});
  if (!s.any_input) {
    out.insert(out.end(), s.arguments.begin(), s.arguments.end());
    return request;
  }

  const bool links = !s.compiles_only;
  const bool links_hip = links && (role == Role::hipcc || s.has_hip || s.relocatable || s.hip_link);
  const bool links_runtime = links_hip && s.with_runtime;
  if (links_runtime && s.links_statically_by)
    throw std::invalid_argument(
        "'" + *s.links_statically_by +
        "' cannot be used: libCHIP, HIP's runtime, is a shared library only "
        "(-static-libgcc and -static-libstdc++ can)");
  // Programs that know only two platforms take AMD's code path.
  add({"-D__HIP_PLATFORM_SPIRV__=1", "-D__HIP_PLATFORM_AMD__=1"});
  // Before the system's directories, where AMD's own headers may be. Ours may be there too: in front of the C++ library's
  // headers, /usr/include would keep those from finding what they wrap.
  if (installation.include() != "/usr/include")
    add({"-isystem", installation.include()});
  add({"-Wno-unused-command-line-argument"});
  if (s.has_hip || (s.has_objects && (links_hip || s.relocatable))) {
    add({"--offload=spirv64", "-nogpuinc", "-nogpulib", "-B" + installation.tools().string(),
         "--hipspv-pass-plugin=" + installation.passes().string(),
         "--hip-path=" + installation.prefix.string()});
  }
  if (s.has_hip) {
    // Of the standard headers, these make std::complex, new and some more usable in kernels.
    if (s.standard_headers)
      add({"-isystem", installation.standard_wrappers()});
    add({"-include", "hip/spirv_detail/runtime_wrapper.h"});
    // Widened loop exit values would become integers of odd widths, which SPIR-V has not.
    add({"-Xarch_device", "-mllvm=-replexitval=never"});
    // Some passes have to come before clang's own.
    add({"-Xarch_device", "-fpass-plugin=" + installation.passes().string()});
    // clang does not take this one for one side only.
    add({"-fplugin=" + installation.frontend().string()});
    // Threads that make no use of a function's result may leave it without a return statement.
    add({"-Xarch_device", "-fno-strict-return"});
    // Kernels read what they wrote as elements of another type: rocPRIM's histograms do, whose samples were zeros else.
    add({"-Xarch_device", "-fno-strict-aliasing"});
    // clang makes no debug information for SPIR-V, but knows the lines of instructions when remarks may want them. None do.
    if (s.has_debug_information)
      add({"-Xarch_device", "-Rpass=^$"});
    if (!s.optimises)
      add({"-O3"});
    // Else there would be a rule for each side. What is compiled for devices adds no rule to a
    // dependency file either.
    if (s.lists_dependencies)
      add({"--cuda-host-only"});
    // Our passes come before what makes SPIR-V, so clang alone could not show it; it shows its own
    // form of relocatable code.
    if (s.emits_assembly && !s.emits_llvm && !s.host_only)
      add({"-fgpu-rdc"});
  }
  if (links_hip)
    add({"--hip-link", "-no-hip-rt"});
  if (s.standard_input)
    request.standard_input = out.size() + *s.standard_input;
  out.insert(out.end(), s.arguments.begin(), s.arguments.end());
  // Unoptimised device code holds constructs that later steps do not take; whatever the host is
  // compiled with.
  if (s.has_hip && s.optimises && s.raises_device_optimisation)
    add({"-Xarch_device", "-O2"});
  // Nor do programs that ask for no optimisation count on one: `#pragma unroll` of a loop that cannot
  // be unrolled is nothing to warn of, which -Werror would make an error.
  if (s.has_hip && s.is_unoptimised)
    add({"-Xarch_device", "-Wno-pass-failed"});
  // AMD's library of HIP 6 has the functions of hiprtc, too: programs call them without naming another.
  if (links_runtime) {
    add({"-L" + installation.lib().string()});
    // The linker passes over libraries for another processor; where programs find theirs, the user knows.
    if (!s.runs_elsewhere)
      add({"-Wl,-rpath," + installation.lib().string()});
    add({"-lCHIP", "-Wl,--push-state,--as-needed", "-lhiprtc", "-Wl,--pop-state"});
  }
  return request;
}

} // namespace chip::hipcc
