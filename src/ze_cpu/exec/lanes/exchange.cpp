#include "exchange.h"
#include "lane_mask.h"

#include <bit>
#include <cmath>

namespace ze_cpu {
namespace {

float as_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double as_double(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits_of(double value) { return std::bit_cast<uint64_t>(value); }

uint64_t combine(Combine how, uint64_t a, uint64_t b) {
  auto signed_a = static_cast<int64_t>(a), signed_b = static_cast<int64_t>(b);
  switch (how) {
  case Combine::none:
    return a;
  case Combine::add:
    return a + b;
  case Combine::multiply:
    return a * b;
  case Combine::signed_min:
    return signed_a < signed_b ? a : b;
  case Combine::signed_max:
    return signed_a > signed_b ? a : b;
  case Combine::unsigned_min:
    return a < b ? a : b;
  case Combine::unsigned_max:
    return a > b ? a : b;
  case Combine::bit_and:
    return a & b;
  case Combine::bit_or:
    return a | b;
  case Combine::bit_xor:
    return a ^ b;
  case Combine::float_add:
    return bits_of(as_float(a) + as_float(b));
  case Combine::float_multiply:
    return bits_of(as_float(a) * as_float(b));
  case Combine::float_min:
    return bits_of(std::fmin(as_float(a), as_float(b)));
  case Combine::float_max:
    return bits_of(std::fmax(as_float(a), as_float(b)));
  case Combine::double_add:
    return bits_of(as_double(a) + as_double(b));
  case Combine::double_multiply:
    return bits_of(as_double(a) * as_double(b));
  case Combine::double_min:
    return bits_of(std::fmin(as_double(a), as_double(b)));
  case Combine::double_max:
    return bits_of(std::fmax(as_double(a), as_double(b)));
  }
  return a;
}

// The operations that do not read a lane by number, over any way to walk the active lanes in order.
template <class ForEach> void collective(SyncOperation operation, ForEach &&for_each) {
  switch (operation.kind) {
  case SyncKind::any:
  case SyncKind::all: {
    bool any = false, all = true;
    for_each([&](LaneExchange &lane) {
      any |= lane.value != 0;
      all &= lane.value != 0;
    });
    for_each(
        [&](LaneExchange &lane) { lane.result = operation.kind == SyncKind::any ? any : all; });
    return;
  }
  case SyncKind::all_equal: {
    bool first = true, equal = true;
    uint64_t value = 0;
    for_each([&](LaneExchange &lane) {
      if (first)
        value = lane.value;
      first = false;
      equal &= lane.value == value;
    });
    for_each([&](LaneExchange &lane) { lane.result = equal; });
    return;
  }
  case SyncKind::broadcast_first: {
    bool first = true;
    uint64_t value = 0;
    for_each([&](LaneExchange &lane) {
      if (first)
        value = lane.value;
      first = false;
      lane.result = value;
    });
    return;
  }
  case SyncKind::elect: {
    bool first = true;
    for_each([&](LaneExchange &lane) {
      lane.result = first;
      first = false;
    });
    return;
  }
  case SyncKind::reduce: {
    bool first = true;
    uint64_t total = 0;
    for_each([&](LaneExchange &lane) {
      total = first ? lane.value : combine(operation.combine, total, lane.value);
      first = false;
    });
    for_each([&](LaneExchange &lane) { lane.result = total; });
    return;
  }
  case SyncKind::inclusive_scan: {
    bool first = true;
    uint64_t total = 0;
    for_each([&](LaneExchange &lane) {
      total = first ? lane.value : combine(operation.combine, total, lane.value);
      first = false;
      lane.result = total;
    });
    return;
  }
  case SyncKind::exclusive_scan: {
    bool first = true;
    uint64_t total = 0;
    for_each([&](LaneExchange &lane) {
      lane.result = first ? lane.parameter : total;
      total = first ? lane.value : combine(operation.combine, total, lane.value);
      first = false;
    });
    return;
  }
  default:
    return; // barriers exchange nothing
  }
}

// Lane i reads lane source(i), and 0 where that does not take part, as on AMD's devices.
template <class Source> void permute(LaneExchange *lanes, uint32_t active, Source &&source) {
  const auto read = [&](uint32_t i) {
    const uint64_t from = source(i, lanes[i].parameter);
    const bool valid = from < max_sub_group_size && (active >> from & 1);
    lanes[i].result = valid ? lanes[from].value : 0;
  };
  // Most often those that take part are the first lanes, for which a loop can count.
  const auto count = static_cast<uint32_t>(std::bit_width(active));
  if (active != first_lanes(count))
    return for_each_bit(active, read);
  for (uint32_t i = 0; i < count; ++i)
    read(i);
}

void clustered_reduce(Combine how, LaneExchange *lanes, uint32_t active, uint32_t cluster) {
  for (uint32_t begin = 0; begin < max_sub_group_size; begin += cluster) {
    uint32_t members = active & (((1u << cluster) - 1) << begin);
    collective({SyncKind::reduce, how},
               [&](auto &&visit) { for_each_bit(members, [&](uint32_t i) { visit(lanes[i]); }); });
  }
}

} // namespace

void exchange_sub_group(SyncOperation operation, LaneExchange *lanes, uint32_t active) {
  switch (operation.kind) {
  case SyncKind::shuffle:
  case SyncKind::broadcast:
    return permute(lanes, active, [](uint32_t, uint64_t lane) { return lane; });
  case SyncKind::shuffle_xor:
    return permute(lanes, active, [](uint32_t i, uint64_t mask) { return i ^ mask; });
  case SyncKind::shuffle_up: // below lane 0 the difference wraps to a number that is no lane
    return permute(lanes, active, [](uint32_t i, uint64_t delta) { return i - delta; });
  case SyncKind::shuffle_down:
    return permute(lanes, active, [](uint32_t i, uint64_t delta) { return i + delta; });
  case SyncKind::rotate:
    return permute(lanes, active, [](uint32_t i, uint64_t parameter) -> uint64_t {
      auto delta = static_cast<uint32_t>(parameter),
           cluster = static_cast<uint32_t>(parameter >> 32);
      if (cluster == 0 || !std::has_single_bit(cluster))
        return i;
      return (i & ~(cluster - 1)) | ((i + delta) & (cluster - 1));
    });
  case SyncKind::ballot: {
    uint32_t votes = 0;
    for_each_bit(active,
                 [&](uint32_t i) { votes |= static_cast<uint32_t>(lanes[i].value != 0) << i; });
    return for_each_bit(active, [&](uint32_t i) { lanes[i].result = votes; });
  }
  case SyncKind::reduce:
    if (active) {
      auto cluster = static_cast<uint32_t>(lanes[std::countr_zero(active)].parameter);
      if (cluster != 0 && cluster < max_sub_group_size && std::has_single_bit(cluster))
        return clustered_reduce(operation.combine, lanes, active, cluster);
    }
    [[fallthrough]];
  default:
    return collective(operation, [&](auto &&visit) {
      for_each_bit(active, [&](uint32_t i) { visit(lanes[i]); });
    });
  }
}

void exchange_work_group(SyncOperation operation, std::span<LaneExchange> lanes,
                         std::span<const uint8_t> active) {
  auto for_each = [&](auto &&visit) {
    for (size_t i = 0; i < lanes.size(); ++i)
      if (active[i])
        visit(lanes[i]);
  };
  if (operation.kind == SyncKind::broadcast)
    return for_each([&](LaneExchange &lane) {
      bool valid = lane.parameter < lanes.size() && active[lane.parameter];
      lane.result = valid ? lanes[lane.parameter].value : 0;
    });
  collective(operation, for_each);
}

} // namespace ze_cpu
