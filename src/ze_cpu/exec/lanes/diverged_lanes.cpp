#include "diverged_lanes.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace ze_cpu {
namespace {

std::byte *element(const GroupContext &group, uint32_t offset, uint64_t lane, uint32_t bytes) {
  return group.lane_memory + offset * group.lane_capacity + lane * bytes;
}

uint32_t read_number(const std::byte *place, uint32_t index) {
  uint32_t number;
  std::memcpy(&number, place + index * sizeof number, sizeof number);
  return number;
}

// Whether `count` numbers at `place` are the same. Four at a time, as every processor can, without a way out of the loop.
bool all_same(const std::byte *place, uint32_t count) {
  using Four [[gnu::vector_size(16)]] = uint32_t;
  const auto four = [place](uint32_t i) {
    Four numbers;
    std::memcpy(&numbers, place + i * sizeof(uint32_t), sizeof numbers);
    return numbers;
  };
  const uint32_t first = read_number(place, 0);
  Four difference = {};
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4)
    difference |= four(i) ^ first;
  for (; i < count; ++i)
    difference[0] |= read_number(place, i) ^ first;
  return (difference[0] | difference[1] | difference[2] | difference[3]) == 0;
}

// Operands and results of a point, which lie side by side for lanes that do. Its numbers of the usual sizes are read and written
// whole: one that was copied byte by byte is slow to be read at once.
struct Exchanged {
  const GroupContext &group;
  void *uniform;
  const SyncPointTable &point;

  bool is_wanted() const { return point.result_offset != no_slot; }

  // For the lanes from `first` on, the first lanes of a sub-group or, if `count` is 1, any.
  void load(uint64_t first, uint32_t count, LaneExchange *lanes) const {
    for (uint32_t i = 0; i < count; ++i)
      lanes[i].parameter = point.lane_parameters ? point.lane_parameters[i] : point.parameter;
    if (point.parameter_offset != no_slot) {
      const std::byte *const parameters =
          element(group, point.parameter_offset, first, sizeof(uint64_t));
      for (uint32_t i = 0; i < count; ++i)
        std::memcpy(&lanes[i].parameter, parameters + i * sizeof(uint64_t), sizeof(uint64_t));
    }
    if (point.value_offset == no_slot) {
      for (uint32_t i = 0; i < count; ++i)
        lanes[i].value = 0;
      return;
    }
    const std::byte *const values = element(group, point.value_offset, first, point.bytes);
    const auto load_as = [&]<class Number>(Number) {
      for (uint32_t i = 0; i < count; ++i) {
        Number number;
        std::memcpy(&number, values + i * sizeof number, sizeof number);
        lanes[i].value = static_cast<uint64_t>(number);
      }
    };
    if (point.is_signed)
      with_number<int8_t, int16_t, int32_t, int64_t>(load_as);
    else
      with_number<uint8_t, uint16_t, uint32_t, uint64_t>(load_as);
  }

  void store(uint64_t first, uint32_t active, const LaneExchange *lanes) const {
    std::byte *const results = point.shared_result
                                   ? static_cast<std::byte *>(uniform) + point.result_offset
                                   : element(group, point.result_offset, first, point.bytes);
    const uint32_t step = point.shared_result ? 0 : point.bytes;
    with_number<uint8_t, uint16_t, uint32_t, uint64_t>([&]<class Number>(Number) {
      for_each_bit(active, [&](uint32_t lane) {
        const auto number = static_cast<Number>(lanes[lane].result);
        std::memcpy(results + lane * step, &number, sizeof number);
      });
    });
  }

private:
  // use(a number of as many bytes as the point's)
  template <class One, class Two, class Four, class Eight, class Use>
  void with_number(const Use &use) const {
    switch (point.bytes) {
    case 1:
      return use(One());
    case 2:
      return use(Two());
    case 4:
      return use(Four());
    default:
      return use(Eight());
    }
  }
};

// Exchanges the values of the lanes in `active` of the sub-group that begins at `first`.
void exchange_some(const GroupContext &group, void *uniform, const SyncPointTable &first_point,
                   uint64_t first, uint32_t active) {
  for (const SyncPointTable *point = &first_point; point; point = point->also) {
    const Exchanged memory{group, uniform, *point};
    if (!memory.is_wanted())
      continue;
    LaneExchange lanes[max_sub_group_size];
    memory.load(first, static_cast<uint32_t>(std::bit_width(active)), lanes);
    exchange_sub_group(SyncOperation::unpack(point->operation), lanes, active);
    memory.store(first, active, lanes);
  }
}

} // namespace

void DivergedLanes::reserve(uint32_t lanes) {
  if (exchanges_.size() >= lanes)
    return;
  scheduler_.reserve(lanes);
  exchanges_.resize(lanes);
}

uint32_t DivergedLanes::run(const GroupContext &group, void *uniform, uint64_t group_x,
                            uint64_t first, uint64_t last, const RegionTable &table) {
  group_ = &group;
  uniform_ = uniform;
  group_x_ = group_x;
  first_ = first;
  table_ = &table;
  start(static_cast<uint32_t>(last - first));
  for (;;) {
    const uint32_t sub_group = scheduler_.next(*this);
    if (sub_group != LaneScheduler::none)
      run_ready(sub_group);
    else
      return scheduler_.all_at_one_point() ? scheduler_.point(0).id : table.end;
  }
}

void DivergedLanes::start(uint32_t lanes) {
  lanes_ = lanes;
  scheduler_.start(lanes, table_->sub_group_size);
  for (uint32_t first = 0; first < lanes; first += table_->sub_group_size)
    arrive_apart({first, std::min(first + table_->sub_group_size, lanes)});
}

// Where all lanes come they wait for the last, without being counted anywhere.
void DivergedLanes::arrive(LaneScheduler::Neighbours lanes, uint32_t cut) {
  if (cut >= table_->count || table_->points[cut].all_lanes_come)
    scheduler_.hold(lanes, cut);
  else
    scheduler_.wait(lanes, {cut, table_->points[cut].operation});
}

// At the cuts that the region has written down for each of them.
void DivergedLanes::arrive_apart(LaneScheduler::Neighbours lanes) {
  const std::byte *const cuts =
      element(*group_, table_->state_offset, lanes.first, sizeof(uint32_t));
  const uint32_t count = lanes.last - lanes.first;
  if (all_same(cuts, count))
    return arrive(lanes, read_number(cuts, 0));
  for (uint32_t first = 0, last; first < count; first = last) {
    const uint32_t cut = read_number(cuts, first);
    for (last = first + 1; last < count && read_number(cuts, last) == cut;)
      ++last;
    arrive({lanes.first + first, lanes.first + last}, cut);
  }
}

void DivergedLanes::run_ready(uint32_t sub_group) {
  const LaneScheduler::Neighbours lanes = scheduler_.take_neighbours(sub_group);
  const uint32_t reached = table_->points[scheduler_.point(lanes.first).id].region(
      group_, uniform_, group_x_, first_ + lanes.first, first_ + lanes.last);
  if (reached == lanes_diverged)
    arrive_apart(lanes);
  else
    arrive(lanes, reached);
}

// Together again: generated code goes on. A team that is one sub-group may be so at any of its
// operations, others when no sub-group can go on.
bool DivergedLanes::stops_at(SyncScope scope) const {
  return (scope != SyncScope::sub_group || table_->by_sub_group) && scheduler_.all_at_one_point();
}

void DivergedLanes::exchange_sub_group(const LanePoint &at, uint32_t first, uint32_t active) {
  const SyncPointTable &point = table_->points[at.id];
  const uint32_t members = std::min(table_->sub_group_size, lanes_ - first);
  if (point.exchange && active == first_lanes(members))
    point.exchange(group_, uniform_, first_ + first, first_ + first + members);
  else
    exchange_some(*group_, uniform_, point, first, active);
}

void DivergedLanes::exchange_work_group(const LanePoint &at) {
  if (at.operation().kind == SyncKind::barrier)
    return std::atomic_thread_fence(std::memory_order_seq_cst);
  const Exchanged memory{*group_, uniform_, table_->points[at.id]};
  if (!memory.is_wanted())
    return;
  scheduler_.for_each_ready([&](uint32_t lane) { memory.load(lane, 1, &exchanges_[lane]); });
  ze_cpu::exchange_work_group(at.operation(), std::span(exchanges_).first(lanes_),
                              scheduler_.ready_lanes());
  scheduler_.for_each_ready([&](uint32_t lane) { memory.store(lane, 1, &exchanges_[lane]); });
}

} // namespace ze_cpu

uint32_t ze_cpu_run_diverged(const ze_cpu::GroupContext *group, void *uniform, uint64_t group_x,
                             uint64_t first, uint64_t last, const ze_cpu::RegionTable *table) {
  return group->diverged->run(*group, uniform, group_x, first, last, *table);
}

void ze_cpu_exchange(const ze_cpu::GroupContext *group, void *uniform, uint64_t place,
                     uint64_t count, const ze_cpu::SyncPointTable *point) {
  ze_cpu::exchange_some(*group, uniform, *point, place,
                        ze_cpu::first_lanes(static_cast<uint32_t>(count)));
}
