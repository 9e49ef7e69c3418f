// Keeps LLVM from vectorising wrongly.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <optional>

namespace ze_cpu {

/// In LLVM 21 the loop vectoriser takes the promise, checked at run time, that i does not wrap in 32
/// bits for the promise that i & 3 does not wrap in 2 bits, and then reads a[i & 3] as if it were
/// a[i]. It does not if the mask is no constant: it is combined with one that only execution knows.
/// Masks of 32 bits are widened numbers, which the promise is right for.
/// `function` has context parameters.
void hide_index_masks(llvm::Function &function);

/// The constant that `instruction` takes the bits of its first operand by, hidden or not, if it is such an instruction.
std::optional<llvm::APInt> index_mask(const llvm::Instruction &instruction);

/// Inlining a kernel whose pointers do not alias leaves a declaration of their scopes in the loop over its work-items. It counts as an
/// access of memory, and as none that is told to be independent, so that LLVM checks at run time what it has been told. Copies of such
/// loops need no scopes of their own, as all of their accesses are independent.
struct ForgetScopes : llvm::PassInfoMixin<ForgetScopes> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// In LLVM 21 a loop that is vectorised by request and would need more than 128 checks of pointers at run time is vectorised without any
/// check: also without the one that a stride is 1, where its accesses are contiguous then. The request is taken back, and the loop is
/// left as it is.
struct KeepVectorizerChecks : llvm::PassInfoMixin<KeepVectorizerChecks> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
