// Values of a sub-group's lanes between two loops over them, in memory of the function:
//
//   store <16 x float> ..., ptr %kept          the loop before, in vectors of the processor's size
//   store <16 x float> ..., ptr %kept + 64
//   load <32 x i32>, ptr %kept                 a shuffle, of all lanes at once
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Loads and stores such values in pieces as large as those of others that access the same variable: LLVM gives a load what was stored
/// only if one store made all of it. Whether anything was changed.
bool access_in_pieces(llvm::Function &function);

} // namespace ze_cpu
