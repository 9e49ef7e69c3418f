// Lanes that access what lies side by side as a rule, though the compiler cannot tell:
//
//   ring[(i + head) & mask] ... a[i ^ distance] ... row[max(x - 1, 0)]
//
// Each vector of them is looked at as it comes: what is asked is whether that is so, not why.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// Whether not all of the lanes' `numbers` are by `step` greater than that of the lane before.
llvm::Value *are_apart(llvm::IRBuilder<> &b, llvm::Value *numbers, uint64_t step);

/// Lets gathers and scatters of such places be loads and stores of vectors where the places are found to be adjacent.
void access_adjacent_lanes(llvm::Function &function);

} // namespace ze_cpu
