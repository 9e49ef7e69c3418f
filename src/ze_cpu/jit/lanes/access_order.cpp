#include "access_order.h"

#include "../../contract/kernel_code.h"
#include "../codegen/loop_analyses.h"
#include "../lower/work_item.h"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;

struct Access {
  llvm::Instruction *instruction;
  bool stores;
  const llvm::SCEV *place = nullptr; // null: anywhere
  uint64_t bytes = 0;
  int64_t step = 0; // from one lane to the next; 0: not known
};

class LaneAccesses {
public:
  LaneAccesses(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution)
      : loop_(loop), evolution_(evolution), assumed_(evolution, loop) {
    llvm::LoopBlocksRPO order(&loop);
    order.perform(&loops);
    for (llvm::BasicBlock *block : order)
      for (llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory() && !is_no_access(instruction))
          accesses_.push_back(describe(instruction));
  }

  bool keep_order() {
    bool changed = false;
    for (size_t first = 0; first < accesses_.size(); ++first)
      for (size_t second = first + 1; second < accesses_.size(); ++second)
        if (are_moved_together(accesses_[first], accesses_[second]) && must_stay(first, second)) {
          hide(accesses_[first]);
          hide(accesses_[second]);
          changed = true;
        }
    return changed;
  }

private:
  static bool is_no_access(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call &&
           (call->isAssumeLikeIntrinsic() || call->getIntrinsicID() == llvm::Intrinsic::prefetch);
  }

  Access describe(llvm::Instruction &instruction) {
    Access access{&instruction, instruction.mayWriteToMemory()};
    llvm::Value *const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer)
      return access;
    access.place = evolution_.getSCEV(pointer);
    access.bytes =
        loop_.getHeader()->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction));
    const auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(access.place);
    if (!course && !evolution_.isLoopInvariant(access.place, &loop_))
      // As the vectoriser does, which asks in front of the loop then.
      course = assumed_.getAsAddRec(pointer);
    if (course && course->getLoop() == &loop_ && course->isAffine())
      if (auto *step = llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_))) {
        access.place = course;
        access.step = step->getAPInt().getSExtValue();
      }
    return access;
  }

  std::optional<int64_t> distance(const llvm::SCEV *from, const llvm::SCEV *to) const {
    const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(to, from));
    return constant ? std::optional(constant->getAPInt().getSExtValue()) : std::nullopt;
  }

  bool are_moved_together(const Access &first, const Access &second) const {
    constexpr uint64_t most_apart = 8; // elements from lane to lane that the vectoriser takes
    const auto step = static_cast<uint64_t>(std::abs(first.step));
    if (first.stores != second.stores || first.step != second.step || first.bytes != second.bytes ||
        step <= first.bytes || step > most_apart * first.bytes || is_private(first.place))
      return false;
    const std::optional<int64_t> apart = distance(first.place, second.place);
    return apart && static_cast<uint64_t>(std::abs(*apart)) < step;
  }

  /// Whether what the two would be moved past may be to the same memory.
  bool must_stay(size_t first, size_t second) const {
    const Access &moved = accesses_[accesses_[first].stores ? first : second];
    for (size_t between = first + 1; between < second; ++between)
      if ((accesses_[between].stores || moved.stores) && may_meet(moved, accesses_[between]))
        return true;
    return false;
  }

  bool may_meet(const Access &a, const Access &b) const {
    if (!b.place)
      return true;
    const llvm::SCEV *const base = evolution_.getPointerBase(a.place),
                            *const other = evolution_.getPointerBase(b.place);
    if (base == other)
      return may_overlap(a, b, evolution_.getMinusSCEV(b.place, a.place), true);
    if (!evolution_.isLoopInvariant(base, &loop_) || !evolution_.isLoopInvariant(other, &loop_))
      return true;
    return may_overlap(a, b,
                       evolution_.getMinusSCEV(evolution_.removePointerBase(b.place),
                                               evolution_.removePointerBase(a.place)),
                       false);
  }

  /// `unknown`: what it is where the distance is not known.
  bool may_overlap(const Access &a, const Access &b, const llvm::SCEV *apart, bool unknown) const {
    if (llvm::isa<llvm::SCEVCouldNotCompute>(apart))
      return unknown;
    if (const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(apart)) {
      const int64_t bytes = constant->getAPInt().getSExtValue();
      return bytes < static_cast<int64_t>(a.bytes) && -bytes < static_cast<int64_t>(b.bytes);
    }
    if (!unknown || a.step != b.step)
      return unknown;
    // A multiple of the step apart, and a part of one: other lanes' elements, or the same lane's.
    const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(apart);
    const auto *part = sum ? llvm::dyn_cast<llvm::SCEVConstant>(sum->getOperand(0)) : nullptr;
    const llvm::SCEV *const rest = part ? evolution_.getMinusSCEV(apart, part) : apart;
    const auto step = static_cast<uint64_t>(std::abs(a.step));
    if (evolution_.getConstantMultiple(rest).urem(step) != 0)
      return true;
    const int64_t offset = part ? part->getAPInt().getSExtValue() % static_cast<int64_t>(step) : 0;
    const auto within =
        static_cast<uint64_t>(offset < 0 ? offset + static_cast<int64_t>(step) : offset);
    return within < a.bytes || within + b.bytes > step;
  }

  /// Lanes' own memory, whose order is seen to where regions are made.
  bool is_private(const llvm::SCEV *place) const {
    const auto *base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(place));
    if (!base)
      return false;
    const llvm::Function &function = *loop_.getHeader()->getParent();
    const llvm::Value *context;
    const llvm::APInt *offset;
    return llvm::isa<llvm::AllocaInst, llvm::Argument>(base->getValue()) ||
           (match(base->getValue(), m_Load(m_PtrAdd(m_Value(context), m_APInt(offset)))) &&
            context == function.getArg(context_parameter::group) &&
            *offset == offsetof(GroupContext, lane_memory));
  }

  void hide(const Access &access) {
    llvm::Value *const pointer = llvm::getLoadStorePointerOperand(access.instruction);
    llvm::Value *const zero = nothing();
    if (!zero || !hidden_.insert(access.instruction).second)
      return;
    llvm::IRBuilder<> b(access.instruction);
    llvm::Value *const same = b.CreatePtrAdd(pointer, zero);
    access.instruction->setOperand(access.stores ? llvm::StoreInst::getPointerOperandIndex()
                                                 : llvm::LoadInst::getPointerOperandIndex(),
                                   same);
  }

  /// What is 0 for each lane, as only execution knows.
  llvm::Value *nothing() {
    if (zero_)
      return zero_;
    llvm::PHINode *counter = nullptr;
    for (llvm::PHINode &phi : loop_.getHeader()->phis())
      if (phi.getType()->isIntegerTy(64) &&
          llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi)))
        counter = &phi;
    if (!counter) { // not as it should be: one lane after the other then
      llvm::addStringMetadataToLoop(&loop_, "llvm.loop.vectorize.enable", 0);
      return nullptr;
    }
    llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
    llvm::Value *const none = before.CreateNot(
        load_member(before, loop_.getHeader()->getParent()->getArg(context_parameter::group),
                    offsetof(GroupContext, all_bits), before.getInt64Ty()));
    llvm::IRBuilder<> first(&*loop_.getHeader()->getFirstInsertionPt());
    return zero_ = first.CreateAnd(counter, none);
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  llvm::PredicatedScalarEvolution assumed_;
  std::vector<Access> accesses_; // in the order of the program
  llvm::SmallPtrSet<llvm::Instruction *, 8> hidden_;
  llvm::Value *zero_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses KeepAccessOrder::run(llvm::Function &function,
                                             llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop *loop : all_loops_over_lanes(loops))
    if (loop->isInnermost() && loop->isAnnotatedParallel())
      changed |= LaneAccesses(*loop, loops, evolution).keep_order();
  return kept_by_pass(changed);
}

} // namespace ze_cpu
