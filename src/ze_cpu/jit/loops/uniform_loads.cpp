#include "uniform_loads.h"

#include "../codegen/loop_analyses.h"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

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

// What each iteration comes to before any of them writes or may end.
llvm::SmallVector<llvm::LoadInst *, 8> first_loads(const llvm::Loop &loop,
                                                   const llvm::LoopInfo &loops,
                                                   const llvm::DominatorTree &dominators) {
  llvm::SmallVector<llvm::LoadInst *, 8> found;
  llvm::SmallVector<llvm::BasicBlock *, 2> ends;
  loop.getExitingBlocks(ends);
  llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop *>(&loop));
  blocks.perform(&loops);
  for (llvm::BasicBlock *block : blocks) {
    // In a loop inside, a load may come behind a store of the turn before.
    const bool is_always_reached =
        loops.getLoopFor(block) == &loop &&
        llvm::all_of(ends, [&](llvm::BasicBlock *end) { return dominators.dominates(block, end); });
    for (llvm::Instruction &instruction : *block) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_always_reached)
        found.push_back(load);
      if (instruction.mayWriteToMemory() ||
          !llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction))
        return found;
    }
  }
  return found;
}

bool hoist(llvm::Loop &loop, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators) {
  llvm::BasicBlock *const before = loop.getLoopPreheader();
  const auto groups = parallel_groups(loop);
  bool changed = false;
  for (llvm::LoadInst *load : first_loads(loop, loops, dominators))
    if (load->isSimple() && is_in(*load, groups) &&
        loop.makeLoopInvariant(load->getPointerOperand(), changed, before->getTerminator())) {
      load->moveBefore(before->getTerminator()->getIterator());
      load->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
      changed = true;
    }
  return changed;
}

} // namespace

llvm::PreservedAnalyses HoistUniformLoads::run(llvm::Function &function,
                                               llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop *loop : all_loops_over_lanes(loops))
    changed |= hoist(*loop, loops, dominators);
  if (!changed)
    return llvm::PreservedAnalyses::all();
  // What is decided by what was loaded is known in front of the loop as well.
  analyses.invalidate(function, kept_by_pass(changed));
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

} // namespace ze_cpu
