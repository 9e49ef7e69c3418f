#include "lock_step.h"

#include "lane_conflicts.h"
#include "lower/work_item.h"
#include "sync_points.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

constexpr unsigned local_address_space = 3;
/// So that large kernels do not take long. Of more accesses, only those count that the program
/// orders; beyond so many comparisons, accesses of one variable are taken to meet.
constexpr size_t max_accesses = 4'000, max_comparisons = 50'000, max_events = 8'000;

bool is_local(const llvm::Value *pointer) {
  if (pointer->getType()->getPointerAddressSpace() == local_address_space)
    return true;
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return llvm::any_of(objects, [](const llvm::Value *object) {
    return object->getType()->isPointerTy() &&
           object->getType()->getPointerAddressSpace() == local_address_space;
  });
}

/// A fence in memory of the work-group alone.
bool has_fence_of_group(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
    return fence && fence->getSyncScopeID() == llvm::SyncScope::SingleThread;
  });
}

/// Of work-group memory.
struct Access {
  llvm::Instruction *instruction = nullptr;
  const llvm::Value *pointer = nullptr;
  uint64_t bytes = 0; // 0: not known
  bool loads = false, stores = false, is_atomic = false;
  bool is_ordered = false; // by the program, whatever it is of
};

uint64_t bytes_of(const llvm::Instruction &instruction, const llvm::Type *type) {
  return instruction.getModule()->getDataLayout().getTypeStoreSize(const_cast<llvm::Type *>(type));
}

uint64_t length_of(const llvm::MemIntrinsic &intrinsic) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  return length ? length->getZExtValue() : 0;
}

void add_accesses(llvm::Instruction &instruction, std::vector<Access> &accesses) {
  auto add = [&](const llvm::Value *pointer, Access access) {
    if (!is_local(pointer))
      return;
    access.instruction = &instruction;
    access.pointer = pointer;
    access.is_ordered = instruction.isVolatile() && !access.is_atomic;
    accesses.push_back(access);
  };
  // An atomic update is a load and a store between which nothing may come (lower/atomics.cpp): the
  // load stands for both.
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const bool updates = load->getOrdering() == llvm::AtomicOrdering::Unordered;
    add(load->getPointerOperand(), {.bytes = bytes_of(instruction, load->getType()),
                                    .loads = true,
                                    .stores = updates,
                                    .is_atomic = updates});
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (store->getOrdering() != llvm::AtomicOrdering::Unordered)
      add(store->getPointerOperand(),
          {.bytes = bytes_of(instruction, store->getValueOperand()->getType()), .stores = true});
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    add(update->getPointerOperand(), {.bytes = bytes_of(instruction, update->getType()),
                                      .loads = true,
                                      .stores = true,
                                      .is_atomic = true});
  else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    add(exchange->getPointerOperand(),
        {.bytes = bytes_of(instruction, exchange->getNewValOperand()->getType()),
         .loads = true,
         .stores = true,
         .is_atomic = true});
  else if (auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic))
      add(transfer->getSource(), {.bytes = length_of(*intrinsic), .loads = true});
    add(intrinsic->getDest(), {.bytes = length_of(*intrinsic), .stores = true});
  }
}

/// Between work-group memory and itself, in two steps: all lanes load before any stores.
void split_copies(llvm::Function &function) {
  llvm::SmallVector<llvm::MemTransferInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      if (is_local(copy->getSource()) && is_local(copy->getDest()) && length_of(*copy) != 0)
        copies.push_back(copy);
  for (llvm::MemTransferInst *copy : copies) {
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    const llvm::Align align =
        std::max(copy->getSourceAlign().valueOrOne(), copy->getDestAlign().valueOrOne());
    llvm::AllocaInst *between =
        builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), length_of(*copy)));
    between->setAlignment(align);
    builder.SetInsertPoint(copy);
    builder.CreateMemCpy(between, align, copy->getSource(), copy->getSourceAlign(),
                         copy->getLength(), copy->isVolatile());
    builder.CreateMemCpy(copy->getDest(), copy->getDestAlign(), between, align, copy->getLength(),
                         copy->isVolatile());
    copy->eraseFromParent();
  }
}

/// Which of some instructions may have been executed since the lanes last met.
class Reaching {
public:
  Reaching(llvm::Function &function,
           const llvm::DenseMap<const llvm::Instruction *, size_t> &events)
      : events_(events) {
    const auto count = static_cast<unsigned>(events.size());
    before_.resize(count);
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
    for (llvm::BasicBlock *block : order)
      after_[block].resize(count);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock *block : order) {
        llvm::BitVector state(count);
        for (llvm::BasicBlock *predecessor : llvm::predecessors(block))
          if (const auto found = after_.find(predecessor); found != after_.end())
            state |= found->second;
        for (llvm::Instruction &instruction : *block) {
          if (is_sync_point(instruction))
            state.reset();
          if (const auto event = events_.find(&instruction); event != events_.end()) {
            before_[event->second] = state;
            state.set(static_cast<unsigned>(event->second));
          }
        }
        if (state != after_[block]) {
          after_[block] = std::move(state);
          changed = true;
        }
      }
    }
  }

  bool reaches(size_t from, size_t to) const {
    return !before_[to].empty() && before_[to].test(static_cast<unsigned>(from));
  }

private:
  const llvm::DenseMap<const llvm::Instruction *, size_t> &events_;
  std::vector<llvm::BitVector> before_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> after_;
};

class LockStep {
public:
  LockStep(llvm::Function &function, uint32_t sub_group_size, bool is_kernel)
      : function_(function), numbers_(function, sub_group_size, is_kernel), conflicts_(numbers_),
        order_(&function) {
    const bool has_fence = has_fence_of_group(function);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      add_accesses(instruction, accesses_);
    for (Access &access : accesses_)
      access.is_ordered |= has_fence && !access.is_atomic;
    if (accesses_.size() > max_accesses)
      std::erase_if(accesses_, [](const Access &access) { return !access.is_ordered; });
    for (size_t i = 0; i < accesses_.size(); ++i)
      of_[accesses_[i].instruction].push_back(i);
  }

  bool run() {
    find_changes();
    place(); // what exchanges
    const llvm::SmallPtrSet<const llvm::Value *, 4> exchanged = std::move(exchanged_);
    if (!places_.empty()) { // there, the order of stores matters, too
      stores_meet_ = exchanged;
      place();
    }
    for (llvm::Instruction *at : places_in_order()) {
      llvm::IRBuilder<> builder(at);
      emit_sync_point(builder, function_.getArg(context_parameter::group),
                      function_.getArg(context_parameter::lane), {SyncKind::reconverge}, nullptr,
                      nullptr);
    }
    return !places_.empty();
  }

private:
  void find_changes() {
    for (const Access &access : accesses_) {
      described_.push_back(conflicts_.describe(*access.instruction, access.pointer, access.bytes));
      events_.try_emplace(access.instruction, events_.size());
    }
    for (const LaneAccess &access : described_)
      for (uint32_t symbol : access.symbols)
        events_.try_emplace(numbers_.symbol(symbol).definition, events_.size());
    if (events_.size() <= max_events)
      reaching_.emplace(function_, events_);
  }

  /// Symbols that may be computed anew on the way from one access to another.
  llvm::DenseMap<uint32_t, uint32_t> changes(size_t from, size_t to) {
    llvm::DenseMap<uint32_t, uint32_t> found;
    for (uint32_t symbol : described_[to].symbols) {
      const size_t definition = events_.lookup(numbers_.symbol(symbol).definition);
      if (!reaching_ || (reaching_->reaches(event(from), definition) &&
                         reaching_->reaches(definition, event(to))))
        found[symbol] = symbol | 1u << 31;
    }
    return found;
  }
  size_t event(size_t access) const { return events_.lookup(accesses_[access].instruction); }

  /// Whether lanes must have met between the two.
  bool must_meet(size_t first, size_t second) {
    const Access &a = accesses_[first], &b = accesses_[second];
    if (!a.stores && !b.stores)
      return false;
    if (a.is_ordered && b.is_ordered)
      return true;
    if (a.is_atomic && b.is_atomic) // which have no order
      return false;
    const LaneAccess &from = described_[first], &to = described_[second];
    if (!a.loads && !b.loads && !stores_meet_.contains(from.address.object))
      return false;
    if (from.address.object && to.address.object && from.address.object != to.address.object)
      return false;
    const auto [known, is_new] = known_.try_emplace({first, second}, true);
    if (is_new && known_.size() < max_comparisons)
      known->second = conflicts_.may_meet(from, to, changes(first, second));
    return known->second;
  }

  /// Finds where lanes have to meet. A place that was chosen stays one.
  void place() {
    for (bool added = true; added;) {
      added = false;
      after_.clear();
      for (bool changed = true; changed;) {
        changed = false;
        for (llvm::BasicBlock *block : order_) {
          llvm::BitVector state = through(*block, added);
          llvm::BitVector &known = after_[block];
          if (known.size() != state.size() || known != state) {
            known = std::move(state);
            changed = true;
          }
        }
      }
    }
  }

  /// The accesses outstanding at the end of `block`.
  llvm::BitVector through(llvm::BasicBlock &block, bool &added) {
    llvm::BitVector state(static_cast<unsigned>(accesses_.size()));
    for (llvm::BasicBlock *predecessor : llvm::predecessors(&block))
      if (const auto found = after_.find(predecessor); found != after_.end())
        state |= found->second;
    for (llvm::Instruction &instruction : block) {
      if (is_sync_point(instruction) || places_.contains(&instruction))
        state.reset();
      const auto found = of_.find(&instruction);
      if (found == of_.end())
        continue;
      for (size_t access : found->second)
        for (unsigned before : state.set_bits())
          if (must_meet(before, access)) {
            exchanged_.insert(described_[access].address.object);
            places_.insert(&instruction);
            added = true;
            state.reset();
            break;
          }
      for (size_t access : found->second)
        state.set(static_cast<unsigned>(access));
    }
    return state;
  }

  std::vector<llvm::Instruction *> places_in_order() const {
    std::vector<llvm::Instruction *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (places_.contains(&instruction))
        found.push_back(&instruction);
    return found;
  }

  llvm::Function &function_;
  LaneNumbers numbers_;
  LaneConflicts conflicts_;
  llvm::ReversePostOrderTraversal<llvm::Function *> order_;
  std::vector<Access> accesses_;
  std::vector<LaneAccess> described_;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<size_t, 1>> of_;
  llvm::DenseMap<const llvm::Instruction *, size_t> events_;
  std::optional<Reaching> reaching_;
  std::map<std::pair<size_t, size_t>, bool> known_;
  llvm::SmallPtrSet<const llvm::Value *, 4> stores_meet_, exchanged_;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> places_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> after_;
};

/// Something is stored, and something loaded.
bool may_exchange(llvm::Function &function) {
  std::vector<Access> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    add_accesses(instruction, accesses);
  return llvm::any_of(accesses, [](const Access &access) { return access.stores; }) &&
         llvm::any_of(accesses, [](const Access &access) { return access.loads; });
}

} // namespace

bool keep_lock_step(llvm::Function &function, uint32_t sub_group_size, bool is_kernel) {
  if (sub_group_size < 2 || !may_exchange(function))
    return false;
  split_copies(function);
  return LockStep(function, sub_group_size, is_kernel).run();
}

} // namespace ze_cpu
