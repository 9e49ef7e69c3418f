// Rows of work-items of the lengths that tiles have.
#pragma once

#include <llvm/IR/Function.h>

#include <functional>

namespace ze_cpu {

/// A RegionEntry that calls `any` or, for the lanes of a whole work-group whose rows are of one of these lengths, what `make` makes
/// for it. Beside all that a loop of any length needs, a row of a vector or two would be little of the work.
llvm::Function *choose_width(llvm::Function &any, llvm::ArrayRef<uint64_t> widths,
                             const std::function<llvm::Function *(uint64_t)> &make);

} // namespace ze_cpu
