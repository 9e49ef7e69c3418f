// Checks of what work-items side by side access side by side: one for all of them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Before vectorisation: what each lane of a loop asks or tells is asked or told in front of the loop, once, where the address only
/// depends on the lane by a step. Accesses are told of in the order of the program; those that were not plain, or are not known to be
/// side by side, stay, and with them what must not come before them. A write before reads that stay is told of as such
/// (traced::ahead): what it makes written may be what they read, and is told of by the lanes then, as are reads behind it. A write
/// against which something stands is told of by the lane, which knows the value; so is what would lie side by side if an index of
/// 32 bits did not wrap around, where one does.
struct HoistRowChecks : llvm::PassInfoMixin<HoistRowChecks> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
