// What libroctx64 returns to programs, and what it tells a tool.
#include "../../src/common/tool.h"

#include <roctracer/roctx.h>

#include <catch2/catch_test_macros.hpp>

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Told {
  uint32_t kind;
  std::optional<std::string> message; // none where it was null
  uint64_t id;
  bool operator==(const Told &) const = default;
};

std::mutex lock;
std::vector<Told> told;

std::vector<Told> take_told() {
  const std::lock_guard guard(lock);
  return std::exchange(told, {});
}

} // namespace

extern "C" [[gnu::visibility("default")]] void chip_tool_marker(uint32_t kind, const char *message,
                                                                uint64_t id) {
  const std::lock_guard guard(lock);
  told.push_back({kind, message ? std::optional<std::string>(message) : std::nullopt, id});
}

TEST_CASE("the library has the version of the header") {
  CHECK(roctx_version_major() == ROCTX_VERSION_MAJOR);
  CHECK(roctx_version_minor() == ROCTX_VERSION_MINOR);
}

TEST_CASE("a mark is told") {
  take_told();
  roctxMark("here");
  CHECK(take_told() == std::vector<Told>{{CHIP_TOOL_MARKER_POINT, "here", 0}});
}

TEST_CASE("push and pop return the level of their range") {
  take_told();
  CHECK(roctxRangePush("outer") == 0);
  CHECK(roctxRangePush("inner") == 1);
  CHECK(roctxRangePop() == 1);
  CHECK(roctxRangePush("second") == 1);
  CHECK(roctxRangePop() == 1);
  CHECK(roctxRangePop() == 0);
  CHECK(take_told() == std::vector<Told>{{CHIP_TOOL_MARKER_PUSH, "outer", 0},
                                         {CHIP_TOOL_MARKER_PUSH, "inner", 0},
                                         {CHIP_TOOL_MARKER_POP, {}, 0},
                                         {CHIP_TOOL_MARKER_PUSH, "second", 0},
                                         {CHIP_TOOL_MARKER_POP, {}, 0},
                                         {CHIP_TOOL_MARKER_POP, {}, 0}});
}

TEST_CASE("a pop without a range is an error, and no tool is told") {
  take_told();
  CHECK(roctxRangePop() == -1);
  CHECK(roctxRangePop() == -1);
  CHECK(take_told().empty());
  CHECK(roctxRangePush("range") == 0);
  CHECK(roctxRangePop() == 0);
}

TEST_CASE("a null message is an empty one") {
  take_told();
  roctxMark(nullptr);
  CHECK(roctxRangePush(nullptr) == 0);
  CHECK(roctxRangePop() == 0);
  const roctx_range_id_t id = roctxRangeStart(nullptr);
  roctxRangeStop(id);
  CHECK(take_told() == std::vector<Told>{{CHIP_TOOL_MARKER_POINT, "", 0},
                                         {CHIP_TOOL_MARKER_PUSH, "", 0},
                                         {CHIP_TOOL_MARKER_POP, {}, 0},
                                         {CHIP_TOOL_MARKER_START, "", id},
                                         {CHIP_TOOL_MARKER_STOP, {}, id}});
}

TEST_CASE("each thread has levels of its own") {
  CHECK(roctxRangePush("of this thread") == 0);
  int pushed = 7, popped = 7, without = 7;
  std::jthread([&] {
    without = roctxRangePop();
    pushed = roctxRangePush("of another");
    popped = roctxRangePop();
  }).join();
  CHECK(without == -1);
  CHECK(pushed == 0);
  CHECK(popped == 0);
  CHECK(roctxRangePop() == 0);
}

TEST_CASE("ranges of the process have ids of their own in all threads") {
  constexpr size_t thread_count = 4, range_count = 500;
  std::vector<roctx_range_id_t> ids[thread_count];
  {
    std::vector<std::jthread> threads;
    for (std::vector<roctx_range_id_t> &own : ids)
      threads.emplace_back([&own] {
        for (size_t i = 0; i < range_count; ++i)
          own.push_back(roctxRangeStart("range"));
      });
  }
  std::set<roctx_range_id_t> all;
  for (const std::vector<roctx_range_id_t> &own : ids)
    all.insert(own.begin(), own.end());
  CHECK(all.size() == thread_count * range_count);
  CHECK_FALSE(all.contains(0));
  take_told();
  for (const roctx_range_id_t id : all)
    roctxRangeStop(id);
  std::vector<Told> expected;
  for (const roctx_range_id_t id : all)
    expected.push_back({CHIP_TOOL_MARKER_STOP, {}, id});
  CHECK(take_told() == expected);
}

TEST_CASE("no tool is told of the end of a range that never began, or has ended") {
  const roctx_range_id_t id = roctxRangeStart("the last");
  take_told();
  roctxRangeStop(0);
  roctxRangeStop(id + 1);
  roctxRangeStop(~roctx_range_id_t(0));
  CHECK(take_told().empty());
  roctxRangeStop(id);
  roctxRangeStop(id);
  CHECK(take_told().size() == 1);
}
