#include "error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>

using namespace llvm;

namespace chip {

Errors::~Errors() {
  // One report for all: without a handler of its own, the context ends the process after the first.
  if (!messages_.empty())
    module_.getContext().emitError(join(messages_, "\nerror: "));
}

void Errors::add(const Twine &message) {
  std::string text = message.str();
  if (!is_contained(messages_, text))
    messages_.push_back(std::move(text));
}

std::string readable_name(const Value &value) { return demangle(value.getName()); }

} // namespace chip
