// `extern __shared__` arrays become the last parameter of the kernel.
//
// In HIP they all name the same memory, whose size comes with the launch. Level Zero passes such
// memory as a kernel argument: a pointer to work-group memory whose "value" is its size. The back
// end would make a variable of some minimal size instead, silently. Functions that use the arrays
// are inlined first, so that only kernels are left that need the parameter. Can go when SPIR-V has
// work-group variables whose size is set at launch.
//
// Before that, optimisers would take arrays for different memory. Where functions use several, they
// become places in one, and each keeps its alignment as the offset: the address of a variable that
// carries the alignment and is taken for 0 in the end.
//
// Intel's compiler refuses a parameter of which more than 128 bytes are to divide the address.
// Kernels that want more round it up themselves, in memory that the runtime makes larger.
#include "../error.h"
#include "../inlining.h"
#include "../kernels/kernels.h"
#include "../kernels/signature.h"
#include "../passes.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/ErrorHandling.h>

using namespace llvm;

namespace chip {
namespace {

constexpr uint64_t most_alignment = 128; // of a parameter
constexpr StringLiteral one_array = "__chip_dynamic_shared",
                        offset_prefix = "__chip_dynamic_shared_offset.";

SmallVector<GlobalVariable *> dynamic_arrays(Module &module) {
  SmallVector<GlobalVariable *> arrays;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == local_space && variable.isDeclaration())
      arrays.push_back(&variable);
  return arrays;
}

SmallVector<GlobalVariable *> offset_variables(Module &module) {
  SmallVector<GlobalVariable *> offsets;
  for (GlobalVariable &variable : module.globals())
    if (variable.getName().starts_with(offset_prefix))
      offsets.push_back(&variable);
  return offsets;
}

void replace_constants_by_instructions(ArrayRef<GlobalVariable *> arrays) {
  SmallVector<Constant *> constants(arrays.begin(), arrays.end());
  convertUsersOfConstantsToInstructions(constants);
}

// Functions in which one of the arrays is used, directly or by what they call.
SetVector<Function *> users(ArrayRef<GlobalVariable *> arrays) {
  SetVector<Function *> found;
  for (GlobalVariable *array : arrays)
    for (User *user : array->users())
      if (auto *instruction = dyn_cast<Instruction>(user))
        found.insert(instruction->getFunction());
  add_callers(found);
  return found;
}

bool are_used_together(ArrayRef<GlobalVariable *> arrays) {
  DenseSet<Function *> seen;
  return any_of(arrays, [&](GlobalVariable *array) {
    const SetVector<Function *> found = users(array);
    return any_of(found, [&](Function *function) { return !seen.insert(function).second; });
  });
}

GlobalVariable &declare(Module &module, const Twine &name, Type &type, Align alignment,
                        AddressSpace space) {
  auto *variable = new GlobalVariable(module, &type, false, GlobalValue::ExternalLinkage, nullptr,
                                      name, nullptr, GlobalValue::NotThreadLocal, space);
  variable->setAlignment(alignment);
  return *variable;
}

/// The offset of arrays that are aligned so.
Constant *offset_of(Module &module, Align alignment) {
  const std::string name = (offset_prefix + Twine(alignment.value())).str();
  GlobalVariable *variable = module.getNamedGlobal(name);
  if (!variable)
    variable =
        &declare(module, name, *Type::getInt8Ty(module.getContext()), alignment, global_space);
  return ConstantExpr::getPtrToInt(variable, Type::getInt64Ty(module.getContext()));
}

void set_to_zero(GlobalVariable &offset) {
  const SmallVector<User *> uses(offset.users());
  for (User *use : uses)
    if (auto *number = dyn_cast<PtrToIntInst>(use))
      replaceAndRecursivelySimplify(number, ConstantInt::get(number->getType(), 0));
  offset.replaceAllUsesWith(ConstantPointerNull::get(offset.getType()));
  offset.eraseFromParent();
}

bool is_in(const Use &use, const Function &function) {
  const auto *instruction = dyn_cast<Instruction>(use.getUser());
  return instruction && instruction->getFunction() == &function;
}

/// What the arrays that a kernel uses are aligned to.
Align alignment_in(const Function &kernel, ArrayRef<GlobalVariable *> arrays) {
  Align alignment;
  for (const GlobalVariable *array : arrays)
    if (any_of(array->uses(), [&](const Use &use) { return is_in(use, kernel); }))
      alignment = std::max(alignment, array->getAlign().valueOrOne());
  return alignment;
}

/// Declares how the parameter is aligned, and returns the address at which the arrays are.
Value *align(Argument &memory, Align alignment) {
  const Align declared = std::min(alignment, Align(most_alignment));
  memory.addAttr(Attribute::getWithAlignment(memory.getContext(), declared));
  if (declared == alignment)
    return &memory;
  memory.setName(Twine(device_contract::dynamic_shared_parameter) + "." +
                 Twine(alignment.value() - declared.value()));
  IRBuilder<> b(&*memory.getParent()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *address = b.CreatePtrToInt(&memory, b.getInt64Ty());
  Value *skip = b.CreateAnd(b.CreateNeg(address), b.getInt64(alignment.value() - 1));
  return b.CreateInBoundsGEP(b.getInt8Ty(), &memory, skip);
}

} // namespace

PreservedAnalyses MergeDynamicSharedMemory::run(Module &module, ModuleAnalysisManager &) {
  const SmallVector<GlobalVariable *> arrays = dynamic_arrays(module);
  replace_constants_by_instructions(arrays);
  if (!are_used_together(arrays))
    return PreservedAnalyses::none();
  Type *byte = Type::getInt8Ty(module.getContext());
  GlobalVariable &memory =
      declare(module, one_array, *ArrayType::get(byte, 0), Align(), local_space);
  for (GlobalVariable *array : arrays) {
    Constant *offset = offset_of(module, array->getAlign().valueOrOne());
    array->replaceAllUsesWith(ConstantExpr::getGetElementPtr(byte, &memory, offset));
    array->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses InlineDynamicSharedMemoryUsers::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *> arrays = dynamic_arrays(module);
  replace_constants_by_instructions(arrays);
  for (Function *function : users(arrays))
    always_inline(*function);
  return PreservedAnalyses::none();
}

PreservedAnalyses DynamicSharedMemory::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *> arrays = dynamic_arrays(module);
  const SmallVector<GlobalVariable *> offsets = offset_variables(module);
  if (arrays.empty() && offsets.empty())
    return PreservedAnalyses::all();
  // Inlining may have left constants again, and dead functions with uses.
  replace_constants_by_instructions(arrays);
  replace_constants_by_instructions(offsets);

  Errors errors(module);
  for (Function *function : users(arrays)) {
    if (!is_kernel(*function)) {
      errors.add("device function '" + readable_name(*function) +
                 "' uses an 'extern __shared__' array, but it is recursive or called through a "
                 "pointer, so it cannot become a part of the kernels; pass it the array as an "
                 "argument");
      continue;
    }
    SmallVector<Type *> parameters(function->getFunctionType()->params());
    parameters.push_back(PointerType::get(module.getContext(), local_space));
    Function &kernel = with_parameters(*function, parameters, [](Argument &, Argument &) {
      llvm_unreachable("no parameter changes its type");
    });
    Argument *memory = kernel.getArg(kernel.arg_size() - 1);
    memory->setName(device_contract::dynamic_shared_parameter);
    Value *begin =
        align(*memory, std::max(alignment_in(kernel, arrays), alignment_in(kernel, offsets)));
    for (GlobalVariable *array : arrays)
      array->replaceUsesWithIf(begin, [&](Use &use) { return is_in(use, kernel); });
  }
  for (GlobalVariable *offset : offsets)
    set_to_zero(*offset);
  for (GlobalVariable *array : arrays) {
    array->removeDeadConstantUsers();
    if (array->use_empty())
      array->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace chip
