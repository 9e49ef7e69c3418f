#include "next_group.h"

#include "../codegen/kernel_entries.h"
#include "../lanes/lane_loop.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr uint64_t line_bytes = 64;
constexpr size_t most_loads = 32, most_instructions = 48;

// What addresses are for another work-group, computed anew.
class Addresses {
public:
  Addresses(const LaneLoop &loop, llvm::Value *group_x, Builder &b)
      : loop_(loop), group_x_(group_x), b_(b) {}

  /// The value in lane `step`, 0 or 1, of the next group; null if that cannot be told. Code is added even then.
  llvm::Value *in_next_group(llvm::Value *value, unsigned step) {
    made_ = 0;
    return at(value, step);
  }

  bool depends_on_group(const llvm::Value *value) {
    if (value == group_x_)
      return true;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || llvm::isa<llvm::PHINode>(instruction))
      return false;
    if (auto [known, is_new] = depends_.try_emplace(instruction, false); !is_new)
      return known->second;
    const bool depends = llvm::any_of(
        instruction->operands(), [&](const llvm::Use &use) { return depends_on_group(use.get()); });
    return depends_[instruction] = depends;
  }

private:
  llvm::Value *at(llvm::Value *value, unsigned step) {
    if (value == group_x_)
      return b_.CreateAdd(value, b_.getInt64(1));
    if (value == loop_.step)
      return b_.getInt64(step);
    for (auto [inside, first] : loop_.at_first)
      if (value == inside)
        return first;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || (instruction->getParent() == loop_.top && !depends_on_group(value)))
      return value;
    if (auto known = values_[step].find(instruction); known != values_[step].end())
      return known->second;
    return values_[step][instruction] = compute(*instruction, step);
  }

  llvm::Value *compute(llvm::Instruction &instruction, unsigned step) {
    if (++made_ > most_instructions || llvm::isa<llvm::PHINode>(instruction) ||
        instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction))
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

  const LaneLoop &loop_;
  llvm::Value *group_x_;
  Builder &b_;
  size_t made_ = 0;
  llvm::DenseMap<const llvm::Instruction *, bool> depends_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> values_[2];
};

// In blocks that each lane comes through.
llvm::SmallVector<llvm::LoadInst *> loads_of(const LaneLoop &loop) {
  llvm::SmallVector<llvm::LoadInst *> loads;
  llvm::DominatorTree dominators(*loop.top->getParent());
  for (llvm::BasicBlock &block : *loop.top->getParent())
    if (dominators.dominates(loop.header, &block) && dominators.dominates(&block, loop.latch))
      for (llvm::Instruction &instruction : block)
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple())
          loads.push_back(load);
  return loads;
}

} // namespace

void prefetch_next_group(const LaneLoop &loop, llvm::Value *group_x) {
  const llvm::SmallVector<llvm::LoadInst *> loads = loads_of(loop);
  if (loads.empty() || loads.size() > most_loads)
    return;
  Builder b(loop.top->getTerminator());
  Addresses addresses(loop, group_x, b);
  llvm::SmallVector<llvm::Value *> rows;
  llvm::Value *longest = b.getInt64(0);
  for (llvm::LoadInst *load : loads) {
    llvm::Value *pointer = load->getPointerOperand();
    if (!addresses.depends_on_group(pointer))
      continue;
    llvm::Value *first = addresses.in_next_group(pointer, 0),
                *second = addresses.in_next_group(pointer, 1);
    if (!first || !second)
      continue;
    llvm::Value *begin = b.CreatePtrToInt(first, b.getInt64Ty());
    llvm::Value *stride = b.CreateSub(b.CreatePtrToInt(second, b.getInt64Ty()), begin);
    llvm::Value *bytes = b.CreateMul(stride, loop.first_row);
    llvm::Value *is_near = b.CreateICmpULE(stride, b.getInt64(line_bytes));
    bytes = b.CreateSelect(is_near, bytes, b.getInt64(0));
    longest = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, longest, bytes);
    rows.push_back(first);
  }
  if (rows.empty())
    return;
  // All in one loop: they nearly always are equally long.
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BasicBlock *after = llvm::SplitBlock(before, before->getTerminator());
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  llvm::BranchInst *branch = make_loop(
      b, b.getInt64(0), longest, "prefetch",
      [&](llvm::Value *offset) {
        constexpr uint32_t read = 0, second_level = 2, data = 1;
        for (llvm::Value *row : rows)
          b.CreateIntrinsic(llvm::Intrinsic::prefetch, {row->getType()},
                            {b.CreatePtrAdd(row, offset), b.getInt32(read),
                             b.getInt32(second_level), b.getInt32(data)});
      },
      line_bytes);
  branch->setMetadata(llvm::LLVMContext::MD_loop, small_loop(b.getContext()));
  b.CreateBr(after);
}

} // namespace ze_cpu
