// A warp is a sub-group, and HIP code counts on 32 lanes: Intel's compiler would otherwise choose
// 16 or 32 by itself for each kernel. Stays as long as devices offer several sizes.
#include "../passes.h"
#include "kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace chip {

PreservedAnalyses SubGroupSize::run(Module &module, ModuleAnalysisManager &) {
  LLVMContext &context = module.getContext();
  auto *size = ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt32Ty(context), device_contract::warp_size));
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration())
      function.setMetadata("intel_reqd_sub_group_size", MDNode::get(context, {size}));
  return PreservedAnalyses::none();
}

} // namespace chip
