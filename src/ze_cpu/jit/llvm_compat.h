// Where LLVM's versions differ. Written for 21; other files of this directory use only what 19 to
// 22 have in common.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace ze_cpu::compat {

inline void set_target(llvm::Module &module, const llvm::TargetMachine &machine) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(machine.getTargetTriple());
#else
  module.setTargetTriple(machine.getTargetTriple().str());
#endif
  module.setDataLayout(machine.createDataLayout());
}

/// The vectorised mathematics that the C library of this machine brings along.
inline void add_vector_library(llvm::TargetLibraryInfoImpl &library, const llvm::Triple &triple) {
  if (triple.getArch() != llvm::Triple::x86_64)
    return;
#if LLVM_VERSION_MAJOR >= 22
  library.addVectorizableFunctionsFromVecLib(llvm::VectorLibrary::LIBMVEC, triple);
#elif LLVM_VERSION_MAJOR >= 21
  library.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC, triple);
#else
  library.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86, triple);
#endif
}

/// A counter that advances steadily and that programs may read: x86 has it as the cycle counter,
/// others as a timer.
inline llvm::Value *read_counter(llvm::IRBuilder<> &builder, const llvm::Triple &triple) {
  auto id = triple.isX86() ? llvm::Intrinsic::readcyclecounter : llvm::Intrinsic::readsteadycounter;
  return builder.CreateIntrinsic(builder.getInt64Ty(), id, {});
}

} // namespace ze_cpu::compat
