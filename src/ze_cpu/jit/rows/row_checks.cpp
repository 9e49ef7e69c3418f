#include "row_checks.h"

#include "../../contract/memory_access.h"
#include "../codegen/llvm_compat.h"
#include "../codegen/loop_analyses.h"
#include "../front/check_calls.h"
#include "../front/memory_checks.h"

#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <memory>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char *trace_name = "ze_cpu_trace";

// Operands of ze_cpu_trace (exec/checks/group_trace.h) and ze_cpu_check (exec/memory_check.h).
namespace trace_operand {
enum : unsigned { group, lane, address, bytes, flags, place, value };
}
namespace check_operand {
enum : unsigned { group, group_x, lane, address, bytes, access, place };
}

/// A check that is to be made in front of the loop.
struct Hoisted {
  llvm::CallInst *call;
  const llvm::SCEV *lane, *address, *step; // of the first lane, and from one to the next
  /// What has to hold for that; null: nothing.
  std::unique_ptr<llvm::PredicatedScalarEvolution> assumed;
  CheckedRow row = {};
  llvm::Value *wraps = nullptr; // whether it does not hold
  bool is_ahead = false;        // of reads that stay, and come before it
};

class Hoister {
public:
  Hoister(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::DominatorTree &dominators,
          llvm::LoopInfo &loops)
      : loop_(loop), evolution_(evolution), dominators_(dominators), loops_(loops),
        expander_(compat::make_expander(evolution, "row")),
        taken_(evolution.getBackedgeTakenCount(&loop)) {}

  bool run() {
    const llvm::BasicBlock *latch = loop_.getLoopLatch();
    if (!latch || loop_.getExitingBlock() != latch || !can_be_expanded(taken_))
      return false;
    find();
    if (hoisted_.empty())
      return false;
    expand();
    llvm::DomTreeUpdater updater(dominators_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
    for (const Hoisted &each : hoisted_)
      if (is_memory_check(*each.call))
        ask(each, updater);
      else
        tell(each, updater);
    return true;
  }

private:
  bool can_be_expanded(const llvm::SCEV *value) const {
    return !llvm::isa<llvm::SCEVCouldNotCompute>(value) &&
           expander_.isSafeToExpandAt(value, loop_.getLoopPreheader()->getTerminator());
  }

  void find() {
    llvm::LoopBlocksRPO blocks(&loop_);
    blocks.perform(&loops_);
    for (llvm::BasicBlock *block : blocks)
      for (llvm::Instruction &instruction : *block) {
        if (is_memory_check(instruction))
          add_check(llvm::cast<llvm::CallInst>(instruction));
        else if (is_trace(instruction))
          add_trace(llvm::cast<llvm::CallInst>(instruction));
      }
  }

  void add_check(llvm::CallInst &call) {
    if (llvm::isa<llvm::ConstantInt>(call.getArgOperand(check_operand::bytes)))
      if (auto row = row_of(call, check_operand::lane, check_operand::address))
        hoisted_.push_back(std::move(*row));
  }

  void add_trace(llvm::CallInst &call) {
    const bool is_access = call.getCalledFunction()->getName() == trace_name;
    const auto *bytes =
        is_access ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(trace_operand::bytes))
                  : nullptr;
    const uint64_t flags =
        is_access ? llvm::cast<llvm::ConstantInt>(call.getArgOperand(trace_operand::flags))
                        ->getZExtValue()
                  : 0;
    constexpr uint64_t unusual = traced::atomic | traced::is_volatile | traced::beside_atomic;
    if (!bytes || (flags & unusual) != 0) {
      writes_stay_ = reads_stay_ = true;
      return;
    }
    const bool writes = flags & traced::write;
    if (!(writes ? writes_stay_ : reads_stay_))
      if (auto row = row_of(call, trace_operand::lane, trace_operand::address);
          row && is_side_by_side(*row->step, bytes->getZExtValue(), writes) &&
          (writes || loop_.isLoopInvariant(call.getArgOperand(trace_operand::value)))) {
        row->is_ahead = writes && has_read_;
        hoisted_.push_back(std::move(*row));
        return;
      }
    has_read_ |= !writes;
    writes_stay_ |= writes;
    reads_stay_ |= writes; // or what is written here seems not to be
  }

  static bool is_side_by_side(const llvm::SCEV &step, uint64_t bytes, bool writes) {
    const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(&step);
    return constant && bytes <= 8 && llvm::isPowerOf2_64(bytes) &&
           (constant->getAPInt() == bytes || (constant->isZero() && !writes));
  }

  /// Where all lanes make the call.
  std::optional<Hoisted> row_of(llvm::CallInst &call, unsigned lane, unsigned address) {
    if (!dominators_.dominates(call.getParent(), loop_.getLoopLatch()))
      return std::nullopt;
    const auto *lanes =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(call.getArgOperand(lane)));
    if (!lanes || lanes->getLoop() != &loop_ || !lanes->isAffine() ||
        !lanes->getStepRecurrence(evolution_)->isOne())
      return std::nullopt;
    const llvm::SCEV *place = evolution_.getSCEV(call.getArgOperand(address)), *step;
    std::unique_ptr<llvm::PredicatedScalarEvolution> assumed;
    if (evolution_.isLoopInvariant(place, &loop_)) {
      step = evolution_.getZero(place->getType());
    } else {
      const auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
      if (!course) { // it may be if no index of 32 bits wraps around
        assumed = std::make_unique<llvm::PredicatedScalarEvolution>(evolution_, loop_);
        course = assumed->getAsAddRec(call.getArgOperand(address));
      }
      if (!course || course->getLoop() != &loop_ || !course->isAffine())
        return std::nullopt;
      place = course->getStart();
      step = course->getStepRecurrence(evolution_);
    }
    if (!can_be_expanded(lanes->getStart()) || !can_be_expanded(place) || !can_be_expanded(step))
      return std::nullopt;
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (i != lane && i != address && i != trace_operand::value &&
          !loop_.isLoopInvariant(call.getArgOperand(i)))
        return std::nullopt;
    return Hoisted{&call, lanes->getStart(), place, step, std::move(assumed)};
  }

  void expand() {
    llvm::Instruction *const before = loop_.getLoopPreheader()->getTerminator();
    llvm::Type *const i64 = llvm::Type::getInt64Ty(before->getContext());
    const auto expand = [&](const llvm::SCEV *value) {
      return expander_.expandCodeFor(value, i64, before->getIterator());
    };
    steps_ = Builder(before).CreateZExtOrTrunc(
        expander_.expandCodeFor(taken_, taken_->getType(), before->getIterator()), i64);
    count_ = Builder(before).CreateAdd(steps_, llvm::ConstantInt::get(i64, 1));
    for (Hoisted &each : hoisted_) {
      each.row = {expand(each.lane), expand(each.address), expand(each.step), steps_};
      if (each.assumed)
        each.wraps = expander_.expandCodeForPredicate(&each.assumed->getPredicate(), before);
    }
  }

  llvm::Instruction *in_front() const { return loop_.getLoopPreheader()->getTerminator(); }
  llvm::Instruction *unless(llvm::Value *condition, llvm::Instruction *before,
                            llvm::DomTreeUpdater &updater) {
    return llvm::SplitBlockAndInsertIfThen(
        Builder(before).CreateNot(condition), before->getIterator(), false,
        llvm::MDBuilder(before->getContext()).createUnlikelyBranchWeights(), &updater, &loops_);
  }

  static llvm::CallInst *call(Builder &b, llvm::StringRef name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> operands) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *operand : operands)
      types.push_back(operand->getType());
    llvm::Module &module = *b.GetInsertBlock()->getModule();
    llvm::FunctionCallee callee =
        module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
    return b.CreateCall(callee, operands);
  }

  void ask(const Hoisted &check, llvm::DomTreeUpdater &updater) {
    Builder before(in_front());
    llvm::Value *const are_allowed = is_row_allowed(before, *check.call, check.row);
    if (check.wraps)
      return leave(*check.call, before.CreateAnd(are_allowed, before.CreateNot(check.wraps)),
                   updater);
    Builder b(unless(are_allowed, in_front(), updater));
    const auto operand = [&](unsigned i) { return check.call->getArgOperand(i); };
    call(b, "ze_cpu_check_row", b.getVoidTy(),
         {operand(check_operand::group), operand(check_operand::group_x), check.row.lane,
          check.row.address, operand(check_operand::bytes), operand(check_operand::access),
          operand(check_operand::place), check.row.step, count_});
    check.call->eraseFromParent();
  }

  void tell(const Hoisted &trace, llvm::DomTreeUpdater &updater) {
    Builder b(in_front());
    const auto operand = [&](unsigned i) { return trace.call->getArgOperand(i); };
    const uint64_t flags =
        llvm::cast<llvm::ConstantInt>(operand(trace_operand::flags))->getZExtValue();
    const bool writes = flags & traced::write;
    const auto all_flags = static_cast<uint32_t>(flags | (trace.is_ahead ? traced::ahead : 0u));
    // Where a write was not told of ahead, nor is a read behind it, which might be of the same.
    llvm::Value *stays = trace.wraps;
    if (!writes && not_ahead_)
      stays = stays ? b.CreateOr(stays, not_ahead_) : not_ahead_;
    llvm::CallInst *const is_told =
        call(b, "ze_cpu_trace_row", b.getInt1Ty(),
             {operand(trace_operand::group), trace.row.lane, trace.row.address,
              operand(trace_operand::bytes), b.getInt32(all_flags), operand(trace_operand::place),
              writes ? b.getInt64(0) : operand(trace_operand::value), trace.row.step,
              stays ? b.CreateSelect(stays, b.getInt64(0), count_) : count_});
    is_told->addRetAttr(llvm::Attribute::ZExt);
    if (!writes && !stays) {
      trace.call->eraseFromParent();
      return;
    }
    llvm::Value *const is_done = stays ? b.CreateAnd(is_told, b.CreateNot(stays)) : is_told;
    if (trace.is_ahead) {
      llvm::Value *const is_not = b.CreateNot(is_done);
      not_ahead_ = not_ahead_ ? b.CreateOr(not_ahead_, is_not) : is_not;
    }
    leave(*trace.call, is_done, updater);
  }

  /// To each lane, unless it has been done.
  void leave(llvm::CallInst &call, llvm::Value *is_done, llvm::DomTreeUpdater &updater) {
    set_seldom(call);
    call.moveBefore(unless(is_done, &call, updater)->getIterator());
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  llvm::DominatorTree &dominators_;
  llvm::LoopInfo &loops_;
  mutable llvm::SCEVExpander expander_;
  const llvm::SCEV *taken_;
  std::vector<Hoisted> hoisted_;
  bool has_read_ = false;                         // a read that stays
  bool writes_stay_ = false, reads_stay_ = false; // behind accesses that are not hoisted
  llvm::Value *steps_ = nullptr, *count_ = nullptr;
  llvm::Value *not_ahead_ = nullptr; // whether a write was to be told of ahead, and was not
};

} // namespace

llvm::PreservedAnalyses HoistRowChecks::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool is_changed = false;
  for (llvm::Loop *loop : loops_over_lanes(loops))
    is_changed |= Hoister(*loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                          analyses.getResult<llvm::DominatorTreeAnalysis>(function), loops)
                      .run();
  return is_changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace ze_cpu
