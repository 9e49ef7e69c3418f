// Atomic instructions and, as they are about memory too, the clock and pointer kinds.
#include "../codegen/counter.h"
#include "builtins.h"

#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

// Bits of SPIR-V's Memory Semantics.
enum Semantics : uint64_t {
  acquire = 0x2,
  release = 0x4,
  acquire_release = 0x8,
  sequentially_consistent = 0x10
};

AtomicOrdering ordering(Builtin &call, unsigned argument) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.argument(argument));
  if (!constant)
    return AtomicOrdering::SequentiallyConsistent;
  uint64_t semantics = constant->getZExtValue();
  if (semantics & sequentially_consistent)
    return AtomicOrdering::SequentiallyConsistent;
  if (semantics & acquire_release)
    return AtomicOrdering::AcquireRelease;
  bool acquires = semantics & acquire, releases = semantics & release;
  return acquires && releases ? AtomicOrdering::AcquireRelease
         : acquires           ? AtomicOrdering::Acquire
         : releases           ? AtomicOrdering::Release
                              : AtomicOrdering::Monotonic;
}

AtomicOrdering for_load(AtomicOrdering order) {
  if (order == AtomicOrdering::AcquireRelease)
    return AtomicOrdering::Acquire;
  return order == AtomicOrdering::Release ? AtomicOrdering::Monotonic : order;
}

AtomicOrdering for_store(AtomicOrdering order) {
  if (order == AtomicOrdering::AcquireRelease)
    return AtomicOrdering::Release;
  return order == AtomicOrdering::Acquire ? AtomicOrdering::Monotonic : order;
}

llvm::Align natural_alignment(Builtin &call, llvm::Type *type) {
  uint64_t bytes = call.call.getModule()->getDataLayout().getTypeStoreSize(type);
  if (bytes > 8 || !llvm::isPowerOf2_64(bytes))
    call.unsupported("an atomic operation on " + std::to_string(bytes) + " bytes");
  return llvm::Align(bytes);
}

llvm::Value *update(Builtin &call, AtomicRMWInst::BinOp operation, llvm::Value *value) {
  Builder &b = call.builder;
  llvm::Value *pointer = call.argument(0);
  llvm::Align align = natural_alignment(call, value->getType());
  if (pointer->getType()->getPointerAddressSpace() != 3)
    return b.CreateAtomicRMW(operation, pointer, value, align, ordering(call, 2));
  // Work-group memory belongs to the thread that runs the group: nobody else can see between the
  // read and the write. They stay (unordered) atomic accesses so that nothing takes work-items'
  // updates for independent of each other.
  llvm::LoadInst *before = b.CreateAlignedLoad(value->getType(), pointer, align);
  before->setAtomic(AtomicOrdering::Unordered);
  b.CreateAlignedStore(llvm::buildAtomicRMWValue(operation, b, before, value), pointer, align)
      ->setAtomic(AtomicOrdering::Unordered);
  return before;
}

// (pointer, scope, semantics, value)
Lower read_modify_write(AtomicRMWInst::BinOp operation) {
  return [operation](Builtin &call) { return update(call, operation, call.argument(3)); };
}

// (pointer, scope, semantics)
Lower step(AtomicRMWInst::BinOp operation) {
  return [operation](Builtin &call) {
    return update(call, operation, llvm::ConstantInt::get(call.type(), 1));
  };
}

// (pointer, scope, semantics if equal, semantics if not, value, comparator)
llvm::Value *compare_exchange(Builtin &call) {
  AtomicOrdering success = ordering(call, 2), failure = for_load(ordering(call, 3));
  if (success == AtomicOrdering::Release && failure == AtomicOrdering::Acquire)
    success = AtomicOrdering::AcquireRelease;
  if (failure == AtomicOrdering::SequentiallyConsistent)
    success = failure;
  llvm::Value *value = call.argument(4), *comparator = call.argument(5);
  llvm::Value *pair =
      call.builder.CreateAtomicCmpXchg(call.argument(0), comparator, value,
                                       natural_alignment(call, value->getType()), success, failure);
  return call.builder.CreateExtractValue(pair, 0);
}

llvm::Value *load(Builtin &call) {
  llvm::LoadInst *load = call.builder.CreateAlignedLoad(call.type(), call.argument(0),
                                                        natural_alignment(call, call.type()));
  load->setAtomic(for_load(ordering(call, 2)));
  return load;
}

llvm::Value *store(Builtin &call) {
  llvm::Value *value = call.argument(3);
  llvm::StoreInst *store = call.builder.CreateAlignedStore(
      value, call.argument(0), natural_alignment(call, value->getType()));
  store->setAtomic(for_store(ordering(call, 2)));
  return nullptr;
}

// Flags are 32-bit integers, nonzero when set.
llvm::Value *flag_test_and_set(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *before = b.CreateAtomicRMW(AtomicRMWInst::Xchg, call.argument(0), b.getInt32(1),
                                          llvm::Align(4), ordering(call, 2));
  return b.CreateICmpNE(before, b.getInt32(0));
}

llvm::Value *flag_clear(Builtin &call) {
  Builder &b = call.builder;
  b.CreateAlignedStore(b.getInt32(0), call.argument(0), llvm::Align(4))
      ->setAtomic(for_store(ordering(call, 2)));
  return nullptr;
}

llvm::Value *clock(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *ticks = read_counter(b);
  return call.type()->isVectorTy() ? b.CreateBitCast(ticks, call.type())
                                   : b.CreateZExtOrTrunc(ticks, call.type());
}

// Which memory a generic pointer points to shows only in its address.
llvm::Value *is_within(Builder &b, llvm::Value *pointer, llvm::Value *low, llvm::Value *high) {
  llvm::Value *address = b.CreatePtrToInt(pointer, b.getInt64Ty());
  return b.CreateAnd(b.CreateICmpUGE(address, b.CreatePtrToInt(low, b.getInt64Ty())),
                     b.CreateICmpULT(address, b.CreatePtrToInt(high, b.getInt64Ty())));
}

llvm::Value *is_local(Builtin &call, llvm::Value *pointer) {
  Builder &b = call.builder;
  llvm::Value *low = call.item.local_memory(b);
  return is_within(b, pointer, low, b.CreateGEP(b.getInt8Ty(), low, call.item.local_bytes(b)));
}

llvm::Value *is_private(Builtin &call, llvm::Value *pointer) {
  return is_within(call.builder, pointer, call.item.stack_low(call.builder),
                   call.item.stack_high(call.builder));
}

// Storage classes of SPIR-V.
enum StorageClass : uint64_t { work_group = 4, cross_work_group = 5, of_function = 7 };

llvm::Value *has_class(Builtin &call, llvm::Value *pointer, uint64_t storage) {
  Builder &b = call.builder;
  switch (storage) {
  case work_group:
    return is_local(call, pointer);
  case of_function:
    return is_private(call, pointer);
  default:
    return b.CreateNot(b.CreateOr(is_local(call, pointer), is_private(call, pointer)));
  }
}

// (pointer [, storage class]); the class also shows in the result's address space.
llvm::Value *to_explicit(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *pointer = call.argument(0);
  uint64_t storage = cross_work_group;
  switch (call.type()->getPointerAddressSpace()) {
  case 0:
    storage = of_function;
    break;
  case 3:
    storage = work_group;
    break;
  }
  llvm::Value *cast = b.CreateAddrSpaceCast(pointer, call.type());
  return b.CreateSelect(has_class(call, pointer, storage), cast,
                        llvm::Constant::getNullValue(call.type()));
}

// The memory semantics bits of the memory that the pointer points to.
llvm::Value *memory_semantics(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *pointer = call.argument(0);
  llvm::Value *other =
      b.CreateSelect(is_private(call, pointer), llvm::ConstantInt::get(call.type(), 0),
                     llvm::ConstantInt::get(call.type(), 0x200));
  return b.CreateSelect(is_local(call, pointer), llvm::ConstantInt::get(call.type(), 0x100), other);
}

} // namespace

void add_atomics(BuiltinTable &table) {
  table["AtomicLoad"] = load;
  table["AtomicStore"] = store;
  table["AtomicExchange"] = read_modify_write(AtomicRMWInst::Xchg);
  table["AtomicCompareExchange"] = table["AtomicCompareExchangeWeak"] = compare_exchange;
  table["AtomicIIncrement"] = step(AtomicRMWInst::Add);
  table["AtomicIDecrement"] = step(AtomicRMWInst::Sub);
  table["AtomicIAdd"] = read_modify_write(AtomicRMWInst::Add);
  table["AtomicISub"] = read_modify_write(AtomicRMWInst::Sub);
  table["AtomicSMin"] = read_modify_write(AtomicRMWInst::Min);
  table["AtomicUMin"] = read_modify_write(AtomicRMWInst::UMin);
  table["AtomicSMax"] = read_modify_write(AtomicRMWInst::Max);
  table["AtomicUMax"] = read_modify_write(AtomicRMWInst::UMax);
  table["AtomicAnd"] = read_modify_write(AtomicRMWInst::And);
  table["AtomicOr"] = read_modify_write(AtomicRMWInst::Or);
  table["AtomicXor"] = read_modify_write(AtomicRMWInst::Xor);
  table["AtomicFAddEXT"] = read_modify_write(AtomicRMWInst::FAdd);
  table["AtomicFMinEXT"] = read_modify_write(AtomicRMWInst::FMin);
  table["AtomicFMaxEXT"] = read_modify_write(AtomicRMWInst::FMax);
  table["AtomicFlagTestAndSet"] = flag_test_and_set;
  table["AtomicFlagClear"] = flag_clear;

  table["ReadClockKHR"] = clock;
  table["GenericCastToPtrExplicit"] = to_explicit;
  for (const char *place : {"ToGlobal", "ToLocal", "ToPrivate"})
    table[std::string("GenericCastToPtrExplicit_") + place] = to_explicit;
  table["GenericPtrMemSemantics"] = memory_semantics;
}

} // namespace ze_cpu
