// Loops by which a work-group goes through a tile that is not as wide as itself:
//
//   for (i = threadIdx.x; i < 18 * 18; i += blockDim.x)
//     tile[i / 18][i % 18] = in[(row + i / 18) * pitch + column + i % 18];
//
// Neighbours are in different rows here and there, so that nothing lies side by side for all of them. For one who goes through the
// numbers one after the other, and has a loop for each row, everything does.
#pragma once

#include "../regions/uniformity.h"

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Lets the first work-item of a work-group do what all of it do in such loops of `body`, a kernel that synchronises, and keeps each as
/// it was beside that, for work-groups of another shape. The work-group has to meet where meets_behind() says so. Whether anything was
/// changed.
bool go_by_rows(llvm::Function &body, Team team);

/// Whether a work-group has to come together behind that block, as go_by_rows() left it.
bool meets_behind(const llvm::BasicBlock &block);

} // namespace ze_cpu
