// Images and samplers in the compiler: which values stand for them.
#pragma once

#include "../../contract/program.h"

#include <llvm/IR/Module.h>
#include <optional>

namespace ze_cpu {

/// How a kernel parameter of a type that only SPIR-V knows is passed; nothing for other types.
std::optional<ArgumentKind> opaque_argument(const llvm::Type &type);

/// Puts ordinary types in the place of SPIR-V's: an image is a pointer to its ImageData, a sampler
/// a 64-bit number (contract/image_data.h), a sampled image both.
void replace_opaque_types(llvm::Module &module);

} // namespace ze_cpu
