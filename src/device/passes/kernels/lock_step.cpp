// Accesses that the threads of a warp count on making together: the optimiser is told before it
// begins, and SPIR-V, which has nothing of the kind, is not. A loop with a test of the thread's
// number in it would else become two loops, of which threads that exchange values in it execute one
// after the other. Can go when LLVM's optimiser asks the SPIR-V target whether branches diverge.
#include "../passes.h"

#include "../../../common/marks/lock_step_marks.h"

namespace chip {

llvm::PreservedAnalyses MarkLockStep::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  add_lock_step_marks(module);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses UnmarkLockStep::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  remove_lock_step_marks(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace chip
