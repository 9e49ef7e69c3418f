// The plugin: `opt -load-pass-plugin=libchip-passes.so -passes=hip-post-link-passes` turns the linked device bitcode of a HIP
// program into bitcode that LLVM's SPIR-V back end accepts and that Level Zero drivers understand as HIP means it. clang's driver
// for HIP on SPIR-V runs the pipeline by that name.
#include "kernels.h"
#include "passes.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

using namespace llvm;

namespace chip {
namespace {

// The host reaches kernels and externally initialised variables by name; everything else is the module's own business.
bool is_seen_by_host(const GlobalValue &value) {
  if (auto *function = dyn_cast<Function>(&value))
    return is_kernel(*function);
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->isExternallyInitialized();
}

void add_passes(ModulePassManager &passes) {
  passes.addPass(PrepareModule());
  passes.addPass(HostVisibleSymbols());
  // Early, so that the passes below see only what the program uses of the device library.
  passes.addPass(InternalizePass(is_seen_by_host));
  passes.addPass(GlobalDCEPass());

  passes.addPass(InlineDynamicSharedMemoryUsers());
  passes.addPass(AlwaysInlinerPass());
  // What was inlined may be in use by nobody else.
  passes.addPass(GlobalDCEPass());
  passes.addPass(DynamicSharedMemory());

  passes.addPass(GlobalInitializers());
  passes.addPass(Addresses());
  passes.addPass(SpillArguments());
  passes.addPass(OverflowIntrinsics());
  passes.addPass(Intrinsics());

  FunctionPassManager clean_up;
  clean_up.addPass(InferAddressSpacesPass(generic_space));
  clean_up.addPass(DCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean_up)));
  passes.addPass(Atomics());
  passes.addPass(GlobalDCEPass());

  passes.addPass(SubGroupSize());
  passes.addPass(Diagnose());
}

void add_to(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "hip-post-link-passes")
          return false;
        add_passes(passes);
        return true;
      });
}

} // namespace
} // namespace chip

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "libCHIP device passes", LLVM_VERSION_STRING, chip::add_to};
}
