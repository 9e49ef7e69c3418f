// What the compiler hands to execution: entry points, and the state of a work-group that generated
// code reads.
#pragma once

#include "../../ze_driver/program.h"
#include "sync.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ze_cpu {

class GroupFibers;
class DivergedLanes;
class GroupTrace;

using ze_driver::local_alignment;

/// A work-group in execution. Generated code reads the members at their offsets: it is compiled
/// against this very header.
struct GroupContext {
  uint64_t group[3];
  uint64_t groups[3];
  uint64_t group_size[3];
  uint64_t global_offset[3];
  std::byte *local; // work-group memory of the executing thread
  const std::byte *arguments;
  uint64_t local_bytes;
  /// Where private memory lies, to tell the kinds of a generic pointer apart.
  const std::byte *stack_low;
  const std::byte *stack_high;
  uint64_t work_dimensions;
  GroupFibers *fibers;    // null while the kernel runs as a loop
  const SyncCall **calls; // of each fiber the innermost
  // Of a kernel that is cut into regions (region_table.h): memory for what lanes keep from one
  // region to the next, how many lanes it is for, and who runs lanes that diverged.
  std::byte *lane_memory;
  uint64_t lane_capacity;
  DivergedLanes *diverged;
  uint64_t all_bits; // ~0, which the compiler does not know (jit/loops/vectorizer_workaround.h)
  // Not zero if the launch writes more than the caches hold (jit/loops/nontemporal_stores.h).
  uint64_t nontemporal_stores;
  GroupTrace *trace;          // null unless accesses are traced (ZE_CPU_CHECK)
  uint64_t memory_generation; // what memory there was when the launch began: never 0
};

/// Runs the work-groups [first, last) along x, of row group[1], group[2].
using LoopEntry = void (*)(const GroupContext *, uint64_t first, uint64_t last);

/// Runs one work-item; `lane` is its linear index in the group.
using FiberEntry = void (*)(const GroupContext *, uint64_t x, uint64_t y, uint64_t z,
                            uint64_t lane);

struct Launch;

/// Fills in what is the same for all work-groups of `launch`, except where local and private memory
/// lie.
void describe(const Launch &launch, GroupContext &group);

/// Work-items in a group of `launch`; execute() has checked that they are countable.
uint32_t group_items(const Launch &launch);

/// A kernel as native code.
struct KernelCode : ze_driver::CompiledKernel {
  LoopEntry loop = nullptr;                         // set unless work-items are fibers
  FiberEntry fiber = nullptr;                       // set otherwise
  size_t local_alignment = ze_cpu::local_alignment; // of the beginning of work-group memory
  uint32_t stack_bytes = 0; // a work-item's stack need, including called functions
  /// False with recursion or calls through pointers: stack_bytes is then a guess.
  bool stack_is_bounded = true;
  bool has_sync = false;          // its work-items may wait for each other
  bool has_grid_sync = false;     // its work-groups may wait for each other, at barriers
  bool waits_for_memory = false;  // and for what others write
  bool in_regions = false;        // `loop` runs regions, one after the other
  bool by_sub_group = false;      // and sub-group after sub-group: it has no barrier
  uint32_t lane_bytes = 0;        // what a lane keeps in GroupContext::lane_memory
  uint32_t nontemporal_bytes = 0; // that a work-item can write past the caches
  uint32_t instructions = 0;      // of the intermediate code before optimisation
  /// There may be faster code for other work-groups than those of whole sub-groups.
  bool has_small_parts = false;
  /// It is for work-groups of one work-item in dimension 0: their dimensions 0 and 1 stand in each other's place.
  bool of_columns = false;
  bool may_be_of_columns = false; // if it were compiled so
  // Learned while running, decides whether a launch is worth waking other threads; 0: never
  // measured.
  mutable std::atomic<float> nanoseconds_per_item = 0;
};

/// Whether `code` is for work-groups of that size.
inline bool runs(const KernelCode &code, const uint32_t (&group_size)[3]) {
  constexpr uint32_t shortest_column = 8; // below, vectors would be mostly empty
  if (code.of_columns)
    return group_size[0] == 1;
  return !code.may_be_of_columns || group_size[0] != 1 || group_size[1] < shortest_column;
}

} // namespace ze_cpu

/// Where fiber code waits: ends the work-item's turn and returns its result when the operation has
/// been carried out.
extern "C" uint64_t ze_cpu_sync(const ze_cpu::GroupContext *group, uint64_t lane, uint64_t value,
                                uint64_t parameter, uint32_t id, uint32_t operation);
