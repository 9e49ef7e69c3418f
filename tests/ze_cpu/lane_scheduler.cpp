// The order in which lanes take turns, without any code that they run.
#include "../../src/ze_cpu/exec/lanes/lane_scheduler.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using ze_cpu::LanePoint;
using ze_cpu::LaneScheduler;
using ze_cpu::SyncCall;
using ze_cpu::SyncKind;
using ze_cpu::SyncOperation;
using ze_cpu::SyncScope;

LanePoint point(uint32_t id, SyncKind kind, SyncScope scope) {
  return {id, SyncOperation{.kind = kind, .scope = scope}.packed()};
}
LanePoint ballot(uint32_t id) { return point(id, SyncKind::ballot, SyncScope::sub_group); }
LanePoint turn(uint32_t id) { return point(id, SyncKind::turn, SyncScope::sub_group); }
LanePoint barrier(uint32_t id) { return point(id, SyncKind::barrier, SyncScope::work_group); }
LanePoint any_of_group(uint32_t id) { return point(id, SyncKind::any, SyncScope::work_group); }
LanePoint grid(uint32_t id) { return point(id, SyncKind::barrier, SyncScope::grid); }

LanePoint in_call(LanePoint point, const SyncCall &call) {
  point.call = &call;
  return point;
}

// Lanes that are where the test says, in sub-groups of four, and what was done for them in text.
struct Team {
  explicit Team(uint32_t lanes) {
    scheduler.reserve(lanes);
    scheduler.start(lanes, 4);
  }

  bool stops_at(SyncScope scope) const { return stops && scope == SyncScope::work_group; }
  void exchange_sub_group(const LanePoint &at, uint32_t first, uint32_t active) {
    log += "operation " + std::to_string(at.id) + " of";
    ze_cpu::for_each_bit(active, [&](uint32_t lane) { log += ' ' + std::to_string(first + lane); });
    log += "; ";
  }
  void exchange_work_group(const LanePoint &at) {
    log += "group " + std::to_string(at.id) + " of";
    scheduler.for_each_ready([&](uint32_t lane) { log += ' ' + std::to_string(lane); });
    log += "; ";
  }

  // Runs the lanes one by one to their ends.
  std::string run() {
    for (;;) {
      const uint32_t sub_group = scheduler.next(*this);
      if (sub_group == LaneScheduler::none)
        return std::exchange(log, {});
      log += "run " + std::to_string(scheduler.take_lane(sub_group)) + "; ";
    }
  }

  LaneScheduler scheduler;
  bool stops = false;
  std::string log;
};

} // namespace

TEST_CASE("ze_cpu: the lane scheduler runs the lanes of one sub-group after the other") {
  Team team(6);
  team.scheduler.make_all_ready();
  CHECK(team.run() == "run 0; run 1; run 2; run 3; run 4; run 5; ");
}

TEST_CASE("ze_cpu: the lane scheduler carries out the sub-group operation first that comes first "
          "in the program") {
  Team team(4);
  for (uint32_t lane : {0u, 2u})
    team.scheduler.wait(lane, ballot(8));
  for (uint32_t lane : {1u, 3u})
    team.scheduler.wait(lane, ballot(7));
  CHECK(team.run() == "operation 7 of 1 3; run 1; run 3; operation 8 of 0 2; run 0; run 2; ");
}

TEST_CASE("ze_cpu: the lane scheduler runs lanes together that came together") {
  Team team(8);
  team.scheduler.wait({0, 3}, ballot(7));
  team.scheduler.wait({4, 8}, ballot(8));
  const auto next = [&] {
    const auto [first, last] = team.scheduler.take_neighbours(team.scheduler.next(team));
    team.log += "run " + std::to_string(first) + " to " + std::to_string(last);
    return std::exchange(team.log, {});
  };
  CHECK(next() == "operation 7 of 0 1 2; run 0 to 3");
  // Lanes that join others who wait are not taken for those that came with them.
  team.scheduler.wait({0, 2}, ballot(10));
  team.scheduler.wait({2, 3}, ballot(9));
  CHECK(next() == "operation 9 of 2; run 2 to 3");
  CHECK(next() == "operation 10 of 0 1; run 0 to 2");
  CHECK(next() == "operation 8 of 4 5 6 7; run 4 to 8");
  // Barriers match each other, but what comes behind them does not.
  team.scheduler.wait({0, 2}, barrier(11));
  team.scheduler.wait({2, 4}, barrier(12));
  CHECK(next() == "group 11 of 0 1 2 3; run 0 to 2");
  CHECK(next() == "run 2 to 4");
}

TEST_CASE(
    "ze_cpu: the lane scheduler lets lanes meet that came by the same calls, which come first "
    "that are first in the program") {
  // Frames are each lane's own. The function calls itself at 5, between its operations 4 and 6.
  const SyncCall from_kernel[] = {{&ze_cpu::no_call, 9, 1}, {&ze_cpu::no_call, 9, 1}};
  const SyncCall from_itself[] = {{&from_kernel[0], 5, 2}, {&from_kernel[1], 5, 2}};
  Team team(4);
  team.scheduler.wait(0, in_call(ballot(6), from_itself[0]));
  team.scheduler.wait(1, in_call(ballot(6), from_kernel[0]));
  team.scheduler.wait(2, in_call(ballot(6), from_itself[1]));
  team.scheduler.wait(3, in_call(ballot(6), from_kernel[1]));
  CHECK(team.run() == "operation 6 of 0 2; run 0; run 2; operation 6 of 1 3; run 1; run 3; ");
  // In front of the call, in it, behind it, and behind the call of the whole.
  team.scheduler.wait(0, in_call(ballot(6), from_kernel[0]));
  team.scheduler.wait(1, ballot(10));
  team.scheduler.wait(2, in_call(ballot(4), from_itself[1]));
  team.scheduler.wait(3, in_call(ballot(4), from_kernel[1]));
  CHECK(team.run() == "operation 4 of 3; run 3; operation 4 of 2; run 2; operation 6 of 0; run 0; "
                      "operation 10 of 1; run 1; ");
}

TEST_CASE("ze_cpu: the lane scheduler matches operations of the work-group by the calls, too") {
  const SyncCall first{&ze_cpu::no_call, 7, 1}, same{&ze_cpu::no_call, 7, 1},
      other{&ze_cpu::no_call, 8, 1};
  Team team(5);
  team.scheduler.wait(0, in_call(any_of_group(3), first));
  team.scheduler.wait(1, in_call(any_of_group(3), other));
  team.scheduler.wait(4, in_call(any_of_group(3), same));
  CHECK(team.run() == "group 3 of 0 4; run 0; run 4; group 3 of 1; run 1; ");
}

TEST_CASE("ze_cpu: the lane scheduler completes a barrier when no sub-group can go on") {
  Team team(8);
  for (uint32_t lane = 0; lane < 4; ++lane)
    team.scheduler.wait(lane, barrier(1));
  for (uint32_t lane = 5; lane < 8; ++lane) // lane 4 has ended
    team.scheduler.wait(lane, ballot(9));
  CHECK(team.run() == "operation 9 of 5 6 7; run 5; run 6; run 7; "
                      "group 1 of 0 1 2 3; run 0; run 1; run 2; run 3; ");
}

TEST_CASE("ze_cpu: the lane scheduler lets the other sub-groups go on before one at a turn point") {
  Team team(12);
  for (uint32_t lane = 0; lane < 4; ++lane)
    team.scheduler.wait(lane, turn(1));
  for (uint32_t lane = 4; lane < 8; ++lane)
    team.scheduler.wait(lane, barrier(7));
  team.scheduler.wait(8, ballot(5));
  for (uint32_t lane = 9; lane < 12; ++lane)
    team.scheduler.wait(lane, turn(2));
  CHECK(team.run() == "operation 1 of 0 1 2 3; operation 2 of 9 10 11; "
                      "run 0; run 1; run 2; run 3; "
                      "run 9; run 10; run 11; operation 5 of 8; run 8; "
                      "group 7 of 4 5 6 7; run 4; run 5; run 6; run 7; ");
}

TEST_CASE(
    "ze_cpu: the lane scheduler lets the other sub-groups go on beside one that has much to do") {
  Team team(8);
  // Each is always at the next operation.
  team.scheduler.wait({0, 4}, ballot(1));
  team.scheduler.wait({4, 8}, ballot(1));
  std::vector<uint32_t> turns; // how long they were, of either in turn
  uint32_t of = 1;
  for (uint32_t i = 0; i < 5 * LaneScheduler::longest_turn; ++i) {
    const uint32_t sub_group = team.scheduler.next(team);
    if (sub_group != std::exchange(of, sub_group))
      turns.push_back(0);
    REQUIRE(++turns.back() <= LaneScheduler::longest_turn);
    team.scheduler.take_neighbours(sub_group);
    team.scheduler.wait({4 * sub_group, 4 * sub_group + 4}, ballot(1));
  }
  CHECK(turns.size() >= 5);
}

TEST_CASE("ze_cpu: the lane scheduler matches any barrier with any other") {
  Team team(5);
  for (uint32_t lane = 0; lane < 5; ++lane)
    team.scheduler.wait(lane, barrier(3 + lane % 2));
  CHECK(team.run() == "group 3 of 0 1 2 3 4; run 0; run 1; run 2; run 3; run 4; ");
}

TEST_CASE("ze_cpu: the lane scheduler matches operations of the work-group only with themselves") {
  Team team(5);
  team.scheduler.wait(0, any_of_group(3));
  team.scheduler.wait(1, barrier(2));
  team.scheduler.wait(2, any_of_group(3));
  team.scheduler.wait(3, barrier(4));
  team.scheduler.wait(4, any_of_group(5));
  CHECK(team.run() == "group 2 of 1 3; run 1; run 3; group 3 of 0 2; run 0; run 2; "
                      "group 5 of 4; run 4; ");
}

TEST_CASE("ze_cpu: the lane scheduler suspends lanes that wait for the grid until it is released") {
  Team team(3);
  team.scheduler.wait(0, grid(1));
  team.scheduler.wait(1, barrier(2));
  team.scheduler.wait(2, grid(1));
  CHECK(team.run() == "group 2 of 1; run 1; ");
  CHECK(team.scheduler.waits_for_grid());
  team.scheduler.release_grid();
  CHECK(team.run() == "run 0; run 2; ");
  CHECK_FALSE(team.scheduler.waits_for_grid());
}

TEST_CASE("ze_cpu: the lane scheduler stops where its team does, before the operation") {
  Team team(2);
  team.stops = true;
  for (uint32_t lane : {0u, 1u})
    team.scheduler.wait(lane, barrier(1));
  CHECK(team.run().empty());
  CHECK(team.scheduler.all_at_one_point());
  team.stops = false;
  CHECK(team.run() == "group 1 of 0 1; run 0; run 1; ");
}

TEST_CASE("ze_cpu: the lane scheduler hands out neighbours at one point together") {
  Team team(4);
  for (uint32_t lane = 0; lane < 4; ++lane)
    team.scheduler.wait(lane, barrier(lane == 3 ? 2 : 1));
  REQUIRE(team.scheduler.next(team) == 0);
  const auto together = team.scheduler.take_neighbours(0);
  CHECK(together.first == 0);
  CHECK(together.last == 3);
  CHECK(team.run() == "group 1 of 0 1 2 3; run 3; ");
}
