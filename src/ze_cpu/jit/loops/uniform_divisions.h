// Divisions by a number that all lanes share.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Makes multiplications of divisions of 32 bits in the innermost loops over work-items, where the divisor does not change in the
/// loop: no x86 processor divides vectors of integers. A reciprocal takes a division before the loop.
struct MultiplyByReciprocals : llvm::PassInfoMixin<MultiplyByReciprocals> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
