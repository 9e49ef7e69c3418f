// What LLVM knows of the loops of a function, for stages that ask outside of a pass manager.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace ze_cpu {

struct LoopAnalyses {
  explicit LoopAnalyses(llvm::Function &function)
      : dominators(function), loops(dominators), assumptions(function),
        library_info(llvm::Triple(function.getParent()->getTargetTriple())),
        library(library_info, &function),
        evolution(function, library, assumptions, dominators, loops) {}
  LoopAnalyses(const LoopAnalyses &) = delete;

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library_info;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
};

/// Whether a loop is one over work-items, marked by independent_loop().
inline bool is_over_lanes(const llvm::Loop &loop) {
  return llvm::getBooleanLoopAttribute(&loop, "llvm.loop.vectorize.enable");
}

/// Such loops, each with a block that comes before it alone.
inline llvm::SmallVector<llvm::Loop *, 4> all_loops_over_lanes(const llvm::LoopInfo &loops) {
  llvm::SmallVector<llvm::Loop *, 4> found;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->getLoopPreheader() && is_over_lanes(*loop))
      found.push_back(loop);
  return found;
}

/// Those of them without others inside.
inline llvm::SmallVector<llvm::Loop *, 4> loops_over_lanes(const llvm::LoopInfo &loops) {
  llvm::SmallVector<llvm::Loop *, 4> found = all_loops_over_lanes(loops);
  llvm::erase_if(found, [](const llvm::Loop *loop) { return !loop->isInnermost(); });
  return found;
}

/// What a pass tells that leaves blocks and branches as they are.
inline llvm::PreservedAnalyses kept_by_pass(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace ze_cpu
