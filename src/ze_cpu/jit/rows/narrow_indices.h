// Indices of 32 bits that LLVM has widened.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// In the innermost loops over work-items, makes sums of 32 bits, extended, of sums in the upper half of 64 bits, shifted down, which is
/// how LLVM adds numbers of 64 bits that were truncated. It sees then that neighbours' addresses lie side by side.
struct NarrowIndices : llvm::PassInfoMixin<NarrowIndices> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
