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

/// Whether it is such a call.
bool is_check(const llvm::Instruction &instruction);

/// Whether it is one that is always called. Accesses to memory that was allowed before are not asked for.
bool is_trace(const llvm::Instruction &instruction);

/// Before vectorisation of loops over lanes that make such calls: makes it possible where LLVM would only try, and for as many
/// lanes at once as a call takes about as long for as for one. LLVM would choose what fits into a register of addresses.
struct PrepareCheckedLoops : llvm::PassInfoMixin<PrepareCheckedLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// After vectorisation: what no lane asks for is not called, and variants that are not called are removed.
void finish_check_calls(llvm::Module &module);

} // namespace ze_cpu
