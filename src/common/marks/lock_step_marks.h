// Marks at accesses that the threads of a warp may count on making together, for LLVM's optimiser.
//
// Programs let the threads of a warp exchange values through volatile memory, or between fences,
// since hardware executes a warp in lock step. LLVM keeps such accesses and their order in one
// thread, but it may copy them: behind a test of the thread's number, or into a loop for each
// outcome of such a test, where threads that went together execute different copies one after the
// other. A mark is an operation that does nothing and must not be made dependent on further
// conditions ("convergent"), so that the code around it stays one. Functions without such accesses
// have no marks.
//
// The device compiler and the CPU driver's have different versions of LLVM; both see this.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace chip {

/// What assembler would take for a comment: inline assembler costs next to nothing when functions
/// are inlined, and needs no symbol when modules are linked.
inline constexpr const char *lock_step_mark = "# lock step";

inline bool is_lock_step_mark(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *code = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && llvm::StringRef(code->getAsmString()) == lock_step_mark;
}

/// In memory that other threads may see.
inline bool is_in_lock_step(const llvm::Instruction &instruction) {
  auto is_private = [](const llvm::Value *pointer) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  };
  if (llvm::isa<llvm::FenceInst>(instruction))
    return true;
  if (!instruction.isVolatile())
    return false;
  if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return !is_private(copy->getRawDest()) || !is_private(copy->getRawSource());
  if (const auto *set = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return !is_private(set->getRawDest());
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  return !pointer || !is_private(pointer);
}

/// Adds them to the blocks of a module.
class LockStepMarks {
public:
  explicit LockStepMarks(llvm::Module &module) : module_(module) {}

  void add() {
    for (llvm::Function &function : module_)
      for (llvm::BasicBlock &block : function)
        mark_accesses(block);
    find_callers();
    for (llvm::Function *function : functions_)
      mark_joins(*function);
  }

private:
  void mark(llvm::BasicBlock::iterator at) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    llvm::IRBuilder<> builder(at->getParent(), at);
    llvm::CallInst *mark =
        builder.CreateCall(type, llvm::InlineAsm::get(type, lock_step_mark, "", true));
    mark->setConvergent();
    mark->setDoesNotThrow();
    mark->addFnAttr(llvm::Attribute::WillReturn);
    mark->setOnlyAccessesInaccessibleMemory();
  }

  /// One in front of those that come one after the other.
  void mark_accesses(llvm::BasicBlock &block) {
    bool is_marked = false;
    for (llvm::Instruction &instruction : block) {
      if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
        is_marked = false; // the block ends there when the call is inlined
      if (is_marked || !is_in_lock_step(instruction))
        continue;
      mark(instruction.getIterator());
      is_marked = true;
      blocks_.insert(&block);
      functions_.insert(block.getParent());
    }
  }

  void find_callers() {
    for (size_t i = 0; i < functions_.size(); ++i)
      for (llvm::User *user : functions_[i]->users())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
            call && call->getCalledOperand() == functions_[i]) {
          blocks_.insert(call->getParent());
          functions_.insert(call->getFunction());
        }
  }

  /// Behind `if (a) A; if (b) B;` with a test in between of which either outcome of the first tells
  /// the second's, the optimiser goes on where that leads: A and B become two ways beside each
  /// other. Threads that go through B have to wait for those that go through A, though.
  void mark_joins(llvm::Function &function) {
    const llvm::DominatorTree dominators(function);
    llvm::SmallVector<const llvm::BasicBlock *> blocks;
    llvm::copy_if(blocks_, std::back_inserter(blocks),
                  [&](const llvm::BasicBlock *block) { return block->getParent() == &function; });
    for (llvm::BasicBlock &join : function) {
      const auto *node = dominators.getNode(&join);
      if (!node || !node->getIDom() || !join.hasNPredecessorsOrMore(2))
        continue;
      const llvm::BasicBlock *parting = node->getIDom()->getBlock();
      if (llvm::any_of(blocks, [&](const llvm::BasicBlock *block) {
            return dominators.properlyDominates(parting, block) &&
                   !dominators.dominates(&join, block);
          }))
        mark(join.getFirstInsertionPt());
    }
  }

  llvm::Module &module_;
  llvm::SetVector<llvm::Function *> functions_; // that have some, or call one that has
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> blocks_;
};

inline void add_lock_step_marks(llvm::Module &module) { LockStepMarks(module).add(); }

inline void remove_lock_step_marks(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (is_lock_step_mark(instruction))
        instruction.eraseFromParent();
}

} // namespace chip
