#include "uniform_loads.h"

#include "../codegen/loop_analyses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

// Whether iterations do not meet in memory, as far as accesses in groups that are found are made.
llvm::SmallPtrSet<const llvm::Metadata *, 2> parallel_groups(const llvm::Loop &loop) {
  llvm::SmallPtrSet<const llvm::Metadata *, 2> groups;
  if (const llvm::MDNode *list = llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses"))
    for (const llvm::MDOperand &group : llvm::drop_begin(list->operands()))
      groups.insert(group.get());
  return groups;
}

bool is_in(const llvm::Instruction &access,
           const llvm::SmallPtrSet<const llvm::Metadata *, 2> &groups) {
  const llvm::MDNode *const group = access.getMetadata(llvm::LLVMContext::MD_access_group);
  return group && (groups.contains(group) ||
                   llvm::any_of(group->operands(), [&](const llvm::MDOperand &one) {
                     return groups.contains(one.get());
                   }));
}

// What each iteration comes through first.
llvm::SmallVector<llvm::BasicBlock *, 4> first_blocks(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::BasicBlock *, 4> blocks;
  for (llvm::BasicBlock *block = loop.getHeader(); block && loop.contains(block);
       block = block->getSingleSuccessor()) {
    if (!blocks.empty() && !block->getSinglePredecessor())
      break;
    blocks.push_back(block);
  }
  return blocks;
}

bool hoist(llvm::Loop &loop) {
  llvm::BasicBlock *const before = loop.getLoopPreheader();
  const auto groups = parallel_groups(loop);
  bool changed = false;
  for (llvm::BasicBlock *block : first_blocks(loop))
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() && is_in(*load, groups) &&
          loop.makeLoopInvariant(load->getPointerOperand(), changed, before->getTerminator())) {
        load->moveBefore(before->getTerminator()->getIterator());
        load->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
        changed = true;
      } else if (instruction.mayWriteToMemory() ||
                 !llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction)) {
        return changed;
      }
    }
  return changed;
}

} // namespace

llvm::PreservedAnalyses HoistUniformLoads::run(llvm::Function &function,
                                               llvm::FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (llvm::Loop *loop : loops_over_lanes(analyses.getResult<llvm::LoopAnalysis>(function)))
    changed |= hoist(*loop);
  return kept_by_pass(changed);
}

} // namespace ze_cpu
