#include "lock_step.h"

#include "lower/work_item.h"
#include "sync_points.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

namespace ze_cpu {
namespace {

constexpr unsigned local_address_space = 3;

bool is_local(const llvm::Value *pointer) {
  if (pointer->getType()->getPointerAddressSpace() == local_address_space)
    return true;
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  return llvm::any_of(objects, [](const llvm::Value *object) {
    return object->getType()->isPointerTy() &&
           object->getType()->getPointerAddressSpace() == local_address_space;
  });
}

/// Not the same place for all, which work-items have no order at.
bool is_of_work_item(const llvm::Value *pointer) {
  return pointer->stripInBoundsConstantOffsets() != llvm::getUnderlyingObject(pointer);
}

bool has_sync_point(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), is_sync_point);
}

/// A fence in memory of the work-group alone.
bool has_fence_of_group(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
    return fence && fence->getSyncScopeID() == llvm::SyncScope::SingleThread;
  });
}

/// What a sub-group may have accessed since its work-items last met.
struct Accesses {
  bool loads = false, stores = false;

  bool operator==(const Accesses &) const = default;
  Accesses operator|(const Accesses &other) const {
    return {loads || other.loads, stores || other.stores};
  }
  /// Loads may come in any order.
  bool must_precede(const llvm::Instruction &access) const {
    return stores || (loads && llvm::isa<llvm::StoreInst>(access));
  }
};

class LockStep {
public:
  explicit LockStep(llvm::Function &function) : function_(function) {
    const bool has_fence = has_fence_of_group(function), has_sync = has_sync_point(function);
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && is_local(pointer) &&
          (instruction.isVolatile() || has_fence || (!has_sync && is_of_work_item(pointer))))
        accesses_.insert(&instruction);
    }
  }

  bool run() {
    if (accesses_.size() < 2)
      return false;
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock *block : order) {
        const Accesses after = through(*block, nullptr);
        changed |= after != after_[block];
        after_[block] = after;
      }
    }
    llvm::SmallVector<llvm::Instruction *> places;
    for (llvm::BasicBlock *block : order)
      through(*block, &places);
    for (llvm::Instruction *place : places) {
      llvm::IRBuilder<> builder(place);
      emit_sync_point(builder, function_.getArg(context_parameter::group),
                      function_.getArg(context_parameter::lane), {SyncKind::reconverge}, nullptr,
                      nullptr);
    }
    return !places.empty();
  }

private:
  /// The accesses outstanding at the end of `block`; `places` takes those that must wait.
  Accesses through(llvm::BasicBlock &block, llvm::SmallVectorImpl<llvm::Instruction *> *places) {
    Accesses before;
    for (llvm::BasicBlock *predecessor : llvm::predecessors(&block))
      before = before | after_[predecessor];
    for (llvm::Instruction &instruction : block) {
      if (is_sync_point(instruction)) {
        before = {};
      } else if (accesses_.contains(&instruction)) {
        if (before.must_precede(instruction)) {
          before = {};
          if (places)
            places->push_back(&instruction);
        }
        (llvm::isa<llvm::StoreInst>(instruction) ? before.stores : before.loads) = true;
      }
    }
    return before;
  }

  llvm::Function &function_;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> accesses_;
  llvm::DenseMap<const llvm::BasicBlock *, Accesses> after_;
};

} // namespace

bool keep_lock_step(llvm::Function &function) { return LockStep(function).run(); }

} // namespace ze_cpu
