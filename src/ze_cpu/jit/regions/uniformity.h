// Which values and branches are the same for all work-items that run together.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

/// Who runs together: the lanes between two synchronisation points of the kernel.
struct Team {
  bool is_sub_group = false; // else the whole work-group
  uint32_t sub_group_size = 32;
};

/// A block is uniform if all lanes of the team come through it, the same number of times. A value
/// is uniform if all lanes that compute it get the same, between one execution of a uniform block
/// and the next. What is not known to be uniform varies.
///
/// Plain loads from a uniform address count as uniform: a lane that saw another value than its
/// neighbour would be in a race with whoever writes.
///
/// Sub-groups come apart where some of them wait for what others write (SyncKind::turn), and are apart
/// until they meet at an operation of the work-group: who waits may need what is done behind the next
/// branch, by who comes there first. So branches are no places to meet there, even if all take the same
/// way: what depends on them varies, and so do values that change from one time to the next.
class Uniformity {
public:
  /// For a kernel body with its context parameters (lower/work_item.h), whose synchronisation
  /// points are markers.
  Uniformity(llvm::Function &body, Team team);

  const Team &team() const { return team_; }
  bool is_uniform(const llvm::Value *value) const { return !varying_.contains(value); }
  bool is_uniform(const llvm::BasicBlock *block) const {
    return !divergent_blocks_.contains(block);
  }
  /// Whether all lanes of the team take the same way at the end of the block, and may meet there.
  bool has_uniform_branch(const llvm::BasicBlock &block) const {
    return is_uniform(&block) && !has_varying_operand(*block.getTerminator()) &&
           !(is_apart_behind(block) && block.getTerminator()->getNumSuccessors() > 1);
  }
  /// Whether sub-groups may come to the end of the block at different times.
  bool is_apart_behind(const llvm::BasicBlock &block) const {
    return apart_behind_.contains(&block);
  }

private:
  void find_apart(llvm::Function &body);
  bool has_varying_choice(const llvm::PHINode &phi) const;
  bool varies(const llvm::Instruction &instruction) const;
  bool has_varying_operand(const llvm::Instruction &instruction) const;
  void mark_dependents(const llvm::BasicBlock &branching);

  Team team_;
  llvm::PostDominatorTree post_dominators_;
  llvm::DenseSet<const llvm::Value *> varying_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> divergent_blocks_, apart_behind_;
};

} // namespace ze_cpu
