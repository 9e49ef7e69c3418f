#include "memory_check.h"

#include "../../common/align.h"
#include "../contract/sanitizers.h"
#include "checks/source_places.h"
#include "execute.h"
#include "faults.h"
#include "trap.h"

#include <atomic>
#include <bit>
#include <format>

namespace ze_cpu {
namespace {

std::atomic<MemoryJudge> judge = nullptr;
std::atomic<uint64_t> generation = 1;

enum class Verdict { allowed, misaligned, outside_local, foreign };

/// An access that is not allowed. Its report is put together when the kernel has been left, since a
/// fiber has little stack.
struct Forbidden {
  Verdict verdict;
  Access access;
  uintptr_t address;
  uint64_t bytes;
  uint64_t local_offset, local_bytes;
  uint64_t group[3], item[3];
  SourcePlace *place;
};
constinit thread_local Forbidden forbidden{};

bool is_within(uintptr_t address, uint64_t bytes, const void *low, uint64_t size) {
  const uint64_t offset = address - reinterpret_cast<uintptr_t>(low);
  return offset < size && bytes <= size - offset;
}

// The first memory that is accessed there is likely the next one, too. It is never replaced by other memory of the same
// generation, so that who reads it meanwhile finds what belongs together.
void remember(const GroupContext &group, SourcePlace &place, const AllowedMemory &allowed) {
  const std::atomic_ref known(place.generation);
  uint64_t before = known.load(std::memory_order_relaxed);
  constexpr uint64_t changing = UINT64_MAX;
  if (before == group.memory_generation || before == changing ||
      !known.compare_exchange_strong(before, changing, std::memory_order_acquire))
    return;
  const uintptr_t begin = common::round_up(allowed.begin, allowed_alignment);
  const uint64_t cut = begin - allowed.begin;
  std::atomic_ref(place.allowed).store(begin, std::memory_order_relaxed);
  std::atomic_ref(place.allowed_bytes)
      .store(allowed.bytes > cut ? allowed.bytes - cut : 0, std::memory_order_relaxed);
  known.store(group.memory_generation, std::memory_order_release);
}

Verdict examine(const GroupContext &group, uintptr_t address, uint64_t bytes, Access access,
                SourcePlace *place) {
  if (bytes == 0)
    return Verdict::allowed;
  if ((address & (access.alignment - 1)) != 0)
    return Verdict::misaligned;
  if (is_within(address, bytes, group.local, group.local_bytes))
    return Verdict::allowed;
  if (is_within(address, bytes, group.stack_low,
                static_cast<uint64_t>(group.stack_high - group.stack_low)))
    return Verdict::allowed;
  const MemoryJudge decides = judge.load(std::memory_order_relaxed);
  AllowedMemory allowed;
  if (!decides || decides(address, bytes, allowed) ||
      is_trap(address)) { // the trap itself is told as what it is
    if (allowed.bytes != 0 && place)
      remember(group, *place, allowed);
    return Verdict::allowed;
  }
  // Beyond the end, or just before the beginning: nothing else of the kernel's is near.
  constexpr uint64_t near_local = 4096;
  const uint64_t from_local = address - reinterpret_cast<uintptr_t>(group.local);
  return group.local_bytes != 0 && from_local + near_local < group.local_bytes + 2 * near_local
             ? Verdict::outside_local
             : Verdict::foreign;
}

} // namespace

void forget_allowed_memory() { generation.fetch_add(1, std::memory_order_relaxed); }
uint64_t memory_generation() { return generation.load(std::memory_order_relaxed); }

void set_memory_judge(MemoryJudge new_judge) { judge.store(new_judge, std::memory_order_relaxed); }

Fault describe_forbidden_access(const KernelCode &kernel) {
  const Forbidden &f = forbidden;
  std::string text =
      std::format("{}: work-item ({}, {}, {}) of group ({}, {}, {}) {} {} bytes at address {:#x}",
                  label(kernel), f.item[0], f.item[1], f.item[2], f.group[0], f.group[1],
                  f.group[2], f.access.write ? "writes" : "reads", f.bytes, f.address);
  text += at_place(number_of(f.place));
  Fault fault{true, {}, std::nullopt};
  if (f.verdict == Verdict::misaligned) {
    text += std::format(", which is not aligned to {} bytes", f.access.alignment);
    fault.address = f.address;
  } else if (f.verdict == Verdict::outside_local) {
    const auto offset = static_cast<int64_t>(f.local_offset);
    text += std::format(", at offset {} of {} bytes of work-group memory", offset, f.local_bytes);
  } else {
    fault.address = f.address;
  }
  fault.description = std::move(text);
  return fault;
}

} // namespace ze_cpu

ZE_CPU_SWITCHES_STACKS void ze_cpu_check(const ze_cpu::GroupContext *group, uint64_t group_x,
                                         uint64_t lane, const void *pointer, uint64_t bytes,
                                         uint32_t packed, ze_cpu::SourcePlace *place) {
  using namespace ze_cpu;
  const Access access = Access::unpack(packed);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const Verdict verdict = examine(*group, address, bytes, access, place);
  if (verdict == Verdict::allowed) [[likely]]
    return;
  const uint64_t *size = group->group_size;
  forbidden = {verdict,
               access,
               address,
               bytes,
               address - reinterpret_cast<uintptr_t>(group->local),
               group->local_bytes,
               {group_x, group->group[1], group->group[2]},
               {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1]},
               place};
  leave_guarded_code(forbidden_access);
}

ZE_CPU_SWITCHES_STACKS void ze_cpu_check_lanes(const ze_cpu::GroupContext *group, uint64_t group_x,
                                               uint64_t lane, const uint64_t *addresses,
                                               uint64_t bytes, uint32_t packed,
                                               ze_cpu::SourcePlace *place, uint64_t step,
                                               uint64_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto i = static_cast<uint64_t>(std::countr_zero(mask));
    ze_cpu_check(group, group_x, lane + i * step, reinterpret_cast<const void *>(addresses[i]),
                 bytes, packed, place);
  }
}

ZE_CPU_SWITCHES_STACKS void ze_cpu_check_row(const ze_cpu::GroupContext *group, uint64_t group_x,
                                             uint64_t lane, uint64_t address, uint64_t bytes,
                                             uint32_t packed, ze_cpu::SourcePlace *place,
                                             uint64_t step, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    ze_cpu_check(group, group_x, lane + i, reinterpret_cast<const void *>(address + i * step),
                 bytes, packed, place);
}
