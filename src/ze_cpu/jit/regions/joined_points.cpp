#include "joined_points.h"
#include "sync_points.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace ze_cpu {
namespace {

bool can_be_joined(const llvm::CallInst &marker) {
  const SyncOperation operation = operation_of(marker);
  if (operation.scope != SyncScope::sub_group)
    return false;
  switch (operation.kind) {
  case SyncKind::shuffle:
  case SyncKind::shuffle_xor:
  case SyncKind::shuffle_up:
  case SyncKind::shuffle_down:
  case SyncKind::broadcast:
  case SyncKind::broadcast_first:
  case SyncKind::ballot:
  case SyncKind::any:
  case SyncKind::all:
    return true;
  default:
    return false;
  }
}

bool touches_memory(const llvm::Instruction &instruction) {
  if (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return false;
  return instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects();
}

// Markers next to each other, the first of which is where others are moved to.
class Joined {
public:
  /// Moves `marker` and what it needs, unless it needs one of these.
  bool add(llvm::CallInst &marker) {
    if (markers_.empty())
      return false;
    llvm::SmallPtrSet<const llvm::Value *, 16> wanted(llvm::from_range, marker.operand_values());
    llvm::SmallVector<llvm::Instruction *> needed; // the last first
    for (llvm::Instruction *at = &marker; at != markers_.front();) {
      at = at->getPrevNode();
      if (!wanted.contains(at))
        continue;
      if (is_sync_point(*at))
        return false;
      needed.push_back(at);
      wanted.insert_range(at->operand_values());
    }
    for (llvm::Instruction *instruction : llvm::reverse(needed))
      instruction->moveBefore(markers_.front()->getIterator());
    marker.moveAfter(markers_.back());
    markers_.push_back(&marker);
    return true;
  }

  void begin(llvm::CallInst &marker) { markers_.assign(1, &marker); }
  void end() { markers_.clear(); }

private:
  llvm::SmallVector<llvm::CallInst *> markers_;
};

} // namespace

void join_sync_points(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    Joined joined;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      if (!is_sync_point(instruction)) {
        if (touches_memory(instruction))
          joined.end();
        continue;
      }
      auto &marker = llvm::cast<llvm::CallInst>(instruction);
      if (!can_be_joined(marker))
        joined.end();
      else if (!joined.add(marker))
        joined.begin(marker);
    }
  }
}

bool is_joined_with_next(const llvm::CallInst &marker) {
  const auto is_marker = [](const llvm::Instruction *instruction) {
    return instruction && is_sync_point(*instruction) &&
           can_be_joined(llvm::cast<llvm::CallInst>(*instruction));
  };
  const llvm::Instruction *next = marker.getNextNode();
  if (!is_marker(&marker) || !is_marker(next))
    return false;
  for (const llvm::Instruction *before = &marker; is_marker(before); before = before->getPrevNode())
    if (llvm::is_contained(next->operand_values(), before))
      return false;
  return true;
}

} // namespace ze_cpu
