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

/// This compiler and its libraries, and the processor of this machine.
const std::string &compiler_identity();

/// Of a module: its SPIR-V, constants and options, this compiler and its libraries, and the
/// processor.
Hash module_key(std::span<const std::byte> spirv, const BuildOptions &options,
                std::span<const SpecializationConstant> constants);

/// Of modules that are linked, and of those that they take functions from.
Hash linked_key(std::span<const Hash> members, std::span<const Hash> providers);

enum class UnitKind { shared, function, kernel };

/// Of a unit of the module with that key.
Hash unit_key(const Hash &module, UnitKind kind, std::string_view symbol);

} // namespace ze_cpu
