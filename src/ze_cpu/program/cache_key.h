// Under which name something compiled is kept: the hash of everything that it depends on.
#pragma once

#include "../../common/hash.h"
#include "units.h"

#include <span>
#include <string_view>

namespace ze_cpu {

using disk_cache::bytes_of;
using disk_cache::Hash;
using disk_cache::hash_of;

/// The key of a module: a hash of its SPIR-V, constants and options, and of the compiler and what it compiles for.
Hash module_key(std::string_view compiler, std::span<const std::byte> spirv,
                const BuildOptions &options, std::span<const SpecializationConstant> constants);

/// The key of modules that are linked, and of those that they take functions from.
Hash linked_key(std::span<const Hash> members, std::span<const Hash> providers);

/// The key of a unit of the module with the key `module`.
Hash unit_key(const Hash &module, UnitKind kind, std::string_view symbol);

} // namespace ze_cpu
