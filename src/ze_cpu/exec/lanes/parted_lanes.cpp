#include "parted_lanes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace ze_cpu {
namespace {

uint32_t lowest(uint32_t mask) { return static_cast<uint32_t>(std::countr_zero(mask)); }

uint32_t mask_of(uint32_t lanes) { return lanes == 32 ? ~0u : (1u << lanes) - 1; }

std::byte *element(const GroupContext &group, uint32_t offset, uint64_t lane, uint32_t bytes) {
  return group.lane_memory + offset * group.lane_capacity + lane * bytes;
}

// Operands and results of a point.
struct Exchanged {
  const GroupContext &group;
  void *uniform;
  const SyncPointTable &point;

  bool is_wanted() const { return point.result_offset != no_slot; }

  LaneExchange operands(uint64_t lane) const {
    LaneExchange exchange{0, point.parameter, 0};
    if (point.parameter_offset != no_slot)
      std::memcpy(&exchange.parameter,
                  element(group, point.parameter_offset, lane, sizeof(uint64_t)), sizeof(uint64_t));
    if (point.value_offset != no_slot) {
      std::memcpy(&exchange.value, element(group, point.value_offset, lane, point.bytes),
                  point.bytes);
      const uint32_t unused_bits = 64 - 8 * point.bytes;
      if (point.is_signed)
        exchange.value = static_cast<uint64_t>(
            static_cast<int64_t>(exchange.value << unused_bits) >> unused_bits);
    }
    return exchange;
  }

  void set_result(uint64_t lane, uint64_t result) const {
    std::byte *place = point.shared_result ? static_cast<std::byte *>(uniform) + point.result_offset
                                           : element(group, point.result_offset, lane, point.bytes);
    std::memcpy(place, &result, point.bytes);
  }
};

// For the lanes in `active` of the sub-group that begins at `first`.
void exchange_some(const Exchanged &memory, uint64_t first, uint32_t active) {
  if (!memory.is_wanted())
    return;
  LaneExchange lanes[max_sub_group_size];
  for (uint32_t rest = active; rest; rest &= rest - 1)
    lanes[lowest(rest)] = memory.operands(first + lowest(rest));
  exchange_sub_group(SyncOperation::unpack(memory.point.operation), lanes, active);
  for (uint32_t rest = active; rest; rest &= rest - 1)
    memory.set_result(first + lowest(rest), lanes[lowest(rest)].result);
}

} // namespace

void PartedLanes::reserve(uint32_t lanes) {
  if (taking_part_.size() >= lanes)
    return;
  cuts_.resize(lanes);
  sub_groups_.resize(lanes); // enough for sub-groups of one lane
  exchanges_.resize(lanes);
  taking_part_.resize(lanes);
}

uint32_t PartedLanes::run(const GroupContext &group, void *uniform, uint64_t group_x,
                          uint64_t first, uint64_t last, const RegionTable &table) {
  group_ = &group;
  uniform_ = uniform;
  group_x_ = group_x;
  first_ = first;
  table_ = &table;
  start(static_cast<uint32_t>(last - first));
  const uint32_t sub_groups = (lanes_ + table.sub_group_size - 1) / table.sub_group_size;
  for (;;) {
    for (uint32_t i = 0; i < sub_groups; ++i)
      for (;;) {
        if (table.by_sub_group && !sub_groups_[i].ready && all_together())
          return cuts_[0];
        if (sub_groups_[i].ready)
          run_ready(i);
        else if (sub_groups_[i].at_operation)
          release_operation(i);
        else
          break;
      }
    if (all_together())
      return cuts_[0];
    if (!release_work_group())
      return table.end;
  }
}

void PartedLanes::start(uint32_t lanes) {
  lanes_ = lanes;
  std::fill_n(sub_groups_.begin(), (lanes + table_->sub_group_size - 1) / table_->sub_group_size,
              SubGroup{});
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t cut;
    std::memcpy(&cut, element(*group_, table_->state_offset, lane, sizeof cut), sizeof cut);
    arrive(lane, cut);
  }
}

bool PartedLanes::all_together() const {
  return std::all_of(cuts_.begin(), cuts_.begin() + lanes_,
                     [&](uint32_t cut) { return cut == cuts_[0]; });
}

// Where all lanes come they wait for the last, without being counted anywhere.
void PartedLanes::arrive(uint32_t lane, uint32_t cut) {
  cuts_[lane] = cut;
  if (cut >= table_->count || table_->points[cut].all_lanes_come)
    return;
  SubGroup &sub_group = sub_groups_[lane / table_->sub_group_size];
  const uint32_t bit = 1u << lane % table_->sub_group_size;
  const SyncOperation operation = SyncOperation::unpack(table_->points[cut].operation);
  (operation.scope == SyncScope::sub_group ? sub_group.at_operation : sub_group.at_barrier) |= bit;
}

// The lowest lane that may run, and its neighbours that are where it is.
void PartedLanes::run_ready(uint32_t index) {
  SubGroup &sub_group = sub_groups_[index];
  const uint32_t base = index * table_->sub_group_size;
  const uint32_t lane = lowest(sub_group.ready);
  const uint32_t cut = cuts_[base + lane];
  uint32_t end = lane + 1;
  while (end < 32 && (sub_group.ready >> end & 1) && cuts_[base + end] == cut)
    ++end;
  sub_group.ready &= ~(mask_of(end) & ~mask_of(lane));
  const uint32_t reached = table_->points[cut].region(group_, uniform_, group_x_,
                                                      first_ + base + lane, first_ + base + end);
  for (uint32_t i = base + lane; i < base + end; ++i) {
    uint32_t at = reached;
    if (reached == lanes_parted)
      std::memcpy(&at, element(*group_, table_->state_offset, i, sizeof at), sizeof at);
    arrive(i, at);
  }
}

void PartedLanes::release_operation(uint32_t index) {
  SubGroup &sub_group = sub_groups_[index];
  const uint32_t base = index * table_->sub_group_size;
  const uint32_t members = std::min(table_->sub_group_size, lanes_ - base);
  uint32_t first_cut = UINT32_MAX, active = 0;
  for (uint32_t rest = sub_group.at_operation; rest; rest &= rest - 1) {
    const uint32_t cut = cuts_[base + lowest(rest)];
    if (cut < first_cut)
      active = 0;
    first_cut = std::min(first_cut, cut);
    if (cut == first_cut)
      active |= rest & -rest;
  }
  const SyncPointTable &point = table_->points[first_cut];
  if (point.exchange && active == mask_of(members)) {
    point.exchange(group_, uniform_, first_ + base, first_ + base + members);
  } else {
    exchange_some({*group_, uniform_, point}, base, active);
  }
  sub_group.at_operation &= ~active;
  sub_group.ready = active;
}

// False: no lane waits for the work-group.
bool PartedLanes::release_work_group() {
  const uint32_t width = table_->sub_group_size;
  uint32_t first_cut = UINT32_MAX;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    taking_part_[lane] = sub_groups_[lane / width].at_barrier >> lane % width & 1;
    if (taking_part_[lane])
      first_cut = std::min(first_cut, cuts_[lane]);
  }
  if (first_cut == UINT32_MAX)
    return false;
  // As with fibers: any barrier matches any other, operations with a result only themselves.
  auto operation_at = [&](uint32_t cut) {
    return SyncOperation::unpack(table_->points[cut].operation);
  };
  const SyncOperation operation = operation_at(first_cut);
  const bool is_barrier = operation.kind == SyncKind::barrier;
  for (uint32_t lane = 0; lane < lanes_; ++lane)
    if (taking_part_[lane] && cuts_[lane] != first_cut)
      taking_part_[lane] = is_barrier && operation_at(cuts_[lane]).kind == SyncKind::barrier;
  if (is_barrier) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } else if (const Exchanged memory{*group_, uniform_, table_->points[first_cut]};
             memory.is_wanted()) {
    for (uint32_t lane = 0; lane < lanes_; ++lane)
      if (taking_part_[lane])
        exchanges_[lane] = memory.operands(lane);
    exchange_work_group(operation, std::span(exchanges_).first(lanes_),
                        std::span(taking_part_).first(lanes_));
    for (uint32_t lane = 0; lane < lanes_; ++lane)
      if (taking_part_[lane])
        memory.set_result(lane, exchanges_[lane].result);
  }
  for (uint32_t lane = 0; lane < lanes_; ++lane)
    if (taking_part_[lane]) {
      sub_groups_[lane / width].at_barrier &= ~(1u << lane % width);
      sub_groups_[lane / width].ready |= 1u << lane % width;
    }
  return true;
}

} // namespace ze_cpu

uint32_t ze_cpu_run_parted(const ze_cpu::GroupContext *group, void *uniform, uint64_t group_x,
                           uint64_t first, uint64_t last, const ze_cpu::RegionTable *table) {
  return group->parted->run(*group, uniform, group_x, first, last, *table);
}

void ze_cpu_exchange(const ze_cpu::GroupContext *group, void *uniform, uint64_t place,
                     uint64_t count, const ze_cpu::SyncPointTable *point) {
  ze_cpu::exchange_some({*group, uniform, *point}, place,
                        ze_cpu::mask_of(static_cast<uint32_t>(count)));
}
