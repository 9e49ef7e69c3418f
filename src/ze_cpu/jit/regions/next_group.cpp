#include "next_group.h"

#include "../codegen/kernel_entries.h"
#include "../lanes/lane_loop.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr uint64_t line_bytes = 64;
constexpr size_t most_accesses = 32, most_instructions = 48;

// What values are for another work-group, computed anew.
class NextGroup {
public:
  NextGroup(const LaneLoop &loop, llvm::Value *group_x, const llvm::DominatorTree &dominators,
            Builder &b)
      : loop_(loop), group_x_(group_x), dominators_(dominators), b_(b) {}

  /// The value in lane `step`, 0 or 1, of the next group; null if that cannot be told. Code is added even then.
  llvm::Value *value_of(llvm::Value *value, unsigned step) {
    made_ = 0;
    return at(value, step);
  }

  bool depends_on_group(const llvm::Value *value) { return depends(value, group_x_, of_group_); }

  /// How much larger a value is in each lane than in the one before, if that is known here. Numbers that wrap around do not matter:
  /// what is fetched may be anything.
  std::optional<int64_t> stride_of(const llvm::Value *value);

  /// Whether all lanes of the row come to a block of the loop, or none do, in the next group: none if that depends on the lane.
  std::optional<llvm::Value *> condition_of(llvm::BasicBlock &block);

private:
  bool depends_on_lane(const llvm::Value *value) { return depends(value, loop_.step, of_lane_); }

  using Known = llvm::DenseMap<const llvm::Value *, bool>;

  static bool depends(const llvm::Value *value, const llvm::Value *on, Known &known) {
    if (value == on)
      return true;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction)
      return false;
    if (auto [found, is_new] = known.try_emplace(instruction, false); !is_new)
      return found->second;
    const bool result = llvm::any_of(instruction->operands(), [&](const llvm::Use &use) {
      return depends(use.get(), on, known);
    });
    return known[instruction] = result;
  }

  llvm::Value *at(llvm::Value *value, unsigned step) {
    if (value == group_x_)
      return b_.CreateAdd(value, b_.getInt64(1));
    if (value == loop_.step)
      return b_.getInt64(step);
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || (dominators_.dominates(instruction->getParent(), loop_.before_row) &&
                         !depends_on_group(value)))
      return value;
    if (auto known = values_[step].find(instruction); known != values_[step].end())
      return known->second;
    values_[step][instruction] = nullptr; // around a loop
    llvm::Value *computed = compute(*instruction, step);
    return values_[step][instruction] = computed;
  }

  llvm::Value *compute(llvm::Instruction &instruction, unsigned step) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return choose(*phi, step);
    if (++made_ > most_instructions || instruction.mayReadOrWriteMemory() ||
        !llvm::isSafeToSpeculativelyExecute(&instruction))
      return nullptr;
    llvm::SmallVector<llvm::Value *, 4> operands;
    for (llvm::Value *operand : instruction.operands()) {
      operands.push_back(at(operand, step));
      if (!operands.back())
        return nullptr;
    }
    llvm::Instruction *copy = instruction.clone();
    copy->dropPoisonGeneratingAnnotations();
    copy->setDebugLoc({});
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    return b_.Insert(copy);
  }

  llvm::Value *choose(llvm::PHINode &phi, unsigned step) {
    if (!dominators_.properlyDominates(loop_.header, phi.getParent()))
      return nullptr;
    llvm::Value *chosen = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto comes = condition_of(*phi.getIncomingBlock(i), *phi.getParent());
      llvm::Value *brought = at(phi.getIncomingValue(i), step);
      if (!comes || !brought)
        return nullptr;
      chosen = chosen ? b_.CreateSelect(*comes, brought, chosen) : brought;
    }
    return chosen;
  }

  /// Whether a row comes to a block from one before it.
  std::optional<llvm::Value *> condition_of(llvm::BasicBlock &from, llvm::BasicBlock &to) {
    std::optional<llvm::Value *> comes = condition_of(from);
    llvm::Instruction *end = from.getTerminator();
    if (!comes || end->getNumSuccessors() == 1)
      return comes;
    llvm::Value *goes = nullptr;
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      goes = uniform(branch->getCondition());
      if (goes && branch->getSuccessor(0) != &to)
        goes = b_.CreateNot(goes);
    } else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      llvm::Value *number = uniform(choice->getCondition());
      if (!number)
        return std::nullopt;
      const bool is_default = choice->getDefaultDest() == &to;
      goes = b_.getFalse();
      for (auto &option : choice->cases())
        if ((option.getCaseSuccessor() == &to) != is_default)
          goes = b_.CreateOr(goes, b_.CreateICmpEQ(number, option.getCaseValue()));
      if (is_default)
        goes = b_.CreateNot(goes);
    }
    if (!goes)
      return std::nullopt;
    return *comes == b_.getTrue() ? goes : b_.CreateAnd(*comes, goes);
  }

  /// What all lanes have alike in the next group; null: they do not.
  llvm::Value *uniform(llvm::Value *value) {
    return depends_on_lane(value) ? nullptr : at(value, 0);
  }

  const LaneLoop &loop_;
  llvm::Value *group_x_;
  const llvm::DominatorTree &dominators_;
  Builder &b_;
  size_t made_ = 0;
  Known of_group_, of_lane_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> values_[2];
  llvm::DenseMap<const llvm::BasicBlock *, std::optional<llvm::Value *>> conditions_;
};

std::optional<llvm::Value *> NextGroup::condition_of(llvm::BasicBlock &block) {
  if (dominators_.dominates(&block, loop_.latch))
    return b_.getTrue();
  if (auto [known, is_new] = conditions_.try_emplace(&block); !is_new)
    return known->second;
  std::optional<llvm::Value *> comes;
  for (llvm::BasicBlock *from : llvm::predecessors(&block)) {
    const auto by_this = condition_of(*from, block);
    if (!by_this)
      return std::nullopt;
    comes = comes ? b_.CreateOr(*comes, *by_this) : *by_this;
  }
  return conditions_[&block] = comes;
}

std::optional<int64_t> NextGroup::stride_of(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  if (value == loop_.step)
    return 1;
  if (!depends_on_lane(value))
    return 0;
  const llvm::Value *first = nullptr, *second = nullptr;
  const llvm::APInt *factor = nullptr;
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(value))
    return cast->getOperand(0)->getType()->isFloatingPointTy() ? std::nullopt
                                                               : stride_of(cast->getOperand(0));
  const auto scaled = [&](const llvm::Value *of, const llvm::APInt &by) -> std::optional<int64_t> {
    const std::optional<int64_t> stride = stride_of(of);
    constexpr int64_t large = INT16_MAX;
    if (!stride || std::abs(*stride) > large || by.getSignificantBits() > 32)
      return std::nullopt;
    return *stride * by.getSExtValue();
  };
  if (match(value, m_Mul(m_Value(first), m_APInt(factor))))
    return scaled(first, *factor);
  if (match(value, m_Shl(m_Value(first), m_APInt(factor))) && factor->ult(32))
    return scaled(first, llvm::APInt(64, uint64_t(1) << factor->getZExtValue()));
  const bool subtracts = match(value, m_Sub(m_Value(first), m_Value(second)));
  if (subtracts || match(value, m_AddLike(m_Value(first), m_Value(second)))) {
    const std::optional<int64_t> left = stride_of(first), right = stride_of(second);
    if (!left || !right)
      return std::nullopt;
    return subtracts ? *left - *right : *left + *right;
  }
  const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(value);
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> indices;
  llvm::APInt offset(64, 0);
  if (!address || !address->collectOffset(address->getDataLayout(), 64, indices, offset))
    return std::nullopt;
  std::optional<int64_t> sum = stride_of(address->getPointerOperand());
  for (const auto &[index, size] : indices) {
    const std::optional<int64_t> stride = scaled(index, size);
    sum = sum && stride ? std::optional(*sum + *stride) : std::nullopt;
  }
  return sum;
}

bool is_of_work_group(const llvm::Value *group, const llvm::Value *pointer) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer));
  return load && llvm::getUnderlyingObject(load->getPointerOperand()) == group;
}

llvm::SmallVector<llvm::Instruction *> accesses_of(const LaneLoop &loop,
                                                   const llvm::DominatorTree &dominators) {
  llvm::SmallVector<llvm::Instruction *> accesses;
  for (llvm::BasicBlock &block : *loop.before_row->getParent())
    if (dominators.dominates(loop.header, &block))
      for (llvm::Instruction &instruction : block) {
        auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if ((load && load->isSimple()) || (store && store->isSimple()))
          accesses.push_back(&instruction);
      }
  return accesses;
}

} // namespace

void prefetch_next_group(const LaneLoop &loop, llvm::Value *group, llvm::Value *group_x) {
  const llvm::DominatorTree dominators(*loop.before_row->getParent());
  Builder b(loop.before_row->getTerminator());
  NextGroup next(loop, group_x, dominators, b);
  const llvm::SmallVector<llvm::Instruction *> accesses = accesses_of(loop, dominators);
  if (accesses.empty() || accesses.size() > most_accesses)
    return;
  struct Row {
    llvm::Value *begin;
    bool is_written;
  };
  // By the condition. All rows of one are fetched in one loop: they nearly always are equally long.
  llvm::MapVector<llvm::Value *, llvm::SmallVector<Row>> rows;
  llvm::Value *longest = b.getInt64(0);
  for (llvm::Instruction *access : accesses) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(access);
    if (!next.depends_on_group(pointer) || is_of_work_group(group, pointer))
      continue;
    const std::optional<llvm::Value *> condition = next.condition_of(*access->getParent());
    llvm::Value *first = condition ? next.value_of(pointer, 0) : nullptr, *stride = nullptr;
    if (!first)
      continue;
    if (const std::optional<int64_t> known = next.stride_of(pointer)) {
      stride = b.getInt64(static_cast<uint64_t>(*known));
    } else if (llvm::Value *second = next.value_of(pointer, 1)) {
      llvm::Value *begin = b.CreatePtrToInt(first, b.getInt64Ty());
      stride = b.CreateSub(b.CreatePtrToInt(second, b.getInt64Ty()), begin);
    } else {
      continue;
    }
    llvm::Value *bytes = b.CreateMul(stride, loop.row_length);
    llvm::Value *is_near = b.CreateICmpULE(stride, b.getInt64(line_bytes));
    bytes = b.CreateSelect(is_near, bytes, b.getInt64(0));
    longest = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, longest, bytes);
    // The group before has the line in which a row begins, unless that is all of the row.
    llvm::Value *end_of_first_line = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::usub_sat,
        b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bytes, b.getInt64(line_bytes)),
        b.getInt64(1));
    rows[*condition].push_back(
        {b.CreatePtrAdd(first, end_of_first_line), llvm::isa<llvm::StoreInst>(access)});
  }
  if (rows.empty())
    return;
  llvm::BasicBlock *after = llvm::SplitBlock(loop.before_row, loop.before_row->getTerminator());
  loop.before_row->getTerminator()->eraseFromParent();
  b.SetInsertPoint(loop.before_row);
  for (auto &[condition, fetched] : rows) {
    llvm::BasicBlock *around = nullptr;
    if (condition != b.getTrue()) {
      auto *fetch = llvm::BasicBlock::Create(b.getContext(), "fetch", after->getParent(), after);
      around = llvm::BasicBlock::Create(b.getContext(), "fetched", after->getParent(), after);
      b.CreateCondBr(condition, fetch, around);
      b.SetInsertPoint(fetch);
    }
    llvm::BranchInst *branch = make_loop(
        b, b.getInt64(0), longest, "prefetch",
        [&, &fetched = fetched](llvm::Value *offset) {
          constexpr uint32_t second_level = 2, data = 1;
          for (const Row &row : fetched)
            b.CreateIntrinsic(llvm::Intrinsic::prefetch, {row.begin->getType()},
                              {b.CreatePtrAdd(row.begin, offset), b.getInt32(row.is_written),
                               b.getInt32(second_level), b.getInt32(data)});
        },
        line_bytes);
    branch->setMetadata(llvm::LLVMContext::MD_loop, small_loop(b.getContext()));
    if (around) {
      b.CreateBr(around);
      b.SetInsertPoint(around);
    }
  }
  b.CreateBr(after);
}

} // namespace ze_cpu
