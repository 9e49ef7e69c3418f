// Device code as it comes from a program or a file: clang's offload bundle, plain or compressed, or bare SPIR-V.
#pragma once

#include "../queue/kernel_target.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace chip {

/// SPIR-V and what its kernels take. Immutable; shared by the modules that are built from it.
struct CodeObject {
  std::vector<std::byte> spirv;
  std::map<std::string, std::vector<Parameter>> signatures;
};

/// Finds the SPIR-V in `image`. `available` bounds what may be read; SIZE_MAX where the caller does not know (images in
/// memory carry their own size). Throws hipErrorInvalidImage, hipErrorNoBinaryForGpu if there is no code for us in it.
std::shared_ptr<const CodeObject> load_code_object(const void *image, size_t available);

} // namespace chip
