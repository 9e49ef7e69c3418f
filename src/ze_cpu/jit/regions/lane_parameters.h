// Parameters of operations that depend on nothing but the lane: which lane each reads from in HIP's shuffles by constant
// distances, which are computed from its own number. With them known while the kernel is compiled, values move by one shuffle
// of vectors, and no lane keeps a parameter.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

/// Finds them in the markers of `function`, whose parameter becomes 0; where it is the same in all lanes it becomes that number.
void find_lane_parameters(llvm::Function &function, uint32_t sub_group_size);

/// The parameter in each lane of a sub-group, as numbers of 8 bits, of which 255 stands for all above it; null if it is not
/// known, or the same in all.
llvm::ConstantDataArray *lane_parameters(const llvm::CallInst &marker);

/// Makes ordinary parameters of them, which each lane loads.
void load_lane_parameters(llvm::Function &function);

} // namespace ze_cpu
