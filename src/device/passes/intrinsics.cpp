// LLVM intrinsics that plain HIP code leads to and that the back end of LLVM 22 cannot select, in
// terms of what it can. Each case can go when the back end knows the intrinsic.
#include "builtins.h"
#include "kernels/kernels.h"
#include "passes.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

using namespace llvm;

namespace chip {
namespace {

constexpr int device_scope = 1; // SPIR-V specification, 3.27

// Quiets signalling NaNs, which is all that canonicalising means where denormals are kept.
Value *canonical(IRBuilder<> &builder, Value *x) {
  return builder.CreateFMul(x, ConstantFP::get(x->getType(), 1.0));
}

// IEEE 754-2019 minimumNumber and maximumNumber: a NaN loses against a number.
Value *ignoring_nans(IRBuilder<> &builder, Intrinsic::ID extremum, Value *x, Value *y) {
  Value *result = builder.CreateBinaryIntrinsic(extremum, x, y);
  result = builder.CreateSelect(builder.CreateFCmpUNO(y, y), x, result);
  return builder.CreateSelect(builder.CreateFCmpUNO(x, x), y, result);
}

Value *pair(IRBuilder<> &builder, Type *type, Value *first, Value *second) {
  Value *both = builder.CreateInsertValue(PoisonValue::get(type), first, 0);
  return builder.CreateInsertValue(both, second, 1);
}

// An offset instead of a cast from an integer: what the pointer points to stays known.
Value *masked_pointer(IRBuilder<> &builder, Value *pointer, Value *mask) {
  Value *address = builder.CreatePtrToInt(pointer, mask->getType());
  Value *surplus = builder.CreateAnd(address, builder.CreateNot(mask));
  return builder.CreatePtrAdd(pointer, builder.CreateNeg(surplus));
}

// The back end makes a copy of it that may not overlap if it knows the size. Reads all before it
// writes; the parts of a small array can still become variables then.
void move_at_once(IRBuilder<> &builder, MemMoveInst &move, uint64_t bytes) {
  struct Part {
    uint64_t offset;
    Value *value;
  };
  const Align from = move.getSourceAlign().valueOrOne(), to = move.getDestAlign().valueOrOne();
  uint64_t width = std::min<uint64_t>({from.value(), to.value(), 8});
  SmallVector<Part> parts;
  for (uint64_t offset = 0; offset < bytes; offset += width) {
    while (width > bytes - offset)
      width /= 2;
    Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), move.getRawSource(), offset);
    parts.push_back(
        {offset, builder.CreateAlignedLoad(builder.getIntNTy(unsigned(8 * width)), place,
                                           commonAlignment(from, offset), move.isVolatile())});
  }
  for (const Part &part : parts) {
    Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), move.getRawDest(), part.offset);
    builder.CreateAlignedStore(part.value, place, commonAlignment(to, part.offset),
                               move.isVolatile());
  }
}

bool expand_moves(Function &function) {
  constexpr uint64_t most_at_once = 64;
  SmallVector<MemMoveInst *> moves;
  for (Instruction &instruction : instructions(function))
    if (auto *move = dyn_cast<MemMoveInst>(&instruction);
        move && isa<ConstantInt>(move->getLength()))
      moves.push_back(move);
  for (MemMoveInst *move : moves) {
    const uint64_t bytes = cast<ConstantInt>(move->getLength())->getZExtValue();
    IRBuilder<> builder(move);
    if (bytes <= most_at_once)
      move_at_once(builder, *move, bytes);
    else if (!expandMemMoveAsLoop(move, TargetTransformInfo(function.getDataLayout())))
      continue;
    move->eraseFromParent();
  }
  return !moves.empty();
}

// The replacement for a call, which the call itself stands for where it stays; null for a call
// without effect or result.
Value *replacement(IRBuilder<> &builder, IntrinsicInst &call) {
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  Type *type = call.getType();
  switch (call.getIntrinsicID()) {
  case Intrinsic::canonicalize:
    return canonical(builder, argument(0));
  case Intrinsic::exp10:
    return call_builtin(builder, "__spirv_ocl_exp10", type, {argument(0)});
  case Intrinsic::ldexp:
    return call_builtin(builder, "__spirv_ocl_ldexp", type, {argument(0), argument(1)});
  case Intrinsic::minimumnum:
    return ignoring_nans(builder, Intrinsic::minimum, argument(0), argument(1));
  case Intrinsic::maximumnum:
    return ignoring_nans(builder, Intrinsic::maximum, argument(0), argument(1));
  case Intrinsic::sincos:
    return pair(builder, type, builder.CreateUnaryIntrinsic(Intrinsic::sin, argument(0)),
                builder.CreateUnaryIntrinsic(Intrinsic::cos, argument(0)));
  case Intrinsic::sincospi: {
    Type *element = argument(0)->getType();
    return pair(builder, type, call_builtin(builder, "__spirv_ocl_sinpi", element, {argument(0)}),
                call_builtin(builder, "__spirv_ocl_cospi", element, {argument(0)}));
  }
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return builder.CreateFPToSI(builder.CreateUnaryIntrinsic(Intrinsic::rint, argument(0)), type);
  case Intrinsic::memcpy_inline: {
    auto &copy = cast<MemCpyInst>(call);
    return builder.CreateMemCpy(copy.getRawDest(), copy.getDestAlign(), copy.getRawSource(),
                                copy.getSourceAlign(), copy.getLength(), copy.isVolatile());
  }
  case Intrinsic::memset_inline: {
    auto &set = cast<MemSetInst>(call);
    return builder.CreateMemSet(set.getRawDest(), set.getValue(), set.getLength(),
                                set.getDestAlign(), set.isVolatile());
  }
  case Intrinsic::ptrmask:
    if (type->isVectorTy())
      return &call;
    return masked_pointer(builder, argument(0), argument(1));
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
    return call_builtin(builder, "__spirv_ReadClockKHR", type, {builder.getInt32(device_scope)},
                        /*pure=*/false);
  case Intrinsic::get_rounding:
    return ConstantInt::get(type, 1); // to nearest, the only mode there is
  case Intrinsic::prefetch:
  case Intrinsic::pseudoprobe:
    return nullptr;
  default:
    return &call;
  }
}

} // namespace

PreservedAnalyses Intrinsics::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    changed |= expand_moves(function);
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call)
        continue;
      IRBuilder<> builder(call);
      if (isa<FPMathOperator>(call))
        builder.setFastMathFlags(call->getFastMathFlags());
      Value *instead = replacement(builder, *call);
      if (instead == call)
        continue;
      if (instead && !call->getType()->isVoidTy()) {
        call->replaceAllUsesWith(instead);
        instead->takeName(call);
      }
      call->eraseFromParent();
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
