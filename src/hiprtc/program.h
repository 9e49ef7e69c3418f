// What a hiprtcProgram stands for: source text, and what came out of its last compilation.
#pragma once

#include "../common/guarded.h"

#include <hip/hiprtc.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chip::hiprtc {

/// What compiling a program makes.
struct Compiled {
  std::string log;     // warnings
  std::string code;    // for hipModuleLoadData; or, of relocatable programs,
  std::string bitcode; // for hiprtcLinkAddData
  std::map<std::string, std::string> lowered_names; // by name expression
};

/// What a compilation depends on, except files that it includes from disk.
struct Source {
  std::string text, name;
  std::vector<std::pair<std::string, std::string>> headers; // name and text
  std::vector<std::string> name_expressions;
};

/// Functions may be called by several threads at once; they throw Error.
class Program {
public:
  explicit Program(Source source) : state_(std::in_place, std::move(source)) {}

  void add_name_expression(std::string expression);
  void compile(const std::vector<std::string> &options);

  /// Lives as long as the program.
  const char *lowered_name(const std::string &expression) const;
  std::string log() const;

  /// What the last compilation made. If it made the other one, the log says afterwards what to do.
  std::string code();
  std::string bitcode();

private:
  struct State {
    Source source;
    bool is_compiled = false; // a compilation was tried
    bool is_good = false;     // and worked
    Compiled result = {};
  };
  std::string product(std::string Compiled::*wanted, std::string_view advice);

  common::Guarded<State> state_;
};

} // namespace chip::hiprtc
