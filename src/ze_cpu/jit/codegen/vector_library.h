#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace ze_cpu {

/// Tells LLVM which functions the C library of this machine has vectorised, where they are as accurate as OpenCL wants.
void add_vector_library(llvm::TargetLibraryInfoImpl &library, const llvm::TargetMachine &machine);

} // namespace ze_cpu
