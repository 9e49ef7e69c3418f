// What kernels call: the accesses of several lanes at once, and what most of them come to, which is to leave a mark.
#include "../../contract/sanitizers.h"
#include "group_trace.h"
#include "source_places.h"

#include <algorithm>
#include <bit>

namespace ze_cpu {
namespace {

// Marks of one segment are numbers side by side.
constexpr uint64_t marks_of_segment = Mark(1, 0, 0, Touch::plain, 0).bits();

bool is_of(uint64_t mark, uint64_t segment_marks) {
  return mark - segment_marks < marks_of_segment;
}

} // namespace

/// All is as `read` and `write` of group_trace.cpp would do it. Numbers called marks are those of segments, as a Mark has them.
struct GroupTrace::Usual {
  bool is_plain;
  bool writes, is_asked; // whether what is read must have been written
  bool has_wanted;       // by the bytes in its value
  uint32_t bytes;
  uintptr_t local, stack;
  uint64_t local_bytes, stack_bytes;
  uint64_t own;  // marks of the sub-group's segment begin here
  uint64_t kept; // reads from here on stay the ones that are remembered
  uint64_t
      stale[2]; // what is below was before, and orders nothing; of work-group memory the second
  uint64_t ordered[2]; // what is below is ordered before the access
  uint64_t mark;       // but for the lane and the bytes
  SubGroup *sub_group;
};

[[gnu::always_inline]] inline GroupTrace::Usual GroupTrace::usual(const GroupContext &context,
                                                                  uint32_t lane, uint64_t bytes,
                                                                  uint32_t flags,
                                                                  SourcePlace *place) {
  SubGroup &sub_group = sub_group_of(lane);
  constexpr uint32_t unusual = traced::atomic | traced::is_volatile | traced::beside_atomic;
  const bool writes = flags & traced::write;
  const uint64_t known = (sub_group.known + 1) * marks_of_segment,
                 epoch = first_of_epoch_ * marks_of_segment;
  return {.is_plain = (flags & unusual) == 0 && std::has_single_bit(bytes) && bytes <= 8 &&
                      !(writes && (sub_group.has_fenced || (flags & traced::read))),
          .writes = writes,
          .is_asked = uninitialised_ && !writes && !(flags & traced::only_copied),
          .has_wanted = (flags & traced::has_value) != 0,
          .bytes = static_cast<uint32_t>(bytes),
          .local = reinterpret_cast<uintptr_t>(context.local),
          .stack = reinterpret_cast<uintptr_t>(context.stack_low),
          .local_bytes = context.local_bytes,
          .stack_bytes = static_cast<uint64_t>(context.stack_high - context.stack_low),
          .own = sub_group.segment * marks_of_segment,
          .kept = std::max(known, epoch),
          .stale = {(launch_->start() + 1) * marks_of_segment, epoch},
          .ordered = {known, std::max(known, epoch)},
          .mark = Mark(sub_group.segment, 0, 0, Touch::plain, number_of(place)).bits(),
          .sub_group = &sub_group};
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
      if (usual.is_asked)
        return false;
      if (usual.writes && local)
        *local &= static_cast<uint8_t>(~bits);
      else if (usual.writes)
        place->fetch_and(static_cast<uint8_t>(~bits), std::memory_order_relaxed);
    }
  }
  if (!races_)
    return true;
  Cell *cell = is_local ? &local_[offset / cell_bytes] : shadow_.cell(address);
  if (!cell)
    return false;
  const uint32_t whole = (1u << cell_bytes) - 1;
  const uint32_t bytes =
      usual.bytes >= cell_bytes ? whole : ((1u << usual.bytes) - 1) << address % cell_bytes;
  const uint64_t mark = usual.mark | Mark(0, lane & ((1u << width_bits_) - 1), 0, {}, 0).bits();
  const uint64_t stale = usual.stale[is_local], ordered = usual.ordered[is_local];
  for (uint32_t done = 0; done < usual.bytes; done += cell_bytes, ++cell) {
    const Mark write = cell->last_write(), read = cell->a_read();
    const bool own_write = is_of(write.bits(), usual.own), own_read = is_of(read.bits(), usual.own);
    uint32_t mask = bytes;
    if (usual.writes) {
      if ((!own_write && write.bits() >= ordered) || (!own_read && read.bits() >= ordered))
        return false;
      if (own_write && write.touch() == Touch::plain)
        mask |= write.bytes();
      cell->set_write(Mark(mark | Mark(0, 0, mask, {}, 0).bits()));
    } else {
      const bool orders = write.touch() == Touch::atomic || write.touch() == Touch::flag;
      if (!own_write && write.bits() >= (orders ? stale : ordered))
        return false;
      if (own_read ? (read.bytes() & mask) == mask : read.bits() >= usual.kept)
        continue;
      if (own_read)
        mask |= read.bytes();
      cell->set_read(Mark(mark | Mark(0, 0, mask, {}, 0).bits()));
    }
  }
  usual.sub_group->has_accessed = true;
  return true;
}

void GroupTrace::access(const GroupContext &context, const Access &access) {
  const Usual common = usual(context, access.lane, access.bytes, access.flags, access.place);
  if (!common.is_plain || !take(common, access.lane, access.address, access.value))
    access_unusual(context, access);
}

void GroupTrace::access_lanes(const GroupContext &context, const Access &first, uint32_t step,
                              const uint64_t *addresses, const uint64_t *values, uint64_t mask) {
  const auto lane = [&](int i) { return first.lane + static_cast<uint32_t>(i) * step; };
  const int begin = std::countr_zero(mask), last = 63 - std::countl_zero(mask);
  const Usual common = usual(context, lane(begin), first.bytes, first.flags, first.place);
  const bool is_usual = common.is_plain && &sub_group_of(lane(last)) == common.sub_group;
  // Of what a sub-group reads alike, one lane stands for all.
  if (is_usual && !common.writes && addresses[begin] == addresses[last] &&
      std::all_of(addresses + begin, addresses + last,
                  [&](uint64_t address) { return address == addresses[begin]; }))
    mask = uint64_t(1) << begin;
  for (; mask != 0; mask &= mask - 1) {
    const int i = std::countr_zero(mask);
    if (is_usual && take(common, lane(i), addresses[i], values[i])) [[likely]]
      continue;
    Access one = first;
    one.lane = lane(i);
    one.address = addresses[i];
    one.value = values[i];
    access_unusual(context, one);
  }
}

} // namespace ze_cpu

using ze_cpu::GroupContext;
using ze_cpu::GroupTrace;
using ze_cpu::SourcePlace;
using ze_cpu::trace_lanes;

ZE_CPU_SWITCHES_STACKS void ze_cpu_trace(const GroupContext *group, uint64_t lane, uint64_t address,
                                         uint64_t bytes, uint32_t flags, SourcePlace *place,
                                         uint64_t value) {
  if (group->trace)
    group->trace->access(*group,
                         {static_cast<uint32_t>(lane), address, bytes, flags, place, value});
}

ZE_CPU_SWITCHES_STACKS void ze_cpu_trace_lanes(const GroupContext *group, uint64_t lane,
                                               const uint64_t *addresses, uint64_t bytes,
                                               uint32_t flags, SourcePlace *place,
                                               const uint64_t *values, uint64_t step,
                                               uint64_t mask) {
  if (group->trace && mask != 0)
    group->trace->access_lanes(*group, {static_cast<uint32_t>(lane), 0, bytes, flags, place, 0},
                               static_cast<uint32_t>(step), addresses, values, mask);
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
  trace_lanes(group, lane, step, mask,
              [&](GroupTrace &trace, uint32_t each, uint64_t) { trace.arrive(each, place); });
}

void ze_cpu_trace_arrive(const GroupContext *group, uint64_t lane, SourcePlace *place) {
  ze_cpu_trace_arrive_lanes(group, lane, place, 0, 1);
}

void ze_cpu_trace_pass_lanes(const GroupContext *group, uint64_t lane, uint32_t of_grid,
                             uint64_t step, uint64_t mask) {
  trace_lanes(group, lane, step, mask,
              [&](GroupTrace &trace, uint32_t each, uint64_t) { trace.pass(each, of_grid != 0); });
}

void ze_cpu_trace_pass(const GroupContext *group, uint64_t lane, uint32_t of_grid) {
  ze_cpu_trace_pass_lanes(group, lane, of_grid, 0, 1);
}

void ze_cpu_trace_around_lanes(const GroupContext *group, uint64_t lane, SourcePlace *place,
                               uint64_t step, uint64_t mask) {
  trace_lanes(group, lane, step, mask,
              [&](GroupTrace &trace, uint32_t each, uint64_t) { trace.go_around(each, place); });
}

void ze_cpu_trace_around(const GroupContext *group, uint64_t lane, SourcePlace *place) {
  ze_cpu_trace_around_lanes(group, lane, place, 0, 1);
}
