#include "program.h"

#include "cache.h"
#include "compiler.h"
#include "error.h"
#include "names.h"
#include "options.h"

#include <algorithm>
#include <optional>

namespace chip::hiprtc {
namespace {

namespace fs = std::filesystem;

constexpr const char *source_file = "source.hip";
constexpr const char *macro_file = "options.h";
constexpr const char *header_directory = "headers";

std::string in_quotes(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return '"' + result + '"';
}

// The directory that headers are included from. Absolute names are looked for on disk only, as by
// every compiler. Others may lead out of it ("../common.h"), so it lies as deep in a directory of
// their own as any of them climbs.
fs::path write_headers(const Workspace &workspace, const Source &source) {
  std::vector<fs::path> names;
  ptrdiff_t depth = 0;
  for (const auto &[name, text] : source.headers) {
    names.push_back(fs::path(name).relative_path().lexically_normal());
    depth = std::max(depth, std::ranges::count(names.back(), fs::path("..")));
  }
  fs::path root = workspace / header_directory;
  while (depth-- > 0)
    root /= "x";
  fs::create_directories(root);
  for (size_t i = 0; i < names.size(); ++i)
    write_file((root / names[i]).lexically_normal(), source.headers[i].second);
  return root;
}

// The source with its name for messages and __FILE__, and behind it what finds out the mangled
// names.
std::string text_for_compiler(const Source &source) {
  std::string text = "#line 1 " + in_quotes(source.name) + "\n" + source.text + "\n";
  return text + declarations_for_names(source.name_expressions);
}

Compiled compile_anew(const Source &source, const Options &options, const Cache &cache,
                      const Hash &key) {
  const Cache::Watch watch;
  const Workspace workspace;
  write_file(workspace / source_file, text_for_compiler(source));
  write_file(workspace / macro_file, "#line 1 \"options\"\n" + options.macros);
  const fs::path headers = write_headers(workspace, source);
  const fs::path dependencies = workspace / "dependencies";
  const bool has_names = !source.name_expressions.empty();

  // Names are read off text.
  const fs::path front = workspace / (has_names ? "program.ll" : "program.bc");
  std::vector<std::string> arguments{
      "--cuda-device-only", "-nostdlibinc", "-D__HIPCC_RTC__=1",
      // Before the program's own -include; by its full name, because files of the current directory
      // come first.
      "-include", installation().include() / "hip" / "spirv_detail" / "run_time_compiled.h",
      "-include", workspace / macro_file,
      // Nothing that comes out may depend on where the workspace was.
      "-ffile-prefix-map=" + workspace.path().string() + "/=",
      // It tells programs apart that are linked.
      "-cuid=" + hex(key).substr(0, 16), "-fno-crash-diagnostics",
      // The program's own headers come before those on the disk.
      "-I", headers};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  for (const char *word :
       {"-dependency-file", dependencies.c_str(), "-MT", "program", "-sys-header-deps"})
    arguments.insert(arguments.end(), {"-Xclang", word});
  arguments.insert(arguments.end(),
                   {"-emit-llvm", has_names ? "-S" : "-c", "-x", "hip", workspace / source_file});

  Compiler compiler(workspace);
  auto check = [&](bool worked) {
    if (!worked)
      throw Error(HIPRTC_ERROR_COMPILATION, compiler.log());
  };
  check(compiler.compile(arguments, front));

  Compiled result;
  std::string front_text;
  if (has_names && read_file(front, front_text))
    result.lowered_names = read_names(front_text, source.name_expressions);
  fs::path output = front;
  if (options.relocatable && has_names) {
    output = workspace / "program.bc";
    check(compiler.link({front}, output));
  } else if (!options.relocatable) {
    output = workspace / "program.spv";
    check(compiler.emit(front, output));
  }
  std::string content;
  if (!read_file(output, content))
    throw Error(HIPRTC_ERROR_INTERNAL_ERROR, "error: cannot read what the compiler made\n");
  (options.relocatable ? result.bitcode : result.code) =
      options.relocatable ? content : bundle(content);
  result.log = compiler.log();

  std::string included;
  if (read_file(dependencies, included))
    cache.store(key, result, files_in_rule(included, workspace.path()), watch);
  return result;
}

} // namespace

void Program::add_name_expression(std::string expression) {
  const auto state = state_.lock();
  if (state->is_compiled)
    throw Error(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
                "`program` is compiled already");
  if (!std::ranges::contains(state->source.name_expressions, expression))
    state->source.name_expressions.push_back(std::move(expression));
}

void Program::compile(const std::vector<std::string> &words) {
  const auto state = state_.lock();
  state->is_good = false;
  state->result.log.clear();
  try {
    const Options options = read_options(words);
    state->is_compiled = true;
    const Cache cache;
    const Hash key = key_of(state->source, options);
    std::optional<Compiled> found = cache.find(key);
    Compiled made = found ? std::move(*found) : compile_anew(state->source, options, cache, key);
    // Names that were handed out stay where they are.
    made.lowered_names.swap(state->result.lowered_names);
    for (auto &[expression, name] : state->result.lowered_names)
      if (std::string &known = made.lowered_names[expression]; known != name)
        known = std::move(name);
    state->result = std::move(made);
    state->is_good = true;
  } catch (const Error &error) {
    state->result.log = error.what();
    throw;
  }
}

const char *Program::lowered_name(const std::string &expression) const {
  const auto state = state_.lock();
  if (!state->is_compiled)
    throw Error(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, "`program` is not compiled yet");
  const auto found = state->result.lowered_names.find(expression);
  if (!state->is_good || found == state->result.lowered_names.end())
    throw Error(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
                "`program` did not compile, or has no name expression " + expression);
  return found->second.c_str();
}

std::string Program::log() const { return state_.lock()->result.log; }

std::string Program::product(std::string Compiled::*wanted, std::string_view advice) {
  const auto state = state_.lock();
  if (!state->is_good)
    throw Error(HIPRTC_ERROR_INVALID_PROGRAM, "`program` is not compiled");
  if ((state->result.*wanted).empty()) {
    if (std::string &log = state->result.log; !log.contains(advice)) // however often it is asked
      log += advice;
    throw Error(HIPRTC_ERROR_INVALID_PROGRAM, std::string(advice));
  }
  return state->result.*wanted;
}

std::string Program::code() {
  return product(&Compiled::code,
                 "error: a program that was compiled with -fgpu-rdc has no code before it is "
                 "linked: give what hiprtcGetBitcode stores to hiprtcLinkAddData, and what "
                 "hiprtcLinkComplete stores to hipModuleLoadData; or compile without -fgpu-rdc\n");
}

std::string Program::bitcode() {
  return product(&Compiled::bitcode,
                 "error: only a program that is compiled with -fgpu-rdc has bitcode: compile with "
                 "this option, or give what hiprtcGetCode stores to hipModuleLoadData\n");
}

} // namespace chip::hiprtc
