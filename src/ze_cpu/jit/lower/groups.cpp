// Barriers and collective operations: each becomes one or more synchronisation points.
#include "../regions/sync_points.h"
#include "builtins.h"

#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

// Values of SPIR-V's Scope.
enum Scope : uint64_t {
  scope_cross_device,
  scope_device,
  scope_work_group,
  scope_sub_group,
  scope_invocation
};

/// The execution scope of an operation with a result: a sub-group or a work-group.
SyncScope execution_scope(Builtin &call, unsigned argument) {
  uint64_t scope = call.constant(argument);
  if (scope == scope_sub_group)
    return SyncScope::sub_group;
  if (scope != scope_work_group)
    call.unsupported("execution scope " + std::to_string(scope));
  return SyncScope::work_group;
}

llvm::Value *sync(Builtin &call, SyncOperation operation, llvm::Value *value = nullptr,
                  llvm::Value *parameter = nullptr) {
  call.unit.has_sync = true;
  call.unit.has_grid_sync |= operation.scope == SyncScope::grid;
  return emit_sync_point(call.builder, call.item.context(), call.item.lane(), operation, value,
                         parameter);
}

// Operands travel as 64-bit integers.
llvm::Value *to_bits(Builtin &call, llvm::Value *value, bool is_signed) {
  Builder &b = call.builder;
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  unsigned width = type->getPrimitiveSizeInBits();
  if (width == 0 || width > 64)
    call.unsupported("an operand of " + std::to_string(width) + " bits");
  if (!type->isIntegerTy())
    value = b.CreateBitCast(value, b.getIntNTy(width));
  return is_signed ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
}

llvm::Value *from_bits(Builtin &call, llvm::Value *bits, llvm::Type *type) {
  Builder &b = call.builder;
  if (type->isPointerTy())
    return b.CreateIntToPtr(bits, type);
  if (type->isIntegerTy(1))
    return b.CreateICmpNE(bits, b.getInt64(0));
  llvm::Value *narrow = b.CreateTrunc(bits, b.getIntNTy(type->getPrimitiveSizeInBits()));
  return type->isIntegerTy() ? narrow : b.CreateBitCast(narrow, type);
}

// Moves `value` between lanes, element by element when it is a vector.
llvm::Value *move(Builtin &call, SyncOperation operation, llvm::Value *value,
                  llvm::Value *parameter) {
  Builder &b = call.builder;
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector)
    return from_bits(call, sync(call, operation, to_bits(call, value, false), parameter),
                     value->getType());
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::Value *bits = to_bits(call, b.CreateExtractElement(value, i), false);
    llvm::Value *moved =
        from_bits(call, sync(call, operation, bits, parameter), vector->getElementType());
    result = b.CreateInsertElement(result, moved, i);
  }
  return result;
}

llvm::Value *widen(Builtin &call, llvm::Value *number) {
  return call.builder.CreateZExtOrTrunc(number, call.builder.getInt64Ty());
}

// (scope, value, lane or distance)
Lower shuffle(SyncKind kind) {
  return [kind](Builtin &call) {
    return move(call, {kind}, call.argument(1), widen(call, call.argument(2)));
  };
}

// Intel's forms have no scope; up and down take two registers, of which the lanes beyond the edge
// read the second.
Lower intel_shuffle(SyncKind kind) {
  return [kind](Builtin &call) {
    return move(call, {kind}, call.argument(0), widen(call, call.argument(1)));
  };
}

Lower intel_shuffle_pair(bool up) {
  return [up](Builtin &call) {
    Builder &b = call.builder;
    llvm::Value *first = call.argument(0), *second = call.argument(1),
                *delta = widen(call, call.argument(2));
    llvm::Value *size = b.getInt64(call.unit.sub_group_size);
    llvm::Value *lane = b.CreateAnd(call.item.lane(), call.unit.sub_group_size - 1);
    // Down: lane + delta runs on into the next register; up: lane - delta starts in the previous
    // one.
    llvm::Value *index =
        up ? b.CreateAdd(b.CreateSub(lane, delta), size) : b.CreateAdd(lane, delta);
    llvm::Value *in_first = b.CreateICmpULT(index, size);
    llvm::Value *source = b.CreateAnd(index, call.unit.sub_group_size - 1);
    llvm::Value *from_first = move(call, {SyncKind::shuffle}, first, source);
    llvm::Value *from_second = move(call, {SyncKind::shuffle}, second, source);
    return b.CreateSelect(in_first, from_first, from_second);
  };
}

// Broadcast of a work-group names the lane by its local id, in one to three dimensions.
llvm::Value *broadcast(Builtin &call) {
  Builder &b = call.builder;
  SyncScope scope = execution_scope(call, 0);
  llvm::Value *id = call.argument(2);
  llvm::Value *lane;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(id->getType())) {
    lane = b.getInt64(0);
    for (unsigned i = vector->getNumElements(); i-- > 0;) {
      lane = b.CreateMul(lane, call.item.group_size(b, i));
      lane = b.CreateAdd(lane, widen(call, b.CreateExtractElement(id, i)));
    }
  } else {
    lane = widen(call, id);
  }
  return move(call, {SyncKind::broadcast, Combine::none, scope}, call.argument(1), lane);
}

Lower vote(SyncKind kind) {
  return [kind](Builtin &call) {
    SyncOperation operation = {kind, Combine::none, execution_scope(call, 0)};
    llvm::Value *value = call.arguments() > 1 ? to_bits(call, call.argument(1), false) : nullptr;
    return call.builder.CreateICmpNE(sync(call, operation, value), call.builder.getInt64(0));
  };
}

// A vector is equal everywhere if each of its elements is. Floats compare as numbers: zeros are
// equal, NaN is not.
llvm::Value *all_equal(Builtin &call) {
  Builder &b = call.builder;
  SyncOperation operation = {SyncKind::all_equal, Combine::none, execution_scope(call, 0)};
  llvm::Value *value = call.argument(1);
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  llvm::Value *result = b.getTrue();
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    llvm::Value *element = vector ? b.CreateExtractElement(value, i) : value;
    llvm::Type *type = element->getType();
    llvm::Value *number = b.getTrue();
    if (type->isFloatingPointTy()) {
      number = b.CreateFCmpORD(element, element);
      element = b.CreateSelect(b.CreateFCmpOEQ(element, llvm::ConstantFP::getZero(type)),
                               llvm::ConstantFP::getZero(type), element);
    }
    llvm::Value *same =
        b.CreateICmpNE(sync(call, operation, to_bits(call, element, false)), b.getInt64(0));
    result = b.CreateAnd(result, b.CreateAnd(same, number));
  }
  return result;
}

llvm::Value *mask_vector(Builtin &call, llvm::Value *mask) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
  if (!vector)
    return call.builder.CreateZExtOrTrunc(mask, call.type());
  llvm::Value *low = call.builder.CreateTrunc(mask, vector->getElementType());
  return call.builder.CreateInsertElement(llvm::Constant::getNullValue(vector), low, uint64_t(0));
}

llvm::Value *ballot(Builtin &call) {
  llvm::Value *const votes = sync(call, {SyncKind::ballot}, to_bits(call, call.argument(1), false));
  // A vote of which nobody wants the result has no users then, either, which tells that lanes only meet.
  return call.call.use_empty() ? llvm::PoisonValue::get(call.type()) : mask_vector(call, votes);
}

// Who has arrived is told beside who was named, for access_traces.h to make a check of it.
llvm::Value *named_lanes(Builtin &call) {
  if (!call.unit.checks_masks)
    return nullptr;
  llvm::IRBuilder<> &b = call.builder;
  llvm::Value *const named = b.CreateZExt(call.argument(0), b.getInt64Ty()), *const here = sync(
                                                                                 call,
                                                                                 {SyncKind::ballot},
                                                                                 b.getInt64(1));
  llvm::FunctionCallee function = call.call.getModule()->getOrInsertFunction(
      named_lanes_name, b.getVoidTy(), b.getInt64Ty(), b.getInt64Ty());
  auto *callee = llvm::cast<llvm::Function>(function.getCallee());
  callee->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  callee->setDoesNotThrow();
  b.CreateCall(function, {named, here});
  return nullptr;
}

// Ballots hold 32 lanes: only the first word counts.
llvm::Value *first_word(Builtin &call, llvm::Value *mask) {
  Builder &b = call.builder;
  if (mask->getType()->isVectorTy())
    mask = b.CreateExtractElement(mask, uint64_t(0));
  uint64_t all =
      call.unit.sub_group_size == 32 ? UINT32_MAX : (uint64_t(1) << call.unit.sub_group_size) - 1;
  return b.CreateAnd(b.CreateZExtOrTrunc(mask, b.getInt64Ty()), all);
}

llvm::Value *own_lane(Builtin &call) {
  return call.builder.CreateAnd(call.item.lane(), call.unit.sub_group_size - 1);
}

llvm::Value *test_bit(Builtin &call, llvm::Value *mask, llvm::Value *lane) {
  Builder &b = call.builder;
  llvm::Value *shifted = b.CreateLShr(first_word(call, mask), b.CreateAnd(widen(call, lane), 63));
  return b.CreateTrunc(shifted, b.getInt1Ty());
}

// (scope, group operation, mask)
llvm::Value *ballot_bit_count(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *mask = first_word(call, call.argument(2));
  llvm::Value *bit = b.CreateShl(b.getInt64(1), own_lane(call));
  switch (call.constant(1)) {
  case 0:
    break;
  case 1: // inclusive scan
    mask = b.CreateAnd(mask, b.CreateSub(b.CreateShl(bit, 1), b.getInt64(1)));
    break;
  case 2: // exclusive scan
    mask = b.CreateAnd(mask, b.CreateSub(bit, b.getInt64(1)));
    break;
  default:
    call.unsupported("its group operation");
  }
  return b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), call.type());
}

llvm::Value *ballot_find(Builtin &call, bool lowest) {
  Builder &b = call.builder;
  llvm::Value *mask = b.CreateTrunc(first_word(call, call.argument(1)), b.getInt32Ty());
  llvm::Value *found;
  if (lowest)
    found = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, b.getFalse());
  else
    found = b.CreateSub(b.getInt32(31),
                        b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask, b.getFalse()));
  return b.CreateZExtOrTrunc(found, call.type());
}

// How an arithmetic operation works on each type of operand.
struct Arithmetic {
  enum Kind {
    add,
    multiply,
    signed_min,
    signed_max,
    unsigned_min,
    unsigned_max,
    bit_and,
    bit_or,
    bit_xor
  } kind;
  bool floating;
};

Combine combine_of(Arithmetic how, bool is_double) {
  using enum Combine;
  if (how.floating)
    switch (how.kind) {
    case Arithmetic::add:
      return is_double ? double_add : float_add;
    case Arithmetic::multiply:
      return is_double ? double_multiply : float_multiply;
    case Arithmetic::signed_min:
      return is_double ? double_min : float_min;
    default:
      return is_double ? double_max : float_max;
    }
  switch (how.kind) {
  case Arithmetic::add:
    return Combine::add;
  case Arithmetic::multiply:
    return Combine::multiply;
  case Arithmetic::signed_min:
    return Combine::signed_min;
  case Arithmetic::signed_max:
    return Combine::signed_max;
  case Arithmetic::unsigned_min:
    return Combine::unsigned_min;
  case Arithmetic::unsigned_max:
    return Combine::unsigned_max;
  case Arithmetic::bit_and:
    return Combine::bit_and;
  case Arithmetic::bit_or:
    return Combine::bit_or;
  case Arithmetic::bit_xor:
    return Combine::bit_xor;
  }
  return none;
}

llvm::Constant *identity(Arithmetic how, llvm::Type *type) {
  if (how.floating)
    switch (how.kind) {
    case Arithmetic::multiply:
      return llvm::ConstantFP::get(type, 1.0);
    case Arithmetic::signed_min:
      return llvm::ConstantFP::getInfinity(type);
    case Arithmetic::signed_max:
      return llvm::ConstantFP::getInfinity(type, true);
    default:
      return llvm::ConstantFP::getZero(type);
    }
  unsigned width = type->getIntegerBitWidth();
  switch (how.kind) {
  case Arithmetic::multiply:
    return llvm::ConstantInt::get(type, 1);
  case Arithmetic::signed_min:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(width));
  case Arithmetic::signed_max:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(width));
  case Arithmetic::unsigned_min:
  case Arithmetic::bit_and:
    return llvm::Constant::getAllOnesValue(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

// (scope, group operation, value [, cluster size])
Lower arithmetic(Arithmetic how) {
  return [how](Builtin &call) -> llvm::Value * {
    Builder &b = call.builder;
    SyncScope scope = execution_scope(call, 0);
    uint64_t group_operation = call.constant(1);
    SyncKind kind;
    switch (group_operation) {
    case 0:
    case 3: // clustered reduce
      kind = SyncKind::reduce;
      break;
    case 1:
      kind = SyncKind::inclusive_scan;
      break;
    case 2:
      kind = SyncKind::exclusive_scan;
      break;
    default:
      call.unsupported("group operation " + std::to_string(group_operation));
    }
    llvm::Value *cluster = group_operation == 3 ? widen(call, call.argument(3)) : b.getInt64(0);
    auto one = [&](llvm::Value *value) -> llvm::Value * {
      llvm::Type *type = value->getType();
      // Half precision is carried out in single.
      if (how.floating && type->getPrimitiveSizeInBits() < 32)
        value = b.CreateFPExt(value, b.getFloatTy());
      bool is_signed = how.kind == Arithmetic::signed_min || how.kind == Arithmetic::signed_max;
      SyncOperation operation = {kind, combine_of(how, value->getType()->isDoubleTy()), scope};
      llvm::Value *parameter = cluster;
      if (kind == SyncKind::exclusive_scan)
        parameter = to_bits(call, identity(how, value->getType()), is_signed && !how.floating);
      llvm::Value *bits =
          sync(call, operation, to_bits(call, value, is_signed && !how.floating), parameter);
      llvm::Value *result = from_bits(call, bits, value->getType());
      return result->getType() == type ? result : b.CreateFPTrunc(result, type);
    };
    llvm::Value *value = call.argument(2);
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    if (!vector)
      return one(value);
    llvm::Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = b.CreateInsertElement(result, one(b.CreateExtractElement(value, i)), i);
    return result;
  };
}

// (scope, value, delta [, cluster size])
llvm::Value *rotate(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *cluster =
      call.arguments() > 3 ? widen(call, call.argument(3)) : b.getInt64(call.unit.sub_group_size);
  llvm::Value *delta = b.CreateAnd(widen(call, call.argument(2)), UINT32_MAX);
  return move(call, {SyncKind::rotate}, call.argument(1),
              b.CreateOr(b.CreateShl(cluster, 32), delta));
}

// All work-items of a group run on one thread: memory needs ordering between groups only.
void memory_fence(Builtin &call, uint64_t scope) {
  if (scope <= scope_device)
    call.builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  else if (scope != scope_invocation)
    call.builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                             llvm::SyncScope::SingleThread);
}

uint64_t memory_scope(Builtin &call, unsigned argument) {
  auto *scope = llvm::dyn_cast<llvm::ConstantInt>(call.argument(argument));
  return scope ? scope->getZExtValue() : uint64_t(scope_cross_device);
}

// (execution scope, memory scope, semantics)
llvm::Value *control_barrier(Builtin &call) {
  uint64_t scope = call.constant(0);
  uint64_t fence = memory_scope(call, 1);
  if (fence <= scope_device)
    memory_fence(call, fence);
  if (scope == scope_device)
    sync(call, {SyncKind::barrier, Combine::none, SyncScope::grid});
  else if (scope != scope_invocation)
    sync(call, {SyncKind::barrier, Combine::none, execution_scope(call, 0)});
  return nullptr;
}

void add_arithmetic(BuiltinTable &table) {
  struct Entry {
    const char *name;
    Arithmetic how;
  };
  constexpr Entry uniform[] = {
      {"IAdd", {Arithmetic::add, false}},          {"FAdd", {Arithmetic::add, true}},
      {"FMin", {Arithmetic::signed_min, true}},    {"UMin", {Arithmetic::unsigned_min, false}},
      {"SMin", {Arithmetic::signed_min, false}},   {"FMax", {Arithmetic::signed_max, true}},
      {"UMax", {Arithmetic::unsigned_max, false}}, {"SMax", {Arithmetic::signed_max, false}},
  };
  constexpr Entry others[] = {
      {"IMul", {Arithmetic::multiply, false}},      {"FMul", {Arithmetic::multiply, true}},
      {"BitwiseAnd", {Arithmetic::bit_and, false}}, {"BitwiseOr", {Arithmetic::bit_or, false}},
      {"BitwiseXor", {Arithmetic::bit_xor, false}}, {"LogicalAnd", {Arithmetic::bit_and, false}},
      {"LogicalOr", {Arithmetic::bit_or, false}},   {"LogicalXor", {Arithmetic::bit_xor, false}},
  };
  for (const Entry &entry : uniform) {
    table[std::string("Group") + entry.name] = arithmetic(entry.how);
    table[std::string("GroupNonUniform") + entry.name] = arithmetic(entry.how);
  }
  for (const Entry &entry : others) {
    table[std::string("Group") + entry.name + "KHR"] = arithmetic(entry.how);
    table[std::string("GroupNonUniform") + entry.name] = arithmetic(entry.how);
  }
}

} // namespace

void add_groups(BuiltinTable &table) {
  table["ControlBarrier"] = control_barrier;
  table["MemoryBarrier"] = [](Builtin &call) -> llvm::Value * {
    memory_fence(call, memory_scope(call, 0));
    return nullptr;
  };

  table["GroupNonUniformShuffle"] = shuffle(SyncKind::shuffle);
  table["GroupNonUniformShuffleXor"] = shuffle(SyncKind::shuffle_xor);
  table["GroupNonUniformShuffleUp"] = shuffle(SyncKind::shuffle_up);
  table["GroupNonUniformShuffleDown"] = shuffle(SyncKind::shuffle_down);
  table["GroupNonUniformRotateKHR"] = rotate;
  table["SubgroupShuffleINTEL"] = intel_shuffle(SyncKind::shuffle);
  table["SubgroupShuffleXorINTEL"] = intel_shuffle(SyncKind::shuffle_xor);
  table["SubgroupShuffleUpINTEL"] = intel_shuffle_pair(true);
  table["SubgroupShuffleDownINTEL"] = intel_shuffle_pair(false);

  table["GroupBroadcast"] = broadcast;
  table["GroupNonUniformBroadcast"] = broadcast;
  table["SubgroupReadInvocationKHR"] = [](Builtin &call) {
    return move(call, {SyncKind::broadcast}, call.argument(0), widen(call, call.argument(1)));
  };
  table["SubgroupFirstInvocationKHR"] = [](Builtin &call) {
    return move(call, {SyncKind::broadcast_first}, call.argument(0), nullptr);
  };
  table["GroupNonUniformBroadcastFirst"] = [](Builtin &call) {
    return move(call, {SyncKind::broadcast_first}, call.argument(1), nullptr);
  };

  table["GroupAny"] = table["GroupNonUniformAny"] = vote(SyncKind::any);
  table["GroupAll"] = table["GroupNonUniformAll"] = vote(SyncKind::all);
  table["GroupNonUniformElect"] = vote(SyncKind::elect);
  table["GroupNonUniformAllEqual"] = all_equal;

  table["GroupNonUniformBallot"] = ballot;
  table["ChipNamedLanes"] = named_lanes;
  table["SubgroupBallotKHR"] = [](Builtin &call) {
    return mask_vector(call,
                       sync(call, {SyncKind::ballot}, to_bits(call, call.argument(0), false)));
  };
  table["GroupNonUniformInverseBallot"] = [](Builtin &call) {
    return test_bit(call, call.argument(1), own_lane(call));
  };
  table["GroupNonUniformBallotBitExtract"] = [](Builtin &call) {
    return test_bit(call, call.argument(1), call.argument(2));
  };
  table["GroupNonUniformBallotBitCount"] = ballot_bit_count;
  table["GroupNonUniformBallotFindLSB"] = [](Builtin &call) { return ballot_find(call, true); };
  table["GroupNonUniformBallotFindMSB"] = [](Builtin &call) { return ballot_find(call, false); };

  add_arithmetic(table);
}

} // namespace ze_cpu
