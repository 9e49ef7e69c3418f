// Vectors of lanes of which none takes part: most of them where a kernel says `if (threadIdx.x == 0)`.
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Lets gathers and scatters under a mask be passed by if the mask is empty. They cost a processor tens of cycles however many
/// lanes there are, and a branch nearly nothing. `function` has been vectorised.
void skip_empty_masks(llvm::Function &function);

} // namespace ze_cpu
