// Values that a thread passes on without having set them.
//
// The threads of a group often call a function, or a shuffle, together, though only some of them
// have set what they pass: the others do not use what comes of it. C++ calls that undefined, and
// clang says of each parameter, result and bool that it has a value. LLVM concludes that only the
// threads which set it get there, and drops the test that guards what they do next. Device
// compilers let a register have any content instead. Here those statements are taken back before
// anything is optimised. What branches depend on stays undefined: a branch on such a value is as
// wrong for other devices.
#include "passes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {
namespace {

AttributeList without_noundef(LLVMContext &context, AttributeList attributes, unsigned parameters) {
  attributes = attributes.removeRetAttribute(context, Attribute::NoUndef);
  for (unsigned i = 0; i < parameters; ++i)
    attributes = attributes.removeParamAttribute(context, i, Attribute::NoUndef);
  return attributes;
}

} // namespace

PreservedAnalyses UndefinedValues::run(Module &module, ModuleAnalysisManager &) {
  LLVMContext &context = module.getContext();
  for (Function &function : module) {
    // What LLVM itself says of its intrinsics holds.
    if (function.isIntrinsic())
      continue;
    function.setAttributes(without_noundef(context, function.getAttributes(), function.arg_size()));
    for (Instruction &instruction : instructions(function)) {
      if (isa<LoadInst>(instruction))
        instruction.setMetadata(LLVMContext::MD_noundef, nullptr);
      if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
        call->setAttributes(without_noundef(context, call->getAttributes(), call->arg_size()));
    }
  }
  return PreservedAnalyses::none();
}

} // namespace chip
