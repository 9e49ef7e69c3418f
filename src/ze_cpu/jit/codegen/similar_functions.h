// Kernels whose source unrolls a loop around exchanges, as reductions do, consist of functions that differ in a few constants: offsets
// in the lanes' memory, distances, the numbers of cuts. Compiled once, with parameters in their place, they take a fraction of the time.
#pragma once

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Makes one of the module's internal functions that are similar and not to be inlined. In those that are to be small, nearly any
/// constant may differ; in others only what makes none slower: offsets, and what is returned, stored or passed on. A function whose
/// address is taken stays, and calls the one that does its work.
void merge_similar_functions(llvm::Module &module);

} // namespace ze_cpu
