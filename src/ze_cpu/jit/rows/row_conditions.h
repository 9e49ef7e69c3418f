// Conditions that all work-items of a row share, such as that of the first row of a tile, which loads the row above too.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Makes a loop of each outcome of such conditions, if loads or stores depend on them, from loops over work-items. Of many conditions,
/// those come first that leave the least to the loops of both outcomes.
/// LLVM makes masks of conditions when it vectorises a loop, even of those that do not change in it, and gathers of accesses whose
/// address they choose.
struct SeparateRowConditions : llvm::PassInfoMixin<SeparateRowConditions> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
