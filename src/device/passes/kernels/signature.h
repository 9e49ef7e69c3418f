// Changing what a kernel takes.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>

namespace chip {

/// Replaces `kernel` by a kernel of the same name, body, attributes and metadata whose parameters
/// have the types `parameters`, at least as many as before. A parameter whose type stays keeps its
/// name, attributes and uses; for each other, `convert` is called with the old one, which still has
/// its attributes and uses, and the new one, and leaves the old one without uses. Nothing may call
/// the kernel. Returns the new kernel; the old one is deleted.
llvm::Function &
with_parameters(llvm::Function &kernel, llvm::ArrayRef<llvm::Type *> parameters,
                llvm::function_ref<void(llvm::Argument &before, llvm::Argument &after)> convert);

} // namespace chip
