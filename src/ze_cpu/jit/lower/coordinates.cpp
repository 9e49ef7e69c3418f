// Built-in variables: where a work-item is, and how large the grid.
#include "builtins.h"

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using Coordinate = llvm::Value *(WorkItem::*)(Builder &, unsigned);

// Called with a dimension (`outside` is the value beyond the third), or without one for all three
// as a vector.
Lower coordinate(Coordinate get, uint64_t outside) {
  return [get, outside](Builtin &call) -> llvm::Value * {
    Builder &b = call.builder;
    auto value = [&](unsigned dimension) { return (call.item.*get)(b, dimension); };
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type())) {
      llvm::Value *result = llvm::PoisonValue::get(vector);
      for (unsigned i = 0; i < std::min(3u, vector->getNumElements()); ++i)
        result = b.CreateInsertElement(result,
                                       b.CreateZExtOrTrunc(value(i), vector->getElementType()), i);
      return result;
    }
    llvm::Value *dimension = call.arguments() > 0 ? call.argument(0) : b.getInt32(0);
    llvm::Value *result;
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(dimension)) {
      uint64_t index = constant->getZExtValue();
      result = index < 3 ? value(static_cast<unsigned>(index)) : b.getInt64(outside);
    } else {
      result = b.getInt64(outside);
      for (unsigned i = 0; i < 3; ++i)
        result = b.CreateSelect(
            b.CreateICmpEQ(dimension, llvm::ConstantInt::get(dimension->getType(), i)), value(i),
            result);
    }
    return b.CreateZExtOrTrunc(result, call.type());
  };
}

Lower number(llvm::Value *(*get)(Builtin &)) {
  return [get](Builtin &call) { return call.builder.CreateZExtOrTrunc(get(call), call.type()); };
}

llvm::Value *lane_in_sub_group(Builtin &call) {
  return call.builder.CreateAnd(call.item.lane(), call.unit.sub_group_size - 1);
}

llvm::Value *sub_group_id(Builtin &call) {
  return call.builder.CreateLShr(call.item.lane(), llvm::Log2_32(call.unit.sub_group_size));
}

llvm::Value *sub_groups(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *rounded = b.CreateAdd(call.item.lanes(b), b.getInt64(call.unit.sub_group_size - 1));
  return b.CreateLShr(rounded, llvm::Log2_32(call.unit.sub_group_size));
}

// The last sub-group may be a part of one.
llvm::Value *sub_group_size(Builtin &call) {
  Builder &b = call.builder;
  llvm::Value *first = b.CreateAnd(call.item.lane(), ~uint64_t(call.unit.sub_group_size - 1));
  llvm::Value *left = b.CreateSub(call.item.lanes(b), first);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, b.getInt64(call.unit.sub_group_size));
}

// Masks of the lanes that stand in a relation to this one, among those of the sub-group.
enum class Comparison { equal, greater, greater_equal, less, less_equal };
Lower lane_mask(Comparison which) {
  return [which](Builtin &call) -> llvm::Value * {
    Builder &b = call.builder;
    llvm::Value *bit = b.CreateShl(b.getInt64(1), lane_in_sub_group(call));
    llvm::Value *all = b.CreateSub(b.CreateShl(b.getInt64(1), sub_group_size(call)), b.getInt64(1));
    llvm::Value *below = b.CreateSub(bit, b.getInt64(1));
    llvm::Value *mask = bit;
    switch (which) {
    case Comparison::equal:
      break;
    case Comparison::less:
      mask = below;
      break;
    case Comparison::less_equal:
      mask = b.CreateOr(below, bit);
      break;
    case Comparison::greater_equal:
      mask = b.CreateAnd(all, b.CreateNot(below));
      break;
    case Comparison::greater:
      mask = b.CreateAnd(all, b.CreateNot(b.CreateOr(below, bit)));
      break;
    }
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
    if (!vector)
      return b.CreateZExtOrTrunc(mask, call.type());
    return b.CreateInsertElement(llvm::Constant::getNullValue(vector),
                                 b.CreateTrunc(mask, vector->getElementType()), uint64_t(0));
  };
}

} // namespace

void add_coordinates(BuiltinTable &table) {
  table["BuiltInGlobalInvocationId"] = coordinate(&WorkItem::global_id, 0);
  table["BuiltInLocalInvocationId"] = coordinate(&WorkItem::local_id, 0);
  table["BuiltInWorkgroupId"] = coordinate(&WorkItem::group_id, 0);
  table["BuiltInWorkgroupSize"] = coordinate(&WorkItem::group_size, 1);
  table["BuiltInEnqueuedWorkgroupSize"] = coordinate(&WorkItem::group_size, 1);
  table["BuiltInNumWorkgroups"] = coordinate(&WorkItem::groups, 1);
  table["BuiltInGlobalSize"] = coordinate(&WorkItem::global_size, 1);
  table["BuiltInGlobalOffset"] = coordinate(&WorkItem::global_offset, 0);
  table["BuiltInWorkDim"] =
      number([](Builtin &call) { return call.item.work_dimensions(call.builder); });
  table["BuiltInLocalInvocationIndex"] = number([](Builtin &call) { return call.item.lane(); });
  table["BuiltInGlobalLinearId"] = number([](Builtin &call) {
    Builder &b = call.builder;
    auto position = [&](unsigned i) {
      return b.CreateSub(call.item.global_id(b, i), call.item.global_offset(b, i));
    };
    llvm::Value *plane =
        b.CreateAdd(b.CreateMul(position(2), call.item.global_size(b, 1)), position(1));
    return b.CreateAdd(b.CreateMul(plane, call.item.global_size(b, 0)), position(0));
  });
  table["BuiltInSubgroupLocalInvocationId"] = number(lane_in_sub_group);
  table["BuiltInSubgroupId"] = number(sub_group_id);
  table["BuiltInSubgroupSize"] = number(sub_group_size);
  table["BuiltInSubgroupMaxSize"] = number([](Builtin &call) -> llvm::Value * {
    return call.builder.getInt64(call.unit.sub_group_size);
  });
  table["BuiltInNumSubgroups"] = number(sub_groups);
  table["BuiltInNumEnqueuedSubgroups"] = number(sub_groups);
  for (const char *khr : {"", "KHR"}) {
    auto name = [&](const char *stem) { return std::string("BuiltInSubgroup") + stem + khr; };
    table[name("EqMask")] = lane_mask(Comparison::equal);
    table[name("GtMask")] = lane_mask(Comparison::greater);
    table[name("GeMask")] = lane_mask(Comparison::greater_equal);
    table[name("LtMask")] = lane_mask(Comparison::less);
    table[name("LeMask")] = lane_mask(Comparison::less_equal);
  }
}

} // namespace ze_cpu
