#include "lock_step.h"

#include "../lower/work_item.h"
#include "../regions/sync_points.h"
#include "lane_conflicts.h"
#include "locked_sections.h"

#include "../../../common/marks/lock_step_marks.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

constexpr unsigned global_address_space = 1, local_address_space = 3;
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

/// Whether `pointer` is to memory of its lane alone, or to memory that is never written.
bool is_private(const llvm::Value *pointer) {
  constexpr unsigned private_address_space = 0, constant_address_space = 2;
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return llvm::all_of(objects, [](const llvm::Value *object) {
    return object->getType()->isPointerTy() &&
           (object->getType()->getPointerAddressSpace() == private_address_space ||
            object->getType()->getPointerAddressSpace() == constant_address_space);
  });
}

/// A fence in memory of the work-group alone by which the program may count on lock step: not one beside a point where lanes meet
/// anyway, as both fences of `__syncwarp` are.
bool is_fence_of_group(const llvm::Instruction &instruction) {
  const auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  if (!fence || fence->getSyncScopeID() != llvm::SyncScope::SingleThread)
    return false;
  const llvm::Instruction *const before = fence->getPrevNode(), *const behind =
                                                                    fence->getNextNode();
  return !(before && is_sync_point(*before)) && !(behind && is_sync_point(*behind));
}

struct MemoryAccess {
  llvm::Instruction *instruction = nullptr;
  const llvm::Value *pointer = nullptr; // null: to anything, by another function
  uint64_t bytes = 0;                   // 0: not known
  bool loads = false, stores = false;
  bool is_atomic = false; // an update
  bool is_atomic_store = false;
  bool is_ordered = false; // by the program, whatever it is of
  bool is_local = false;   // of work-group memory for sure
};

uint64_t bytes_of(const llvm::Instruction &instruction, const llvm::Type *type) {
  return instruction.getModule()->getDataLayout().getTypeStoreSize(const_cast<llvm::Type *>(type));
}

uint64_t length_of(const llvm::MemIntrinsic &intrinsic) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  return length ? length->getZExtValue() : 0;
}

/// Adds the accesses of `instruction` to work-group memory. Of those to other memory that lanes
/// share, it adds the volatile ones, or `all`.
void add_accesses(llvm::Instruction &instruction, bool all, std::vector<MemoryAccess> &accesses) {
  auto add = [&](const llvm::Value *pointer, MemoryAccess access) {
    access.is_local = is_local(pointer);
    if (!access.is_local && ((!all && !instruction.isVolatile()) || is_private(pointer)))
      return;
    access.instruction = &instruction;
    access.pointer = pointer;
    access.is_ordered = access.is_atomic ? !access.is_local : instruction.isVolatile();
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
          {.bytes = bytes_of(instruction, store->getValueOperand()->getType()),
           .stores = true,
           .is_atomic_store = store->isAtomic()});
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
  LockStep(llvm::Function &function, std::vector<MemoryAccess> accesses, uint32_t sub_group_size,
           bool is_kernel)
      : function_(function), is_kernel_(is_kernel), numbers_(function, sub_group_size, is_kernel),
        conflicts_(numbers_), locked_(function), order_(&function), accesses_(std::move(accesses)) {
    if (accesses_.size() > max_accesses)
      std::erase_if(accesses_, [](const MemoryAccess &access) { return !access.is_ordered; });
    if (!is_kernel)
      add_callers();
    for (size_t i = 0; i < accesses_.size(); ++i)
      if (i != before_)
        of_[accesses_[i].instruction].push_back(i);
  }

  bool run() {
    find_changes();
    find_divergences();
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
  /// Before the function begins, when it returns, and at fences, which may be about theirs.
  void add_callers() {
    if (llvm::none_of(accesses_, [](const MemoryAccess &access) { return access.is_ordered; }) &&
        llvm::none_of(llvm::instructions(function_), is_fence_of_group))
      return;
    auto add = [&](llvm::Instruction &at) {
      accesses_.push_back({.instruction = &at, .loads = true, .stores = true, .is_ordered = true});
    };
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (is_fence_of_group(instruction) || llvm::isa<llvm::ReturnInst>(instruction))
        add(instruction);
    before_ = accesses_.size();
    add(function_.getEntryBlock().front());
  }

  void find_changes() {
    for (const MemoryAccess &access : accesses_) {
      described_.push_back(
          access.pointer ? conflicts_.describe(*access.instruction, access.pointer, access.bytes)
                         : LaneAccess{access.instruction->getParent(), {}, 0, {}});
      events_.try_emplace(access.instruction, events_.size());
    }
    for (const LaneAccess &access : described_)
      for (uint32_t symbol : access.symbols)
        events_.try_emplace(numbers_.symbol(symbol).definition, events_.size());
    if (events_.size() <= max_events)
      reaching_.emplace(function_, events_);
  }

  /// Blocks that only some lanes come through, up to where all go on together.
  struct Divergence {
    llvm::SmallVector<llvm::BasicBlock *> blocks;
    llvm::BitVector accesses;
  };

  void find_divergences() {
    const llvm::PostDominatorTree post_dominators(function_);
    for (llvm::BasicBlock &block : function_) {
      const auto *node = post_dominators.getNode(&block);
      llvm::BasicBlock *meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      if (!meeting || block.getTerminator()->getNumSuccessors() < 2 ||
          (numbers_.is_uniform(&block) &&
           llvm::all_of(block.getTerminator()->operands(), [&](const llvm::Use &use) {
             return llvm::isa<llvm::BasicBlock>(use) || numbers_.is_uniform(use.get());
           })))
        continue;
      Divergence divergence{{}, llvm::BitVector(static_cast<unsigned>(accesses_.size()))};
      llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen{meeting};
      llvm::SmallVector<llvm::BasicBlock *> pending(llvm::successors(&block));
      while (!pending.empty()) {
        llvm::BasicBlock *next = pending.pop_back_val();
        if (!seen.insert(next).second)
          continue;
        divergence.blocks.push_back(next);
        for (llvm::Instruction &instruction : *next)
          if (const auto found = of_.find(&instruction); found != of_.end())
            for (size_t access : found->second)
              divergence.accesses.set(static_cast<unsigned>(access));
        pending.append(llvm::succ_begin(next), llvm::succ_end(next));
      }
      for (llvm::BasicBlock *next : divergence.blocks)
        deciders_[next].push_back(&block);
      if (divergence.accesses.any())
        divergences_[meeting].push_back(std::move(divergence));
    }
  }

  /// Whether lanes of one way may have met each other, for which the others have not waited.
  bool has_met_in(const Divergence &divergence) const {
    return llvm::any_of(divergence.blocks, [&](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [&](const llvm::Instruction &instruction) {
        return places_.contains(&instruction) ||
               (is_sync_point(instruction) &&
                operation_of(llvm::cast<llvm::CallInst>(instruction)).scope ==
                    SyncScope::sub_group);
      });
    });
  }

  /// Whether all ways from `from` to `to`, which is in another block, lead through the end of
  /// `block`.
  static bool is_between(const llvm::Instruction &from, const llvm::BasicBlock *block,
                         const llvm::Instruction &to) {
    if (from.getParent() == to.getParent() && from.comesBefore(&to))
      return false;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen{block};
    llvm::SmallVector<const llvm::BasicBlock *> pending(llvm::predecessors(to.getParent()));
    while (!pending.empty()) {
      const llvm::BasicBlock *before = pending.pop_back_val();
      if (!seen.insert(before).second)
        continue;
      if (before == from.getParent())
        return false;
      pending.append(llvm::pred_begin(before), llvm::pred_end(before));
    }
    return true;
  }

  /// Where lanes meet between the two: before the second, or earlier, before only some of them take
  /// the way to it. Lanes that are in different places go on one after the other. None meets others while it has a lock.
  llvm::Instruction *place_between(size_t first, size_t second) const {
    llvm::Instruction *from = accesses_[first].instruction, *to = accesses_[second].instruction;
    if (llvm::BasicBlock *before = locked_.before(*to); before && is_between(*from, before, *to))
      return before->getTerminator();
    const auto deciders = [&](const llvm::BasicBlock *block) { return deciders_.lookup(block); };
    llvm::Instruction *best = to;
    size_t fewest = deciders(to->getParent()).size();
    for (llvm::BasicBlock *branch : deciders(to->getParent()))
      if (const size_t count = deciders(branch).size();
          count < fewest && is_between(*from, branch, *to)) {
        best = branch->getTerminator();
        fewest = count;
      }
    return best;
  }

  /// Symbols that may be computed anew on the way from one access to another.
  llvm::DenseMap<uint32_t, uint32_t> changes(size_t from, size_t to) {
    llvm::DenseMap<uint32_t, uint32_t> found;
    for (uint32_t symbol : described_[to].symbols) {
      const size_t definition = events_.lookup(numbers_.symbol(symbol).definition);
      if (!reaching_ || (reaching_->reaches(event(from), definition) &&
                         reaching_->reaches(definition, event(to))))
        found[symbol] = symbol | is_renamed;
    }
    return found;
  }
  size_t event(size_t access) const { return events_.lookup(accesses_[access].instruction); }

  /// Whether lanes must have met between the two.
  bool must_meet(size_t first, size_t second) {
    const MemoryAccess &a = accesses_[first], &b = accesses_[second];
    if (!a.stores && !b.stores)
      return false;
    // Which have no order. Who takes a lock by an update and stores that it is free again, must not wait for those that want it.
    if ((a.is_atomic || a.is_atomic_store) && (b.is_atomic || b.is_atomic_store) &&
        (a.is_atomic || b.is_atomic))
      return false;
    if (locked_.are_in_one(*a.instruction, *b.instruction))
      return false;
    if (!a.pointer || !b.pointer) // paths without an access change nothing for callers
      return a.is_ordered && b.is_ordered &&
             !(first == before_ && llvm::isa<llvm::ReturnInst>(b.instruction));
    if (a.is_ordered && b.is_ordered && a.is_local && b.is_local)
      return true;
    const LaneAccess &from = described_[first], &to = described_[second];
    if (a.is_local && b.is_local) {
      if (!a.loads && !b.loads && !stores_meet_.contains(from.address.object))
        return false;
      if (from.address.object && to.address.object && from.address.object != to.address.object)
        return false;
    } else if (const std::optional<bool> meet = meet_in_any_memory(a, from, b, to)) {
      return *meet;
    }
    const auto [known, is_new] = known_.try_emplace({first, second}, true);
    if (is_new && known_.size() < max_comparisons)
      known->second = conflicts_.may_meet(from, to, changes(first, second));
    return known->second;
  }

  /// Where at least one is not of work-group memory; nothing if the offsets in one object decide.
  /// Accesses that are not volatile count if they are of the same object: nothing orders others.
  std::optional<bool> meet_in_any_memory(const MemoryAccess &a, const LaneAccess &from,
                                         const MemoryAccess &b, const LaneAccess &to) const {
    const llvm::Value *one = from.address.object, *other = to.address.object;
    if (!a.is_ordered && !b.is_ordered)
      return false;
    if (one && one == other)
      return std::nullopt;
    return a.is_ordered && b.is_ordered && !are_apart(a, one, b, other);
  }

  /// No pointer to one can be to the other.
  bool are_apart(const MemoryAccess &a, const llvm::Value *one, const MemoryAccess &b,
                 const llvm::Value *other) const {
    auto is_global = [](const MemoryAccess &access) {
      return access.pointer->getType()->getPointerAddressSpace() == global_address_space;
    };
    if ((a.is_local && is_global(b)) || (b.is_local && is_global(a)))
      return true;
    if (!one || !other)
      return false;
    auto is_restricted = [&](const llvm::Value *object) {
      const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
      return argument && is_kernel_ && argument->hasNoAliasAttr();
    };
    return (llvm::isa<llvm::GlobalVariable>(one) && llvm::isa<llvm::GlobalVariable>(other)) ||
           is_restricted(one) || is_restricted(other);
  }

  /// Finds where lanes have to meet. A place that was chosen stays one.
  void place() {
    size_t count;
    do {
      count = places_.size();
      after_.clear();
      while (spread()) {
      }
    } while (count != places_.size());
  }

  /// Goes through all blocks once; stops at a place that changes what was found before it. Returns
  /// whether there is more to find.
  bool spread() {
    bool changed = false;
    for (llvm::BasicBlock *block : order_) {
      bool is_earlier = false;
      llvm::BitVector state = through(*block, is_earlier);
      if (is_earlier)
        return false;
      llvm::BitVector &known = after_[block];
      if (known.size() != state.size() || known != state) {
        known = std::move(state);
        changed = true;
      }
    }
    return changed;
  }

  /// The accesses outstanding at the end of `block`.
  llvm::BitVector through(llvm::BasicBlock &block, bool &is_earlier) {
    llvm::BitVector state(static_cast<unsigned>(accesses_.size()));
    if (before_ && block.isEntryBlock())
      state.set(static_cast<unsigned>(*before_));
    for (llvm::BasicBlock *predecessor : llvm::predecessors(&block))
      if (const auto found = after_.find(predecessor); found != after_.end())
        state |= found->second;
    if (const auto found = divergences_.find(&block); found != divergences_.end())
      for (const Divergence &divergence : found->second)
        if (has_met_in(divergence))
          state |= divergence.accesses;
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
            llvm::Instruction *place = place_between(before, access);
            is_earlier = place != &instruction && places_.insert(place).second;
            if (is_earlier)
              return state;
            places_.insert(&instruction); // also where an earlier one does not suffice
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
  const bool is_kernel_;
  LaneNumbers numbers_;
  LaneConflicts conflicts_;
  LockedSections locked_;
  llvm::ReversePostOrderTraversal<llvm::Function *> order_;
  std::vector<MemoryAccess> accesses_;
  std::optional<size_t> before_; // the accesses of callers before the function begins
  std::vector<LaneAccess> described_;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<size_t, 1>> of_;
  llvm::DenseMap<const llvm::Instruction *, size_t> events_;
  std::optional<Reaching> reaching_;
  std::map<std::pair<size_t, size_t>, bool> known_;
  llvm::SmallPtrSet<const llvm::Value *, 4> stores_meet_, exchanged_;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> places_;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<Divergence>> divergences_;
  /// The branches by which only some lanes come through a block.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>> deciders_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> after_;
};

/// Whether the function orders accesses to memory that lanes share, by itself or by what it calls.
bool orders_accesses(const llvm::Function &function,
                     llvm::SmallPtrSetImpl<const llvm::Function *> &seen) {
  return seen.insert(&function).second &&
         llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
           const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
           return is_fence_of_group(instruction) || chip::is_in_lock_step(instruction) ||
                  (callee && orders_accesses(*callee, seen));
         });
}

/// Calls of functions that were not inlined: lanes have to call those together.
void add_calls(llvm::Function &function, std::vector<MemoryAccess> &accesses) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    llvm::SmallPtrSet<const llvm::Function *, 8> seen;
    if (callee && !callee->isDeclaration() && orders_accesses(*callee, seen))
      accesses.push_back(
          {.instruction = &instruction, .loads = true, .stores = true, .is_ordered = true});
  }
}

std::vector<MemoryAccess> accesses_of(llvm::Function &function) {
  std::vector<MemoryAccess> accesses;
  bool has_fence = false;
  auto add_all = [&](bool all) {
    accesses.clear();
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      add_accesses(instruction, all, accesses);
      has_fence |= is_fence_of_group(instruction);
    }
  };
  add_all(false);
  if (llvm::any_of(accesses, [](const MemoryAccess &access) { return !access.is_local; }))
    add_all(true); // what those may exchange values with
  for (MemoryAccess &access : accesses)
    access.is_ordered |= has_fence && access.is_local && !access.is_atomic;
  add_calls(function, accesses);
  return accesses;
}

/// Something is stored, and something loaded.
bool may_exchange(const std::vector<MemoryAccess> &accesses) {
  return llvm::any_of(accesses, [](const MemoryAccess &access) { return access.stores; }) &&
         llvm::any_of(accesses, [](const MemoryAccess &access) { return access.loads; });
}

} // namespace

bool keep_lock_step(llvm::Function &function, uint32_t sub_group_size, bool is_kernel) {
  if (sub_group_size < 2 || (is_kernel && !may_exchange(accesses_of(function))))
    return false;
  lead_past_known_branches(function);
  split_copies(function);
  return LockStep(function, accesses_of(function), sub_group_size, is_kernel).run();
}

} // namespace ze_cpu
