// Quotients and remainders, by a constant, of numbers that count the lanes of a sub-group from a multiple of its size, and none of which
// is negative:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 32, column = i % 64;
//
// A quotient by a multiple of the sub-group's size is the same for all lanes, and a remainder counts them.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace ze_cpu {

enum class NumberPart { same, counting };

/// What `instruction` takes of the number that is its first operand, in sub-groups of `size`. None if that is another part, or the
/// instruction another.
std::optional<NumberPart> number_part(const llvm::Instruction &instruction, uint32_t size);

/// Such a part for the lane with `lanes_before` before it. The sub-group's first number is `first`.
llvm::Value *number_part_of_lane(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                                 uint32_t size, llvm::Value *first, llvm::Value *lanes_before);

} // namespace ze_cpu
