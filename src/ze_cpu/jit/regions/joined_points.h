// Operations of sub-groups that do not need each other's results, as the votes about each bit of a number and the shuffles of
// the parts of a struct: lanes come to all of them at once, so that what lies between them is one region and not many.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

/// Puts the markers of such operations next to each other, with what they need before the first. Nothing that touches memory
/// comes to lie on another side of an operation: programs may take that the other lanes have come that far, too.
void join_sync_points(llvm::Function &function);

/// Whether lanes come to `marker` and to the marker behind it at once.
bool is_joined_with_next(const llvm::CallInst &marker);

} // namespace ze_cpu
