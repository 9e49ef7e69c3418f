// Device code as it comes from a program or a file: clang's offload bundle, plain or compressed, or bare SPIR-V.
#pragma once

#include "spirv_signature.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace chip {

/// SPIR-V and what is in it. Immutable; shared by the modules that are built from it.
struct CodeObject {
  std::vector<std::byte> spirv;
  SpirvContents contents;
};

/// The SPIR-V in an image: where it lies, and the memory it was decompressed to if it had to be.
struct SpirvInImage {
  std::span<const std::byte> spirv;
  std::vector<std::byte> decompressed;
};

/// Finds the SPIR-V in `image`. `available` bounds what may be read; SIZE_MAX where the caller does not know (images in
/// memory carry their own size). Throws hipErrorInvalidImage, hipErrorNoBinaryForGpu if there is no code for us in it.
SpirvInImage find_spirv(const void *image, size_t available);

/// Reads SPIR-V, and keeps a copy of it. Throws hipErrorInvalidImage.
std::shared_ptr<const CodeObject> load_code_object(std::span<const std::byte> spirv);
inline std::shared_ptr<const CodeObject> load_code_object(const void *image, size_t available) {
  return load_code_object(find_spirv(image, available).spirv);
}

} // namespace chip
