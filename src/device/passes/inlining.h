// Bringing code into the kernels that use it.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

namespace chip {

/// Adds the functions that call one of `functions`, directly or by what they call.
void add_callers(llvm::SetVector<llvm::Function *> &functions);

/// Has AlwaysInlinerPass inline the function wherever it is called, if it is no kernel.
void always_inline(llvm::Function &function);

} // namespace chip
