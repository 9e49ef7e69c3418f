// The passes of the device compiler, each a module pass of LLVM's new pass manager. plugin.cpp
// gives the order; the file of a pass says why it exists and when it can go.
#pragma once

#include <llvm/IR/PassManager.h>

namespace chip {

/// A pass that must not be skipped, neither for functions marked optnone nor by -opt-bisect-limit:
/// without it the code does not come through the SPIR-V back end, or comes through it with another
/// meaning.
template <typename Pass> struct RequiredPass : llvm::PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

#define CHIP_PASS(name)                                                                            \
  struct name : RequiredPass<name> {                                                               \
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);              \
  }

CHIP_PASS(UndefinedValues);
CHIP_PASS(StaticVariables);
CHIP_PASS(LoopExits);
CHIP_PASS(LoopEnds);
CHIP_PASS(MarkLockStep);
CHIP_PASS(UnmarkLockStep);
CHIP_PASS(PrepareModule);
CHIP_PASS(LaunchBounds);
CHIP_PASS(HostVisibleSymbols);
CHIP_PASS(ServiceAddresses);
CHIP_PASS(InlineTraps);
CHIP_PASS(Traps);
CHIP_PASS(MergeDynamicSharedMemory);
CHIP_PASS(InlineDynamicSharedMemoryUsers);
CHIP_PASS(DynamicSharedMemory);
CHIP_PASS(SpillArguments);
CHIP_PASS(GlobalInitializers);
CHIP_PASS(Addresses);
CHIP_PASS(OverflowIntrinsics);
CHIP_PASS(StructPhis);
CHIP_PASS(LocalAggregates);
CHIP_PASS(IntegerWidths);
CHIP_PASS(WideIntegers);
CHIP_PASS(SignExtensions);
CHIP_PASS(SignedBits);
CHIP_PASS(Intrinsics);
CHIP_PASS(LibraryCalls);
CHIP_PASS(Contraction);
CHIP_PASS(Atomics);
CHIP_PASS(SubGroupSize);
CHIP_PASS(Diagnose);
CHIP_PASS(SourceLines);

#undef CHIP_PASS

} // namespace chip
