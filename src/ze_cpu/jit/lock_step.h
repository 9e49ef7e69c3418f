// Work-items of a sub-group that talk to each other through volatile work-group memory.
#pragma once

namespace llvm {
class Function;
}

namespace ze_cpu {

/// Hardware executes a sub-group's work-items in lock step, and programs count on it: they exchange
/// values through volatile work-group memory with no barrier in between. Puts a synchronisation
/// point of the sub-group wherever one such access may depend on another; returns whether any was
/// needed. Comes before work-group variables get their places.
bool keep_lock_step(llvm::Function &function);

} // namespace ze_cpu
