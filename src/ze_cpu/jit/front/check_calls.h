// Calls of the checks of ZE_CPU_CHECK, which do not keep LLVM from making vectors of work-items.
//
// Each check NAME has variants for several lanes at once, which LLVM finds by the rules of its vector function ABI: they call
// NAME_lanes with the mask of the lanes and arrays of what differs between them.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Calls the check `name` before `before`. Of each operand, `kinds` has 'u' if all lanes have the same, 'l' if it is the number
/// of the lane, and 'v' if each has its own, of 64 bits.
void call_check(llvm::Instruction &before, llvm::StringRef name, llvm::StringRef kinds,
                llvm::ArrayRef<llvm::Value *> operands);

/// Whether it is such a call.
bool is_check(const llvm::Instruction &instruction);

/// After vectorisation: what no lane asks for is not called, and variants that are not called are removed.
void finish_check_calls(llvm::Module &module);

} // namespace ze_cpu
