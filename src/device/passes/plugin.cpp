// The plugin: `opt -load-pass-plugin=libchip-passes.so -passes=hip-post-link-passes` turns the
// linked device bitcode of a HIP program into bitcode that LLVM's SPIR-V back end accepts and that
// Level Zero drivers understand as HIP means it. clang's driver for HIP on SPIR-V runs the pipeline
// by that name.
//
// clang itself loads the plugin too, when it compiles a file for the device (-fpass-plugin): what has
// to happen before LLVM optimises, or while a file stands alone, happens there.
#include "kernels/kernels.h"
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

// The host reaches kernels and externally initialised variables by name; everything else is the
// module's own business.
bool is_seen_by_host(const GlobalValue &value) {
  if (auto *function = dyn_cast<Function>(&value))
    return is_kernel(*function);
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->isExternallyInitialized();
}

void add_passes(ModulePassManager &passes) {
  passes.addPass(LoopEnds());
  passes.addPass(UnmarkLockStep());
  passes.addPass(PrepareModule());
  passes.addPass(LaunchBounds());
  passes.addPass(HostVisibleSymbols());
  // Early, so that the passes below see only what the program uses of the device library.
  passes.addPass(InternalizePass(is_seen_by_host));
  passes.addPass(GlobalDCEPass());

  passes.addPass(ServiceAddresses());
  passes.addPass(InlineTraps());
  passes.addPass(InlineDynamicSharedMemoryUsers());
  passes.addPass(AlwaysInlinerPass());
  // What was inlined may be in use by nobody else.
  passes.addPass(GlobalDCEPass());
  passes.addPass(DynamicSharedMemory());

  passes.addPass(Traps());
  passes.addPass(GlobalInitializers());
  passes.addPass(Addresses());
  passes.addPass(SpillArguments());
  passes.addPass(OverflowIntrinsics());
  passes.addPass(StructPhis());
  passes.addPass(IntegerWidths());
  passes.addPass(WideIntegers());
  passes.addPass(Intrinsics());
  passes.addPass(LibraryCalls());
  passes.addPass(Contraction());

  FunctionPassManager clean_up;
  clean_up.addPass(InferAddressSpacesPass(generic_space));
  clean_up.addPass(DCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(clean_up)));
  passes.addPass(LocalAggregates());
  passes.addPass(Atomics());
  passes.addPass(SignExtensions());
  passes.addPass(SignedBits());
  passes.addPass(GlobalDCEPass());

  passes.addPass(SubGroupSize());
  passes.addPass(Diagnose());
  passes.addPass(SourceLines());
}

template <typename Pass> void add_pass(ModulePassManager &passes) { passes.addPass(Pass()); }

// Each pass has a name of its own as well, for tests and for looking into a problem with opt.
constexpr std::pair<StringLiteral, void (*)(ModulePassManager &)> pipelines[] = {
    {"hip-post-link-passes", add_passes},
    {"chip-undefined-values", add_pass<UndefinedValues>},
    {"chip-static-variables", add_pass<StaticVariables>},
    {"chip-loop-exits", add_pass<LoopExits>},
    {"chip-loop-ends", add_pass<LoopEnds>},
    {"chip-mark-lock-step", add_pass<MarkLockStep>},
    {"chip-unmark-lock-step", add_pass<UnmarkLockStep>},
    {"chip-prepare-module", add_pass<PrepareModule>},
    {"chip-launch-bounds", add_pass<LaunchBounds>},
    {"chip-host-visible-symbols", add_pass<HostVisibleSymbols>},
    {"chip-merge-dynamic-shared-memory", add_pass<MergeDynamicSharedMemory>},
    {"chip-inline-dynamic-shared-memory-users", add_pass<InlineDynamicSharedMemoryUsers>},
    {"chip-dynamic-shared-memory", add_pass<DynamicSharedMemory>},
    {"chip-service-addresses", add_pass<ServiceAddresses>},
    {"chip-inline-traps", add_pass<InlineTraps>},
    {"chip-traps", add_pass<Traps>},
    {"chip-global-initializers", add_pass<GlobalInitializers>},
    {"chip-addresses", add_pass<Addresses>},
    {"chip-spill-arguments", add_pass<SpillArguments>},
    {"chip-struct-phis", add_pass<StructPhis>},
    {"chip-local-aggregates", add_pass<LocalAggregates>},
    {"chip-integer-widths", add_pass<IntegerWidths>},
    {"chip-sign-extensions", add_pass<SignExtensions>},
    {"chip-signed-bits", add_pass<SignedBits>},
    {"chip-wide-integers", add_pass<WideIntegers>},
    {"chip-overflow-intrinsics", add_pass<OverflowIntrinsics>},
    {"chip-intrinsics", add_pass<Intrinsics>},
    {"chip-library-calls", add_pass<LibraryCalls>},
    {"chip-contraction", add_pass<Contraction>},
    {"chip-atomics", add_pass<Atomics>},
    {"chip-sub-group-size", add_pass<SubGroupSize>},
    {"chip-diagnose", add_pass<Diagnose>},
    {"chip-source-lines", add_pass<SourceLines>},
};

bool parse(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  for (auto [known, add] : pipelines)
    if (name == known) {
      add(passes);
      return true;
    }
  return false;
}

void add_first_passes(ModulePassManager &passes, OptimizationLevel) {
  passes.addPass(UndefinedValues());
  passes.addPass(StaticVariables());
  passes.addPass(MergeDynamicSharedMemory());
  passes.addPass(LoopExits());
  passes.addPass(MarkLockStep());
}

/// Jump threading makes one branch out of two in a row that ask for the same. Where threads go in lock step,
/// `if (t > 0) a = s[t - 1]; if (t == 0) s[0] = b;` has an order, which the two ways of one `if` do not. LLVM
/// leaves it out for devices whose threads it knows to do so; it does not know that SPIR-V's may.
bool should_run(StringRef pass, Any) { return pass != "JumpThreadingPass"; }

} // namespace
} // namespace chip

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "libCHIP device passes", LLVM_VERSION_STRING,
          [](PassBuilder &builder) {
            builder.registerPipelineParsingCallback(chip::parse);
            builder.registerPipelineStartEPCallback(chip::add_first_passes);
            if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
              callbacks->registerShouldRunOptionalPassCallback(chip::should_run);
          }};
}
