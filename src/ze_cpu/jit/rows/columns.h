// Kernels that go down columns in one of their matrices, as in transposing:
//
//   out[x * n + y] = in[y * n + x]
//
// Of one row of work-items, each accesses another line of the cache. Several rows together access these lines whole, and vectors are
// transposed in registers (loops/row_accesses.h).
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// How many work-items that follow each other in y are run together.
inline constexpr unsigned rows_together = 16;

/// A function that does what `body`, which does not synchronise, does for its work-item and the others of `rows_together`. Null where
/// nothing is gained by that, or it is not known to be right.
llvm::Function *join_rows(llvm::Function &body);

} // namespace ze_cpu
