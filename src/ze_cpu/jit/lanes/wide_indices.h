// Indices of 32 bits that are extended to 64 before they address memory:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x; ... a[i]
//
// Where a sum may wrap around, neighbouring work-items need not access neighbouring memory, and LLVM makes a loop for each case. In
// a work-group whose sums do not wrap, the extended sum is the sum of what is extended.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include <functional>
#include <vector>

namespace ze_cpu {

/// An extension of base + stride * (the local id in x), where a work-group's work-items share the base.
struct WideIndex {
  llvm::CastInst *extension;
  uint64_t stride; // from 1 to 64

  /// The base, extended, computed from the kernel's parameters, which `parameter` gives.
  llvm::Value *base(llvm::IRBuilder<> &b,
                    const std::function<llvm::Value *(llvm::Argument &)> &parameter) const;
  /// Whether no sum wraps around in a work-group whose rows are `size_x` long.
  llvm::Value *stays_in_range(llvm::IRBuilder<> &b, llvm::Value *base, llvm::Value *size_x) const;
};

/// Those of `body`, a kernel with context parameters.
std::vector<WideIndex> wide_indices(llvm::Function &body);

} // namespace ze_cpu
