// ZE_CPU_CHECK: compiled kernels ask before each access whether the memory is theirs to touch.
#pragma once

#include "../contract/kernel_code.h"
#include "../contract/memory_access.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ze_cpu {

struct Fault;

/// Whether kernels may touch all of the bytes, as far as work-group memory and private memory do
/// not decide it.
/// `allowed` becomes memory around them that may be touched as well, as long as nothing is freed.
struct AllowedMemory {
  uintptr_t begin = 0;
  size_t bytes = 0; // 0: not known
};
using MemoryJudge = bool (*)(uintptr_t address, size_t bytes, AllowedMemory &allowed);
/// To be set before the first kernel runs. Without one, all memory may be touched.
void set_memory_judge(MemoryJudge judge);

/// Memory was freed: what was allowed has to be asked for again.
void forget_allowed_memory();
/// Changes whenever that happens. Not 0.
uint64_t memory_generation();

/// What run_guarded returns when a check ended the kernel.
inline constexpr int forbidden_access = -1;
/// Describes it afterwards, on the same thread.
Fault describe_forbidden_access(const KernelCode &kernel);

} // namespace ze_cpu

/// Called by kernels. Does not return if the access is forbidden.
extern "C" void ze_cpu_check(const ze_cpu::GroupContext *group, uint64_t group_x, uint64_t lane,
                             const void *address, uint64_t bytes, uint32_t access,
                             ze_cpu::SourcePlace *place);
/// For `count` lanes from `lane` on, each with an address `step` bytes behind that of the one before.
extern "C" void ze_cpu_check_row(const ze_cpu::GroupContext *group, uint64_t group_x, uint64_t lane,
                                 uint64_t address, uint64_t bytes, uint32_t access,
                                 ze_cpu::SourcePlace *place, uint64_t step, uint64_t count);
/// For the lanes in `mask`: `lane`, `lane` + `step` and so on, each with its own address.
extern "C" void ze_cpu_check_lanes(const ze_cpu::GroupContext *group, uint64_t group_x,
                                   uint64_t lane, const uint64_t *addresses, uint64_t bytes,
                                   uint32_t access, ze_cpu::SourcePlace *place, uint64_t step,
                                   uint64_t mask);
