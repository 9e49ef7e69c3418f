#include "memory_waits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

bool only_reads_memory(const llvm::Loop &loop) {
  bool reads = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        reads |= !load->isSimple() &&
                 !llvm::isa<llvm::AllocaInst>(load->getPointerOperand()->stripInBoundsOffsets());
      else if (instruction.mayWriteToMemory() && !llvm::isa<llvm::FenceInst>(instruction))
        return false;
  return reads;
}

} // namespace

bool waits_for_memory(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(loops.getLoopsInPreorder(),
                      [](const llvm::Loop *loop) { return only_reads_memory(*loop); });
}

} // namespace ze_cpu
