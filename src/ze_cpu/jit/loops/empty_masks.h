// Vectors of lanes of which none takes part: most of them where a kernel says `if (threadIdx.x == 0)`.
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Makes gathers and scatters of a few known lanes loads and stores of each, as where a sub-group's first lane keeps its sum. Whether
/// there are such. `function` has been vectorised.
bool access_known_lanes(llvm::Function &function);

/// Lets gathers and scatters under a mask be passed by if the mask is empty. They cost a processor tens of cycles however many
/// lanes there are, and a branch nearly nothing. `function` has been vectorised.
void skip_empty_masks(llvm::Function &function);

} // namespace ze_cpu
