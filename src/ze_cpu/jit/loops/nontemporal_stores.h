// Non-temporal stores pass by the caches. A store to a line that is not in the cache reads it
// first, which is a third of the memory traffic of adding two arrays. For launches that write more
// than the caches hold, loops over work-items that write whole lines exist a second time, with
// stores that do not read.
#pragma once

#include <cstdint>
#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Whether each work-item goes through each of the body's instructions once at most. What is
/// written more often should stay in the cache.
bool runs_straight(const llvm::Function &body);

/// Adds such loops to `entry`, a LoopEntry that is optimised and whose body runs straight. Returns
/// how many bytes a work-item writes there; 0: nothing was changed. Which loop runs is decided by
/// GroupContext::nontemporal_stores, and by where the memory lies.
uint32_t add_nontemporal_loops(llvm::Function &entry);

} // namespace ze_cpu
