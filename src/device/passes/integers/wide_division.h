// Division of 128-bit integers.
#pragma once

#include <llvm/IR/Module.h>

namespace chip {

/// Puts calls of a function that it adds to the module in place of all divisions and remainders of
/// i128. The function's own operations on i128 are others.
void call_wide_divisions(llvm::Module &module);

} // namespace chip
