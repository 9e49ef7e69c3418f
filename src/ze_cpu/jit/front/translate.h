// From SPIR-V to an LLVM module in which every SPIR-V instruction without an LLVM equivalent is a
// call by its name.
#pragma once

#include "../../contract/program.h"

#include <expected>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>

namespace ze_cpu {

/// Checks `spirv` as far as that can be done without translating it; a log of the findings and
/// whether it may be translated.
///
/// Policy: what SPIRV-Tools' validator rejects is refused, in the universal environment of the
/// module's own version (the OpenCL environments stop at SPIR-V 1.2). Modules that declare an
/// extension which the validator does not model, though GPU compilers take it
/// (unmodelled_extensions in validate.cpp), or that break a rule which GPU compilers do not mind
/// (tolerated_findings), are translated all the same, if their structure holds. The translator may
/// still fail an assertion on what is left, which is why all of this runs in a process of its own
/// (worker.h).
struct Validation {
  bool accepted = false;
  std::optional<BuildError::Kind> kind;
  std::string log;
};
Validation validate(std::span<const std::byte> spirv);

/// Translates a validated module. Errors are text for the build log.
std::expected<std::unique_ptr<llvm::Module>, std::string>
translate(llvm::LLVMContext &context, std::span<const std::byte> spirv,
          std::span<const SpecializationConstant> constants);

} // namespace ze_cpu
