// What kernels call: the accesses of several lanes at once, and what most of them come to, which is to leave a mark.
#include "../../contract/sanitizers.h"
#include "cell_rows.h"
#include "group_trace.h"
#include "source_places.h"

#include <algorithm>
#include <bit>

namespace ze_cpu {

/// An access that is done with here unless something stands against it, as `read` and `write` of group_trace.cpp would do it.
struct GroupTrace::Usual {
  bool is_plain;
  bool writes, is_asked; // whether what is read must have been written
  bool is_ahead;         // of reads that are told of later
  bool has_wanted;       // by the bytes in its value
  uint32_t bytes;
  uintptr_t local, stack;
  uint64_t local_bytes, stack_bytes;
  uint64_t mark; // that it leaves, but for the lane and the bytes
  SubGroup *sub_group;
};

[[gnu::always_inline]] inline GroupTrace::Usual GroupTrace::usual(const GroupContext &context,
                                                                  uint32_t lane, uint64_t bytes,
                                                                  uint32_t flags,
                                                                  SourcePlace *place) {
  SubGroup &sub_group = sub_group_of(lane);
  constexpr uint32_t unusual = traced::atomic | traced::is_volatile | traced::beside_atomic;
  const bool writes = flags & traced::write;
  return {.is_plain = (flags & unusual) == 0 && std::has_single_bit(bytes) && bytes <= 8 &&
                      !(writes && (sub_group.has_fenced || (flags & traced::read))),
          .writes = writes,
          .is_asked = uninitialised_ && !writes && !(flags & traced::only_copied),
          .is_ahead = (flags & traced::ahead) != 0,
          .has_wanted = (flags & traced::has_value) != 0,
          .bytes = static_cast<uint32_t>(bytes),
          .local = reinterpret_cast<uintptr_t>(context.local),
          .stack = reinterpret_cast<uintptr_t>(context.stack_low),
          .local_bytes = context.local_bytes,
          .stack_bytes = static_cast<uint64_t>(context.stack_high - context.stack_low),
          .mark = sub_group.segment * Mark::of_segment | number_of(place),
          .sub_group = &sub_group};
}

/// Whether all lanes are there up to the last of them, and each address is `bytes` behind the one before it.
[[gnu::always_inline]] inline bool GroupTrace::is_run(const uint64_t *addresses, uint64_t mask,
                                                      uint64_t bytes) const {
  const auto count = static_cast<uint32_t>(std::popcount(mask));
  return (mask & (mask + 1)) == 0 &&
         (count < row_code_.least ? row_code_any : row_code_).is_run(addresses, count, bytes);
}

/// Whether it is done.
[[gnu::always_inline]] inline bool GroupTrace::take(const Usual &usual, uint32_t lane,
                                                    uintptr_t address, uint64_t value) {
  const uintptr_t offset = address - usual.local;
  const bool is_local = offset < usual.local_bytes;
  if ((address & (usual.bytes - 1)) != 0)
    return false;
  if (!is_local && address - usual.stack < usual.stack_bytes)
    return true;
  if (uninitialised_) {
    uint32_t bits = (1u << usual.bytes) - 1;
    if (usual.is_asked && usual.has_wanted)
      bits &= static_cast<uint32_t>(value);
    bits <<= address & 7;
    std::atomic<uint8_t> *const place = is_local ? nullptr : shadow_.unwritten(address);
    uint8_t *const local = is_local ? &local_unwritten_[offset / 8] : nullptr;
    const uint32_t unwritten = bits & (local   ? *local
                                       : place ? place->load(std::memory_order_relaxed)
                                               : 0u);
    if (unwritten != 0) {
      if (usual.is_asked || usual.is_ahead)
        return false;
      if (usual.writes && local)
        *local &= static_cast<uint8_t>(~bits);
      else if (usual.writes)
        place->fetch_and(static_cast<uint8_t>(~bits), std::memory_order_relaxed);
    }
  }
  if (!races_)
    return true;
  const Cell cell = cell_at(is_local, is_local ? offset : address);
  if (!cell)
    return false;
  const uint32_t whole = (1u << cell_bytes) - 1;
  const CellAccess access{
      usual.sub_group->marking[is_local], usual.mark, lane_in_sub_group(lane),
      usual.bytes >= cell_bytes ? whole : ((1u << usual.bytes) - 1) << address % cell_bytes};
  for (uint32_t i = 0; i * cell_bytes < usual.bytes; ++i)
    if (!(usual.writes ? access.write(cell + i) : access.read(cell + i)))
      return false;
  usual.sub_group->has_accessed = true;
  return true;
}

/// Whether one of the bits is set that stand for `count` bytes from `address` on, the first of them in `*bits`.
template <class Byte>
static bool is_any_unwritten(const Byte *bits, uintptr_t address, uint32_t count) {
  const uint32_t first = address & 7, end = first + count, last = (end - 1) / 8;
  const uint32_t in_first = 255u << first, in_last = 255u >> (-end & 7);
  if (last == 0)
    return (bits[0] & in_first & in_last) != 0;
  uint32_t any = (bits[0] & in_first) | (bits[last] & in_last);
  for (uint32_t i = 1; i < last; ++i)
    any |= bits[i];
  return any != 0;
}

/// Whether nobody minds that bytes of a run are unwritten. What is written is not from now on.
bool GroupTrace::take_unwritten(const Usual &usual, bool is_local, uintptr_t address,
                                uint32_t bytes) {
  if (!usual.is_asked && !usual.writes)
    return true;
  const std::atomic<uint8_t> *const elsewhere = is_local ? nullptr : shadow_.unwritten(address);
  const bool is_any = is_local ? is_any_unwritten(&local_unwritten_[address / 8], address, bytes)
                               : elsewhere && is_any_unwritten(elsewhere, address, bytes);
  if (!is_any)
    return true;
  if (usual.is_ahead)
    return false;
  if (usual.writes && is_local)
    set_local_written(address, bytes);
  else if (usual.writes)
    shadow_.set_unwritten(address, bytes, false);
  return usual.writes;
}

/// Memory around the address of which all is work-group memory, or all is others'. Empty in private memory.
[[gnu::always_inline]] inline GroupTrace::Area GroupTrace::area_around(const Usual &usual,
                                                                       uintptr_t address) {
  if (address - usual.local < usual.local_bytes)
    return {usual.local, usual.local_bytes, true};
  uintptr_t begin = address & ~(Shadow::chunk_bytes - 1), end = begin + Shadow::chunk_bytes;
  const auto leave_out = [&](uintptr_t first, uint64_t bytes) {
    const uintptr_t behind = (first + bytes + 7) & ~uintptr_t(7);
    if (behind <= address)
      begin = std::max(begin, behind);
    else
      end = std::min(end, first);
  };
  leave_out(usual.local, usual.local_bytes);
  leave_out(usual.stack, usual.stack_bytes);
  return {begin, address < end ? end - begin : 0, false};
}

/// Whether all of the bytes are memory of all, and have cells side by side.
[[gnu::always_inline]] inline bool GroupTrace::are_of_all(const Usual &usual, uintptr_t address,
                                                          uint32_t bytes) {
  return (address & (Shadow::chunk_bytes - 1)) + bytes <= Shadow::chunk_bytes &&
         usual.local - address >= bytes && address - usual.stack >= usual.stack_bytes &&
         usual.stack - address >= bytes;
}

/// The same of lanes side by side whose addresses follow one another. They can still be done one by one if they are not done.
[[gnu::always_inline]] inline bool GroupTrace::take_run(const Usual &usual, uint32_t lane,
                                                        uint32_t step, uintptr_t address,
                                                        uint32_t count) {
  const uintptr_t offset = address - usual.local;
  const uint32_t bytes = usual.bytes, all = count * bytes;
  const bool is_local = offset < usual.local_bytes;
  if ((address & (bytes - 1)) != 0 ||
      !(is_local ? usual.local_bytes - offset >= all : are_of_all(usual, address, all)))
    return false;
  if (uninitialised_ && !take_unwritten(usual, is_local, is_local ? offset : address, all))
    return false;
  if (!races_)
    return true;
  const Cell cell = cell_at(is_local, is_local ? offset : address);
  if (!cell ||
      !mark_run(usual, {usual.sub_group->marking[is_local], usual.mark, lane_in_sub_group(lane), 0},
                step, cell, address % cell_bytes, all))
    return false;
  usual.sub_group->has_accessed = true;
  return true;
}

/// Of `count` bytes, from the one of index `first` in the cell on. `access` is that of the first lane.
[[gnu::always_inline]] inline bool GroupTrace::mark_run(const Usual &usual,
                                                        const CellAccess &access, uint32_t step,
                                                        Cell cell, uint32_t first, uint64_t count) {
  const uint64_t lane_bits = step == 0 ? 32u : static_cast<uint32_t>(std::countr_zero(usual.bytes));
  if ((first | count) % cell_bytes != 0) [[unlikely]]
    return mark_uneven_run(usual, access, lane_bits, cell, first, count);
  return (usual.writes ? row_code_.write : row_code_.read)(
      cell, count / cell_bytes, usual.mark + (uint64_t(access.lane) << Mark::lane_bit), lane_bits,
      access.marking);
}

/// The same of bytes that are not whole cells.
[[gnu::noinline]] bool GroupTrace::mark_uneven_run(const Usual &usual, CellAccess access,
                                                   uint64_t lane_bits, Cell cell, uint32_t first,
                                                   uint64_t count) {
  // The lane of a cell is the last one that accesses it.
  const auto mark_part = [&](uint32_t begin, uint64_t bytes) {
    CellAccess part = access;
    part.bytes = ((1u << bytes) - 1) << begin;
    part.lane += static_cast<uint32_t>((bytes - 1) >> lane_bits);
    access.lane += static_cast<uint32_t>(bytes >> lane_bits);
    return usual.writes ? part.write(cell) : part.read(cell);
  };
  if (first != 0) {
    const uint64_t bytes = std::min<uint64_t>(cell_bytes - first, count);
    if (!mark_part(first, bytes))
      return false;
    cell = cell + 1;
    count -= bytes;
  }
  const uint64_t rest = count % cell_bytes;
  if (count != rest) {
    if (!mark_run(usual, access, lane_bits < 32, cell, 0, count - rest))
      return false;
    cell = cell + count / cell_bytes;
    access.lane += static_cast<uint32_t>((count - rest) >> lane_bits);
  }
  return rest == 0 || mark_part(0, rest);
}

/// Several lanes at once, if that is possible.
[[gnu::always_inline]] inline bool GroupTrace::take_lanes(const Usual &usual, uint32_t first,
                                                          uint32_t step, const uint64_t *addresses,
                                                          uint64_t mask) {
  const auto begin = static_cast<uint32_t>(std::countr_zero(mask));
  const uint32_t lane = first + begin * step;
  if ((usual.bytes != cell_bytes || uninitialised_) &&
      is_run(addresses + begin, mask >> begin, usual.bytes) &&
      take_run(usual, lane, step, addresses[begin], static_cast<uint32_t>(std::popcount(mask))))
    return true;
  // Of one cell each, wherever they are.
  const Area area = area_around(usual, addresses[begin]);
  if (usual.bytes != cell_bytes || area.bytes < cell_bytes)
    return false;
  if (uninitialised_)
    for (uint64_t left = mask; left != 0; left &= left - 1) {
      const uintptr_t address = addresses[std::countr_zero(left)], offset = address - area.begin;
      if (offset > area.bytes - cell_bytes || address % cell_bytes != 0 ||
          !take_unwritten(usual, area.is_local, area.is_local ? offset : address, cell_bytes))
        return false;
    }
  if (!races_)
    return true;
  const LaneCells cells{cell_at(area.is_local, area.is_local ? 0 : area.begin),
                        usual.mark,
                        area.begin,
                        area.bytes,
                        addresses,
                        mask,
                        uint64_t(lane_in_sub_group(lane)) - begin * step,
                        step};
  if (!cells.first || !(usual.writes ? row_code_.write_lanes : row_code_.read_lanes)(
                          cells, usual.sub_group->marking[area.is_local]))
    return false;
  usual.sub_group->has_accessed = true;
  return true;
}

[[gnu::always_inline]] inline bool GroupTrace::read_cell(const GroupContext &context, uint32_t lane,
                                                         uintptr_t address, SourcePlace *place) {
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(context.local),
                  in_stack = address - reinterpret_cast<uintptr_t>(context.stack_low);
  const bool is_local = offset < context.local_bytes;
  if (address % cell_bytes != 0 ||
      (!is_local && in_stack < static_cast<uint64_t>(context.stack_high - context.stack_low)))
    return false;
  if (uninitialised_) {
    const std::atomic<uint8_t> *const bits = is_local ? nullptr : shadow_.unwritten(address);
    const uint32_t unwritten = is_local ? local_unwritten_[offset / 8]
                               : bits   ? bits->load(std::memory_order_relaxed)
                                        : 0u;
    if ((unwritten >> (address & 7) & 15) != 0)
      return false;
  }
  if (!races_)
    return true;
  const Cell cell = cell_at(is_local, is_local ? offset : address);
  SubGroup &sub_group = sub_group_of(lane);
  const CellAccess access{sub_group.marking[is_local],
                          sub_group.segment * Mark::of_segment | number_of(place),
                          lane_in_sub_group(lane), (1u << cell_bytes) - 1};
  if (!cell || !access.read(cell))
    return false;
  sub_group.has_accessed = true;
  return true;
}

void GroupTrace::access(const GroupContext &context, const Access &access) {
  const Usual common = usual(context, access.lane, access.bytes, access.flags, access.place);
  if (!common.is_plain || !take(common, access.lane, access.address, access.value))
    access_unusual(context, access);
}

[[gnu::always_inline]] inline void
GroupTrace::access_in_sub_group(const GroupContext &context, const Access &first, uint32_t step,
                                const uint64_t *addresses, const uint64_t *values, uint64_t mask) {
  const auto lane = [&](int i) { return first.lane + static_cast<uint32_t>(i) * step; };
  const int begin = std::countr_zero(mask), last = 63 - std::countl_zero(mask);
  const Usual common = usual(context, lane(begin), first.bytes, first.flags, first.place);
  // Of what a sub-group reads alike, one lane stands for all.
  if (common.is_plain && !common.writes && addresses[begin] == addresses[last] &&
      is_run(addresses + begin, mask >> begin, 0))
    mask = uint64_t(1) << begin;
  else if (common.is_plain && begin != last &&
           take_lanes(common, first.lane, step, addresses, mask))
    return;
  for (; mask != 0; mask &= mask - 1) {
    const int i = std::countr_zero(mask);
    if (common.is_plain && take(common, lane(i), addresses[i], values[i])) [[likely]]
      continue;
    Access one = first;
    one.lane = lane(i);
    one.address = addresses[i];
    one.value = values[i];
    access_unusual(context, one);
  }
}

[[gnu::always_inline]] inline bool GroupTrace::access_part_of_row(const GroupContext &context,
                                                                  const Access &first,
                                                                  uint64_t step, uint32_t count) {
  const Usual common = usual(context, first.lane, first.bytes, first.flags, first.place);
  // Of what a sub-group reads alike, one lane stands for all.
  if (step == 0)
    count = 1;
  if (common.is_plain && (count == 1 ? take(common, first.lane, first.address, first.value)
                                     : take_run(common, first.lane, 1, first.address, count)))
    return true;
  if (common.writes)
    return false;
  Access one = first;
  for (uint32_t i = 0; i < count; ++i, ++one.lane, one.address += step)
    if (!common.is_plain || !take(common, one.lane, one.address, one.value))
      access_unusual(context, one);
  return true;
}

bool GroupTrace::access_rows(const GroupContext &context, const Access &first, uint64_t step,
                             uint32_t count) {
  bool is_done = true;
  Access part = first;
  while (count != 0) { // those of one sub-group after the other
    const uint32_t lanes = std::min(count, (1u << width_bits_) - lane_in_sub_group(part.lane));
    is_done &= access_part_of_row(context, part, step, lanes);
    part.lane += lanes;
    part.address += lanes * step;
    count -= lanes;
  }
  return is_done;
}

[[gnu::always_inline]] inline bool GroupTrace::access_row(const GroupContext &context,
                                                          const Access &first, uint64_t step,
                                                          uint32_t count) {
  return count - 1 < (1u << width_bits_) - lane_in_sub_group(first.lane) // and there are some
             ? access_part_of_row(context, first, step, count)
             : access_rows(context, first, step, count);
}

[[gnu::always_inline]] inline bool GroupTrace::access_few(const GroupContext &context,
                                                          const Access &first,
                                                          const uint64_t *addresses,
                                                          uint64_t mask) {
  constexpr uint32_t few = 4;
  const auto count = static_cast<uint32_t>(std::countr_one(mask));
  if (mask >> few != 0 || mask >> count != 0 || count < 2 ||
      lane_in_sub_group(first.lane) + count > 1u << width_bits_)
    return false;
  for (uint32_t i = 1; i < count; ++i)
    if (addresses[i] - addresses[i - 1] != first.bytes)
      return false;
  const Usual common = usual(context, first.lane, first.bytes, first.flags, first.place);
  return common.is_plain && take_run(common, first.lane, 1, addresses[0], count);
}

[[gnu::noinline]] void GroupTrace::access_lanes(const GroupContext &context, const Access &first,
                                                uint32_t step, const uint64_t *addresses,
                                                const uint64_t *values, uint64_t mask) {
  while (mask != 0) { // those of one sub-group after the other
    const auto begin = static_cast<uint32_t>(std::countr_zero(mask));
    const uint32_t lane = lane_in_sub_group(first.lane + begin * step),
                   end = step == 0 ? 64 : begin + (1u << width_bits_) - lane;
    const uint64_t part = end < 64 ? mask & ((uint64_t(1) << end) - 1) : mask;
    access_in_sub_group(context, first, step, addresses, values, part);
    mask &= ~part;
  }
}

} // namespace ze_cpu

using ze_cpu::cell_bytes;
using ze_cpu::GroupContext;
using ze_cpu::GroupTrace;
using ze_cpu::SourcePlace;
using ze_cpu::trace_lanes;

ZE_CPU_SWITCHES_STACKS void ze_cpu_trace(const GroupContext *group, uint64_t lane, uint64_t address,
                                         uint64_t bytes, uint32_t flags, SourcePlace *place,
                                         uint64_t value) {
  GroupTrace *const trace = group->trace;
  if (!trace)
    return;
  constexpr uint32_t does_not_matter = ze_cpu::traced::has_value | ze_cpu::traced::only_copied;
  if (bytes != cell_bytes || (flags & ~does_not_matter) != ze_cpu::traced::read ||
      !trace->read_cell(*group, static_cast<uint32_t>(lane), address, place))
    trace->access(*group, {static_cast<uint32_t>(lane), address, bytes, flags, place, value});
}

ZE_CPU_SWITCHES_STACKS void ze_cpu_trace_lanes(const GroupContext *group, uint64_t lane,
                                               const uint64_t *addresses, uint64_t bytes,
                                               uint32_t flags, SourcePlace *place,
                                               const uint64_t *values, uint64_t step,
                                               uint64_t mask) {
  if (!group->trace || mask == 0)
    return;
  const GroupTrace::Access first{static_cast<uint32_t>(lane), 0, bytes, flags, place, 0};
  if (step != 1 || !group->trace->access_few(*group, first, addresses, mask))
    group->trace->access_lanes(*group, first, static_cast<uint32_t>(step), addresses, values, mask);
}

ZE_CPU_SWITCHES_STACKS bool ze_cpu_trace_row(const GroupContext *group, uint64_t lane,
                                             uint64_t address, uint64_t bytes, uint32_t flags,
                                             SourcePlace *place, uint64_t value, uint64_t step,
                                             uint64_t count) {
  return !group->trace ||
         group->trace->access_row(
             *group, {static_cast<uint32_t>(lane), address, bytes, flags, place, value}, step,
             static_cast<uint32_t>(count));
}

// One lane is several of which the mask has the first.
void ze_cpu_trace_fence_lanes(const GroupContext *group, uint64_t lane, uint64_t step,
                              uint64_t mask) {
  trace_lanes(group, lane, step, mask,
              [](GroupTrace &trace, uint32_t each, uint64_t) { trace.fence(each); });
}

void ze_cpu_trace_fence(const GroupContext *group, uint64_t lane) {
  ze_cpu_trace_fence_lanes(group, lane, 0, 1);
}

void ze_cpu_trace_arrive_lanes(const GroupContext *group, uint64_t lane, SourcePlace *place,
                               uint64_t step, uint64_t mask) {
  if (group->trace && mask != 0)
    group->trace->arrive(static_cast<uint32_t>(lane), place, static_cast<uint32_t>(step), mask);
}

void ze_cpu_trace_arrive(const GroupContext *group, uint64_t lane, SourcePlace *place) {
  ze_cpu_trace_arrive_lanes(group, lane, place, 0, 1);
}

void ze_cpu_trace_pass_lanes(const GroupContext *group, uint64_t lane, uint32_t of_grid,
                             uint64_t step, uint64_t mask) {
  if (group->trace && mask != 0)
    group->trace->pass(
        static_cast<uint32_t>(lane + static_cast<uint64_t>(std::countr_zero(mask)) * step),
        of_grid != 0);
}

void ze_cpu_trace_pass(const GroupContext *group, uint64_t lane, uint32_t of_grid) {
  ze_cpu_trace_pass_lanes(group, lane, of_grid, 0, 1);
}

void ze_cpu_trace_meet(const GroupContext *group, uint64_t lane, uint64_t lanes, uint32_t of_grid) {
  if (group->trace)
    group->trace->meet(static_cast<uint32_t>(lane), static_cast<uint32_t>(lanes), of_grid != 0);
}

void ze_cpu_trace_meet_lanes(const GroupContext *group, uint64_t lane, uint64_t, uint32_t of_grid,
                             uint64_t step, uint64_t mask) {
  trace_lanes(group, lane, step, mask, [&](GroupTrace &trace, uint32_t each, uint64_t) {
    trace.meet(each, 1, of_grid != 0);
  });
}

void ze_cpu_trace_around_lanes(const GroupContext *group, uint64_t lane, SourcePlace *place,
                               uint64_t step, uint64_t mask) {
  if (group->trace && mask != 0)
    group->trace->go_around(static_cast<uint32_t>(lane), place, static_cast<uint32_t>(step), mask);
}

void ze_cpu_trace_around(const GroupContext *group, uint64_t lane, SourcePlace *place) {
  ze_cpu_trace_around_lanes(group, lane, place, 0, 1);
}
