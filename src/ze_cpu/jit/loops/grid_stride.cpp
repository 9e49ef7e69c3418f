#include "grid_stride.h"

#include "../../contract/program.h"
#include "../lanes/from_parameters.h"
#include "../lanes/lane_range.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"
#include "vectorizer_workaround.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

/// A loop that goes on while the next index is below a bound.
struct Course {
  llvm::Loop *loop;
  llvm::PHINode *index;
  llvm::Instruction *next; // index + step
  llvm::Value *start, *step, *bound;
  llvm::CmpInst::Predicate below;    // signed or not, with the bound or without
  llvm::BranchInst *guard = nullptr; // goes to the loop if the start is below the bound,
  llvm::Value *signed_bound =
      nullptr; // where that compares with a sign and the loop without, this bound
};

std::optional<llvm::CmpInst::Predicate> below(const llvm::ICmpInst &compare,
                                              const llvm::Value *value, bool holds) {
  auto predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
  if (compare.getOperand(0) != value)
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  switch (predicate) {
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_ULE:
    return predicate;
  default:
    return std::nullopt;
  }
}

class Sharing {
public:
  explicit Sharing(llvm::Function &body, Team team = {})
      : body_(body), uniformity_(body, team), dominators_(body), loops_(dominators_) {}

  bool run() {
    std::vector<Course> courses;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder()) {
      llvm::formLCSSA(*loop, dominators_, &loops_, nullptr);
      if (const auto course = find(*loop))
        courses.push_back(*course);
    }
    if (courses.empty())
      return false;
    llvm::LLVMContext &context = body_.getContext();
    llvm::BasicBlock *entry = &body_.getEntryBlock();
    auto *check = llvm::BasicBlock::Create(context, "regular", &body_, entry);
    auto *leave = llvm::BasicBlock::Create(context, "irregular", &body_);
    Builder(leave).CreateRetVoid();
    FromParameters mine(Builder(check), [](llvm::Argument &parameter) { return &parameter; });
    FromParameters firsts(Builder(check), [](llvm::Argument &parameter) -> llvm::Value * {
      switch (parameter.getArgNo()) {
      case context_parameter::lane:
        return nullptr;
      case context_parameter::local_x:
        return llvm::Constant::getNullValue(parameter.getType());
      default:
        return &parameter;
      }
    });
    llvm::Value *regular = llvm::ConstantInt::getTrue(context);
    bool changed = false;
    for (Course &course : courses) {
      llvm::Value *start = mine.value(course.start), *first = firsts.value(course.start);
      course.step = mine.value(course.step);
      course.bound = mine.value(course.bound);
      if (!start || !first || !course.step || !course.bound)
        continue;
      Builder b(check);
      regular = b.CreateAnd(regular, never_overflows(b, course, start, first));
      if (course.signed_bound) {
        llvm::Value *bound = mine.value(course.signed_bound);
        if (!bound)
          continue;
        regular = b.CreateAnd(regular, is_not_negative(b, bound));
      }
      // With nothing before the loop that asks, all take the first turn.
      if (!course.guard)
        regular = b.CreateAnd(regular, b.CreateICmp(course.below, start, course.bound));
      share(course, first);
      changed = true;
    }
    if (changed) {
      Builder(check).CreateCondBr(regular, entry, leave);
    } else {
      check->eraseFromParent();
      leave->eraseFromParent();
    }
    return changed;
  }

  /// Loops of a kernel that synchronises, each of which is kept beside the one that shares its end.
  std::vector<llvm::BasicBlock *> run_beside(const std::function<bool(size_t)> &wanted) {
    std::vector<Course> courses;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder()) {
      if (!loop->isInnermost() || llvm::any_of(loop->blocks(), [](llvm::BasicBlock *block) {
            return llvm::any_of(*block, is_sync_point);
          }))
        continue;
      llvm::formLCSSA(*loop, dominators_, &loops_, nullptr);
      if (const auto course = find(*loop))
        courses.push_back(*course);
    }
    std::vector<llvm::BasicBlock *> headers;
    size_t number = 0;
    for (Course &course : courses)
      if (wanted(number++))
        headers.push_back(share_beside(course) ? course.loop->getHeader() : nullptr);
    return headers;
  }

private:
  std::optional<Course> find(llvm::Loop &loop) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch(),
                     *header = loop.getHeader();
    if (!before || !latch || loop.getExitingBlock() != latch || !loop.getExitBlock())
      return std::nullopt;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    auto *compare = branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare)
      return std::nullopt;
    for (llvm::PHINode &index : header->phis()) {
      auto *next = llvm::dyn_cast<llvm::BinaryOperator>(index.getIncomingValueForBlock(latch));
      if (!next || next->getOpcode() != llvm::Instruction::Add ||
          !llvm::is_contained(next->operands(), &index))
        continue;
      const bool asks_before = llvm::is_contained(compare->operands(), &index);
      llvm::Value *asked = asks_before ? static_cast<llvm::Value *>(&index) : next;
      if (!llvm::is_contained(compare->operands(), asked))
        continue;
      Course course;
      course.loop = &loop;
      course.index = &index;
      course.next = next;
      course.start = index.getIncomingValueForBlock(before);
      course.step = next->getOperand(next->getOperand(0) == &index ? 1 : 0);
      course.bound = compare->getOperand(compare->getOperand(0) == asked ? 1 : 0);
      const auto predicate = below(*compare, asked, branch->getSuccessor(0) == header);
      if (!predicate || !uniformity_.is_uniform(course.step) ||
          !uniformity_.is_uniform(course.bound) || uniformity_.is_uniform(course.start))
        continue;
      course.below = *predicate;
      if (asks_before && !add_step_to_bound(course))
        continue;
      if (find_guard(course) && leaves_with_sums(course))
        return course;
    }
    return std::nullopt;
  }

  /// LLVM asks whether an index is below n - step before it adds the step, if it knows both.
  static bool add_step_to_bound(Course &course) {
    using namespace llvm::PatternMatch;
    const llvm::APInt *bound, *step;
    if (!match(course.bound, m_APInt(bound)) || !match(course.step, m_APInt(step)))
      return false;
    bool overflows = false;
    const llvm::APInt sum = llvm::CmpInst::isSigned(course.below)
                                ? bound->sadd_ov(*step, overflows)
                                : bound->uadd_ov(*step, overflows);
    course.bound = llvm::ConstantInt::get(course.bound->getType(), sum);
    return !overflows;
  }

  /// Whether both are the same lower bits of one number.
  static bool is_masked_alike(llvm::Value *number, llvm::Value *wide) {
    using namespace llvm::PatternMatch;
    auto *narrow_part = llvm::dyn_cast<llvm::Instruction>(number),
         *wide_part = llvm::dyn_cast<llvm::Instruction>(wide);
    const auto mask = narrow_part ? index_mask(*narrow_part) : std::nullopt,
               wide_mask = wide_part ? index_mask(*wide_part) : std::nullopt;
    return mask && wide_mask && wide_mask->getBitWidth() > mask->getBitWidth() &&
           mask->isNonNegative() && mask->zext(wide_mask->getBitWidth()) == *wide_mask &&
           match(narrow_part->getOperand(0), m_Trunc(m_Specific(wide_part->getOperand(0))));
  }

  /// Whether `wide` is the same number as `number`: compilers count in 64 bits, and ask before in 32.
  static bool is_widened(llvm::Value *number, llvm::Value *wide, bool is_signed) {
    using namespace llvm::PatternMatch;
    if (number == wide)
      return true;
    const llvm::APInt *constant, *wide_constant;
    if (match(number, m_APInt(constant)) && match(wide, m_APInt(wide_constant)) &&
        constant->getBitWidth() < wide_constant->getBitWidth())
      return (is_signed ? constant->sext(wide_constant->getBitWidth())
                        : constant->zext(wide_constant->getBitWidth())) == *wide_constant;
    if (is_masked_alike(number, wide))
      return true;
    if (match(wide, m_NNegZExt(m_Specific(number))) ||
        (is_signed ? match(wide, m_SExt(m_Specific(number)))
                   : match(wide, m_ZExt(m_Specific(number)))))
      return true;
    return match(number, m_Trunc(m_Specific(wide))) && LaneRange::largest_of(number) &&
           LaneRange::largest_of(wide);
  }

  /// False: some come to the loop and some do not, for another reason.
  bool find_guard(Course &course) {
    llvm::BasicBlock *before = course.loop->getLoopPreheader();
    if (uniformity_.is_uniform(before))
      return true;
    llvm::BasicBlock *from = before->getSinglePredecessor();
    auto *branch = from ? llvm::dyn_cast<llvm::BranchInst>(from->getTerminator()) : nullptr;
    auto *compare = branch && branch->isConditional()
                        ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                        : nullptr;
    if (!compare || !uniformity_.is_uniform(from))
      return false;
    course.guard = branch;
    for (const unsigned i : {0u, 1u}) {
      llvm::Value *start = compare->getOperand(i), *bound = compare->getOperand(1 - i);
      const auto asked = below(*compare, start, branch->getSuccessor(0) == before);
      const auto is_same = [&](bool is_signed) {
        return is_widened(start, course.start, is_signed) &&
               is_widened(bound, course.bound, is_signed);
      };
      if (asked == course.below && is_same(llvm::CmpInst::isSigned(course.below)))
        return true;
      // A sign makes no difference for numbers that are not negative.
      if (asked == llvm::ICmpInst::getSignedPredicate(course.below) &&
          LaneRange::largest_of(start) && (is_same(true) || is_same(false))) {
        course.signed_bound = bound;
        return true;
      }
    }
    return false;
  }

  /// What carries a value from one turn to the next.
  static llvm::PHINode *carried_as(const Course &course, const llvm::Value *value) {
    for (llvm::PHINode &phi : course.loop->getHeader()->phis())
      if (phi.getIncomingValueForBlock(course.loop->getLoopLatch()) == value)
        return &phi;
    return nullptr;
  }

  /// Whether what is used behind the loop is the same whoever decides when to leave it.
  static bool leaves_with_sums(const Course &course) {
    return llvm::all_of(course.loop->getExitBlock()->phis(), [&](llvm::PHINode &phi) {
      llvm::Value *value = phi.getIncomingValue(0);
      if (phi.getNumIncomingValues() != 1 || value == course.next)
        return false;
      return course.loop->isLoopInvariant(value) || carried_as(course, value) != nullptr;
    });
  }

  /// Whether a work-item's index can be counted on until the first of the row has left the loop:
  /// it is no further than a step and its distance from the first beyond the bound.
  static llvm::Value *never_overflows(Builder &b, const Course &course, llvm::Value *start,
                                      llvm::Value *first) {
    const bool is_signed = llvm::CmpInst::isSigned(course.below);
    auto plus = [&](llvm::Value *x, llvm::Value *y, llvm::Value *&overflows) {
      llvm::Value *both = b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::sadd_with_overflow
                                                            : llvm::Intrinsic::uadd_with_overflow,
                                                  x, y);
      llvm::Value *here = b.CreateExtractValue(both, 1);
      overflows = overflows ? b.CreateOr(overflows, here) : here;
      return b.CreateExtractValue(both, 0);
    };
    llvm::Value *overflows = nullptr;
    llvm::Value *distance = b.CreateSub(start, first);
    plus(plus(course.bound, course.step, overflows), distance, overflows);
    llvm::Value *zero = llvm::Constant::getNullValue(course.step->getType());
    llvm::Value *forward =
        is_signed ? b.CreateAnd(b.CreateICmpSGT(course.step, zero), b.CreateICmpSGE(distance, zero))
                  : b.CreateICmpNE(course.step, zero);
    llvm::Value *in_order =
        is_signed ? b.CreateICmpSGE(start, first) : b.CreateICmpUGE(start, first);
    return b.CreateAnd(b.CreateAnd(forward, in_order), b.CreateNot(overflows));
  }

  /// Whether that holds for all that begin at `first` or up to `largest` later, and, where nothing
  /// before the loop asks, all take the first turn.
  static llvm::Value *all_are_regular(Builder &b, const Course &course, llvm::Value *first,
                                      uint64_t largest) {
    const bool is_signed = llvm::CmpInst::isSigned(course.below);
    llvm::Type *type = course.index->getType();
    llvm::Value *zero = llvm::Constant::getNullValue(type),
                *most = llvm::ConstantInt::get(type, largest);
    llvm::Value *regular =
        is_signed ? b.CreateICmpSGT(course.step, zero) : b.CreateICmpNE(course.step, zero);
    auto plus = [&](llvm::Value *x, llvm::Value *y) {
      llvm::Value *both = b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::sadd_with_overflow
                                                            : llvm::Intrinsic::uadd_with_overflow,
                                                  x, y);
      regular = b.CreateAnd(regular, b.CreateNot(b.CreateExtractValue(both, 1)));
      return b.CreateExtractValue(both, 0);
    };
    plus(plus(course.bound, course.step), most);
    llvm::Value *last = plus(first, most);
    if (!course.guard)
      regular = b.CreateAnd(regular, b.CreateICmp(course.below, last, course.bound));
    if (course.signed_bound)
      regular = b.CreateAnd(regular, is_not_negative(b, course.signed_bound));
    return regular;
  }

  static llvm::Value *is_not_negative(Builder &b, llvm::Value *value) {
    return b.CreateICmpSGE(value, llvm::Constant::getNullValue(value->getType()));
  }

  bool is_known(llvm::Value *value, llvm::BasicBlock &at_end_of) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getParent() == &at_end_of ||
           dominators_.dominates(instruction->getParent(), &at_end_of);
  }

  /// What a loop computes anew in each turn, computed where the builder stands. Null: it cannot be.
  llvm::Value *computed_before(Builder &b, llvm::Value *value) {
    if (is_known(value, *b.GetInsertBlock()))
      return value;
    auto *instruction = llvm::cast<llvm::Instruction>(value);
    if (!FromParameters::may_move(*instruction))
      return nullptr;
    llvm::SmallVector<llvm::Value *> operands;
    for (llvm::Value *operand : instruction->operands()) {
      operands.push_back(computed_before(b, operand));
      if (!operands.back())
        return nullptr;
    }
    return FromParameters::copy_with(b, *instruction, operands);
  }

  bool share_beside(Course &course) {
    dominators_.recalculate(body_); // others may have been shared before
    llvm::BasicBlock *before = course.loop->getLoopPreheader(), *exit = course.loop->getExitBlock(),
                     *latch = course.loop->getLoopLatch();
    llvm::BasicBlock *from = course.guard ? course.guard->getParent() : before;
    Builder b(from->getTerminator());
    course.step = computed_before(b, course.step);
    course.bound = course.step ? computed_before(b, course.bound) : nullptr;
    if (!course.bound)
      return false;
    LaneRange lanes(uniformity_);
    const auto start = is_known(course.start, *from) ? lanes.of(b, course.start)
                                                     : lanes.without_shared(course.start);
    if (!start)
      return false;
    llvm::Value *first =
        start->shared ? start->shared : llvm::Constant::getNullValue(course.index->getType());
    llvm::Value *regular = all_are_regular(b, course, first, start->largest);

    // As it was, for those numbers with which it cannot be shared.
    if (!course.guard)
      before = from->splitBasicBlock(from->getTerminator(), "before");
    llvm::FoldSingleEntryPHINodes(before);
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock *> blocks{before}, copied;
    blocks.append(course.loop->block_begin(), course.loop->block_end());
    for (llvm::BasicBlock *block : blocks) {
      copied.push_back(llvm::CloneBasicBlock(block, copies, ".apart", &body_));
      copies[block] = copied.back();
    }
    llvm::remapInstructionsInBlocks(copied, copies);
    auto copy_of = [&](llvm::Value *value) {
      llvm::Value *copy = copies.lookup(value);
      return copy ? copy : value;
    };
    for (llvm::PHINode &phi : exit->phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(latch)),
                      llvm::cast<llvm::BasicBlock>(copy_of(latch)));
    llvm::BasicBlock *together = before, *apart = copied.front();
    if (course.guard) {
      together = from->splitBasicBlock(course.guard, "together");
      apart = llvm::BasicBlock::Create(body_.getContext(), "apart", &body_, together);
      llvm::Instruction *guard = course.guard->clone();
      guard->insertInto(apart, apart->end());
      llvm::BasicBlock *around = nullptr;
      for (unsigned i = 0; i < 2; ++i)
        if (guard->getSuccessor(i) == before)
          guard->setSuccessor(i, copied.front());
        else
          around = guard->getSuccessor(i);
      for (llvm::PHINode &phi : around->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(together), apart);
    }
    from->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(together, apart, regular, from);
    share(course, first);
    return true;
  }

  static void share(const Course &course, llvm::Value *first) {
    llvm::BasicBlock *before = course.loop->getLoopPreheader(), *header = course.loop->getHeader(),
                     *latch = course.loop->getLoopLatch(), *exit = course.loop->getExitBlock();
    llvm::Function &body = *header->getParent();
    const bool is_one_block = header == latch;
    llvm::BasicBlock *turn = header->splitBasicBlock(header->getFirstNonPHIIt(), "turn");
    if (is_one_block)
      latch = turn;
    auto *step = llvm::BasicBlock::Create(body.getContext(), "step", &body, exit);

    Builder b(header->getTerminator());
    b.CreateCondBr(b.CreateICmp(course.below, course.index, course.bound), turn, step);
    header->getTerminator()->eraseFromParent();

    b.SetInsertPoint(step);
    llvm::SmallVector<llvm::PHINode *> carried;
    for (llvm::PHINode &phi : header->phis())
      carried.push_back(&phi);
    for (llvm::PHINode *phi : carried) {
      llvm::Value *after = phi->getIncomingValueForBlock(latch);
      const auto place = static_cast<unsigned>(phi->getBasicBlockIndex(latch));
      llvm::Value *next;
      if (phi == course.index) {
        next = nullptr; // below, behind all PHI nodes
      } else {
        llvm::PHINode *merged = b.CreatePHI(phi->getType(), 2);
        merged->addIncoming(after, latch);
        merged->addIncoming(phi, header);
        for (llvm::PHINode &left : exit->phis())
          if (left.getIncomingValue(0) == after)
            left.setIncomingValue(0, merged);
        next = merged;
      }
      phi->setIncomingBlock(place, step);
      if (next)
        phi->setIncomingValue(place, next);
    }
    course.index->setIncomingValueForBlock(step, b.CreateAdd(course.index, course.step));
    for (llvm::PHINode &left : exit->phis())
      left.setIncomingBlock(0, step);

    Builder h(&header->front());
    llvm::PHINode *smallest = h.CreatePHI(course.index->getType(), 2);
    llvm::Value *smallest_next = b.CreateAdd(smallest, course.step);
    smallest->addIncoming(first, before);
    smallest->addIncoming(smallest_next, step);
    b.CreateCondBr(b.CreateICmp(course.below, smallest_next, course.bound), header, exit);
    latch->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(step, latch);

    if (course.guard) {
      // All go to the loop if the first does. Who had nothing to do there goes on behind it as if
      // it had gone around.
      llvm::BasicBlock *from = course.guard->getParent();
      const unsigned around_place = course.guard->getSuccessor(0) == before ? 1 : 0;
      llvm::BasicBlock *around = course.guard->getSuccessor(around_place);
      llvm::BasicBlock *behind = exit->splitBasicBlock(exit->getFirstNonPHIIt(), "behind");
      llvm::Value *condition = course.guard->getCondition();
      exit->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(around_place == 1 ? behind : around,
                               around_place == 1 ? around : behind, condition, exit);
      for (llvm::PHINode &phi : around->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(from), exit);
      b.SetInsertPoint(course.guard);
      llvm::Value *goes = b.CreateICmp(course.below, first, course.bound);
      course.guard->setCondition(around_place == 1 ? goes : b.CreateNot(goes));
    }
  }

  llvm::Function &body_;
  const Uniformity uniformity_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
};

} // namespace

bool share_ends(llvm::Function &body) {
  // A variable of the kernel would no longer be in its first block.
  for (llvm::Instruction &instruction : llvm::instructions(body))
    if (llvm::isa<llvm::AllocaInst>(instruction))
      return false;
  return Sharing(body).run();
}

std::vector<llvm::BasicBlock *> share_ends_beside(llvm::Function &body, Team team,
                                                  const std::function<bool(size_t)> &wanted) {
  return Sharing(body, team).run_beside(wanted);
}

} // namespace ze_cpu
