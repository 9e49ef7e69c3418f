// Telling the user what is wrong with a program.
#pragma once

#include <llvm/ADT/Twine.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace chip {

/// Collects errors, each once, and reports all of them through the module's context when it goes
/// out of scope: opt prints them and ends with exit code 1, without the stack dump of an internal
/// error.
class Errors {
public:
  explicit Errors(llvm::Module &module) : module_(module) {}
  ~Errors();
  Errors(const Errors &) = delete;
  Errors &operator=(const Errors &) = delete;

  /// `message` without "error: " and without an end of line.
  void add(const llvm::Twine &message);

private:
  llvm::Module &module_;
  std::vector<std::string> messages_;
};

/// The name of a function or variable as the source spells it.
std::string readable_name(const llvm::Value &value);

} // namespace chip
