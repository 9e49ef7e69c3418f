// Integers of 128 bits become pairs of integers of 64.
//
// Programs have them as __int128, and LLVM's optimiser makes them for the upper half of a product;
// SPIR-V devices have none. In memory such an integer becomes an array of two, which keeps layouts
// as the host has them, as clang writes padding and alignments explicitly; what a kernel takes or a
// function returns becomes a vector of two, all other values two values. What has no such form is
// reported. Can go when the back end takes such integers apart.
#include "../error.h"
#include "../kernels/kernels.h"
#include "../passes.h"
#include "wide_arithmetic.h"
#include "wide_division.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace chip {
namespace {

bool is_wide(const Type *type) { return type->isIntegerTy(128); }

bool contains_wide(const Type *type) {
  return is_wide(type) || (!isa<TargetExtType>(type) && any_of(type->subtypes(), contains_wide));
}

bool involves_wide(const Instruction &instruction) {
  return contains_wide(instruction.getType()) || any_of(instruction.operands(), [](const Use &use) {
           return contains_wide(use->getType());
         });
}

// Types in memory, and constants of them.
class MemoryTypes {
public:
  Type *mapped(Type *type) {
    if (!contains_wide(type))
      return type;
    if (is_wide(type))
      return ArrayType::get(Type::getInt64Ty(type->getContext()), 2);
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(mapped(array->getElementType()), array->getNumElements());
    auto *structure = dyn_cast<StructType>(type);
    if (!structure)
      return type;
    if (Type *known = structures_.lookup(structure))
      return known;
    SmallVector<Type *> members;
    for (Type *member : structure->elements())
      members.push_back(mapped(member));
    Type *result = structure->hasName()
                       ? StructType::create(members, structure->getName(), structure->isPacked())
                       : StructType::get(structure->getContext(), members, structure->isPacked());
    return structures_[structure] = result;
  }

  // Null for a constant that has no such form.
  Constant *mapped(Constant *constant) {
    Type *type = constant->getType();
    if (!contains_wide(type))
      return constant;
    if (isa<UndefValue>(constant))
      return UndefValue::get(mapped(type));
    if (constant->isNullValue())
      return Constant::getNullValue(mapped(type));
    if (auto *number = dyn_cast<ConstantInt>(constant)) {
      Type *half = Type::getInt64Ty(type->getContext());
      return ConstantArray::get(cast<ArrayType>(mapped(type)),
                                {ConstantInt::get(half, number->getValue().extractBits(64, 0)),
                                 ConstantInt::get(half, number->getValue().extractBits(64, 64))});
    }
    if (!isa<ConstantArray, ConstantStruct>(constant))
      return nullptr;
    SmallVector<Constant *> elements;
    for (const Use &operand : constant->operands()) {
      elements.push_back(mapped(cast<Constant>(operand.get())));
      if (!elements.back())
        return nullptr;
    }
    if (auto *structure = dyn_cast<StructType>(mapped(type)))
      return ConstantStruct::get(structure, elements);
    return ConstantArray::get(cast<ArrayType>(mapped(type)), elements);
  }

private:
  DenseMap<StructType *, Type *> structures_;
};

// A vector in place of each wide integer that a kernel takes or a function returns. A function takes
// two integers instead, as the back end of LLVM 22 cannot pass a constant vector to it.
FunctionType *mapped_signature(FunctionType *type, bool is_kernel) {
  Type *half = Type::getInt64Ty(type->getContext()), *vector = FixedVectorType::get(half, 2);
  SmallVector<Type *> parameters;
  for (Type *parameter : type->params())
    if (!is_wide(parameter))
      parameters.push_back(parameter);
    else if (is_kernel)
      parameters.push_back(vector);
    else
      parameters.append(2, half);
  Type *result = is_wide(type->getReturnType()) ? vector : type->getReturnType();
  return FunctionType::get(result, parameters, type->isVarArg());
}

// Of a function or call with so many arguments: types in memory that attributes name.
AttributeList with_mapped_types(LLVMContext &context, AttributeList attributes, unsigned count,
                                MemoryTypes &types) {
  for (unsigned i = 0; i < count; ++i)
    for (auto kind :
         {Attribute::ByVal, Attribute::StructRet, Attribute::ByRef, Attribute::ElementType})
      if (Attribute known = attributes.getParamAttr(i, kind);
          known.isValid() && contains_wide(known.getValueAsType()))
        attributes = attributes.removeParamAttribute(context, i, kind)
                         .addParamAttribute(
                             context, i,
                             Attribute::get(context, kind, types.mapped(known.getValueAsType())));
  return attributes;
}

// For the mapped signature; what is said of wide integers is dropped.
AttributeList with_mapped_signature(AttributeList attributes, FunctionType *type, bool is_kernel) {
  SmallVector<AttributeSet> parameters;
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    if (is_wide(type->getParamType(i)))
      parameters.append(is_kernel ? 1 : 2, AttributeSet());
    else
      parameters.push_back(attributes.getParamAttrs(i));
  return AttributeList::get(
      type->getContext(), attributes.getFnAttrs(),
      is_wide(type->getReturnType()) ? AttributeSet() : attributes.getRetAttrs(), parameters);
}

using Pairs = DenseMap<Value *, Pair>;

// Replaces all wide values in a function.
class Splitting {
public:
  Splitting(Function &function, MemoryTypes &types, Pairs &pairs)
      : function_(function), types_(types), pairs_(pairs) {}

  // Returns the first instruction that it knows no other form of, which leaves the function half
  // done, or null.
  const Instruction *run() {
    removeUnreachableBlocks(function_);
    // In an order in which operands come before their users, but for phis.
    SmallVector<Instruction *> wide;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : *block) {
        map_types(instruction);
        if (involves_wide(instruction))
          wide.push_back(&instruction);
      }
    for (Instruction *instruction : wide)
      if (!done_.contains(instruction) && !split(*instruction))
        return instruction;
    for (PHINode *phi : phis_)
      if (!complete(*phi))
        return phi;
    for (Instruction *instruction : reverse(wide)) {
      if (!instruction->use_empty())
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    if (!wide.empty())
      simplify();
    return nullptr;
  }

private:
  void map_types(Instruction &instruction) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      variable->setAllocatedType(types_.mapped(variable->getAllocatedType()));
    } else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
      address->setSourceElementType(types_.mapped(address->getSourceElementType()));
      address->setResultElementType(types_.mapped(address->getResultElementType()));
    } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
      call->setAttributes(
          with_mapped_types(call->getContext(), call->getAttributes(), call->arg_size(), types_));
    }
  }

  // Null halves for a value that cannot be split.
  Pair pair(Value *value) {
    Type *half = Type::getInt64Ty(value->getContext());
    if (auto *number = dyn_cast<ConstantInt>(value))
      return {ConstantInt::get(half, number->getValue().extractBits(64, 0)),
              ConstantInt::get(half, number->getValue().extractBits(64, 64))};
    if (isa<PoisonValue>(value))
      return {PoisonValue::get(half), PoisonValue::get(half)};
    if (isa<UndefValue>(value))
      return {ConstantInt::get(half, 0), ConstantInt::get(half, 0)};
    return pairs_.lookup(value);
  }

  bool complete(PHINode &phi) {
    const Pair result = pairs_.lookup(&phi);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const Pair incoming = pair(phi.getIncomingValue(i));
      if (!incoming)
        return false;
      cast<PHINode>(result.low)->addIncoming(incoming.low, phi.getIncomingBlock(i));
      cast<PHINode>(result.high)->addIncoming(incoming.high, phi.getIncomingBlock(i));
    }
    return true;
  }

  // Many halves are zero or a sign.
  void simplify() {
    const SimplifyQuery query(function_.getDataLayout());
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (Value *simple =
                simplifyInstruction(&instruction, query.getWithInstruction(&instruction)))
          if (simple != &instruction && !isa<ConstantExpr>(simple)) {
            instruction.replaceAllUsesWith(simple);
            if (isInstructionTriviallyDead(&instruction))
              instruction.eraseFromParent();
          }
  }

  bool split(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    Type *type = instruction.getType();
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      if (!is_wide(type))
        return false;
      auto half = [&] {
        return builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues());
      };
      pairs_[phi] = {half(), half()};
      phis_.push_back(phi);
      return true;
    }
    SmallVector<Pair> operands;
    for (Value *operand : instruction.operands()) {
      operands.push_back(is_wide(operand->getType()) ? pair(operand) : Pair());
      if (contains_wide(operand->getType()) && !operands.back())
        return false;
    }
    if (auto *checked = dyn_cast<WithOverflowInst>(&instruction))
      return split_checked(builder, *checked, operands);
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
      return split_switch(builder, *choice, operands[0]);
    if (auto *call = dyn_cast<CallInst>(&instruction); call && !isa<IntrinsicInst>(call))
      return split_call(builder, *call, operands);
    if (isa<ReturnInst>(instruction)) {
      builder.CreateRet(as_vector(builder, operands[0]));
      return true;
    }
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return split_store(builder, *store, operands[0]);
    if (is_wide(type)) {
      const Pair result = wide_result(builder, instruction, operands);
      pairs_[&instruction] = result;
      return bool(result);
    }
    Value *result = narrow_result(builder, instruction, operands);
    if (result)
      instruction.replaceAllUsesWith(result);
    return result;
  }

  static Value *as_vector(IRBuilder<> &builder, Pair value) {
    Value *vector = PoisonValue::get(FixedVectorType::get(builder.getInt64Ty(), 2));
    vector = builder.CreateInsertElement(vector, value.low, uint64_t(0));
    return builder.CreateInsertElement(vector, value.high, uint64_t(1));
  }

  static Pair as_pair(IRBuilder<> &builder, Value *vector) {
    return {builder.CreateExtractElement(vector, uint64_t(0)),
            builder.CreateExtractElement(vector, uint64_t(1))};
  }

  Pair wide_result(IRBuilder<> &builder, Instruction &instruction, ArrayRef<Pair> operands) {
    WideArithmetic arithmetic(builder);
    auto operand = [&](unsigned i) { return instruction.getOperand(i); };
    Type *half = builder.getInt64Ty();
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return arithmetic.intrinsic(*call, operands);
    switch (instruction.getOpcode()) {
    case Instruction::Add:
      return arithmetic.add(operands[0], operands[1]);
    case Instruction::Sub:
      return arithmetic.subtract(operands[0], operands[1]);
    case Instruction::Mul:
      return arithmetic.multiply(operands[0], operands[1]);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return arithmetic.bitwise(Instruction::BinaryOps(instruction.getOpcode()), operands[0],
                                operands[1]);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return arithmetic.shifted(Instruction::BinaryOps(instruction.getOpcode()), operands[0],
                                operands[1].low);
    case Instruction::ZExt:
      return arithmetic.zero_extended(operand(0));
    case Instruction::SExt:
      return arithmetic.sign_extended(operand(0));
    case Instruction::PtrToInt:
      return arithmetic.zero_extended(builder.CreatePtrToInt(operand(0), half));
    case Instruction::FPToUI:
      return arithmetic.from_floating_point(operand(0), false);
    case Instruction::FPToSI:
      return arithmetic.from_floating_point(operand(0), true);
    case Instruction::Select:
      return arithmetic.select(operand(0), operands[1], operands[2]);
    case Instruction::Freeze:
      return {builder.CreateFreeze(operands[0].low), builder.CreateFreeze(operands[0].high)};
    case Instruction::BitCast:
      if (!isa<FixedVectorType>(operand(0)->getType()))
        return {};
      return as_pair(builder, builder.CreateBitCast(operand(0), FixedVectorType::get(half, 2)));
    case Instruction::Load:
      return split_load(builder, cast<LoadInst>(instruction));
    default:
      return {};
    }
  }

  Value *narrow_result(IRBuilder<> &builder, Instruction &instruction, ArrayRef<Pair> operands) {
    WideArithmetic arithmetic(builder);
    Type *type = instruction.getType();
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      return arithmetic.compare(compare->getPredicate(), operands[0], operands[1]);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return three_way(builder, *call, operands);
    switch (instruction.getOpcode()) {
    case Instruction::Trunc:
      return builder.CreateTrunc(operands[0].low, type);
    case Instruction::UIToFP:
      return arithmetic.to_floating_point(operands[0], false, type);
    case Instruction::SIToFP:
      return arithmetic.to_floating_point(operands[0], true, type);
    case Instruction::IntToPtr:
      return builder.CreateIntToPtr(operands[0].low, type);
    case Instruction::BitCast:
      if (!isa<FixedVectorType>(type))
        return nullptr;
      return builder.CreateBitCast(as_vector(builder, operands[0]), type);
    case Instruction::GetElementPtr: {
      // Indices count modulo the size of an address.
      Instruction *changed = instruction.clone();
      for (unsigned i = 1; i < changed->getNumOperands(); ++i)
        if (operands[i])
          changed->setOperand(i, operands[i].low);
      return builder.Insert(changed);
    }
    default:
      return nullptr;
    }
  }

  static Value *three_way(IRBuilder<> &builder, IntrinsicInst &call, ArrayRef<Pair> operands) {
    const bool is_signed = call.getIntrinsicID() == Intrinsic::scmp;
    if (!is_signed && call.getIntrinsicID() != Intrinsic::ucmp)
      return nullptr;
    WideArithmetic arithmetic(builder);
    auto holds = [&](CmpInst::Predicate predicate) {
      return builder.CreateZExt(arithmetic.compare(predicate, operands[0], operands[1]),
                                call.getType());
    };
    return builder.CreateSub(holds(is_signed ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_UGT),
                             holds(is_signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT));
  }

  // Only the members of the result can be used.
  bool split_checked(IRBuilder<> &builder, WithOverflowInst &call, ArrayRef<Pair> operands) {
    auto [value, overflow] = WideArithmetic(builder).checked(call.getBinaryOp(), call.isSigned(),
                                                             operands[0], operands[1]);
    for (User *user : call.users()) {
      auto *member = dyn_cast<ExtractValueInst>(user);
      if (!member)
        return false;
      if (member->getIndices()[0] == 0)
        pairs_[member] = value;
      else
        member->replaceAllUsesWith(overflow);
      done_.insert(member);
    }
    return true;
  }

  // By the number of the case instead.
  bool split_switch(IRBuilder<> &builder, SwitchInst &choice, Pair condition) {
    WideArithmetic arithmetic(builder);
    Value *number = builder.getInt32(0);
    uint32_t next = 0;
    for (auto &entry : choice.cases())
      number = builder.CreateSelect(
          arithmetic.compare(ICmpInst::ICMP_EQ, condition, pair(entry.getCaseValue())),
          builder.getInt32(++next), number);
    SwitchInst *changed =
        builder.CreateSwitch(number, choice.getDefaultDest(), choice.getNumCases());
    next = 0;
    for (auto &entry : choice.cases())
      changed->addCase(builder.getInt32(++next), entry.getCaseSuccessor());
    changed->copyMetadata(choice);
    return true;
  }

  bool split_call(IRBuilder<> &builder, CallInst &call, ArrayRef<Pair> operands) {
    if (call.isInlineAsm() || call.hasOperandBundles() || call.getFunctionType()->isVarArg())
      return false;
    FunctionType *type = mapped_signature(call.getFunctionType(), false);
    if (contains_wide(type))
      return false;
    SmallVector<Value *> arguments;
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (operands[i])
        arguments.append({operands[i].low, operands[i].high});
      else
        arguments.push_back(call.getArgOperand(i));
    CallInst *changed = builder.CreateCall(type, call.getCalledOperand(), arguments);
    changed->setCallingConv(call.getCallingConv());
    changed->setTailCallKind(call.getTailCallKind());
    changed->setAttributes(
        with_mapped_signature(call.getAttributes(), call.getFunctionType(), false));
    changed->copyMetadata(
        call, {LLVMContext::MD_dbg, LLVMContext::MD_noalias, LLVMContext::MD_alias_scope});
    if (isa<FPMathOperator>(changed) && isa<FPMathOperator>(call))
      changed->copyFastMathFlags(&call);
    if (is_wide(call.getType()))
      pairs_[&call] = as_pair(builder, changed);
    else if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(changed);
    return true;
  }

  static Value *upper_half_of(IRBuilder<> &builder, Value *pointer) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), pointer, 1);
  }

  Pair split_load(IRBuilder<> &builder, LoadInst &load) {
    if (load.isAtomic())
      return {};
    auto half = [&](Value *pointer, unsigned offset) {
      LoadInst *part =
          builder.CreateAlignedLoad(builder.getInt64Ty(), pointer,
                                    commonAlignment(load.getAlign(), offset), load.isVolatile());
      part->setAAMetadata(load.getAAMetadata());
      return part;
    };
    Value *pointer = load.getPointerOperand(), *low = half(pointer, 0);
    return {low, half(upper_half_of(builder, pointer), 8)};
  }

  bool split_store(IRBuilder<> &builder, StoreInst &store, Pair value) {
    if (store.isAtomic())
      return false;
    auto half = [&](Value *part, Value *pointer, unsigned offset) {
      builder
          .CreateAlignedStore(part, pointer, commonAlignment(store.getAlign(), offset),
                              store.isVolatile())
          ->setAAMetadata(store.getAAMetadata());
    };
    half(value.low, store.getPointerOperand(), 0);
    half(value.high, upper_half_of(builder, store.getPointerOperand()), 8);
    return true;
  }

  Function &function_;
  MemoryTypes &types_;
  Pairs &pairs_;
  SmallPtrSet<Instruction *, 8> done_; // together with an operand
  SmallVector<PHINode *> phis_;
};

// Moves everything to a function with a signature without wide integers, but for the uses of the
// parameters that were wide integers: these are pairs now.
void change_signature(Function &function, Pairs &pairs) {
  FunctionType *before = function.getFunctionType();
  const bool takes_vectors = is_kernel(function);
  Function *changed = Function::Create(mapped_signature(before, takes_vectors),
                                       function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), changed);
  changed->takeName(&function);
  changed->copyAttributesFrom(&function);
  changed->setAttributes(with_mapped_signature(function.getAttributes(), before, takes_vectors));
  changed->setComdat(function.getComdat());
  changed->copyMetadata(&function, 0);
  // An instance of debug information describes one function.
  function.setSubprogram(nullptr);
  changed->splice(changed->begin(), &function);
  function.replaceAllUsesWith(changed);
  auto *next = changed->arg_begin();
  for (Argument &argument : function.args()) {
    Argument *after = next++;
    after->takeName(&argument);
    if (!is_wide(argument.getType())) {
      argument.replaceAllUsesWith(after);
    } else if (!takes_vectors) {
      pairs[&argument] = {after, next++};
    } else if (!argument.use_empty()) {
      BasicBlock &entry = changed->getEntryBlock();
      IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      pairs[&argument] = {builder.CreateExtractElement(after, uint64_t(0)),
                          builder.CreateExtractElement(after, uint64_t(1))};
    }
  }
}

void replace_variable(GlobalVariable &variable, MemoryTypes &types, Constant *initial) {
  auto *changed =
      new GlobalVariable(*variable.getParent(), types.mapped(variable.getValueType()),
                         variable.isConstant(), variable.getLinkage(), initial, "", &variable,
                         variable.getThreadLocalMode(), variable.getAddressSpace());
  changed->copyAttributesFrom(&variable);
  changed->setComdat(variable.getComdat());
  changed->copyMetadata(&variable, 0);
  changed->takeName(&variable);
  variable.replaceAllUsesWith(changed);
  variable.eraseFromParent();
}

void split_variables(Module &module, MemoryTypes &types, Errors &errors) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!contains_wide(variable.getValueType()))
      continue;
    Constant *initial =
        variable.hasInitializer() ? types.mapped(variable.getInitializer()) : nullptr;
    if (contains_wide(types.mapped(variable.getValueType())) ||
        (variable.hasInitializer() && !initial))
      errors.add("the type or initial value of '" + readable_name(variable) +
                 "' is made of 128-bit integers in a way that libCHIP's device compiler does not "
                 "support yet");
    else
      replace_variable(variable, types, initial);
  }
}

void split_function(Function &function, MemoryTypes &types, Pairs &pairs, Errors &errors) {
  if (const Instruction *unknown = Splitting(function, types, pairs).run()) {
    const auto *call = dyn_cast<CallBase>(unknown);
    const StringRef operation =
        call && call->isInlineAsm() ? "inline assembly" : unknown->getOpcodeName();
    errors.add((is_kernel(function) ? "kernel '" : "device function '") + readable_name(function) +
               "' uses a 128-bit integer in an operation (" + operation.str() +
               ") that libCHIP's device compiler does not support yet");
  }
}

} // namespace

PreservedAnalyses WideIntegers::run(Module &module, ModuleAnalysisManager &) {
  Errors errors(module);
  MemoryTypes types;
  Pairs pairs;
  call_wide_divisions(module);
  split_variables(module, types, errors);
  // These stay until nothing refers to their parameters.
  SmallVector<Function *> replaced;
  for (Function &function : make_early_inc_range(module)) {
    if (function.isIntrinsic())
      continue;
    function.setAttributes(with_mapped_types(module.getContext(), function.getAttributes(),
                                             unsigned(function.arg_size()), types));
    if (!contains_wide(function.getFunctionType()))
      continue;
    change_signature(function, pairs);
    replaced.push_back(&function);
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      split_function(function, types, pairs, errors);
  for (Function *function : replaced) {
    for (Argument &argument : function->args())
      argument.replaceAllUsesWith(PoisonValue::get(argument.getType()));
    function->eraseFromParent();
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isIntrinsic() && function.use_empty() && contains_wide(function.getFunctionType()))
      function.eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace chip
