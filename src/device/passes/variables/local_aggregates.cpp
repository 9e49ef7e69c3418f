// A local array or struct is accessed at its first member by name, not by the address alone.
//
// For the address of the whole is that of its first member, and the optimiser drops the difference.
// The back end of LLVM 22 takes the type of a pointer that is loaded from there, or stored, for the
// type of the variable: `const char *names[] = {a, b, c}` becomes room for one pointer, and the
// others are written over what lies next to it. Can go when it believes the variable.
#include "../passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {
namespace {

/// The indices of the first member that is not an aggregate itself; none if there is no member.
SmallVector<Value *> first_member(Type *type) {
  Value *zero = ConstantInt::get(Type::getInt32Ty(type->getContext()), 0);
  SmallVector<Value *> indices{zero};
  while (type->isAggregateType()) {
    auto *array = dyn_cast<ArrayType>(type);
    if (array ? array->getNumElements() == 0 : type->getStructNumElements() == 0)
      return {};
    type = array ? array->getElementType() : type->getStructElementType(0);
    indices.push_back(zero);
  }
  return indices;
}

bool access_by_member(AllocaInst &variable) {
  Type *type = variable.getAllocatedType();
  const SmallVector<Value *> indices = first_member(type);
  if (!type->isAggregateType() || indices.empty())
    return false;
  bool changed = false;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (getLoadStorePointerOperand(user) != &variable ||
        use.getOperandNo() != (isa<LoadInst>(user) ? LoadInst::getPointerOperandIndex()
                                                   : StoreInst::getPointerOperandIndex()))
      continue;
    use.set(IRBuilder<>(user).Insert(GetElementPtrInst::CreateInBounds(type, &variable, indices)));
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses LocalAggregates::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        changed |= access_by_member(*variable);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
