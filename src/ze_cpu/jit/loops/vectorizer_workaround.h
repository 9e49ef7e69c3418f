// Keeps LLVM from vectorising an index wrongly.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Function.h>

#include <optional>

namespace ze_cpu {

/// In LLVM 21 the loop vectoriser takes the promise, checked at run time, that i does not wrap in 32
/// bits for the promise that i & 3 does not wrap in 2 bits, and then reads a[i & 3] as if it were
/// a[i]. It does not if the mask is no constant: it is combined with one that only execution knows.
/// Masks of 32 bits are widened numbers, which the promise is right for.
/// `function` has context parameters.
void hide_index_masks(llvm::Function &function);

/// The constant that `instruction` takes the bits of its first operand by, hidden or not, if it is such an instruction.
std::optional<llvm::APInt> index_mask(const llvm::Instruction &instruction);

} // namespace ze_cpu
