// What the worker is asked for. Requests and answers are bytes (serialize.h); the two processes
// have the same build of this library.
#pragma once

#include "../codegen/compile.h"
#include "../program/cache_key.h"
#include "../program/link_images.h"

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace ze_cpu {

/// The image of a valid module. `key` is what units of it are asked for by.
std::expected<Image, BuildError> request_image(const Hash &key, std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants);

/// One unit of the image that has `key`. `symbol` is the kernel's name or the function's symbol,
/// `shared` what the unit of kind `shared` was, for all others.
std::expected<Unit, std::string> request_unit(const Hash &key, const Image &image, UnitKind kind,
                                              std::string_view symbol, const Unit &shared);

/// One SPIR-V module of several, whose imports and exports are joined.
std::expected<std::vector<std::byte>, std::string>
request_link(std::span<const std::span<const std::byte>> programs);

/// link_images (link_images.h).
std::expected<LinkedImage, std::string>
request_linked_image(std::span<const Image *const> members,
                     std::span<const Image *const> providers);

/// In the worker: the answer to a request.
std::string do_work(std::string_view request);

} // namespace ze_cpu
