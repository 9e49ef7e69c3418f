#include "known_values.h"

#include "../lower/work_item.h"

namespace ze_cpu {

llvm::Value *KnownValues::compute(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                                  const LaneLoop &loop, const Parameters &parameter) {
  const auto first = [&](const llvm::Argument &number) -> llvm::Value * {
    return number.getArgNo() == context_parameter::lane ? loop.first_lane : loop.first_x;
  };
  llvm::Value *value = bits_.compute(b, instruction, first, loop.step);
  if (!value)
    value = group_index(b, instruction, loop, parameter);
  if (value)
    known_.insert(&instruction);
  return value;
}

llvm::Value *KnownValues::group_index(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                                      const LaneLoop &loop, const Parameters &parameter) {
  const auto *const index = llvm::find_if(
      indices_, [&](const GroupIndex &each) { return each.instruction == &instruction; });
  if (index == indices_.end())
    return nullptr;
  llvm::Value *&base = bases_[&instruction];
  if (!base) {
    llvm::IRBuilder<> before(loop.top);
    base = index->base(before, parameter);
  }
  return index->of_lane(b, base, loop, size_);
}

} // namespace ze_cpu
