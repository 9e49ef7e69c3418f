// What clang's HIP mode leaves out of a module, or puts into it, that an OpenCL-flavoured consumer
// trips over.
#include "kernels/kernels.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace chip {
namespace {

// HIP mode says OpenCL 0.0. The translators key the meaning of OpenCL built-in names on the
// version. Can go when clang writes a version for HIP.
void set_opencl_version(Module &module) {
  LLVMContext &context = module.getContext();
  auto number = [&](uint32_t n) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), n));
  };
  NamedMDNode *version = module.getOrInsertNamedMetadata("opencl.ocl.version");
  version->clearOperands();
  version->addOperand(MDNode::get(context, {number(2), number(0)}));
}

// Lists of symbols that no optimiser may drop: they hold casts that SPIR-V's composites cannot
// hold, and what the host refers to stays because of its linkage. The cuid variables mark
// translation units for debuggers only.
void drop_bookkeeping(Module &module) {
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!variable.getName().starts_with("__hip_cuid"))
      continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
  }
}

// Code of -O0 says that it must be left alone. Later passes have to inline into it, and address
// spaces can be inferred only when it is cleaned up.
void allow_optimisation(Module &module) {
  for (Function &function : module) {
    if (!function.hasOptNone())
      continue;
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr(Attribute::NoInline);
  }
}

// LLVM freezes a pointer when it takes the test of it out of a loop. The back end of LLVM 22 then compares
// it, as a pointer to bytes, with a null that points to something else, and drivers refuse the module;
// nor is an address space inferred through it. SPIR-V has no word for it, so that nothing is lost.
// Can go when the back end gives both operands of a comparison one type.
void thaw_pointers(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isa<FreezeInst>(instruction) && instruction.getType()->isPtrOrPtrVectorTy()) {
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
}

} // namespace

PreservedAnalyses PrepareModule::run(Module &module, ModuleAnalysisManager &) {
  set_opencl_version(module);
  drop_bookkeeping(module);
  allow_optimisation(module);
  thaw_pointers(module);
  return PreservedAnalyses::none();
}

} // namespace chip
