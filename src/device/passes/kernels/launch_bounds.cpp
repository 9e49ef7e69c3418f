// __launch_bounds__ becomes what OpenCL calls a hint about the size of work-groups.
//
// clang drops its own attribute for SPIR-V, so the header adds an annotation. An execution mode
// LocalSizeHint with the most threads of a block comes through every consumer; the runtime refuses
// launches of larger blocks. Can go when clang writes the attribute for this target.
#include "../passes.h"
#include "kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace chip {
namespace {

constexpr StringLiteral annotation = "chip.launch_bounds"; // hip/api/types/qualifiers.h

StringRef text_of(const Value *value) {
  auto *variable = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  auto *text = variable && variable->hasInitializer()
                   ? dyn_cast<ConstantDataSequential>(variable->getInitializer())
                   : nullptr;
  return text && text->isCString() ? text->getAsCString() : StringRef();
}

// Of the annotation's arguments, the first.
const ConstantInt *bound_of(const Value *value) {
  auto *variable = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  return variable && variable->hasInitializer()
             ? dyn_cast_or_null<ConstantInt>(variable->getInitializer()->getAggregateElement(0u))
             : nullptr;
}

void apply(const ConstantStruct &entry) {
  auto *kernel = dyn_cast<Function>(entry.getOperand(0)->stripPointerCasts());
  if (!kernel || !is_kernel(*kernel) || text_of(entry.getOperand(1)) != annotation)
    return;
  const ConstantInt *bound = bound_of(entry.getOperand(4));
  if (!bound || !bound->getValue().isIntN(31) || bound->isZero())
    return;
  LLVMContext &context = kernel->getContext();
  const auto number = [&](uint64_t n) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), n));
  };
  kernel->setMetadata("work_group_size_hint",
                      MDNode::get(context, {number(bound->getZExtValue()), number(1), number(1)}));
}

} // namespace

PreservedAnalyses LaunchBounds::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *annotations = module.getNamedGlobal("llvm.global.annotations");
  if (!annotations)
    return PreservedAnalyses::all();
  if (auto *entries = dyn_cast<ConstantArray>(annotations->getInitializer()))
    for (const Use &entry : entries->operands())
      if (auto *values = dyn_cast<ConstantStruct>(entry); values && values->getNumOperands() == 5)
        apply(*values);
  // It would keep functions alive that nobody calls.
  annotations->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace chip
