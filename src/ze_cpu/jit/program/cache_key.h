// Under which name something compiled is kept: the hash of everything that it depends on.
#pragma once

#include "../../../common/hash.h"
#include "../../contract/program.h"
#include "options.h"

#include <string>

namespace ze_cpu {

using disk_cache::bytes_of;
using disk_cache::Hash;
using disk_cache::hash_of;

/// Identifies this compiler and its libraries, and the processor of this machine.
const std::string &compiler_identity();

/// The key of a module: a hash of its SPIR-V, constants and options, of this compiler and its
/// libraries, and of the processor.
Hash module_key(std::span<const std::byte> spirv, const BuildOptions &options,
                std::span<const SpecializationConstant> constants);

/// The key of modules that are linked, and of those that they take functions from.
Hash linked_key(std::span<const Hash> members, std::span<const Hash> providers);

enum class UnitKind { shared, function, kernel };

/// The key of a unit of the module with the key `module`.
Hash unit_key(const Hash &module, UnitKind kind, std::string_view symbol);

} // namespace ze_cpu
