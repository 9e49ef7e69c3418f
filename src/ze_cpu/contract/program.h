// What a SPIR-V module becomes: kernels as native code, and its program-scope variables.
//
// The compiler, and LLVM with it, is a shared library of its own (libze_cpu_jit.so), which a process of its own loads when
// something is to be compiled.
#pragma once

#include "../../ze_driver/program.h"
#include "kernel_code.h"

namespace ze_cpu {

using ze_driver::Argument;
using ze_driver::ArgumentKind;
using ze_driver::BuildError;
using ze_driver::BuildResult;
using ze_driver::GlobalVariable;
using ze_driver::KernelInfo;
using ze_driver::LinkResult;
using ze_driver::Program;
using ze_driver::ProgramVariable;
using ze_driver::SpecializationConstant;

/// Work-items that a group may have: checked before a launch, and relied upon by generated code.
inline constexpr uint32_t max_group_size = 1024;

/// A compiled kernel as the compiler makes it.
inline const KernelCode &code_of(const ze_driver::CompiledKernel &kernel) {
  return static_cast<const KernelCode &>(kernel);
}

/// Validates `spirv` and makes a program of it. Never aborts on bad input.
BuildResult build_program(std::span<const std::byte> spirv, std::string_view build_flags,
                          std::span<const SpecializationConstant> constants);

LinkResult link_programs(std::span<const std::span<const std::byte>> programs);

} // namespace ze_cpu
