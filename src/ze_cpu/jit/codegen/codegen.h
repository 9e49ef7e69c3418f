// The parts of LLVM that are the same for every unit: target, passes, object code.
#pragma once

#include "../../program/options.h"

#include <expected>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <string>

namespace ze_cpu {

/// The processor that this runs on.
const llvm::orc::JITTargetMachineBuilder &host_processor();

/// Code generation for the processors that the options choose. One thread at a time may use a
/// machine.
std::expected<std::unique_ptr<llvm::TargetMachine>, std::string>
make_target_machine(const BuildOptions &options);

/// The attributes that make LLVM use all that the chosen processors have.
void prepare_function(llvm::Function &function, const llvm::TargetMachine &machine);

/// Makes loads of each element of the gathers that are left in `function`. LLVM is not told before it has made vectors of loops: it would make
/// fewer of them, and no gathers of rows, which become loads of rows (loops/row_accesses.h).
void avoid_gathers(llvm::Function &function, const llvm::TargetMachine &machine);

/// Inlines what is marked, removes what nobody refers to, and brings the rest into the form that
/// lowering expects.
void clean_up(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs the passes that `pipeline` names over one function.
void bring_into_shape(llvm::Function &function, llvm::TargetMachine &machine,
                      llvm::StringRef pipeline);

void optimise(llvm::Module &module, llvm::TargetMachine &machine, const BuildOptions &options);

/// `has_many_loops`: over lanes, as kernels that are cut into regions have.
std::expected<std::unique_ptr<llvm::MemoryBuffer>, std::string>
generate_object(llvm::Module &module, llvm::TargetMachine &machine, bool has_many_loops);

/// The stack frames of all functions in the object together: the need of any chain of calls without
/// recursion.
uint32_t frame_bytes(const llvm::MemoryBuffer &object);

} // namespace ze_cpu
