// Work-items of a sub-group that exchange values through work-group memory without a barrier.
#pragma once

namespace llvm {
class Function;
}

namespace ze_cpu {

/// Hardware executes a sub-group's work-items in lock step, and programs count on it: they exchange
/// values through work-group memory with no barrier in between, but it is volatile, or there are
/// fences of the work-group in between, or no barrier at all in the kernel. Puts a synchronisation
/// point of the sub-group wherever one such access may depend on another; returns whether any was
/// needed. Comes before work-group variables get their places.
bool keep_lock_step(llvm::Function &function);

} // namespace ze_cpu
