// Loops that each work-item begins at its own number and goes through by steps that all share:
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0))
//
// Neighbours diverge at the end only. Where the work-item with the smallest number decides for all
// whether to go on, and the others do nothing in a turn that is none of theirs, all go through the
// loop together, and it can be interchanged (interchange.h).
#pragma once

#include "../regions/uniformity.h"

#include <llvm/IR/Function.h>

#include <functional>
#include <vector>

namespace ze_cpu {

/// Gives such loops of `body`, a kernel whose loops have their conditions at the end, one end for a
/// row of work-items. Work-items whose numbers would overflow there return at once: the first thing
/// in `body` is then a condition for that. Whether anything was changed.
bool share_ends(llvm::Function &body);

/// Gives such loops of `body`, a kernel that synchronises and whose loops have their conditions at the end, one end for a team,
/// and keeps each as it was beside that for numbers that would overflow. `wanted` is asked for the number of each loop. What is
/// returned are the headers of those wanted, null where that cannot be done.
std::vector<llvm::BasicBlock *> share_ends_beside(llvm::Function &body, Team team,
                                                  const std::function<bool(size_t)> &wanted);

} // namespace ze_cpu
