// Integers of 3, 24 or 33 bits become integers of 8, 32 or 64.
//
// LLVM's optimiser makes them (tables of bits in place of a switch, bit fields, packed structs,
// ends of loops), but devices have 8, 16, 32 and 64 bits only. The back end rounds the types up and
// keeps the operations, so that what lies above the value's own bits gets into results, silently.
// Here every such value is kept in the next larger type with the bits above it zero; above 64 bits
// that is one of 128, which WideIntegers takes apart. Wider integers are reported. Can go when the
// back end takes care of those bits.
#include "../error.h"
#include "../kernels/kernels.h"
#include "../passes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace chip {
namespace {

constexpr unsigned widest = 128;

bool is_odd(const Type *type) {
  auto *integer = dyn_cast<IntegerType>(type->getScalarType());
  if (!integer)
    return false;
  unsigned bits = integer->getBitWidth();
  return bits != 1 && (bits < 8 || bits > widest || !isPowerOf2_32(bits));
}

bool involves_odd(const Instruction &instruction) {
  return is_odd(instruction.getType()) ||
         any_of(instruction.operands(), [](const Use &use) { return is_odd(use->getType()); });
}

class Widening {
public:
  explicit Widening(Function &function) : function_(function) {}

  // Returns the first instruction that it knows no other form of, which leaves the function half
  // done, or null.
  const Instruction *run() {
    removeUnreachableBlocks(function_);
    // In an order in which operands come before their users, but for phis.
    SmallVector<Instruction *> odd;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : *block)
        if (involves_odd(instruction))
          odd.push_back(&instruction);
    for (Instruction *instruction : odd)
      if (!widen(*instruction))
        return instruction;
    for (PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        Value *incoming = wide(phi->getIncomingValue(i));
        if (!incoming)
          return phi;
        cast<PHINode>(wide_[phi])->addIncoming(incoming, phi->getIncomingBlock(i));
      }
    for (Instruction *instruction : reverse(odd)) {
      if (!instruction->use_empty())
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    return nullptr;
  }

private:
  static bool fits(const Type *type) {
    return type->isIntegerTy() && type->getIntegerBitWidth() <= widest;
  }

  static Type *wider(Type *type) {
    unsigned bits = std::max<unsigned>(8, PowerOf2Ceil(type->getIntegerBitWidth()));
    return Type::getIntNTy(type->getContext(), bits);
  }

  // The value in the wider type, zeros above it; the value itself if its type is no odd one; null
  // if there is no such thing.
  Value *wide(Value *value) {
    Type *type = value->getType();
    if (!is_odd(type))
      return value;
    if (!fits(type))
      return nullptr;
    if (auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(wider(type),
                              number->getValue().zext(wider(type)->getIntegerBitWidth()));
    if (isa<PoisonValue>(value))
      return PoisonValue::get(wider(type));
    if (isa<UndefValue>(value))
      return ConstantInt::get(wider(type), 0);
    return wide_.lookup(value);
  }

  Value *without_upper_bits(IRBuilder<> &builder, Value *value, Type *narrow) {
    return builder.CreateAnd(value, APInt::getLowBitsSet(value->getType()->getIntegerBitWidth(),
                                                         narrow->getIntegerBitWidth()));
  }

  // The value with copies of its sign above it.
  Value *sign_extended(IRBuilder<> &builder, Value *value, Type *narrow) {
    unsigned above = value->getType()->getIntegerBitWidth() - narrow->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(value, above), above);
  }

  // An operand as the signed number that it stands for, in its wider type.
  Value *as_signed(IRBuilder<> &builder, Value *operand) {
    Value *value = wide(operand);
    if (!value || !is_odd(operand->getType()))
      return value;
    return sign_extended(builder, value, operand->getType());
  }

  bool widen(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    if (isa<BitCastInst>(instruction))
      return widen_bit_cast(builder, instruction);
    for (Value *operand : instruction.operands())
      if (is_odd(operand->getType()) && !fits(operand->getType()))
        return false;
    if (is_odd(instruction.getType()) && !fits(instruction.getType()))
      return false;
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      wide_[phi] = builder.CreatePHI(wider(phi->getType()), phi->getNumIncomingValues());
      phis_.push_back(phi);
      return true;
    }
    for (Value *operand : instruction.operands())
      if (is_odd(operand->getType()) && !wide(operand))
        return false;
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return widen_store(builder, *store);
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
      return widen_switch(*choice);
    Value *result = widened(builder, instruction);
    if (!result)
      return false;
    if (is_odd(instruction.getType()))
      wide_[&instruction] = result;
    else
      instruction.replaceAllUsesWith(result);
    return true;
  }

  Value *widened(IRBuilder<> &builder, Instruction &instruction) {
    Type *type = instruction.getType();
    auto operand = [&](unsigned i) { return instruction.getOperand(i); };
    auto cut = [&](Value *value) { return without_upper_bits(builder, value, type); };
    if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
      bool is_signed = compare->isSigned();
      return builder.CreateICmp(compare->getPredicate(),
                                is_signed ? as_signed(builder, operand(0)) : wide(operand(0)),
                                is_signed ? as_signed(builder, operand(1)) : wide(operand(1)));
    }
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
      switch (operation->getOpcode()) {
      case Instruction::And:
      case Instruction::Or:
      case Instruction::Xor:
      case Instruction::UDiv:
      case Instruction::URem:
      case Instruction::LShr:
        return builder.CreateBinOp(operation->getOpcode(), wide(operand(0)), wide(operand(1)));
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
      case Instruction::Shl:
        return cut(builder.CreateBinOp(operation->getOpcode(), wide(operand(0)), wide(operand(1))));
      case Instruction::AShr:
        return cut(builder.CreateAShr(as_signed(builder, operand(0)), wide(operand(1))));
      case Instruction::SDiv:
      case Instruction::SRem:
        return cut(builder.CreateBinOp(operation->getOpcode(), as_signed(builder, operand(0)),
                                       as_signed(builder, operand(1))));
      default:
        return nullptr;
      }
    }
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return widened_load(builder, *load);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return widened_call(builder, *call);
    switch (instruction.getOpcode()) {
    case Instruction::Trunc:
      return is_odd(type) ? cut(builder.CreateZExtOrTrunc(wide(operand(0)), wider(type)))
                          : builder.CreateZExtOrTrunc(wide(operand(0)), type);
    case Instruction::ZExt:
      return builder.CreateZExtOrTrunc(wide(operand(0)), is_odd(type) ? wider(type) : type);
    case Instruction::SExt: {
      Value *value = builder.CreateSExtOrTrunc(as_signed(builder, operand(0)),
                                               is_odd(type) ? wider(type) : type);
      return is_odd(type) ? cut(value) : value;
    }
    case Instruction::UIToFP:
      return builder.CreateUIToFP(wide(operand(0)), type);
    case Instruction::SIToFP:
      return builder.CreateSIToFP(as_signed(builder, operand(0)), type);
    case Instruction::FPToUI:
      return cut(builder.CreateFPToUI(operand(0), wider(type)));
    case Instruction::FPToSI:
      return cut(builder.CreateFPToSI(operand(0), wider(type)));
    case Instruction::IntToPtr:
      return builder.CreateIntToPtr(wide(operand(0)), type);
    case Instruction::PtrToInt:
      return cut(builder.CreatePtrToInt(operand(0), wider(type)));
    case Instruction::Select:
      return builder.CreateSelect(operand(0), wide(operand(1)), wide(operand(2)));
    case Instruction::Freeze: {
      // A frozen poison has any bits, above the value too.
      return cut(builder.CreateFreeze(wide(operand(0))));
    }
    case Instruction::GetElementPtr: {
      // Indices count as signed.
      Instruction *changed = instruction.clone();
      builder.Insert(changed);
      for (Use &index : changed->operands())
        index.set(as_signed(builder, index));
      return moved_before(instruction, *changed);
    }
    default:
      return nullptr;
    }
  }

  // The operands of `changed` were made after it.
  static Value *moved_before(Instruction &instruction, Instruction &changed) {
    changed.moveBefore(instruction.getIterator());
    return &changed;
  }

  Value *widened_call(IRBuilder<> &builder, IntrinsicInst &call) {
    Type *type = call.getType();
    if (!is_odd(type))
      return nullptr;
    unsigned bits = type->getIntegerBitWidth(), above = wider(type)->getIntegerBitWidth() - bits;
    auto value = [&](unsigned i) { return wide(call.getArgOperand(i)); };
    auto signed_value = [&](unsigned i) { return as_signed(builder, call.getArgOperand(i)); };
    auto cut = [&](Value *result) { return without_upper_bits(builder, result, type); };
    switch (Intrinsic::ID id = call.getIntrinsicID()) {
    case Intrinsic::umin:
    case Intrinsic::umax:
      return builder.CreateBinaryIntrinsic(id, value(0), value(1));
    case Intrinsic::smin:
    case Intrinsic::smax:
      return cut(builder.CreateBinaryIntrinsic(id, signed_value(0), signed_value(1)));
    case Intrinsic::abs:
      return cut(builder.CreateBinaryIntrinsic(id, signed_value(0), builder.getFalse()));
    case Intrinsic::ctpop:
      return builder.CreateUnaryIntrinsic(id, value(0));
    case Intrinsic::ctlz:
      return builder.CreateSub(builder.CreateBinaryIntrinsic(id, value(0), builder.getFalse()),
                               ConstantInt::get(wider(type), above));
    case Intrinsic::cttz:
      // A bit above the value ends the count.
      return builder.CreateBinaryIntrinsic(
          id, builder.CreateOr(value(0), APInt::getOneBitSet(bits + above, bits)),
          builder.getTrue());
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
      return builder.CreateLShr(builder.CreateUnaryIntrinsic(id, value(0)), above);
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
      Value *size = ConstantInt::get(wider(type), bits);
      Value *amount = builder.CreateURem(value(2), size);
      Value *rest = builder.CreateSub(size, amount);
      bool left = id == Intrinsic::fshl;
      return cut(builder.CreateOr(builder.CreateShl(value(0), left ? amount : rest),
                                  builder.CreateLShr(value(1), left ? rest : amount)));
    }
    default:
      return nullptr;
    }
  }

  // Calls action(bytes, offset) for parts of 4, 2 and 1 bytes that make up `bytes`: nothing beyond
  // the value may be touched.
  static void for_each_part(uint64_t bytes, function_ref<void(uint64_t, uint64_t)> action) {
    uint64_t offset = 0;
    for (uint64_t part : {4, 2, 1})
      for (; bytes - offset >= part; offset += part)
        action(part, offset);
  }

  Value *widened_load(IRBuilder<> &builder, LoadInst &load) {
    if (load.isAtomic())
      return nullptr;
    Type *type = wider(load.getType());
    Value *result = ConstantInt::get(type, 0);
    for_each_part(divideCeil(load.getType()->getIntegerBitWidth(), 8), [&](uint64_t bytes,
                                                                           uint64_t offset) {
      Value *address =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
      Value *part =
          builder.CreateAlignedLoad(builder.getIntNTy(bytes * 8), address,
                                    commonAlignment(load.getAlign(), offset), load.isVolatile());
      result =
          builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(part, type), offset * 8));
    });
    return without_upper_bits(builder, result, load.getType());
  }

  bool widen_store(IRBuilder<> &builder, StoreInst &store) {
    if (store.isAtomic())
      return false;
    Type *narrow = store.getValueOperand()->getType();
    Value *value = wide(store.getValueOperand());
    for_each_part(divideCeil(narrow->getIntegerBitWidth(), 8), [&](uint64_t bytes,
                                                                   uint64_t offset) {
      Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                          store.getPointerOperand(), offset);
      Value *part =
          builder.CreateTrunc(builder.CreateLShr(value, offset * 8), builder.getIntNTy(bytes * 8));
      builder.CreateAlignedStore(part, address, commonAlignment(store.getAlign(), offset),
                                 store.isVolatile());
    });
    return true;
  }

  bool widen_switch(SwitchInst &choice) {
    IRBuilder<> builder(&choice);
    SwitchInst *changed = builder.CreateSwitch(wide(choice.getCondition()), choice.getDefaultDest(),
                                               choice.getNumCases());
    for (auto &entry : choice.cases())
      changed->addCase(cast<ConstantInt>(wide(entry.getCaseValue())), entry.getCaseSuccessor());
    changed->copyMetadata(choice);
    return true;
  }

  // Between an odd integer and a vector of as many bits in all.
  bool widen_bit_cast(IRBuilder<> &builder, Instruction &conversion) {
    Value *from = conversion.getOperand(0);
    auto *vector = dyn_cast<FixedVectorType>(is_odd(conversion.getType()) ? from->getType()
                                                                          : conversion.getType());
    if (!vector || !vector->getElementType()->isIntegerTy() || is_odd(vector))
      return false;
    unsigned element_bits = vector->getScalarSizeInBits(), count = vector->getNumElements();
    if (element_bits * count > widest)
      return false;
    if (is_odd(conversion.getType())) {
      Type *type = wider(conversion.getType());
      Value *result = ConstantInt::get(type, 0);
      for (unsigned i = 0; i < count; ++i) {
        Value *element = builder.CreateZExt(builder.CreateExtractElement(from, i), type);
        result = builder.CreateOr(result, builder.CreateShl(element, i * element_bits));
      }
      wide_[&conversion] = result;
      return true;
    }
    Value *value = wide(from);
    if (!value)
      return false;
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < count; ++i) {
      Value *element = builder.CreateLShr(value, i * element_bits);
      element = builder.CreateTrunc(element, vector->getElementType());
      result = builder.CreateInsertElement(result, element, i);
    }
    conversion.replaceAllUsesWith(result);
    return true;
  }

  Function &function_;
  DenseMap<Value *, Value *> wide_;
  SmallVector<PHINode *> phis_;
};

std::string describe(const Instruction &instruction) {
  Type *odd = instruction.getType();
  for (const Use &operand : instruction.operands())
    if (is_odd(operand->getType()) &&
        (!is_odd(odd) || odd->getScalarSizeInBits() < operand->getType()->getScalarSizeInBits()))
      odd = operand->getType();
  return std::to_string(odd->getScalarSizeInBits()) + "-bit integer";
}

} // namespace

PreservedAnalyses IntegerWidths::run(Module &module, ModuleAnalysisManager &) {
  Errors errors(module);
  for (Function &function : module) {
    if (none_of(instructions(function), involves_odd))
      continue;
    if (const Instruction *unknown = Widening(function).run())
      errors.add((is_kernel(function) ? "kernel '" : "device function '") +
                 readable_name(function) + "' uses a " + describe(*unknown) +
                 ", which libCHIP's device compiler does not support yet");
  }
  return PreservedAnalyses::none();
}

} // namespace chip
