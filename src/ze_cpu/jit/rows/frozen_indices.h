// Indices that LLVM has frozen.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// In the innermost loops over work-items, freezes what an index is computed of instead of the index, as LLVM leaves it when it decides
/// by a comparison of that before it would. It sees then again that neighbours' addresses lie side by side.
struct FreezeBeforeLanes : llvm::PassInfoMixin<FreezeBeforeLanes> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
