// Signed numbers of one bit, which are 0 and -1, become floating-point ones by a choice.
//
// LLVM's optimiser writes `condition ? -1 : 0` as such a number where it is converted. The back end takes the bit for 0 and 1, as it
// does where there is no sign, silently. Can go when the back end converts it to -1.
#include "../passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {

PreservedAnalyses SignedBits::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *conversion = dyn_cast<SIToFPInst>(&instruction);
      if (!conversion || !conversion->getSrcTy()->isIntOrIntVectorTy(1))
        continue;
      IRBuilder<> builder(conversion);
      Type *type = conversion->getType();
      Value *choice = builder.CreateSelect(conversion->getOperand(0), ConstantFP::get(type, -1.0),
                                           ConstantFP::get(type, 0.0));
      choice->takeName(conversion);
      conversion->replaceAllUsesWith(choice);
      conversion->eraseFromParent();
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
