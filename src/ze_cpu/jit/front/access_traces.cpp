#include "access_traces.h"

#include "../../contract/memory_access.h"
#include "../lower/builtins.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"
#include "../regions/uniformity.h"
#include "check_calls.h"
#include "source_places.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

/// Whether two pointers are the same address for sure.
bool is_same(const llvm::Value *a, const llvm::Value *b) {
  a = a->stripPointerCasts();
  b = b->stripPointerCasts();
  const auto *first = llvm::dyn_cast<llvm::GetElementPtrInst>(a),
             *second = llvm::dyn_cast<llvm::GetElementPtrInst>(b);
  return a == b || (first && second && first->isIdenticalTo(second));
}

bool is_barrier(const llvm::Instruction &instruction) {
  if (!is_sync_point(instruction))
    return false;
  const SyncOperation operation = operation_of(llvm::cast<llvm::CallInst>(instruction));
  return operation.kind == SyncKind::barrier && operation.scope != SyncScope::sub_group;
}

/// Whether all work-items of a group come to each of the module's barriers, as often as any of them.
bool all_come_to_barriers(llvm::Module &module, llvm::Function &kernel) {
  for (llvm::Function &function : module)
    if (&function != &kernel && !function.isDeclaration() &&
        llvm::any_of(llvm::instructions(function), is_barrier))
      return false;
  const Uniformity uniformity(kernel, Team{});
  return llvm::all_of(llvm::instructions(kernel), [&](const llvm::Instruction &instruction) {
    return !is_barrier(instruction) || uniformity.is_uniform(instruction.getParent());
  });
}

class Tracer {
public:
  /// With `accesses` to be told of, and barriers to which all work-items come if `all_come`.
  Tracer(llvm::Function &function, SourcePlaces &places, bool accesses, bool all_come)
      : accesses_(accesses), all_come_(all_come), function_(function),
        layout_(function.getParent()->getDataLayout()), places_(places), assumptions_(function),
        dominators_(function), demanded_(function, assumptions_, dominators_) {}

  void run() {
    llvm::SmallVector<llvm::Instruction *> all;
    for (llvm::Instruction &instruction : llvm::instructions(function_)) {
      all.push_back(&instruction);
      if (atomic_pointer(instruction))
        atomics_.push_back(&instruction);
    }
    for (llvm::Instruction *instruction : all)
      if (accesses_)
        visit(*instruction);
    for (llvm::Instruction *instruction : all)
      if (is_barrier(*instruction))
        visit_barrier(llvm::cast<llvm::CallInst>(*instruction));
      else if (names_lanes(*instruction))
        visit_named_lanes(llvm::cast<llvm::CallInst>(*instruction));
  }

private:
  /// The address that is changed atomically. Of work-group memory that is a load and a store, both unordered
  /// (lower/atomics.cpp): the load stands for the two.
  static const llvm::Value *atomic_pointer(const llvm::Instruction &instruction) {
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return update->getPointerOperand();
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return exchange->getPointerOperand();
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && load->getOrdering() == llvm::AtomicOrdering::Unordered
               ? load->getPointerOperand()
               : nullptr;
  }

  void visit(llvm::Instruction &instruction) {
    if (const llvm::Value *pointer = atomic_pointer(instruction)) {
      const llvm::Type *type = instruction.getType();
      if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        type = exchange->getNewValOperand()->getType();
      trace(instruction, pointer, size_of(type), traced::read | traced::write | traced::atomic);
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      visit_load(*load);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (store->getOrdering() != llvm::AtomicOrdering::Unordered)
        visit_store(*store);
    } else if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
      const uint32_t flags = order_flags(instruction, false);
      if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(memory))
        trace(instruction, transfer->getRawSource(), transfer->getLength(),
              flags | traced::read | traced::only_copied);
      trace(instruction, memory->getRawDest(), memory->getLength(), flags | traced::write);
    } else if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
      if (fence->getSyncScopeID() != llvm::SyncScope::SingleThread)
        call("ze_cpu_trace_fence", "ul", instruction, {});
    }
  }

  llvm::Value *size_of(const llvm::Type *type) const {
    return number(layout_.getTypeStoreSize(const_cast<llvm::Type *>(type)).getFixedValue());
  }
  llvm::ConstantInt *number(uint64_t value) const {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(function_.getContext()), value);
  }

  static uint32_t order_flags(const llvm::Instruction &instruction, bool atomic) {
    return (atomic ? traced::atomic : 0u) | (instruction.isVolatile() ? traced::is_volatile : 0u);
  }

  void visit_load(llvm::LoadInst &load) {
    uint32_t flags = traced::read | order_flags(load, load.isAtomic());
    const llvm::Value *pointer = load.getPointerOperand();
    if (llvm::any_of(atomics_, [&](const llvm::Instruction *atomic) {
          return is_same(atomic_pointer(*atomic), pointer) &&
                 llvm::isPotentiallyReachable(&load, atomic, nullptr, &dominators_);
        }))
      flags |= traced::beside_atomic;
    const bool only_copied = llvm::all_of(load.users(), [&](const llvm::User *user) {
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
      return store && store->getValueOperand() == &load;
    });
    if (only_copied)
      flags |= traced::only_copied;
    uint64_t wanted = ~uint64_t(0);
    if (const auto bytes = bytes_wanted(load)) {
      wanted = *bytes;
      flags |= traced::has_value;
    }
    trace(load, pointer, size_of(load.getType()), flags, number(wanted));
  }

  /// The bytes of what is loaded that make a difference, as a mask: a structure's padding does not.
  std::optional<uint64_t> bytes_wanted(llvm::LoadInst &load) {
    llvm::Type *type = load.getType();
    const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    uint64_t wanted = 0;
    if (type->isIntegerTy() && size <= 8) {
      const llvm::APInt bits = demanded_.getDemandedBits(&load);
      for (unsigned i = 0; i < bits.getBitWidth(); ++i)
        if (bits[i])
          wanted |= uint64_t(1) << i / 8;
      return wanted;
    }
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector || size > 64 || layout_.getTypeSizeInBits(vector->getElementType()) % 8 != 0)
      return std::nullopt;
    const uint64_t element = size / vector->getNumElements();
    for (const llvm::User *user : load.users()) {
      const auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
      const auto *index =
          extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
      if (!index || index->getZExtValue() >= vector->getNumElements())
        return std::nullopt;
      wanted |= ((uint64_t(1) << element) - 1) << (index->getZExtValue() * element);
    }
    return wanted;
  }

  // With the value, in words: who writes what was there already changes nothing.
  void visit_store(llvm::StoreInst &store) {
    const uint32_t flags = traced::write | order_flags(store, store.isAtomic());
    llvm::Value *value = store.getValueOperand();
    llvm::Type *type = value->getType();
    const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue(),
                   bits = layout_.getTypeSizeInBits(type).getFixedValue();
    llvm::Value *const pointer = store.getPointerOperand();
    const bool is_word = !type->isAggregateType() && bits == size * 8 &&
                         (size <= 8 || size % 8 == 0) && size <= 64 && !type->isPtrOrPtrVectorTy();
    if (!is_word || is_certain(pointer))
      return trace(store, pointer, number(size), flags);
    Builder b(&store);
    if (size <= 8)
      return trace(store, pointer, number(size), flags | traced::has_value,
                   b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(static_cast<unsigned>(bits))),
                                b.getInt64Ty()));
    llvm::Value *words = b.CreateBitCast(
        value, llvm::FixedVectorType::get(b.getInt64Ty(), static_cast<unsigned>(size / 8)));
    for (uint64_t i = 0; i < size / 8; ++i)
      trace(store, b.CreateGEP(b.getInt8Ty(), pointer, number(i * 8)), number(8),
            flags | traced::has_value, b.CreateExtractElement(words, i));
  }

  void trace(llvm::Instruction &before, const llvm::Value *pointer, llvm::Value *bytes,
             uint32_t flags, llvm::Value *value = nullptr) {
    if (is_certain(pointer))
      return;
    Builder b(&before);
    call("ze_cpu_trace", "ulvuuuv", before,
         {const_cast<llvm::Value *>(pointer), b.CreateZExtOrTrunc(bytes, b.getInt64Ty()),
          b.getInt32(flags), places_.of(before), value ? value : number(0)});
  }

  // The work-item's own, written by nobody, or the checks' own.
  bool is_certain(const llvm::Value *pointer) const {
    const llvm::Value *object = llvm::getUnderlyingObject(pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(object) || object == function_.getArg(context_parameter::group))
      return true;
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return variable && (variable->isConstant() || SourcePlaces::is_place(*variable));
  }

  void call(const char *name, const char *kinds, llvm::Instruction &before,
            llvm::ArrayRef<llvm::Value *> operands) {
    llvm::SmallVector<llvm::Value *> all = {function_.getArg(context_parameter::group),
                                            function_.getArg(context_parameter::lane)};
    all.append(operands.begin(), operands.end());
    call_check(before, name, kinds, all);
  }

  static bool names_lanes(const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == named_lanes_name;
  }

  void visit_named_lanes(llvm::CallInst &names) {
    llvm::Constant *const place = places_.of(names);
    call("ze_cpu_trace_named", "ulvvu", names,
         {names.getArgOperand(0), names.getArgOperand(1), place});
    if (llvm::BasicBlock *behind = block_behind(*names.getParent()))
      call("ze_cpu_trace_behind", "ulu", *behind->getFirstInsertionPt(), {place});
    names.eraseFromParent();
  }

  void visit_barrier(llvm::CallInst &barrier) {
    Builder b(&barrier);
    llvm::Constant *const of_grid = b.getInt32(operation_of(barrier).scope == SyncScope::grid);
    if (all_come_) { // nothing can be wrong with it
      if (accesses_)
        call(meeting_name, "uluu", *barrier.getNextNode(), {b.getInt64(1), of_grid});
      return;
    }
    llvm::Constant *const place = places_.of(barrier);
    call("ze_cpu_trace_arrive", "ulu", barrier, {place});
    call("ze_cpu_trace_pass", "ulu", *barrier.getNextNode(), {of_grid});
    if (llvm::BasicBlock *behind = block_behind(*barrier.getParent()))
      call("ze_cpu_trace_around", "ulu", *behind->getFirstInsertionPt(), {place});
  }

  /// The first block that all ways from the barrier lead to and none of them from there back to it, if
  /// anything is done from there on: work-items that only end have left early, which is allowed.
  llvm::BasicBlock *block_behind(llvm::BasicBlock &barrier) {
    const llvm::PostDominatorTree behind(function_);
    for (auto *node = behind.getNode(&barrier); node && node->getIDom(); node = node->getIDom()) {
      llvm::BasicBlock *const block = node->getIDom()->getBlock();
      if (!block)
        return nullptr;
      if (llvm::isPotentiallyReachable(block, &barrier))
        continue;
      return does_anything(*block) ? block : nullptr;
    }
    return nullptr;
  }

  static bool does_anything(llvm::BasicBlock &from) {
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen;
    llvm::SmallVector<const llvm::BasicBlock *> open = {&from};
    while (!open.empty()) {
      const llvm::BasicBlock *block = open.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      for (const llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory() && !instruction.isLifetimeStartOrEnd())
          return true;
      open.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return false;
  }

  const bool accesses_, all_come_;
  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  SourcePlaces &places_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree dominators_;
  llvm::DemandedBits demanded_;
  llvm::SmallVector<const llvm::Instruction *> atomics_;
};

} // namespace

void trace_accesses(llvm::Module &module, bool accesses, llvm::Function *kernel) {
  SourcePlaces places(module);
  const bool all_come = kernel && all_come_to_barriers(module, *kernel);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.removeFnAttr(llvm::Attribute::WillReturn);
      Tracer(function, places, accesses, all_come).run();
    }
}

} // namespace ze_cpu
