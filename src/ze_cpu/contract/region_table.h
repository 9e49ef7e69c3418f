// How a kernel that is cut into regions looks to execution, as long as its lanes do not all go the
// same way. The compiler writes these tables into the object code.
//
// Lanes run through a region one after the other (or as vectors) up to a cut: a synchronisation
// point, a branch that all lanes of the team take alike, or the end. The control function, which is
// generated too, goes from region to region while all lanes are at the same cut. Synchronisation
// points are the cuts with the lowest numbers, in program order.
#pragma once

#include "kernel_code.h"
#include "sync.h"

#include <cstdint>

namespace ze_cpu {

/// What a region returns when its lanes ended at different cuts.
inline constexpr uint32_t lanes_diverged = UINT32_MAX;

/// Runs lanes [first, last), linear in the group, from a cut to the next: its number, or
/// lanes_diverged; the numbers are then in the array at RegionTable::state_offset.
using RegionEntry = uint32_t (*)(const GroupContext *, void *uniform, uint64_t group_x,
                                 uint64_t first, uint64_t last);
/// Carries out the operation of a point for lanes [first, last): whole sub-groups, all active.
using ExchangeEntry = void (*)(const GroupContext *, void *uniform, uint64_t first, uint64_t last);

/// No array: the operation has no such operand, or nobody wants the result.
inline constexpr uint32_t no_slot = UINT32_MAX;

/// Arrays have an element per lane and begin at offset * GroupContext::lane_capacity in lane_memory.
struct SyncPointTable {
  RegionEntry region; // what comes after it; null if lanes of the kernel do not diverge
  ExchangeEntry
      exchange; // of all operations; may be null: then ze_cpu_exchange does it, if anything is wanted
  const uint8_t *
      lane_parameters; // in each lane of a sub-group, or null: then it is the next, or in the lanes' memory
  const SyncPointTable
      *also; // the next operation of the same point, which lanes come to with this one; or null
  uint64_t parameter; // if it is a constant
  uint32_t operation; // a packed SyncOperation
  uint32_t value_offset;
  uint32_t parameter_offset;
  uint32_t result_offset;
  uint32_t bytes;          // of value and result: the low ones
  uint32_t is_signed;      // values extend to 64 bits by their sign
  uint32_t all_lanes_come; // nobody goes on before all lanes of the team are there
  uint32_t shared_result;  // one for the team, at result_offset in `uniform`
};

struct RegionTable {
  const SyncPointTable *points;
  uint32_t count; // of points; higher cut numbers are branches, up to `end`
  uint32_t end;
  uint32_t state_offset;
  uint32_t sub_group_size;
  uint32_t by_sub_group; // a team is a sub-group, else the work-group
  uint32_t unused;
};

} // namespace ze_cpu

/// Goes on after a region returned lanes_diverged, until all lanes of the team [first, last) are at
/// the same cut again: its number. The operation there has not been carried out.
extern "C" uint32_t ze_cpu_run_diverged(const ze_cpu::GroupContext *group, void *uniform,
                                        uint64_t group_x, uint64_t first, uint64_t last,
                                        const ze_cpu::RegionTable *table);

/// Carries out the sub-group operations of a point for `count` lanes, all that the sub-group has. The first of
/// them is element `place` of the arrays.
extern "C" void ze_cpu_exchange(const ze_cpu::GroupContext *group, void *uniform, uint64_t place,
                                uint64_t count, const ze_cpu::SyncPointTable *point);
