// What lanes do one after the other, as each has taken a lock for itself.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

/// A work-item that takes a lock for itself is alone with what it then reads and writes, until it frees the lock. Its lanes need
/// not meet there, and must not: those that want the lock would go first, and try for ever.
///
/// A section begins where a loop ends that takes a lock, and nobody comes there but through that loop. It ends at the latest with
/// the next atomic update or store, with a store that may be to the lock, or where lanes meet.
class LockedSections {
public:
  explicit LockedSections(llvm::Function &function);

  /// Whether one lane at a time makes both accesses, or one of them to take the lock for the other.
  bool are_in_one(const llvm::Instruction &a, const llvm::Instruction &b) const;

  /// The block from which lanes go on to take the lock under which the access is made, or null.
  llvm::BasicBlock *before(const llvm::Instruction &access) const;

private:
  void follow(llvm::BasicBlock &begin, const llvm::Value &lock,
              const llvm::DominatorTree &dominators, unsigned section);

  llvm::SmallVector<llvm::BasicBlock *, 2> before_; // each section
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<unsigned, 1>> sections_of_;
};

/// Leads past blocks in which nothing is done but to ask again what was asked before. Who takes a lock in a loop, and leaves the loop for
/// having done what the lock guards (`if (taken) { ...; done = true; }`), does so behind the loop then, where it is a section.
void lead_past_known_branches(llvm::Function &function);

} // namespace ze_cpu
