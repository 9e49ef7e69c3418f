// Calls of the checks of ZE_CPU_CHECK, which do not keep LLVM from making vectors of work-items.
//
// Each check NAME has variants for several lanes at once, which LLVM finds by the rules of its vector function ABI: they call
// NAME_lanes with the mask of the lanes and arrays of what differs between them.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Calls the check `name` before `before`. Of each operand, `kinds` has 'u' if all lanes have the same, 'l' if it is the number
/// of the lane, and 'v' if each has its own, of 64 bits.
void call_check(llvm::Instruction &before, llvm::StringRef name, llvm::StringRef kinds,
                llvm::ArrayRef<llvm::Value *> operands);

/// What tells that a lane goes on behind a barrier to which all lanes of the group have come: (group, lane, 1, whether of the grid).
/// One call is as good for so many lanes that follow one another.
inline constexpr const char *meeting_name = "ze_cpu_trace_meet";

/// Whether it is a call of that.
bool is_meeting(const llvm::Instruction &instruction);

/// Whether it is one, which is then told of all lanes at once, active or not: at the end of `top` in a region's function
/// (regions/region_code.h), for a whole sub-group of `size` or, if that is 0, for the lanes that the function is given.
bool take_meeting(const llvm::Instruction &instruction, llvm::BasicBlock &top, uint64_t size);

/// Whether it is such a call.
bool is_check(const llvm::Instruction &instruction);

/// Whether it is one that is always called. Accesses to memory that was allowed before are not asked for.
bool is_trace(const llvm::Instruction &instruction);

/// Whether a check is only made in case it was not made in front of the loop.
bool is_seldom(const llvm::Instruction &check);
void set_seldom(llvm::CallInst &check);

/// Before vectorisation of loops over lanes that make such calls: makes it possible where LLVM would only try, and for as many
/// lanes at once as a call takes about as long for as for one. LLVM would choose what fits into a register of addresses.
struct PrepareCheckedLoops : llvm::PassInfoMixin<PrepareCheckedLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// After vectorisation: what no lane asks for is not called, and variants that are not called are removed.
void finish_check_calls(llvm::Module &module);

} // namespace ze_cpu
