// What the worker is asked for. Requests and answers are bytes (serialize.h); the two processes
// have the same build of this library.
#pragma once

#include "../codegen/compile.h"
#include "../program/cache_key.h"
#include "../program/link_ir.h"

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace ze_cpu {

/// The IR of a valid module. `key` is what units of it are asked for by.
std::expected<ModuleIr, BuildError> request_ir(const Hash &key, std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants);

/// One unit of the module that has `key`. `symbol` is the kernel's name or the function's symbol,
/// `shared` what the unit of kind `shared` was, for all others.
std::expected<Unit, std::string> request_unit(const Hash &key, const ModuleIr &ir, UnitKind kind,
                                              std::string_view symbol, const Unit &shared);

/// One SPIR-V module of several, whose imports and exports are joined.
std::expected<std::vector<std::byte>, std::string>
request_link(std::span<const std::span<const std::byte>> programs);

/// link_ir (link_ir.h).
std::expected<LinkedIr, std::string> request_linked_ir(std::span<const ModuleIr *const> members,
                                                       std::span<const ModuleIr *const> providers);

/// Carries out a request in the worker, and returns the answer.
std::string do_work(std::string_view request);

} // namespace ze_cpu
