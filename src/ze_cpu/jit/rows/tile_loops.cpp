#include "tile_loops.h"

#include "../../contract/kernel_code.h"
#include "../../contract/program.h"
#include "../front/check_calls.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;
using Builder = llvm::IRBuilder<>;

constexpr const char *meeting_mark = "ze_cpu.meeting", *kept_mark = "ze_cpu.kept";

// Shorter rows are no vectors.
constexpr uint64_t shortest_row = 4;

/// for (index = start; index < bound; index += step), where all but the start are the same for all.
struct TileLoop {
  llvm::Loop *loop;
  llvm::PHINode *index;
  llvm::Instruction *next;
  llvm::Value *start, *step, *bound;
  uint64_t row_length;
  llvm::BasicBlock *from;          // to which all come, before the loop
  llvm::ICmpInst *guard = nullptr; // goes to the loop if it says so, else around
  llvm::Value *guarded = nullptr,
              *guard_bound =
                  nullptr; // which it compares: it says so if the first is below the second
};

/// Two numbers of which a comparison says whether the first is below the second.
struct Below {
  llvm::Value *number, *bound;
};

// Numbers that are compared here are not negative: who asks for that does not care about signs.
std::optional<Below> below(const llvm::ICmpInst &compare, bool holds) {
  const auto predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
  if (predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_ULT)
    return Below{compare.getOperand(0), compare.getOperand(1)};
  if (predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_UGT)
    return Below{compare.getOperand(1), compare.getOperand(0)};
  return std::nullopt;
}

bool is_local_id(const llvm::Value *value) {
  const auto *parameter = llvm::dyn_cast<llvm::Argument>(value);
  return parameter && parameter->getArgNo() >= context_parameter::local_x &&
         parameter->getArgNo() <= context_parameter::lane;
}

/// What a number is made of: x, y, z and the lane's number, each times a factor that all share; null: 0. As all numbers of
/// a type, these wrap around.
using Factors = std::array<llvm::Value *, 4>;

class FactorFinder {
public:
  FactorFinder(const Uniformity &uniformity, const llvm::DominatorTree &dominators, Builder &b)
      : uniformity_(uniformity), dominators_(dominators), b_(b) {}

  std::optional<Factors> of(llvm::Value *value) {
    llvm::Type *type = value->getType();
    if (!type->isIntegerTy() || type->getIntegerBitWidth() < 16) // local ids and lanes have 10 bits
      return std::nullopt;
    llvm::Value *from = nullptr, *other = nullptr;
    if (is_local_id(value)) {
      Factors factors{};
      factors[llvm::cast<llvm::Argument>(value)->getArgNo() - context_parameter::local_x] =
          llvm::ConstantInt::get(type, 1);
      return factors;
    }
    if (match(value, m_Trunc(m_Value(from))))
      return each(of(from), [&](llvm::Value *factor) { return b_.CreateTrunc(factor, type); });
    if (match(value, m_ZExtOrSExt(m_Value(from))))
      return of_extension(from, type);
    if (match(value, m_AddLike(m_Value(from), m_Value(other))))
      return sum(of(from), of(other));
    if (match(value, m_Shl(m_Value(from), m_ConstantInt())))
      return each(of(from), [&](llvm::Value *factor) {
        return b_.CreateShl(factor, llvm::cast<llvm::Instruction>(value)->getOperand(1));
      });
    if (match(value, m_Mul(m_Value(from), m_Value(other)))) {
      if (is_known(from))
        std::swap(from, other);
      if (is_known(other))
        return each(of(from), [&](llvm::Value *factor) { return b_.CreateMul(factor, other); });
    }
    return std::nullopt;
  }

private:
  // The number itself is one of 10 bits, and the same with more of them; sums may have wrapped around.
  std::optional<Factors> of_extension(llvm::Value *from, llvm::Type *type) {
    llvm::Value *whole = from;
    match(from, m_Trunc(m_Value(whole)));
    if (!is_local_id(whole) || from->getType()->getIntegerBitWidth() < 16)
      return std::nullopt;
    return each(of(from), [&](llvm::Value *factor) { return b_.CreateZExt(factor, type); });
  }

  static std::optional<Factors> each(std::optional<Factors> factors, auto change) {
    if (factors)
      for (llvm::Value *&factor : *factors)
        if (factor)
          factor = change(factor);
    return factors;
  }

  std::optional<Factors> sum(std::optional<Factors> left, const std::optional<Factors> &right) {
    if (!left || !right)
      return std::nullopt;
    for (unsigned i = 0; i < left->size(); ++i)
      if (llvm::Value *&factor = (*left)[i]; (*right)[i])
        factor = factor ? b_.CreateAdd(factor, (*right)[i]) : (*right)[i];
    return left;
  }

  bool is_known(const llvm::Value *value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return uniformity_.is_uniform(value) &&
           (!instruction || dominators_.dominates(instruction, &*b_.GetInsertPoint()));
  }

  const Uniformity &uniformity_;
  const llvm::DominatorTree &dominators_;
  Builder &b_;
};

class RowWriter {
public:
  RowWriter(llvm::Function &body, Team team)
      : body_(body), uniformity_(body, team), dominators_(body), loops_(dominators_) {}

  bool run() {
    if (!meets_as_a_whole())
      return false;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (const std::optional<TileLoop> found = find(*loop); found && write(*found))
        return true; // what is known of the function has changed
    return false;
  }

private:
  /// Whether it is nothing but whole work-groups that meet, and all of their lanes come to all points where they do: then these are
  /// together at all uniform branches, too.
  bool meets_as_a_whole() const {
    return llvm::all_of(sync_points(body_), [&](const llvm::CallInst *marker) {
      return operation_of(*marker).scope != SyncScope::sub_group &&
             uniformity_.is_uniform(marker->getParent());
    });
  }

  std::optional<TileLoop> find(llvm::Loop &loop) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
    if (!before || !latch || !loop.isInnermost() || loop.getExitingBlock() != latch ||
        !loop.getExitBlock() || loop.getHeader()->hasNPredecessorsOrMore(3) ||
        loop.getHeader()->getTerminator()->hasMetadata(kept_mark))
      return std::nullopt;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    auto *compare = branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    auto *index = llvm::dyn_cast<llvm::PHINode>(&loop.getHeader()->front());
    if (!compare || !index || llvm::isa<llvm::PHINode>(index->getNextNode()) ||
        !index->getType()->isIntegerTy())
      return std::nullopt;
    TileLoop found{};
    found.loop = &loop;
    found.index = index;
    found.start = index->getIncomingValueForBlock(before);
    found.next = llvm::dyn_cast<llvm::Instruction>(index->getIncomingValueForBlock(latch));
    const auto goes_on = below(*compare, branch->getSuccessor(0) == loop.getHeader());
    if (!found.next || !goes_on ||
        !match(found.next, m_c_Add(m_Specific(index), m_Value(found.step))))
      return std::nullopt;
    if (goes_on->number == found.next)
      found.bound = goes_on->bound;
    else if (goes_on->number != index || !add_step(found, *goes_on->bound))
      return std::nullopt;
    found.row_length = row_length(found);
    if (found.row_length < shortest_row || !find_guard(found) || !goes_by_number(found))
      return std::nullopt;
    for (llvm::Value *shared : {found.step, found.bound})
      if (!is_known(shared, found))
        return std::nullopt;
    return found;
  }

  // LLVM compares the number before, if it knows what the bound is less a step.
  static bool add_step(TileLoop &found, const llvm::Value &last) {
    const llvm::APInt *step, *bound;
    if (!match(found.step, m_APInt(step)) || !match(&last, m_APInt(bound)))
      return false;
    bool overflows = false;
    found.bound = llvm::ConstantInt::get(last.getType(), bound->sadd_ov(*step, overflows));
    return !bound->isNegative() && !overflows;
  }

  /// The smallest number by which the index is divided.
  static uint64_t row_length(const TileLoop &found) {
    uint64_t length = 0;
    const auto look = [&](llvm::Value *number) {
      for (const llvm::User *user : number->users()) {
        const llvm::APInt *divisor = nullptr;
        if (match(user, m_IDiv(m_Specific(number), m_APInt(divisor))) ||
            match(user, m_IRem(m_Specific(number), m_APInt(divisor))))
          if (divisor->isStrictlyPositive() && (!length || divisor->ult(length)))
            length = divisor->getLimitedValue();
      }
    };
    look(found.index);
    for (llvm::User *user : found.index->users())
      if (llvm::isa<llvm::FreezeInst>(user))
        look(user);
    return length;
  }

  /// Where all are before they come to the loop, and what keeps some from it if it is their number.
  bool find_guard(TileLoop &found) {
    llvm::BasicBlock *before = found.loop->getLoopPreheader();
    found.from = before;
    if (!uniformity_.is_uniform(before)) {
      found.from = before->getSinglePredecessor();
      auto *branch =
          found.from ? llvm::dyn_cast<llvm::BranchInst>(found.from->getTerminator()) : nullptr;
      found.guard = branch && branch->isConditional()
                        ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                        : nullptr;
      if (!found.guard || !uniformity_.is_uniform(found.from))
        return false;
      const unsigned into = branch->getSuccessor(0) == before ? 0 : 1;
      const auto enters = below(*found.guard, into == 0);
      if (!enters || branch->getSuccessor(1 - into) != behind(found) ||
          !is_known(enters->bound, found))
        return false;
      found.guarded = enters->number;
      found.guard_bound = enters->bound;
    }
    return !uniformity_.is_apart_behind(*found.from) && behind(found)->phis().empty() &&
           found.loop->getExitBlock()->phis().empty();
  }

  /// The block that comes after the loop, whether it has been gone through or not.
  static llvm::BasicBlock *behind(const TileLoop &found) {
    llvm::BasicBlock *exit = found.loop->getExitBlock();
    return found.guard && exit->size() == 1 && exit->getSingleSuccessor()
               ? exit->getSingleSuccessor()
               : exit;
  }

  bool is_known(const llvm::Value *value, const TileLoop &found) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return uniformity_.is_uniform(value) &&
           (!instruction || dominators_.dominates(instruction, found.from->getTerminator()));
  }

  /// Whether all that a turn does is told by its number and what all share, and nobody asks behind the loop who did it.
  bool goes_by_number(const TileLoop &found) const {
    const auto is_inside = [&](const llvm::BasicBlock *block) {
      return found.loop->contains(block) ||
             (found.guard && block == found.loop->getLoopPreheader());
    };
    llvm::SmallVector<llvm::BasicBlock *> blocks(found.loop->blocks());
    if (found.guard)
      blocks.push_back(found.loop->getLoopPreheader());
    return llvm::all_of(blocks, [&](llvm::BasicBlock *block) {
      return llvm::all_of(*block, [&](llvm::Instruction &instruction) {
        if (&instruction != found.index && !may_be_done_by_another(instruction))
          return false;
        if (!found.loop->contains(block) &&
            (instruction.mayWriteToMemory() || llvm::isa<llvm::PHINode>(instruction)))
          return false;
        for (const llvm::User *user : instruction.users())
          if (!is_inside(llvm::cast<llvm::Instruction>(user)->getParent()))
            return false;
        return llvm::all_of(instruction.operands(), [&](const llvm::Use &operand) {
          const auto *computed = llvm::dyn_cast<llvm::Instruction>(operand);
          return llvm::isa<llvm::BasicBlock>(operand) ||
                 (&instruction == found.index && operand == found.start) ||
                 (computed && is_inside(computed->getParent())) || is_known(operand, found);
        });
      });
    });
  }

  static bool may_be_done_by_another(const llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isSimple();
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isSimple();
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent() &&
             call->doesNotAccessMemory();
    return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
  }

  /// Whether `number` is that of each lane, for work-groups of this shape; null: it never is.
  llvm::Value *is_lane(Builder &b, llvm::Value *number, llvm::ArrayRef<llvm::Value *> size) {
    llvm::Value *narrow = nullptr;
    if (match(number, m_ZExtOrSExt(m_Value(narrow))) &&
        narrow->getType()->getIntegerBitWidth() >= 16)
      number = narrow; // which is the same if that is a lane's number
    const auto factors = FactorFinder(uniformity_, dominators_, b).of(number);
    if (!factors)
      return nullptr;
    const auto is_factor = [&](unsigned i, llvm::Value *of) {
      return b.CreateICmpEQ((*factors)[i], b.CreateTrunc(of, number->getType()));
    };
    llvm::Value *one = b.getInt64(1);
    if ((*factors)[3])
      return (*factors)[0] || (*factors)[1] || (*factors)[2] ? nullptr : is_factor(3, one);
    if (!(*factors)[0] || !match((*factors)[0], m_One()))
      return nullptr;
    llvm::Value *of[] = {one, size[0], b.CreateMul(size[0], size[1])}, *all = b.getTrue();
    for (unsigned i = 1; i < 3; ++i) {
      llvm::Value *is_flat = b.CreateICmpEQ(size[i], one); // all have 0
      all = b.CreateAnd(all, (*factors)[i] ? b.CreateOr(is_flat, is_factor(i, of[i])) : is_flat);
    }
    return all;
  }

  // Lanes of a work-group run in any order between two points where it meets. Turn by turn, and in each turn by their numbers,
  // they go through 0, 1, 2 and so on to the bound if they begin at their own numbers and take steps of as many as they are. What
  // is done for a number does not depend on who does it, so the first one can do all, if the work-group meets before and after.
  bool write(const TileLoop &found) {
    llvm::Instruction *end = found.from->getTerminator();
    Builder b(end);
    llvm::Value *context = body_.getArg(context_parameter::group), *size[3];
    for (unsigned i = 0; i < 3; ++i)
      size[i] = load_group_size(b, context, i);
    llvm::Value *is_regular = is_lane(b, found.start, size);
    llvm::Value *is_guarded =
        is_regular && found.guard ? is_lane(b, found.guarded, size) : b.getTrue();
    if (!is_regular || !is_guarded)
      return false;
    const auto wide = [&](llvm::Value *number) { return b.CreateSExt(number, b.getInt64Ty()); };
    llvm::Value *lanes = b.CreateMul(b.CreateMul(size[0], size[1]), size[2]);
    llvm::Type *type = found.index->getType();
    // No number wraps around, nor is one negative, so that signs do not matter.
    llvm::Value *last = llvm::ConstantInt::get(
        type, llvm::APInt::getSignedMaxValue(type->getIntegerBitWidth()) - max_group_size);
    llvm::Value *conditions[] = {
        is_guarded, b.CreateICmpEQ(wide(found.step), lanes), b.CreateICmpULE(found.bound, last),
        found.guard ? b.CreateICmpEQ(wide(found.guard_bound), wide(found.bound))
                    : b.CreateICmpUGE(wide(found.bound), lanes)}; // all take the first turn
    for (llvm::Value *condition : conditions)
      is_regular = b.CreateAnd(is_regular, condition);

    // Who would be undefined in the loop alone is not before.
    is_regular = b.CreateFreeze(is_regular);

    llvm::BasicBlock *after = behind(found);
    llvm::BasicBlock *apart = found.from->splitBasicBlock(end, "apart");
    auto *first = block("first"), *done = block("rows.done");
    found.from->getTerminator()->eraseFromParent();
    mark(*llvm::BranchInst::Create(first, apart, is_regular, found.from), meeting_mark);
    Builder f(first);
    llvm::Value *is_first = f.CreateICmpEQ(body_.getArg(context_parameter::lane), f.getInt64(0));
    f.CreateCondBr(is_first, copy(found, *done), done);
    llvm::BranchInst *leave = llvm::BranchInst::Create(after, done);
    if (!is_sync_point(*after->getFirstNonPHIIt())) // where it meets anyway
      mark(*leave, meeting_mark);
    mark(*found.loop->getHeader()->getTerminator(), kept_mark);
    return true;
  }

  /// for (row = 0; row < bound; row += length) for (column = 0; column < min(length, bound - row); ++column)
  llvm::BasicBlock *copy(const TileLoop &found, llvm::BasicBlock &done) {
    llvm::Type *type = found.index->getType();
    llvm::Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1),
                *length = llvm::ConstantInt::get(type, found.row_length);
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock *> blocks(found.loop->blocks()), copied;
    auto *begin = block("rows"), *row = block("row"), *row_end = block("row.end");
    Builder b(begin);
    if (found.guard) // what the loop only reads
      for (llvm::Instruction &instruction : *found.loop->getLoopPreheader())
        if (!instruction.isTerminator()) {
          llvm::Instruction *computed = instruction.clone();
          copies[&instruction] = b.Insert(computed);
          llvm::RemapInstruction(computed, copies, llvm::RF_IgnoreMissingLocals);
        }
    b.CreateCondBr(b.CreateICmpSGT(found.bound, zero), row, &done);
    for (llvm::BasicBlock *each : blocks) {
      copied.push_back(llvm::CloneBasicBlock(each, copies, ".row", &body_));
      copies[each] = copied.back();
    }
    llvm::remapInstructionsInBlocks(copied, copies);
    auto *header = llvm::cast<llvm::BasicBlock>(copies[found.loop->getHeader()]);
    auto *latch = llvm::cast<llvm::BasicBlock>(copies[found.loop->getLoopLatch()]);
    auto *index = llvm::cast<llvm::PHINode>(copies[found.index]);

    b.SetInsertPoint(row);
    llvm::PHINode *number = b.CreatePHI(type, 2), *first = b.CreatePHI(type, 2);
    llvm::Value *count = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, length,
                                                 b.CreateSub(found.bound, first, "", true, true));
    b.CreateBr(header);
    b.SetInsertPoint(header, header->begin());
    llvm::PHINode *column = b.CreatePHI(type, 2);
    b.SetInsertPoint(header, header->getFirstInsertionPt());
    llvm::Value *at = b.CreateAdd(first, column, "", true, true);
    replace_parts(*index, found.row_length, number, column);
    index->replaceAllUsesWith(at);
    index->eraseFromParent();

    latch->getTerminator()->eraseFromParent();
    b.SetInsertPoint(latch);
    llvm::Value *next = b.CreateAdd(column, one, "", true, true);
    b.CreateCondBr(b.CreateICmpULT(next, count), header, row_end);
    column->addIncoming(zero, row);
    column->addIncoming(next, latch);
    b.SetInsertPoint(row_end);
    llvm::Value *next_first = b.CreateAdd(first, length);
    number->addIncoming(zero, begin);
    number->addIncoming(b.CreateAdd(number, one, "", true, true), row_end);
    first->addIncoming(zero, begin);
    first->addIncoming(next_first, row_end);
    b.CreateCondBr(b.CreateICmpULT(next_first, found.bound), row, &done);
    return begin;
  }

  // The quotient, and what is left, also as a difference: LLVM writes it so.
  static void replace_parts(llvm::PHINode &index, uint64_t length, llvm::Value *row,
                            llvm::Value *column) {
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    const auto replace = [&](llvm::Instruction *part, llvm::Value *by) {
      part->replaceAllUsesWith(by);
      replaced.push_back(part);
    };
    const auto is_quotient = [&](llvm::Value *value) {
      return match(value, m_IDiv(m_Specific(&index), m_SpecificInt(length)));
    };
    // Nothing that this one is made of is poison.
    for (llvm::User *user : llvm::make_early_inc_range(index.users()))
      if (llvm::isa<llvm::FreezeInst>(user))
        replace(llvm::cast<llvm::Instruction>(user), &index);
    llvm::SmallVector<llvm::Instruction *> users, quotients;
    const llvm::APInt negative = -llvm::APInt(index.getType()->getIntegerBitWidth(), length);
    for (llvm::User *user : index.users())
      users.push_back(llvm::cast<llvm::Instruction>(user));
    for (llvm::Instruction *user : users) {
      llvm::Value *quotient = nullptr;
      if (is_quotient(user))
        quotients.push_back(user);
      else if (match(user, m_IRem(m_Specific(&index), m_SpecificInt(length))) ||
               ((match(user, m_c_Add(m_Specific(&index),
                                     m_Mul(m_Value(quotient), m_SpecificInt(negative)))) ||
                 match(user, m_Sub(m_Specific(&index),
                                   m_Mul(m_Value(quotient), m_SpecificInt(length))))) &&
                is_quotient(quotient)))
        replace(user, column);
    }
    for (llvm::Instruction *quotient : quotients)
      replace(quotient, row);
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

  llvm::BasicBlock *block(const char *name) {
    return llvm::BasicBlock::Create(body_.getContext(), name, &body_);
  }

  static void mark(llvm::Instruction &end, const char *name) {
    end.setMetadata(name, llvm::MDNode::get(end.getContext(), {}));
  }

  llvm::Function &body_;
  const Uniformity uniformity_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
};

} // namespace

bool go_by_rows(llvm::Function &body, Team team) {
  // Checks ask who does what.
  if (team.is_sub_group || llvm::any_of(llvm::instructions(body), [](llvm::Instruction &each) {
        return is_check(each) || is_trace(each);
      }))
    return false;
  bool changed = false;
  while (RowWriter(body, team).run())
    changed = true;
  return changed;
}

bool meets_behind(const llvm::BasicBlock &block) {
  return block.getTerminator()->hasMetadata(meeting_mark);
}

} // namespace ze_cpu
