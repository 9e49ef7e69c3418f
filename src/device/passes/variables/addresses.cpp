// Addresses in the forms that the back end keeps track of.
#include "../kernels/kernels.h"
#include "../passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace chip {
namespace {

// clang makes a kernel's pointer parameters generic by way of an integer. As a cast between address
// spaces, InferAddressSpaces sees through it, and accesses stay global instead of generic. Can go
// when clang writes the cast.
void replace_integer_detours(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *to_pointer = dyn_cast<IntToPtrInst>(&instruction);
      Value *pointer;
      if (!to_pointer ||
          !PatternMatch::match(to_pointer->getOperand(0),
                               PatternMatch::m_PtrToInt(PatternMatch::m_Value(pointer))) ||
          module.getDataLayout().getTypeSizeInBits(pointer->getType()) >
              to_pointer->getOperand(0)->getType()->getScalarSizeInBits())
        continue;
      Type *wanted = to_pointer->getType();
      bool convertible = pointer->getType() == wanted ||
                         pointer->getType()->getPointerAddressSpace() == generic_space ||
                         wanted->getPointerAddressSpace() == generic_space;
      if (!convertible)
        continue;
      IRBuilder<> builder(to_pointer);
      to_pointer->replaceAllUsesWith(
          pointer->getType() == wanted ? pointer : builder.CreateAddrSpaceCast(pointer, wanted));
      to_pointer->eraseFromParent();
    }
}

// The back end loses track of the types of constant expressions on variables in other address
// spaces. Can go when it does not.
void expand_constant_expressions(Module &module) {
  SmallVector<Constant *> variables;
  for (GlobalVariable &variable : module.globals())
    variables.push_back(&variable);
  convertUsersOfConstantsToInstructions(variables);
}

// A function's address is a pointer to a function for the back end, which is another type than the
// pointers that it is compared, selected or stored with. By way of an integer it becomes one of
// them. Can go when the back end converts by itself.
void hide_function_types(Module &module) {
  SmallVector<Constant *> functions;
  for (Function &function : module)
    if (!function.isIntrinsic())
      functions.push_back(&function);
  convertUsersOfConstantsToInstructions(functions);
  for (Constant *function : functions) {
    SmallVector<Use *> data;
    for (Use &use : function->uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      if (isa<Instruction>(use.getUser()) && !(call && call->isCallee(&use)))
        data.push_back(&use);
    }
    for (Use *use : data) {
      auto *user = cast<Instruction>(use->getUser());
      auto *phi = dyn_cast<PHINode>(user);
      IRBuilder<> builder(phi ? phi->getIncomingBlock(*use)->getTerminator() : user);
      // The builder would fold both casts into what was there before.
      Value *number =
          builder.Insert(CastInst::Create(Instruction::PtrToInt, function, builder.getInt64Ty()));
      Value *address =
          builder.Insert(CastInst::Create(Instruction::IntToPtr, number, function->getType()));
      if (phi) {
        // A block that comes in twice must bring the same value.
        BasicBlock *from = phi->getIncomingBlock(*use);
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          if (phi->getIncomingBlock(i) == from && phi->getIncomingValue(i) == function)
            phi->setIncomingValue(i, address);
      } else {
        use->set(address);
      }
    }
  }
}

bool is_only_accessed(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(use.getUser()))
      return is_only_accessed(*cast);
    return isa<LoadInst>(use.getUser()) ||
           (isa<StoreInst>(use.getUser()) &&
            use.getOperandNo() == StoreInst::getPointerOperandIndex());
  });
}

// For a variable that holds, or is compared with, its own address (`void *self = &self`) the back
// end looks for a pointer type that contains itself, and settles on a wrong one. A variable that
// holds a number has one type whatever is done with it, and pointers are loaded from it all the
// same. Can go when the back end gives pointers to pointers no inner type.
void turn_pointer_variables_into_numbers(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!variable.getValueType()->isPointerTy() || is_only_accessed(variable))
      continue;
    Constant *initial = variable.hasInitializer() ? variable.getInitializer() : nullptr;
    if (initial && !initial->isNullValue() && !isa<UndefValue>(initial))
      continue;
    Type *number = layout.getIntPtrType(variable.getValueType());
    if (initial)
      initial = isa<UndefValue>(initial) ? UndefValue::get(number) : Constant::getNullValue(number);
    auto *replacement = new GlobalVariable(
        module, number, variable.isConstant(), variable.getLinkage(), initial, "", &variable,
        variable.getThreadLocalMode(), variable.getAddressSpace());
    replacement->copyAttributesFrom(&variable);
    replacement->takeName(&variable);
    variable.replaceAllUsesWith(replacement);
    variable.eraseFromParent();
  }
}

} // namespace

PreservedAnalyses Addresses::run(Module &module, ModuleAnalysisManager &) {
  expand_constant_expressions(module);
  replace_integer_detours(module);
  hide_function_types(module);
  turn_pointer_variables_into_numbers(module);
  return PreservedAnalyses::none();
}

} // namespace chip
