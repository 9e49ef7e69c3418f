// ZE_CPU_CHECK: kernels ask before they touch memory (exec/memory_check.h).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Puts a call of ze_cpu_check before each access whose place is not certain: everything but a
/// work-item's own variables and constant parts of program-scope ones. Functions have context
/// parameters; builtins are lowered.
void check_memory_accesses(llvm::Module &module);

/// Whether it is a call of ze_cpu_check.
bool is_memory_check(const llvm::Instruction &instruction);

/// What lanes side by side access: by the first of them, `steps` more, and from one to the next.
struct CheckedRow {
  llvm::Value *lane, *address, *step, *steps; // of 64 bits
};

/// Whether all of that, in the way of `check`, is work-group memory, or what has been allowed at its place before.
llvm::Value *is_row_allowed(llvm::IRBuilder<> &b, const llvm::CallInst &check,
                            const CheckedRow &row);

/// Lets the code itself look whether the same memory was allowed there before. Where loops over work-items are about to become
/// vectors: until then a check is no branch.
struct AskOnlyWhereNeeded : llvm::PassInfoMixin<AskOnlyWhereNeeded> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace ze_cpu
