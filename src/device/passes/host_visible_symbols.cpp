// Variables and kernels that the host looks up by name.
//
// clang gives them hidden visibility, which the back end takes for "not exported":
// zeModuleGetGlobalPointer would not find them. __constant__ variables are constants for clang, and
// a device compiler that believes it folds their initial value, although hipMemcpyToSymbol may
// replace it at any time between two launches. Can go when clang's HIP mode for SPIR-V marks both
// rightly.
#include "kernels.h"
#include "passes.h"

using namespace llvm;

namespace chip {

PreservedAnalyses HostVisibleSymbols::run(Module &module, ModuleAnalysisManager &) {
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.isExternallyInitialized())
      continue;
    variable.setConstant(false);
    variable.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (Function &function : module)
    if (is_kernel(function) && !function.hasLocalLinkage())
      function.setVisibility(GlobalValue::DefaultVisibility);
  return PreservedAnalyses::none();
}

} // namespace chip
