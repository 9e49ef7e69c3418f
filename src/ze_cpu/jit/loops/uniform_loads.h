// Loads of what all lanes share.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Puts loads before the loops over work-items which each of these does from the same address before it writes anything, and what is
/// computed from them. A work-item that saw there what another one wrote would be in a race with it, which LLVM does not count
/// on.
struct HoistUniformLoads : llvm::PassInfoMixin<HoistUniformLoads> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
