// Integer division as GPUs do it: a zero divisor gives some value, never a trap.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Guards every division of the module whose divisor is not known to be harmless.
void guard_divisions(llvm::Module &module);

/// Moves divisions of what does not change in a loop out of it, guarded. LLVM leaves those that only
/// some iterations come to. Vectorised, it carries them out for the first element if that comes
/// there, and takes addresses that are made of them from the first element alone (seen in LLVM 22):
/// the others read where nothing was computed. Can go when the vectoriser no longer does that.
struct HoistDivisions : llvm::PassInfoMixin<HoistDivisions> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
