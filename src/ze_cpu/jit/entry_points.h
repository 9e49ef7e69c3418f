// The functions through which execution enters a kernel (exec/kernel_code.h).
#pragma once

#include "image.h"

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Structs passed by value that `body` only reads are read in the argument buffer; else each
/// work-item gets a copy. To be called before either entry is made.
void read_structs_in_place(llvm::Function &body, const KernelInfo &info);

/// A LoopEntry that calls `body` (with context parameters) for each work-item of each group.
/// Nothing in it waits, so the loop over x is marked as one whose iterations are independent:
/// work-items that raced would be wrong anyway.
llvm::Function *make_loop_entry(llvm::Function &body, const KernelInfo &info,
                                const std::string &symbol);

/// A FiberEntry that calls `body`.
llvm::Function *make_fiber_entry(llvm::Function &body, const KernelInfo &info,
                                 const std::string &symbol);

} // namespace ze_cpu
