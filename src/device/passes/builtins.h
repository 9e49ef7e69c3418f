// Writing code in place of an instruction: calls of SPIR-V instructions by their mangled names,
// which the back end knows whatever language the module claims to be in, and results that come in
// pairs.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace chip {

/// Calls `name` (`__spirv_ocl_exp10`, say) mangled for the types of the arguments: floating point
/// and integer scalars and vectors, integers taken as signed. `pure`: the result depends on the
/// arguments alone.
llvm::Value *call_builtin(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> arguments, bool pure = true);

/// Puts `first` and `second` in place of the two members of what `call` returns, and deletes
/// `call`. The back end does not take structures of every type apart, so they are made only for
/// users that need the whole.
void replace_pair(llvm::Instruction &call, llvm::Value *first, llvm::Value *second);

} // namespace chip
