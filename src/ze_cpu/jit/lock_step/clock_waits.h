// Work-items that wait for the clock.
#pragma once

namespace llvm {
class Function;
}

namespace ze_cpu {

/// On hardware the work-items of a work-group wait for a time at once; executed one after the other, each would begin its wait
/// when the one before has ended its own. Where a kernel begins by reading the clock and has a loop that only reads it again,
/// puts a barrier of the work-group behind the first: most then find that their time has come. Returns whether it did.
bool wait_for_clock_together(llvm::Function &kernel);

} // namespace ze_cpu
