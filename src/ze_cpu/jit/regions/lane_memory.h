// Where values lie that lanes need beyond a region: arrays with an element per lane, and what all
// lanes share.
#pragma once

#include "../program/module_ir.h"
#include "regions.h"

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// Addresses of what is kept from one region to the next.
class LaneMemory {
public:
  LaneMemory(const RegionPlan &plan, Team team, llvm::Value *context, llvm::Value *uniform)
      : plan_(plan), team_(team), context_(context), uniform_(uniform) {}

  /// A lane's place in the arrays; `b` adds code.
  llvm::Value *index_of(llvm::IRBuilder<> &b, llvm::Value *lane) const;
  /// The first element of an array.
  llvm::Value *array(llvm::IRBuilder<> &b, uint32_t offset) const;
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
};

} // namespace ze_cpu
