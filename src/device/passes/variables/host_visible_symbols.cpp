// Variables and kernels that the host looks up by name.
//
// clang gives them hidden visibility, which the back end takes for "not exported":
// zeModuleGetGlobalPointer would not find them. __constant__ variables are constants for clang, and
// a device compiler that believes it folds their initial value, although hipMemcpyToSymbol may
// replace it at any time between two launches. Can go when clang's HIP mode for SPIR-V marks both
// rightly.
//
// A texture reference that is static is a variable without a value for clang, though the host registers
// it under its name. hip/spirv_detail/textures/texture.h reads it as volatile, so that it comes to us whole.
#include "../kernels/kernels.h"
#include "../passes.h"

using namespace llvm;

namespace chip {
namespace {

bool is_static_texture(const GlobalVariable &variable) {
  auto *type = dyn_cast<StructType>(variable.getValueType());
  return type && variable.hasLocalLinkage() && type->hasName() &&
         (type->getName() == "struct.texture" || type->getName().starts_with("struct.texture."));
}

} // namespace

PreservedAnalyses HostVisibleSymbols::run(Module &module, ModuleAnalysisManager &) {
  for (GlobalVariable &variable : module.globals()) {
    if (is_static_texture(variable)) {
      variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setInitializer(Constant::getNullValue(variable.getValueType()));
      variable.setExternallyInitialized(true);
    }
    if (!variable.isExternallyInitialized())
      continue;
    if (variable.hasLinkOnceLinkage()) // of an inline variable, which goes where no kernel uses it
      variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setConstant(false);
    variable.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (Function &function : module)
    if (is_kernel(function) && !function.hasLocalLinkage())
      function.setVisibility(GlobalValue::DefaultVisibility);
  return PreservedAnalyses::none();
}

} // namespace chip
