// Several iterations of a loop at a time: where lanes go through it side by side, and where it does not pay.
#pragma once

#include "../codegen/loop_analyses.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace ze_cpu {

/// Makes one iteration of `count`.
llvm::LoopUnrollResult unroll_loop(llvm::Loop &loop, unsigned count, LoopAnalyses &analyses,
                                   llvm::TargetMachine &machine);

/// How many iterations unroll_loops() makes one of in a loop of `size` instructions, of which some may read rows: what a lane
/// reads in one iteration lies next to what it read before, and far from what its neighbours read. 1: that would not pay.
unsigned unroll_factor(unsigned size, bool reads_rows);

/// A loop to be interchanged (interchange.h) without others inside.
struct UnrolledLoop {
  llvm::BasicBlock *header;
  unsigned factor;
  llvm::SmallVector<llvm::LoadInst *, 2> rows; // simple loads of them
};

/// Lets each lane go through several iterations of such loops before the next lane does: what is kept for each lane stays in
/// registers that long, and elements that a lane reads one after the other can be read as a row (row_accesses.h). Each lane
/// computes what it did before, in the same order. What iterations are left over has a loop of its own. Loops of which the
/// number of iterations is not known on entering them stay as they are. Returns whether anything was changed; the loops that
/// were are was_unrolled() from then on.
bool unroll_loops(llvm::Function &body, llvm::ArrayRef<UnrolledLoop> loops,
                  llvm::TargetMachine &machine);

bool was_unrolled(const llvm::BasicBlock &header);

/// Keeps LLVM from unrolling, by a number that does not divide that of the iterations, what that does not make faster: loops over
/// work-items with others inside, and of these the ones whose iterations each work-item counts for itself, such as those over a row of a
/// sparse matrix. What is left over has a branch of its own, which processors predict as badly as the first.
struct KeepVaryingLoops : llvm::PassInfoMixin<KeepVaryingLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
