// Extensions of numbers that are not negative become those with the sign.
//
// LLVM's optimiser writes s[t - d] behind t >= d with zext nneg, which SPIR-V has no word for: what
// reads it must take the number for one without sign, of which t - d is a large one where it is
// negative. Compilers that run work-items side by side see no course of addresses then. With sext
// the number is the same wherever the promise holds, and elsewhere it was poison.
#include "../passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {

PreservedAnalyses SignExtensions::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *extension = dyn_cast<ZExtInst>(&instruction);
      if (!extension || !extension->hasNonNeg() || extension->getSrcTy()->isIntOrIntVectorTy(1))
        continue;
      IRBuilder<> builder(extension);
      Value *with_sign = builder.CreateSExt(extension->getOperand(0), extension->getType());
      with_sign->takeName(extension);
      extension->replaceAllUsesWith(with_sign);
      extension->eraseFromParent();
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
