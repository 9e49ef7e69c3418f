// The accesses of a work-group to memory, compared with those of others (ZE_CPU_CHECK).
//
// Two accesses race if one of them writes and nothing orders them. Ordered are: what one sub-group does,
// since it executes in lock step; what a group does before and after a barrier that all of it reach;
// what groups do before and after a barrier of the grid; and what a sub-group has done before it writes
// a word atomically (or volatile, or behind a fence) with whatever another does after reading that word.
// The last is taken generously: whoever reads such a word is ordered behind everything that began before
// what the word's writer has told. So races may be missed where atomics are about, and are not told of
// where there are none.
#pragma once

#include "../../contract/kernel_code.h"
#include "../../contract/memory_access.h"
#include "../checking.h"
#include "cell_rows.h"
#include "lanes_at_places.h"
#include "segments.h"
#include "shadow.h"
#include "traced_launch.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace ze_cpu {

class GroupTrace {
public:
  /// Looks for what `checks` says.
  explicit GroupTrace(const Checks &checks = ze_cpu::checks());

  /// Before a group runs: `context` says where its memory lies, `group` is linear in the grid.
  void begin(TracedLaunch &launch, const GroupContext &context, uint32_t sub_group_size,
             uint32_t group);

  /// An access, as ze_cpu_trace is told of it.
  struct Access {
    uint32_t lane;
    uintptr_t address;
    uint64_t bytes;
    uint32_t flags; // of traced::
    SourcePlace *place;
    uint64_t value;
  };
  void access(const GroupContext &context, const Access &access);
  /// The same of a read of a whole cell, if it is like most: whether that is done.
  bool read_cell(const GroupContext &context, uint32_t lane, uintptr_t address, SourcePlace *place);
  /// Those of the lanes in `mask`: `first.lane`, that and `step`, and so on, with addresses and values of their own.
  void access_lanes(const GroupContext &context, const Access &first, uint32_t step,
                    const uint64_t *addresses, const uint64_t *values, uint64_t mask);
  /// Those of `count` lanes side by side: each `step` bytes behind the one before, which is as many as it accesses, or 0 where all
  /// read the same. Whether that is done: writes are not where something stands against them, and are told of one by one then.
  bool access_row(const GroupContext &context, const Access &first, uint64_t step, uint32_t count);
  /// Those of a few neighbours, `first.lane` and the ones behind it, if their addresses follow one another and nothing stands
  /// against them: whether that is done.
  bool access_few(const GroupContext &context, const Access &first, const uint64_t *addresses,
                  uint64_t mask);
  /// A fence for memory of all.
  void fence(uint32_t lane) { sub_group_of(lane).has_fenced = true; }
  /// Lanes come to a barrier: those in `mask`, `lane`, that and `step`, and so on.
  void arrive(uint32_t lane, SourcePlace *place, uint32_t step, uint64_t mask);
  /// The lane goes on behind it, perhaps with others.
  void pass(uint32_t lane, bool of_grid);
  /// `count` lanes from `lane` on go on behind a barrier to which all have come.
  void meet(uint32_t lane, uint32_t count, bool of_grid);
  /// Lanes have come to code that lies behind the barrier at `place` on each way.
  void go_around(uint32_t lane, SourcePlace *place, uint32_t step, uint64_t mask);
  /// The lane names lanes of its sub-group that are to arrive with it at `place`; those in `here` have.
  void name_lanes(uint32_t lane, uint32_t named, uint32_t here, SourcePlace *place);
  /// The lane has come to code that lies behind that place on each way.
  void come_behind(uint32_t lane, SourcePlace *place);

private:
  struct SubGroup {
    uint64_t segment = 0;
    uint64_t known = 0;     // segments up to this one are ordered before what it does now
    uintptr_t acquired = 0; // the last word that it has read and that orders
    uint32_t tag = 0;       // that hardly any other has
    bool has_accessed = false, has_fenced = false;
    Marking marking[2]; // from the above; of work-group memory the second
  };
  /// Of a place where lanes of a sub-group name each other.
  struct Naming {
    SourcePlace *place;
    uint32_t sub_group;
    uint32_t
        awaited = 0,
        behind =
            0; // lanes that were named and did not come; that have come behind it since they did
    uint32_t by = 0, named = 0; // the last lane that awaits others, and whom
  };
  struct Touched; // an access on its way through the cells
  struct Usual;   // what decides whether an access changes nothing but marks

  SubGroup &sub_group_of(uint32_t lane) { return sub_groups_[lane >> width_bits_]; }
  void access_in_sub_group(const GroupContext &context, const Access &first, uint32_t step,
                           const uint64_t *addresses, const uint64_t *values, uint64_t mask);
  void access_unusual(const GroupContext &context, const Access &access);
  Usual usual(const GroupContext &context, uint32_t lane, uint64_t bytes, uint32_t flags,
              SourcePlace *place);
  bool take(const Usual &usual, uint32_t lane, uintptr_t address, uint64_t value);
  struct Area {
    uintptr_t begin;
    uint64_t bytes;
    bool is_local;
  };
  Area area_around(const Usual &usual, uintptr_t address);
  bool is_run(const uint64_t *addresses, uint64_t mask, uint64_t bytes) const;
  bool take_lanes(const Usual &usual, uint32_t first, uint32_t step, const uint64_t *addresses,
                  uint64_t mask);
  bool take_run(const Usual &usual, uint32_t lane, uint32_t step, uintptr_t address,
                uint32_t count);
  bool access_rows(const GroupContext &context, const Access &first, uint64_t step, uint32_t count);
  bool access_part_of_row(const GroupContext &context, const Access &first, uint64_t step,
                          uint32_t count);
  bool are_of_all(const Usual &usual, uintptr_t address, uint32_t bytes);
  bool take_unwritten(const Usual &usual, bool is_local, uintptr_t address, uint32_t bytes);
  bool mark_run(const Usual &usual, const CellAccess &access, uint32_t step, Cell cell,
                uint32_t first, uint64_t count);
  bool mark_uneven_run(const Usual &usual, CellAccess access, uint64_t lane_bits, Cell cell,
                       uint32_t first, uint64_t count);
  void read(Cell cell, const Touched &touched, uint32_t mask);
  void write(Cell cell, const Touched &touched, uintptr_t address, uint32_t mask);
  bool is_there(const Touched &touched, uintptr_t address, uint32_t mask, Mark written,
                const Segment &whose);
  bool races(Mark mark, const Touched &touched, Segment &whose);
  void check_against(Mark mark, const Touched &touched, uint32_t mask, bool wrote);
  void tell(Mark mark, const Segment &whose, const Touched &touched, bool wrote);
  void acquire(SubGroup &sub_group, uintptr_t address);
  void acquire_late(SubGroup &sub_group);
  void release(SubGroup &sub_group, uintptr_t address, uint32_t lane);
  void next_epoch(bool of_grid);
  void begin_segments();
  void set_marking(SubGroup &sub_group);
  void check_barrier();
  Naming &naming_at(uint32_t lane, SourcePlace *place);
  void tell_naming(TraceFinding::Kind kind, uint32_t by, uint32_t other, uint32_t named,
                   SourcePlace *place);
  void set_local_written(uintptr_t offset, uint64_t bytes);
  void check_written(const Touched &touched, uint64_t bytes, uint64_t value);
  uint32_t lane_in_sub_group(uint32_t lane) const { return lane & ((1u << width_bits_) - 1); }
  /// Of an offset in work-group memory, or an address.
  [[gnu::always_inline]] Cell cell_at(bool is_local, uintptr_t address) {
    return is_local ? Cell{local_marks_.data(), local_marks_.data() + local_reads_} +
                          address / cell_bytes
                    : shadow_.cell(address);
  }
  TracedItem item(uint32_t lane) const { return {launch_->number(), group_, lane, true}; }

  Shadow &shadow_;
  const RowCode &row_code_;
  const bool races_, uninitialised_, synchronisation_; // are looked for
  TracedLaunch *launch_ = nullptr;
  uint32_t group_ = 0, lanes_ = 0, width_bits_ = 5, epoch_ = 0, grid_barriers_ = 0;
  uint64_t first_segment_ = 0, first_of_epoch_ = 0;
  std::vector<SubGroup> sub_groups_;
  LanesAtPlaces arrived_,
      around_; // at barriers, and behind those to which they have not come; since the last one
  // Where all come to each barrier: the lowest bits of how many each lane has passed.
  std::vector<uint8_t> epochs_;
  std::vector<Naming> namings_;
  std::vector<uint64_t> local_marks_;    // of cells of work-group memory: first of writes
  size_t local_reads_ = 0;               // where those of reads begin
  std::vector<uint8_t> local_unwritten_; // a bit for each byte
};

/// Gives `each` the trace, if there is one, and each lane in `mask` (`lane`, `lane` + `step` and so on) with its place in the mask.
template <class Each>
void trace_lanes(const GroupContext *group, uint64_t lane, uint64_t step, uint64_t mask,
                 Each each) {
  if (GroupTrace *const trace = group->trace)
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<uint64_t>(std::countr_zero(mask));
      each(*trace, static_cast<uint32_t>(lane + i * step), i);
    }
}

} // namespace ze_cpu

/// Called by kernels, behind ze_cpu_check and before the access itself. `flags` are those of traced::. What ends in _lanes is
/// for the lanes in `mask`: `lane`, `lane` + `step` and so on. Of `addresses`, a multiple of 8 can be read.
extern "C" void ze_cpu_trace(const ze_cpu::GroupContext *group, uint64_t lane, uint64_t address,
                             uint64_t bytes, uint32_t flags, ze_cpu::SourcePlace *place,
                             uint64_t value);
extern "C" void ze_cpu_trace_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                   const uint64_t *addresses, uint64_t bytes, uint32_t flags,
                                   ze_cpu::SourcePlace *place, const uint64_t *values,
                                   uint64_t step, uint64_t mask);
/// Of `count` lanes, as GroupTrace::access_row().
extern "C" bool ze_cpu_trace_row(const ze_cpu::GroupContext *group, uint64_t lane, uint64_t address,
                                 uint64_t bytes, uint32_t flags, ze_cpu::SourcePlace *place,
                                 uint64_t value, uint64_t step, uint64_t count);
extern "C" void ze_cpu_trace_fence(const ze_cpu::GroupContext *group, uint64_t lane);
extern "C" void ze_cpu_trace_fence_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                         uint64_t step, uint64_t mask);
/// In front of a barrier of the work-group or the grid, and behind it.
extern "C" void ze_cpu_trace_arrive(const ze_cpu::GroupContext *group, uint64_t lane,
                                    ze_cpu::SourcePlace *place);
extern "C" void ze_cpu_trace_arrive_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                          ze_cpu::SourcePlace *place, uint64_t step, uint64_t mask);
extern "C" void ze_cpu_trace_pass(const ze_cpu::GroupContext *group, uint64_t lane,
                                  uint32_t of_grid);
extern "C" void ze_cpu_trace_pass_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                        uint32_t of_grid, uint64_t step, uint64_t mask);
extern "C" void ze_cpu_trace_meet(const ze_cpu::GroupContext *group, uint64_t lane, uint64_t lanes,
                                  uint32_t of_grid);
extern "C" void ze_cpu_trace_meet_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                        uint64_t lanes, uint32_t of_grid, uint64_t step,
                                        uint64_t mask);
extern "C" void ze_cpu_trace_named(const ze_cpu::GroupContext *group, uint64_t lane, uint64_t named,
                                   uint64_t here, ze_cpu::SourcePlace *place);
extern "C" void ze_cpu_trace_named_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                         const uint64_t *named, const uint64_t *here,
                                         ze_cpu::SourcePlace *place, uint64_t step, uint64_t mask);
extern "C" void ze_cpu_trace_behind(const ze_cpu::GroupContext *group, uint64_t lane,
                                    ze_cpu::SourcePlace *place);
extern "C" void ze_cpu_trace_behind_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                          ze_cpu::SourcePlace *place, uint64_t step, uint64_t mask);
extern "C" void ze_cpu_trace_around(const ze_cpu::GroupContext *group, uint64_t lane,
                                    ze_cpu::SourcePlace *place);
extern "C" void ze_cpu_trace_around_lanes(const ze_cpu::GroupContext *group, uint64_t lane,
                                          ze_cpu::SourcePlace *place, uint64_t step, uint64_t mask);
