// What marks several cells at once does the same as one access after the other: for each kind of processor that this one is.
// And what orders the accesses of groups.
#include "../../src/ze_cpu/exec/checks/cell_rows.h"
#include "../../src/ze_cpu/exec/checks/group_trace.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <atomic>
#include <bit>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace ze_cpu;

constexpr uint32_t cells = 128, whole = (1u << cell_bytes) - 1;
// What is accessed: no program has it, and marks do not care.
constexpr uintptr_t area = 4096;

std::vector<const RowCode *> codes() {
  std::vector<const RowCode *> all = {&row_code_any};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v3"))
    all.push_back(&row_code_v3);
  if (__builtin_cpu_supports("x86-64-v4"))
    all.push_back(&row_code_v4);
#endif
  return all;
}

Marking marking_of(uint64_t own, uint64_t stale, uint64_t ordered, uint64_t kept) {
  return {own * Mark::of_segment, kept * Mark::of_segment, stale * Mark::of_segment,
          ordered * Mark::of_segment};
}
constexpr uint64_t stale = 10, ordered = 20, kept = 30, own = 40, other = 50;

struct Marks {
  std::vector<uint64_t> writes, reads;
  Cell cell() { return {writes.data(), reads.data()}; }
  bool operator==(const Marks &) const = default;
};

class Cases {
public:
  uint32_t number(uint32_t end) { return std::uniform_int_distribution(0u, end - 1)(random_); }
  /// Of segments on each side of each limit, now and then one that stands against the access.
  Marks marks(bool peaceful) {
    const std::vector<uint64_t> segments =
        peaceful ? std::vector<uint64_t>{0, 5, 9, own}
                 : std::vector<uint64_t>{0, 9, 10, 19, 20, 29, 30, own, other};
    const auto some = [&] {
      std::vector<uint64_t> result(cells);
      for (uint64_t &mark : result)
        mark = Mark(segments[number(static_cast<uint32_t>(segments.size()))], number(32),
                    number(16), Touch(number(4)), number(100))
                   .bits();
      return result;
    };
    return {some(), some()};
  }

private:
  std::mt19937 random_{20261127};
};

/// Expects the same of `together` and of `one` for each of `count` cells or lanes.
template <class Together, class One>
void expect_same(const Marks &before, uint32_t count, bool ignores_lanes, Together together,
                 One one) {
  Marks expected = before, found = before;
  bool is_done = true;
  for (uint32_t i = 0; i < count && is_done; ++i)
    is_done = one(expected, i);
  REQUIRE(together(found) == is_done);
  if (!is_done)
    return;
  if (ignores_lanes)
    for (Marks *marks : {&expected, &found})
      for (uint64_t &mark : marks->reads)
        mark &= ~(uint64_t(31) << Mark::lane_bit);
  REQUIRE(found == expected);
}

} // namespace

TEST_CASE("rows of cells are marked as cells one by one", "[checks]") {
  Cases cases;
  const Marking marking = marking_of(own, stale, ordered, kept);
  const uint64_t mark = Mark(own, 0, 0, Touch::plain, 77).bits();
  for (int round = 0; round < 4000; ++round)
    for (const RowCode *code : codes()) {
      const Marks before = cases.marks(round % 2 == 0);
      const uint32_t count = 1 + cases.number(36), first = cases.number(cells - count),
                     bits = cases.number(2) ? cases.number(4) : 32, bytes = 1u << (bits & 3);
      // A row that lanes of one sub-group have room for.
      const uint32_t fits = bits == 32 ? count : std::min(count, 32 * bytes / cell_bytes);
      const bool writes = cases.number(2);
      const uint32_t last = bits < 32 ? (fits * cell_bytes - 1) >> bits : 0,
                     lane = cases.number(32 - last);
      expect_same(
          before, fits, false,
          [&](Marks &marks) {
            return (writes ? code->write : code->read)(marks.cell() + first, fits,
                                                       mark + (uint64_t(lane) << Mark::lane_bit),
                                                       bits, marking);
          },
          [&](Marks &marks, uint32_t i) {
            const uint32_t byte = cell_bytes - 1 + i * cell_bytes;
            const CellAccess access{marking, mark, lane + (bits < 32 ? byte >> bits : 0), whole};
            const Cell cell = marks.cell() + (first + i);
            return writes ? access.write(cell) : access.read(cell);
          });
    }
}

TEST_CASE("cells of lanes are marked as one by one", "[checks]") {
  Cases cases;
  const Marking marking = marking_of(own, stale, ordered, kept);
  const uint64_t mark = Mark(own, 0, 0, Touch::plain, 77).bits();
  for (int round = 0; round < 8000; ++round)
    for (const RowCode *code : codes()) {
      const Marks before = cases.marks(round % 2 == 0);
      // In rows, with a step, and anywhere; now and then outside of the area, or not at a cell's beginning.
      uint64_t addresses[32];
      const uint32_t kind = cases.number(3), begin = cases.number(cells - 32),
                     step = cases.number(4);
      for (uint32_t i = 0; i < 32; ++i)
        addresses[i] = area + cell_bytes * (kind == 0   ? begin + i
                                            : kind == 1 ? i * step
                                                        : cases.number(cells));
      const uint32_t wrong = cases.number(10);
      if (wrong < 3)
        addresses[cases.number(32)] = wrong == 0   ? area - cell_bytes
                                      : wrong == 1 ? area + cells * cell_bytes
                                                   : area + 2;
      const uint32_t lanes = 1u << cases.number(6);
      uint64_t mask = cases.number(2) ? ~0u >> (32 - lanes) : cases.number(~0u);
      if (mask == 0)
        continue;
      const bool writes = cases.number(2);
      expect_same(
          before, 32, kind != 0 && !writes,
          [&](Marks &marks) {
            const LaneCells all{marks.cell(), mark, area, cells * cell_bytes,
                                addresses,    mask, 0,    1};
            return (writes ? code->write_lanes : code->read_lanes)(all, marking);
          },
          [&](Marks &marks, uint32_t i) {
            if (!(mask >> i & 1))
              return true;
            const uint64_t offset = addresses[i] - area;
            if (offset >= cells * cell_bytes || offset % cell_bytes != 0)
              return false;
            const CellAccess access{marking, mark, i, whole};
            const Cell cell = marks.cell() + offset / cell_bytes;
            return writes ? access.write(cell) : access.read(cell);
          });
    }
}

TEST_CASE("a run of addresses has no other among them", "[checks]") {
  for (const RowCode *code : codes())
    for (const uint64_t bytes : {0, 1, 4, 8})
      for (uint32_t count = code->least; count <= 32; ++count) {
        uint64_t addresses[32];
        for (uint32_t i = 0; i < 32; ++i)
          addresses[i] = area + i * bytes;
        CHECK(code->is_run(addresses, count, bytes));
        for (uint32_t i = 1; i < count; ++i) {
          ++addresses[i];
          CHECK_FALSE(code->is_run(addresses, count, bytes));
          --addresses[i];
        }
      }
}

// Two groups of one work-item that run at the same time.
class TwoGroups {
public:
  TwoGroups() {
    context_.group_size[0] = context_.group_size[1] = context_.group_size[2] = 1;
    first.begin(launch_, context_, 32, 0);
    second.begin(launch_, context_, 32, 1);
  }

  void access(GroupTrace &trace, const int &what, uint32_t flags, SourcePlace &place,
              uint64_t value = 0) {
    trace.access(context_,
                 {0, reinterpret_cast<uintptr_t>(&what), sizeof what, flags, &place, value});
  }
  bool raced() const { return launch_.has_found_any(); }

private:
  const KernelCode code_;
  TracedLaunch launch_{code_, {2, 1, 1}, {1, 1, 1}};
  GroupContext context_{};

public:
  GroupTrace first{Checks{.races = true}}, second{Checks{.races = true}};
};

// That a lock is taken is told of before it is: it may be given back in between.
TEST_CASE("what is told of a word while it is read is ordered before the reader", "[checks]") {
  constexpr uint32_t atomic = traced::read | traced::write | traced::atomic;
  const bool gives_back = GENERATE(false, true);
  TwoGroups groups;
  int lock = 0, data = 0;
  SourcePlace place{};
  groups.access(groups.first, data, traced::write, place);
  groups.access(groups.second, lock, atomic, place);
  if (gives_back)
    groups.access(groups.first, lock, atomic, place);
  groups.access(groups.second, data, traced::read, place);
  CHECK(groups.raced() != gives_back);
}

// A write is told of before it is made: the value that another group writes may be on its way.
TEST_CASE("two groups that write the same value at the same moment do not race", "[checks]") {
  using namespace std::chrono_literals;
  const bool comes = GENERATE(false, true);
  // A loaded machine may make the other too late: then it is tried again.
  const int tries = comes ? 5 : 1;
  std::vector<SourcePlace> places(2 * tries);
  bool raced = true;
  for (int i = 0; i < tries && raced; ++i) {
    TwoGroups groups;
    int data = 0;
    constexpr uint32_t write = traced::write | traced::has_value;
    groups.access(groups.first, data, write, places[2 * i], 7);
    std::thread writes([&] {
      std::this_thread::sleep_for(2ms);
      if (comes)
        std::atomic_ref(data).store(7, std::memory_order_relaxed);
    });
    groups.access(groups.second, data, write, places[2 * i + 1], 7);
    writes.join();
    raced = groups.raced();
  }
  CHECK(raced != comes);
}
