// What the process that compiles is asked for. Requests and answers are bytes (serialize.h).
#pragma once

#include "cache_key.h"
#include "compiler.h"
#include "units.h"

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace ze_cpu {

/// A request begins with protocol_version, the compiler's identity, which is empty if it is asked for, and one of these.
enum class Request : uint8_t { compiler, ir, unit, unit_of_new_module, link_modules, link_ir };

/// The answer of a worker that has the IR of another module than the one that is meant.
inline constexpr std::string_view no_such_module = "no such module";

/// Which compiler answers.
std::expected<Compiler, std::string> request_compiler();

/// Asks the compiler that has `identity`; another one refuses.
class Requests {
public:
  explicit Requests(std::string identity) : identity_(std::move(identity)) {}

  const std::string &identity() const { return identity_; }

  /// The IR of a valid module. `key` is what units of it are asked for by.
  std::expected<ModuleIr, BuildError> ir(const Hash &key, std::span<const std::byte> spirv,
                                         const BuildOptions &options,
                                         std::span<const SpecializationConstant> constants) const;

  /// One unit of the module that has `key`. `symbol` is the kernel's name or the function's symbol,
  /// `shared` what the unit of kind `shared` was, for all others.
  std::expected<Unit, std::string> unit(const Hash &key, const ModuleIr &ir, UnitKind kind,
                                        std::string_view symbol, const Unit &shared) const;

  /// One SPIR-V module of several, whose imports and exports are joined.
  std::expected<std::vector<std::byte>, std::string>
  linked_modules(std::span<const std::span<const std::byte>> programs) const;

  /// link_ir (jit/program/link_ir.h).
  std::expected<LinkedIr, std::string> linked_ir(std::span<const ModuleIr *const> members,
                                                 std::span<const ModuleIr *const> providers) const;

private:
  std::string identity_;
};

} // namespace ze_cpu
