#include "memory_waits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

bool is_of_others(const llvm::LoadInst &load) {
  return !llvm::isa<llvm::AllocaInst>(load.getPointerOperand()->stripInBoundsOffsets());
}

// Ordinary loads are read again where there is a fence between.
bool only_reads_memory(const llvm::Loop &loop) {
  bool reads = false, reads_again = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        reads |= is_of_others(*load);
        reads_again |= !load->isSimple() && is_of_others(*load);
      } else if (llvm::isa<llvm::FenceInst>(instruction)) {
        reads_again = true;
      } else if (instruction.mayWriteToMemory()) {
        return false;
      }
  return reads && reads_again;
}

} // namespace

bool mark_memory_waits(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool found = false;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!only_reads_memory(*loop))
      continue;
    found = true;
    llvm::SmallVector<llvm::BasicBlock *, 2> ends;
    loop->getLoopLatches(ends);
    for (llvm::BasicBlock *end : ends) {
      llvm::IRBuilder<> b(end->getTerminator());
      llvm::FunctionCallee wait =
          function.getParent()->getOrInsertFunction("ze_cpu_wait", b.getVoidTy());
      auto *callee = llvm::cast<llvm::Function>(wait.getCallee());
      callee->setDoesNotThrow();
      callee->setOnlyAccessesInaccessibleMemory();
      b.CreateCall(wait);
    }
  }
  return found;
}

} // namespace ze_cpu
