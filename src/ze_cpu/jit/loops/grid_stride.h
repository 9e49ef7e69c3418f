// Loops that each work-item begins at its own number and goes through by steps that all share:
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0))
//
// Neighbours diverge at the end only. Where the work-item with the smallest number decides for all
// whether to go on, and the others do nothing in a turn that is none of theirs, all go through the
// loop together, and it can be interchanged (interchange.h).
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Gives such loops of `body`, a kernel whose loops have their conditions at the end, one end for a
/// row of work-items. Work-items whose numbers would overflow there return at once: the first thing
/// in `body` is then a condition for that. Whether anything was changed.
bool share_ends(llvm::Function &body);

} // namespace ze_cpu
