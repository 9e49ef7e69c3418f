// Between libze_cpu.so and libze_cpu_jit.so: one exported function, and what the generated code
// needs of its host.
#pragma once

#include "program.h"

namespace ze_cpu {

struct GroupContext;
struct RegionTable;
struct SyncPointTable;

/// Filled in by libze_cpu.so.
struct JitHost {
  uint32_t interface_version;
  uint64_t (*sync)(const GroupContext *, uint64_t lane, uint64_t value, uint64_t parameter,
                   uint32_t id, uint32_t operation);
  /// ze_cpu_run_diverged (contract/region_table.h).
  uint32_t (*run_diverged)(const GroupContext *, void *uniform, uint64_t group_x, uint64_t first,
                           uint64_t last, const RegionTable *table);
  /// ze_cpu_exchange, in the same place.
  void (*exchange)(const GroupContext *, void *uniform, uint64_t place, uint64_t count,
                   const SyncPointTable *point);
  /// ze_cpu_wait (exec/group_wait.h): another round of a loop that waits for memory.
  void (*wait)();
  /// ze_cpu_check, if kernels are to ask it before each access to memory, else null.
  void (*check)(const GroupContext *, uint64_t group_x, uint64_t lane, const void *address,
                uint64_t bytes, uint32_t access);
};

/// To change with any header that both libraries include: one may have been replaced without the
/// other.
inline constexpr uint32_t jit_interface_version = 14;
inline constexpr const char *version_mismatch =
    "libze_cpu.so and libze_cpu_jit.so are not of the same version";

inline constexpr const char *jit_library = "libze_cpu_jit.so";
inline constexpr const char *jit_entry = "ze_cpu_jit_build";
inline constexpr const char *jit_link_entry = "ze_cpu_jit_link";

/// Type of the exported function; `*result` is written. Throws nothing.
using JitEntry = void(const JitHost *host, std::span<const std::byte> spirv,
                      std::string_view build_flags,
                      std::span<const SpecializationConstant> constants, BuildResult *result);
using JitLinkEntry = void(const JitHost *host, std::span<const std::span<const std::byte>> programs,
                          LinkResult *result);

} // namespace ze_cpu
