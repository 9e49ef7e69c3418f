#include "unroll.h"

#include "../../contract/kernel_code.h"
#include "../codegen/codegen.h"
#include "../codegen/llvm_compat.h"
#include "../lower/work_item.h"

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace ze_cpu {
namespace {

// At the branch that begins a loop's next iteration, where no pass takes it away.
constexpr const char *unrolled_mark = "ze_cpu.unrolled";

// Instructions of an unrolled loop: more cost compile time and registers, and gain little.
constexpr unsigned size_limit = 160, rows_limit = 320;
// A row is a vector of the widest kind. Other loops need only be long enough for what is around them.
constexpr unsigned most_factor = 8, most_row_factor = 16, least_row_factor = 4;

class Unroller {
public:
  Unroller(llvm::Function &body, llvm::TargetMachine &machine)
      : analyses_(body), machine_(machine) {}

  bool unroll(const UnrolledLoop &what) {
    llvm::Loop *loop = loops_.getLoopFor(what.header);
    if (!loop || loop->getHeader() != what.header || !loop->isInnermost() ||
        !loop->isLoopSimplifyForm() || !loop->isSafeToClone() ||
        llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(loop)))
      return false;
    separate_rows(*loop, what.rows);
    if (unroll_loop(*loop, what.factor, analyses_, machine_) !=
        llvm::LoopUnrollResult::PartiallyUnrolled)
      return false;
    llvm::Instruction *again = loop->getLoopLatch()->getTerminator();
    again->setMetadata(unrolled_mark, llvm::MDNode::get(again->getContext(), {}));
    return true;
  }

private:
  // Addresses become where the lane's row begins, and an offset that all lanes share. LLVM must not take neighbours' rows for
  // equally far apart: it would make a loop for rows of one element, which lie side by side, and leave all others as they are.
  void separate_rows(llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> loads) {
    llvm::SCEVExpander expander = compat::make_expander(evolution_, "row");
    llvm::Instruction *before = loop.getLoopPreheader()->getTerminator();
    llvm::SmallMapVector<llvm::Value *, llvm::Value *, 2> begins;
    llvm::SmallMapVector<llvm::Constant *, llvm::PHINode *, 2> offsets;
    for (llvm::LoadInst *load : loads) {
      auto *course =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(load->getPointerOperand()));
      auto *step = course && course->isAffine()
                       ? llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_))
                       : nullptr;
      if (!step || !expander.isSafeToExpandAt(course->getStart(), before))
        continue;
      llvm::Value *start =
          expander.expandCodeFor(course->getStart(), load->getPointerOperandType(), before);
      llvm::Value *&begin = begins[start];
      if (!begin)
        begin = hide_distance(*before, start);
      llvm::PHINode *&offset = offsets[step->getValue()];
      if (!offset)
        offset = make_count(loop, step->getValue());
      load->setOperand(0, llvm::IRBuilder<>(load).CreatePtrAdd(begin, offset));
    }
    evolution_.forgetLoop(&loop);
  }

  static llvm::Value *hide_distance(llvm::Instruction &before, llvm::Value *address) {
    llvm::Function &body = *before.getFunction();
    llvm::IRBuilder<> b(&before);
    llvm::Value *zero = b.CreateNot(load_member(b, body.getArg(context_parameter::group),
                                                offsetof(GroupContext, all_bits), b.getInt64Ty()));
    return b.CreatePtrAdd(address, b.CreateMul(body.getArg(context_parameter::local_x), zero));
  }

  static llvm::PHINode *make_count(llvm::Loop &loop, llvm::Value *step) {
    llvm::IRBuilder<> b(&loop.getHeader()->front());
    llvm::PHINode *count = b.CreatePHI(step->getType(), 2);
    b.SetInsertPoint(loop.getLoopLatch()->getTerminator());
    count->addIncoming(llvm::Constant::getNullValue(step->getType()), loop.getLoopPreheader());
    count->addIncoming(b.CreateAdd(count, step), loop.getLoopLatch());
    return count;
  }

  LoopAnalyses analyses_;
  llvm::LoopInfo &loops_ = analyses_.loops;
  llvm::ScalarEvolution &evolution_ = analyses_.evolution;
  llvm::TargetMachine &machine_;
};

} // namespace

llvm::LoopUnrollResult unroll_loop(llvm::Loop &loop, unsigned count, LoopAnalyses &analyses,
                                   llvm::TargetMachine &machine) {
  llvm::Function &function = *loop.getHeader()->getParent();
  const llvm::TargetTransformInfo target = machine.getTargetTransformInfo(function);
  llvm::OptimizationRemarkEmitter remarks(&function);
  llvm::formLCSSARecursively(loop, analyses.dominators, &analyses.loops, &analyses.evolution);
  return llvm::UnrollLoop(&loop, compat::unroll_by(count), &analyses.loops, &analyses.evolution,
                          &analyses.dominators, &analyses.assumptions, &target, &remarks, true);
}

unsigned unroll_factor(unsigned size, bool reads_rows) {
  unsigned factor = reads_rows ? most_row_factor : most_factor;
  while (factor > 1 && factor * size > (reads_rows ? rows_limit : size_limit))
    factor /= 2;
  return reads_rows && factor < least_row_factor ? 1 : factor;
}

bool unroll_loops(llvm::Function &body, llvm::ArrayRef<UnrolledLoop> loops,
                  llvm::TargetMachine &machine) {
  bool changed = false;
  llvm::EliminateUnreachableBlocks(body);
  {
    Unroller unroller(body, machine);
    for (const UnrolledLoop &loop : loops)
      changed |= loop.factor > 1 && unroller.unroll(loop);
  }
  // Addresses of one iteration become those of another with a constant added.
  if (changed)
    bring_into_shape(body, machine, "separate-const-offset-from-gep,early-cse,loop-simplify");
  return changed;
}

bool was_unrolled(const llvm::BasicBlock &header) {
  return llvm::any_of(llvm::predecessors(&header), [](const llvm::BasicBlock *before) {
    return before->getTerminator()->hasMetadata(unrolled_mark);
  });
}

llvm::PreservedAnalyses KeepVaryingLoops::run(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto varies = [&](llvm::Loop &loop, llvm::Loop &lanes) {
    const llvm::SCEV *count = evolution.getBackedgeTakenCount(&loop);
    return !llvm::isa<llvm::SCEVCouldNotCompute>(count) &&
           !evolution.isLoopInvariant(count, &lanes);
  };
  bool changed = false;
  for (llvm::Loop *lanes : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!is_over_lanes(*lanes) || lanes->isInnermost())
      continue;
    changed = true;
    for (llvm::Loop *loop : lanes->getLoopsInPreorder())
      if (loop == lanes || varies(*loop, *lanes))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  }
  return kept_by_pass(changed);
}

} // namespace ze_cpu
