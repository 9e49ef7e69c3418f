// Where values lie that lanes need beyond a region: arrays with an element per lane, and what all
// lanes share.
#pragma once

#include "../program/module_ir.h"
#include "regions.h"

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// A sub-group that has all its lanes: the first of them, and its memory on the stack.
struct WholeSubGroup {
  llvm::Value *first, *stack;
};

/// Makes room for RegionPlan::stack_bytes.
llvm::AllocaInst *make_stack(llvm::IRBuilder<> &b, const RegionPlan &plan, Team team);

/// Addresses of what is kept from one region to the next.
class LaneMemory {
public:
  /// For any lanes of the team, or for those of `whole`.
  LaneMemory(const RegionPlan &plan, Team team, llvm::Value *context, llvm::Value *uniform,
             std::optional<WholeSubGroup> whole = {})
      : plan_(plan), team_(team), context_(context), uniform_(uniform), whole_(whole) {}

  /// A lane's place in the arrays; `b` adds code.
  llvm::Value *index_of(llvm::IRBuilder<> &b, llvm::Value *lane) const;
  /// The first element of an array that the lanes have.
  llvm::Value *array(llvm::IRBuilder<> &b, const Slot &slot) const;
  llvm::Value *element(llvm::IRBuilder<> &b, const Slot &slot, llvm::Value *array,
                       llvm::Value *index) const;
  llvm::Value *uniform(llvm::IRBuilder<> &b, const Slot &slot) const;

  /// Converts between a value and how it lies in its slot. The access joins `access_group`, if any.
  llvm::Value *load(llvm::IRBuilder<> &b, const llvm::Instruction *value, llvm::Value *address,
                    llvm::MDNode *access_group = nullptr) const;
  void store(llvm::IRBuilder<> &b, llvm::Value *value, const llvm::Instruction *as,
             llvm::Value *address, llvm::MDNode *access_group = nullptr) const;

private:
  const RegionPlan &plan_;
  Team team_;
  llvm::Value *context_, *uniform_;
  std::optional<WholeSubGroup> whole_;
};

/// A function of the kernel `body`, the same for all of its regions: of the numbers of the cuts at which lanes are, one after the other,
/// and how many lanes there are, it makes the cut at which all of them are, or lanes_diverged.
llvm::Function *common_cut(llvm::Function &body);

} // namespace ze_cpu
