#include "clock_waits.h"

#include "../codegen/counter.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace ze_cpu {
namespace {

bool only_reads_clock(const llvm::Loop &loop) {
  bool reads = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (reads_counter(instruction))
        reads = true;
      else if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects())
        return false;
    }
  return reads;
}

/// All work-items come to it, and without having waited for each other: nothing before is a loop, or calls what may have one.
llvm::Instruction *last_clock_of_entry(llvm::Function &kernel) {
  llvm::Instruction *last = nullptr;
  for (llvm::Instruction &instruction : kernel.getEntryBlock()) {
    if (reads_counter(instruction))
      last = &instruction;
    else if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
      break;
  }
  return last;
}

} // namespace

bool wait_for_clock_together(llvm::Function &kernel) {
  llvm::Instruction *const begin = last_clock_of_entry(kernel);
  if (!begin)
    return false;
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  if (llvm::none_of(loops.getLoopsInPreorder(),
                    [](const llvm::Loop *loop) { return only_reads_clock(*loop); }))
    return false;
  llvm::IRBuilder<> builder(begin->getNextNode());
  emit_sync_point(builder, kernel.getArg(context_parameter::group),
                  kernel.getArg(context_parameter::lane),
                  {SyncKind::barrier, Combine::none, SyncScope::work_group}, nullptr, nullptr);
  return true;
}

} // namespace ze_cpu
