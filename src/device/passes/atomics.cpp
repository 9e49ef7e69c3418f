// Atomic operations as SPIR-V has them.
//
// The back end of LLVM 22 writes atomic loads and stores as plain ones, which a device compiler may
// move out of a loop that waits for them, and leaves the memory that an ordering is about out of
// the ordering ("semantics" without storage class), so that it orders nothing. Both are silent. It
// cannot select operations without an instruction of their own (nand, increment with wrap...), and
// Intel's compiler has no atomics on 8 and 16 bits. So here
//  - loads and stores become calls of __spirv_AtomicLoad and __spirv_AtomicStore;
//  - fences become calls of __spirv_MemoryBarrier;
//  - other operations become relaxed ones between two such barriers;
//  - what has no instruction becomes a loop around a compare-and-exchange of 32 or 64 bits.
// Runs when address spaces are known: calls hide pointers from that analysis. Each part can go when
// the back end does it.
#include "builtins.h"
#include "kernels/kernels.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace chip {
namespace {

// SPIR-V specification, 3.26 and 3.27.
enum Scope { cross_device = 0, device = 1, work_group = 2, sub_group = 3, invocation = 4 };
enum Semantics {
  acquire = 0x2,
  release = 0x4,
  acquire_release = 0x8,
  sequentially_consistent = 0x10,
  both_memories = 0x300, // of the work-group and of the device
};

int scope_of(LLVMContext &context, SyncScope::ID id) {
  std::optional<StringRef> name = context.getSyncScopeName(id);
  if (name == "device" || name == "agent")
    return device;
  if (name == "workgroup")
    return work_group;
  if (name == "subgroup" || name == "wavefront")
    return sub_group;
  if (name == "singlethread")
    return invocation;
  return cross_device;
}

int semantics_of(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::Acquire:
    return both_memories | acquire;
  case AtomicOrdering::Release:
    return both_memories | release;
  case AtomicOrdering::AcquireRelease:
    return both_memories | acquire_release;
  case AtomicOrdering::SequentiallyConsistent:
    return both_memories | sequentially_consistent;
  default:
    return 0;
  }
}

CallInst *call_spirv(IRBuilder<> &builder, const Twine &mangled, Type *result,
                     ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      mangled.str(), FunctionType::get(result, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  CallInst *call = builder.CreateCall(callee, arguments);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}

void barrier(IRBuilder<> &builder, int scope, AtomicOrdering ordering) {
  call_spirv(builder, "_Z21__spirv_MemoryBarrierii", builder.getVoidTy(),
             {builder.getInt32(scope), builder.getInt32(semantics_of(ordering))});
}

bool has_word_size(const DataLayout &layout, Type *type) {
  TypeSize bits = layout.getTypeSizeInBits(type);
  return bits == 32 || bits == 64;
}

// Any value of 32 or 64 bits as an integer, and back.
Value *to_integer(IRBuilder<> &builder, Value *value) {
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  return builder.CreateBitOrPointerCast(
      value, builder.getIntNTy(layout.getTypeSizeInBits(value->getType())));
}

// "PU3AS1i": pointer to an integer of the address space.
std::string pointer_mangling(Value *pointer, Type *integer) {
  unsigned space = pointer->getType()->getPointerAddressSpace();
  std::string qualifier = space == private_space ? "" : "U3AS" + std::to_string(space);
  return "P" + qualifier + (integer->isIntegerTy(64) ? "l" : "i");
}

// 32-bit words that hold a smaller value, seen from it.
class Word {
public:
  Word(IRBuilder<> &builder, Value *pointer, Type *value_type) : value_type_(value_type) {
    const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
    unsigned bits = layout.getTypeSizeInBits(value_type);
    if (bits >= 32) {
      type_ = builder.getIntNTy(bits);
      pointer_ = pointer;
      return;
    }
    type_ = builder.getInt32Ty();
    Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    Value *offset = builder.CreateAnd(address, 3);
    pointer_ = builder.CreatePtrAdd(pointer, builder.CreateNeg(offset));
    shift_ = builder.CreateTrunc(builder.CreateShl(offset, 3), type_);
    mask_ = builder.CreateNot(
        builder.CreateShl(ConstantInt::get(type_, maskTrailingOnes<uint32_t>(bits)), shift_));
  }

  Type *type() const { return type_; }
  Value *pointer() const { return pointer_; }
  Align alignment() const { return Align(type_->getIntegerBitWidth() / 8); }

  Value *value_in(IRBuilder<> &builder, Value *word) const {
    if (shift_) {
      const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
      word = builder.CreateTrunc(builder.CreateLShr(word, shift_),
                                 builder.getIntNTy(layout.getTypeSizeInBits(value_type_)));
    }
    return builder.CreateBitOrPointerCast(word, value_type_);
  }

  Value *with_value(IRBuilder<> &builder, Value *word, Value *value) const {
    value = to_integer(builder, value);
    if (!shift_)
      return value;
    value = builder.CreateShl(builder.CreateZExt(value, type_), shift_);
    return builder.CreateOr(builder.CreateAnd(word, mask_), value);
  }

private:
  Type *value_type_;
  Type *type_;
  Value *pointer_;
  Value *shift_ = nullptr; // null if the value fills the word
  Value *mask_ = nullptr;
};

class Lowering {
public:
  bool run(Function &function) {
    // Loops that replace an operation consist of operations that may have to be replaced in turn.
    SmallVector<Instruction *> atomics;
    for (Instruction &instruction : instructions(function))
      if (instruction.isAtomic())
        atomics.push_back(&instruction);
    for (Instruction *instruction : atomics)
      lower(*instruction);
    return !atomics.empty();
  }

private:
  void lower(Instruction &instruction) {
    if (auto *fence = dyn_cast<FenceInst>(&instruction))
      lower(*fence);
    else if (auto *load = dyn_cast<LoadInst>(&instruction))
      lower(*load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      lower(*store);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      lower(*exchange);
    else if (auto *modify = dyn_cast<AtomicRMWInst>(&instruction))
      lower(*modify);
  }

  void lower(FenceInst &fence) {
    IRBuilder<> builder(&fence);
    barrier(builder, scope_of(fence.getContext(), fence.getSyncScopeID()), fence.getOrdering());
    fence.eraseFromParent();
  }

  static Value *load_word(IRBuilder<> &builder, const Word &word, int scope,
                          AtomicOrdering ordering) {
    return call_spirv(
        builder, "_Z18__spirv_AtomicLoad" + pointer_mangling(word.pointer(), word.type()) + "ii",
        word.type(),
        {word.pointer(), builder.getInt32(scope), builder.getInt32(semantics_of(ordering))});
  }

  void lower(LoadInst &load) {
    if (load.getDataLayout().getTypeSizeInBits(load.getType()) > 64)
      return;
    IRBuilder<> builder(&load);
    Word word(builder, load.getPointerOperand(), load.getType());
    int scope = scope_of(load.getContext(), load.getSyncScopeID());
    Value *loaded = load_word(builder, word, scope, load.getOrdering());
    load.replaceAllUsesWith(word.value_in(builder, loaded));
    load.eraseFromParent();
  }

  void lower(StoreInst &store) {
    Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
    IRBuilder<> builder(&store);
    if (has_word_size(store.getDataLayout(), value->getType())) {
      value = to_integer(builder, value);
      std::string types = pointer_mangling(pointer, value->getType()) + "ii" +
                          (value->getType()->isIntegerTy(64) ? "l" : "i");
      call_spirv(builder, "_Z19__spirv_AtomicStore" + types, builder.getVoidTy(),
                 {pointer, builder.getInt32(scope_of(store.getContext(), store.getSyncScopeID())),
                  builder.getInt32(semantics_of(store.getOrdering())), value});
    } else if (store.getDataLayout().getTypeSizeInBits(value->getType()) < 32) {
      AtomicOrdering ordering = store.getOrdering() == AtomicOrdering::Unordered
                                    ? AtomicOrdering::Monotonic
                                    : store.getOrdering();
      lower(*builder.CreateAtomicRMW(AtomicRMWInst::Xchg, pointer, value, store.getAlign(),
                                     ordering, store.getSyncScopeID()));
    } else {
      return;
    }
    store.eraseFromParent();
  }

  // Around an operation that is relaxed from now on.
  static void barriers_around(Instruction &instruction, int scope, AtomicOrdering ordering) {
    if (isReleaseOrStronger(ordering)) {
      IRBuilder<> before(&instruction);
      barrier(before, scope,
              ordering == AtomicOrdering::SequentiallyConsistent ? ordering
                                                                 : AtomicOrdering::Release);
    }
    if (isAcquireOrStronger(ordering)) {
      IRBuilder<> after(instruction.getNextNode());
      barrier(after, scope,
              ordering == AtomicOrdering::SequentiallyConsistent ? ordering
                                                                 : AtomicOrdering::Acquire);
    }
  }

  void lower(AtomicCmpXchgInst &exchange) {
    if (exchange.getDataLayout().getTypeSizeInBits(exchange.getNewValOperand()->getType()) > 64)
      return;
    barriers_around(exchange, scope_of(exchange.getContext(), exchange.getSyncScopeID()),
                    exchange.getMergedOrdering());
    exchange.setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange.setFailureOrdering(AtomicOrdering::Monotonic);
    if (!exchange.getNewValOperand()->getType()->isIntegerTy(32) &&
        !exchange.getNewValOperand()->getType()->isIntegerTy(64))
      loop(exchange);
  }

  static bool has_instruction(const AtomicRMWInst &modify) {
    Type *type = modify.getType();
    switch (modify.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return type->isIntegerTy(32) || type->isIntegerTy(64);
    case AtomicRMWInst::Xchg:
      return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() ||
             type->isDoubleTy();
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub:
    case AtomicRMWInst::FMax:
    case AtomicRMWInst::FMin:
      return type->isFloatTy() || type->isDoubleTy();
    default:
      return false;
    }
  }

  void lower(AtomicRMWInst &modify) {
    if (modify.getDataLayout().getTypeSizeInBits(modify.getType()) > 64)
      return;
    barriers_around(modify, scope_of(modify.getContext(), modify.getSyncScopeID()),
                    modify.getOrdering());
    modify.setOrdering(AtomicOrdering::Monotonic);
    if (!has_instruction(modify))
      loop(modify);
  }

  // old = load; do { old, done = compare_exchange(old, f(old)) } while (!done)
  static void loop(AtomicRMWInst &modify) {
    BasicBlock *before = modify.getParent();
    IRBuilder<> builder(&modify);
    Word word(builder, modify.getPointerOperand(), modify.getType());
    Value *first = load_word(builder, word, scope_of(modify.getContext(), modify.getSyncScopeID()),
                             AtomicOrdering::Monotonic);

    BasicBlock *after = before->splitBasicBlock(&modify, "atomic.done");
    BasicBlock *body =
        BasicBlock::Create(modify.getContext(), "atomic.try", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, body);

    builder.SetInsertPoint(body);
    PHINode *old = builder.CreatePHI(word.type(), 2);
    old->addIncoming(first, before);
    Value *old_value = word.value_in(builder, old);
    Value *new_value =
        buildAtomicRMWValue(modify.getOperation(), builder, old_value, modify.getValOperand());
    Value *result = builder.CreateAtomicCmpXchg(
        word.pointer(), old, word.with_value(builder, old, new_value), word.alignment(),
        AtomicOrdering::Monotonic, AtomicOrdering::Monotonic, modify.getSyncScopeID());
    old->addIncoming(builder.CreateExtractValue(result, 0), body);
    builder.CreateCondBr(builder.CreateExtractValue(result, 1), after, body);

    modify.replaceAllUsesWith(old_value);
    modify.eraseFromParent();
  }

  // The same, but it ends without success as soon as the value differs from the expected one;
  // another part of the word may differ.
  static void loop(AtomicCmpXchgInst &exchange) {
    BasicBlock *before = exchange.getParent();
    IRBuilder<> builder(&exchange);
    Word word(builder, exchange.getPointerOperand(), exchange.getNewValOperand()->getType());
    Value *expected = to_integer(builder, exchange.getCompareOperand());
    Value *first =
        load_word(builder, word, scope_of(exchange.getContext(), exchange.getSyncScopeID()),
                  AtomicOrdering::Monotonic);

    BasicBlock *after = before->splitBasicBlock(&exchange, "atomic.done");
    BasicBlock *compare =
        BasicBlock::Create(exchange.getContext(), "atomic.compare", before->getParent(), after);
    BasicBlock *attempt =
        BasicBlock::Create(exchange.getContext(), "atomic.try", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, compare);

    builder.SetInsertPoint(compare);
    PHINode *old = builder.CreatePHI(word.type(), 2);
    old->addIncoming(first, before);
    Value *old_value = word.value_in(builder, old);
    Value *equal = builder.CreateICmpEQ(to_integer(builder, old_value), expected);
    builder.CreateCondBr(equal, attempt, after);

    builder.SetInsertPoint(attempt);
    Value *result = builder.CreateAtomicCmpXchg(
        word.pointer(), old, word.with_value(builder, old, exchange.getNewValOperand()),
        word.alignment(), AtomicOrdering::Monotonic, AtomicOrdering::Monotonic,
        exchange.getSyncScopeID());
    old->addIncoming(builder.CreateExtractValue(result, 0), attempt);
    builder.CreateCondBr(builder.CreateExtractValue(result, 1), after, compare);

    // Done either way round with the value that was compared.
    replace_pair(exchange, old_value, equal);
  }
};

} // namespace

PreservedAnalyses Atomics::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    changed |= Lowering().run(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
