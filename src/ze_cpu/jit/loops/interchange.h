// Kernels whose work-items run through the same loop side by side, without synchronising there: sums
// over all bodies, rows times columns, filters. LLVM vectorises innermost loops, and the loop over
// the lanes is outside. Cut at such loops (regions.h), the lanes come innermost and the control
// function has the loop.
#pragma once

#include "../regions/uniformity.h"

#include <llvm/Target/TargetMachine.h>

namespace ze_cpu {

/// A copy of `body` in the form in which its loops can be interchanged with that over the lanes: at
/// the end of a loop stands its condition, and there are no vectors. Null, and nothing changed,
/// where that would not pay, unless it is `wanted` anyway. When the work-items do nothing unless they are inside of some bounds,
/// the copy is for those that are, and `is_inside` a function with the same parameters that tells;
/// else that is null.
struct Interchange {
  llvm::Function *body = nullptr, *is_inside = nullptr;
};
Interchange prepare_interchange(llvm::Function &body, llvm::TargetMachine &machine, bool wanted);

/// Brings the loops of a kernel that synchronises into the form in which they can be interchanged. Where they are `wanted` anyway,
/// all of them are.
void prepare_loops(llvm::Function &body, Team team, llvm::TargetMachine &machine, bool wanted);

/// The same for a kernel whose loops stay as they are: a copy for work-items that are inside of the bounds, and who they are. A
/// loop over these needs no masks. Null where there are no bounds, or where masks cost little: where elements lie side by side.
Interchange take_bounds_apart(llvm::Function &body);

/// Headers of the loops that are worth it, or of all where it is wanted anyway.
llvm::SmallPtrSet<llvm::BasicBlock *, 4> interchanged_loops(llvm::Function &body,
                                                            const Uniformity &uniformity);

/// Whether prepare_interchange made `body` because it was wanted.
bool is_interchange_wanted(const llvm::Function &body);

} // namespace ze_cpu
