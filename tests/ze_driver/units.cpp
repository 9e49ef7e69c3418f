// Parts of the front below the interface: the native binary's format, sizes of specialization
// constants, counters and command memory.
#include "../../src/ze_driver/api/entry.h"
#include "../../src/ze_driver/events/counter.h"
#include "../../src/ze_driver/events/deferred.h"
#include "../../src/ze_driver/events/failure_observers.h"
#include "../../src/ze_driver/memory/allocations.h"
#include "../../src/ze_driver/modules/native_binary.h"
#include "../../src/ze_driver/modules/specialization.h"
#include "../../src/ze_driver/records/command_buffer.h"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>

using namespace ze_driver;

namespace {

constexpr BinaryMagic binary_magic = {'b', 'i', 'n', 'a', 'r', 'y', 0, 0};

std::span<const std::byte> bytes_of(const std::vector<uint32_t> &words) {
  return std::as_bytes(std::span(words));
}

/// A module with the specialization constants 10 (a bool), 11 (32-bit) and 12 (64-bit), and a
/// constant that has no SpecId.
const std::vector<uint32_t> spirv_with_constants = {
    0x07230203,    0x00010000, 0,  20, 0, 4u << 16 | 71, 1, 1, 10, // OpDecorate %1 SpecId 10
    4u << 16 | 71, 2,          1,  11,                             //
    4u << 16 | 71, 3,          1,  12,                             //
    2u << 16 | 20, 5,                                              // %5 = OpTypeBool
    4u << 16 | 21, 6,          32, 0,                              // %6 = OpTypeInt 32 0
    3u << 16 | 22, 7,          64,                                 // %7 = OpTypeFloat 64
    3u << 16 | 48, 5,          1,                                  // %1 = OpSpecConstantTrue
    4u << 16 | 50, 6,          2,  42,                             // %2 = OpSpecConstant
    5u << 16 | 50, 7,          3,  0,  0, 4u << 16 | 50, 6, 9, 1};

} // namespace

TEST_CASE("ze_driver: sizes of specialization constants are read from the SPIR-V") {
  const std::map<uint32_t, size_t> expected{{10, 1}, {11, 4}, {12, 8}};
  CHECK(specialization_constant_sizes(bytes_of(spirv_with_constants)) == expected);
  std::vector<uint32_t> swapped;
  for (uint32_t word : spirv_with_constants)
    swapped.push_back(__builtin_bswap32(word));
  CHECK(specialization_constant_sizes(bytes_of(swapped)) == expected);
}

TEST_CASE("ze_driver: malformed SPIR-V has no sizes that go beyond it") {
  CHECK(specialization_constant_sizes({}).empty());
  CHECK(specialization_constant_sizes(bytes_of({1, 2, 3, 4, 5, 6})).empty());
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint32_t> words = spirv_with_constants;
    words[5 + random() % (words.size() - 5)] = static_cast<uint32_t>(random());
    words.resize(5 + random() % (words.size() - 5));
    for (const auto &[id, size] : specialization_constant_sizes(bytes_of(words)))
      CHECK(size <= 8);
  }
}

TEST_CASE("ze_driver: a native binary gives back what was put in") {
  const std::vector<uint32_t> value{0x11223344, 5};
  const SpecializationConstant constants[] = {{3, bytes_of(value).first(8)},
                                              {4, bytes_of(value).first(1)}};
  const auto serialized = serialize_constants(constants);
  const auto binary =
      write_binary(binary_magic, {bytes_of(spirv_with_constants), "-flag one", serialized});
  const auto content = read_binary(binary_magic, binary);
  REQUIRE(content);
  CHECK(content->build_flags == "-flag one");
  CHECK(std::ranges::equal(content->spirv, bytes_of(spirv_with_constants)));
  const auto parsed = parse_constants(content->constants);
  REQUIRE(parsed);
  REQUIRE(parsed->size() == 2);
  CHECK((*parsed)[0].id == 3);
  CHECK(std::ranges::equal((*parsed)[0].value, bytes_of(value).first(8)));
  CHECK((*parsed)[1].value.size() == 1);
}

TEST_CASE("ze_driver: a native binary with any bit changed, or any length, is not read") {
  const auto binary = write_binary(binary_magic, {bytes_of(spirv_with_constants), "flags", {}});
  for (size_t at = 0; at < binary.size(); ++at) {
    auto bad = binary;
    bad[at] ^= std::byte{4};
    CHECK_FALSE(read_binary(binary_magic, bad));
  }
  for (size_t length = 0; length < binary.size(); ++length)
    CHECK_FALSE(read_binary(binary_magic, std::span(binary).first(length)));
  CHECK_FALSE(parse_constants(std::span(binary).first(7)));
}

TEST_CASE("ze_driver: null arguments are reported, handles before pointers") {
  int there = 0;
  const auto context = reinterpret_cast<ze_context_handle_t>(&there);
  const ze_context_handle_t no_context = nullptr;
  const ze_event_desc_t *const no_description = nullptr;
  ze_event_handle_t *const no_place = nullptr; // where a handle goes is no handle
  CHECK(required()() == ZE_RESULT_SUCCESS);
  CHECK(required(context, &there)() == ZE_RESULT_SUCCESS);
  CHECK(required(no_description, no_context)() == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK(required(context, no_description)() == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(required(context, no_place)() == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(required(context, static_cast<void *>(nullptr))() == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(required(static_cast<void (*)()>(nullptr))() == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_CASE("ze_driver: a counter wakes those whose value it reaches and no others") {
  const auto counter = Ref<Counter>::make();
  bool low = false, high = false;
  std::thread first([&] { low = counter->wait(2, Deadline(UINT64_MAX)); });
  std::thread second([&] { high = counter->wait(5, Deadline(200'000'000)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  counter->advance(1);
  counter->advance(3);
  first.join();
  CHECK(low);
  second.join();
  CHECK_FALSE(high);
  CHECK(counter->has_reached(3));
  CHECK_FALSE(counter->has_reached(4));
}

TEST_CASE("ze_driver: a counter that goes up and down tells its waiters even if it falls at once") {
  struct Told final : Waiter {
    int times = 0;
    void reached(bool) noexcept override { ++times; }
  } waiter;
  const auto counter = Ref<Counter>::make();
  REQUIRE(counter->subscribe(waiter, 1));
  counter->assign(1);
  counter->assign(0);
  CHECK(waiter.times == 1);
  CHECK_FALSE(counter->unsubscribe(waiter)); // told already
  REQUIRE(counter->subscribe(waiter, 1));
  CHECK(waiter.times == 1); // not for what was before
  CHECK(counter->unsubscribe(waiter));
  counter->assign(1);
  CHECK(waiter.times == 1);
}

TEST_CASE("ze_driver: a counter remembers from where on it is worth nothing") {
  const auto counter = Ref<Counter>::make();
  CHECK_FALSE(counter->is_lost());
  counter->lose_after(4);
  counter->lose_after(9); // only the first loss counts
  CHECK(counter->is_lost());
  CHECK_FALSE(counter->is_lost(4));
  CHECK(counter->is_lost(5));
}

TEST_CASE("ze_driver: a waiter is told whether what it waited for was lost") {
  struct : Waiter {
    int sound = 0, lost = 0;
    void reached(bool is_lost) noexcept override { ++(is_lost ? lost : sound); }
  } early, late;
  const auto counter = Ref<Counter>::make();
  REQUIRE(counter->subscribe(early, 4));
  REQUIRE(counter->subscribe(late, 5));
  counter->lose_after(4);
  counter->advance(5);
  CHECK((early.sound == 1 && early.lost == 0));
  CHECK((late.sound == 0 && late.lost == 1));

  const auto flag = Ref<Counter>::make();
  REQUIRE(flag->subscribe(early, 1));
  flag->assign(1, true);
  CHECK(flag->is_lost(1));
  CHECK(early.lost == 1);
  flag->assign(0);
  flag->assign(1); // it stands for something else now
  CHECK_FALSE(flag->is_lost(1));
}

TEST_CASE("ze_driver: an address is described by the allocation that it is in or near") {
  Allocations &allocations = Allocations::instance();
  CHECK(allocations.describe(0x1000) == "the program has no allocations");
  void *memory = allocations.allocate(100, 0, MemoryKind::device, nullptr);
  const auto base = reinterpret_cast<uintptr_t>(memory);
  CHECK(allocations.describe(base + 99).starts_with("inside the 100-byte device allocation at 0x"));
  CHECK(allocations.describe(base + 108).starts_with("8 bytes behind the 100-byte device"));
  CHECK(allocations.describe(base - 4).starts_with("4 bytes before the 100-byte device"));
  CHECK(allocations.describe(base + (size_t{1} << 30)) == "far from all allocations");
  CHECK(allocations.free(memory, nullptr));
}

TEST_CASE("ze_driver: an action waits for what it is deferred for") {
  const auto counter = Ref<Counter>::make();
  int done = 0;
  DeferredActions &actions = DeferredActions::instance();
  actions.add({}, [&] { done += 1; });
  CHECK(done == 1);
  actions.add({Point{counter, 3}}, [&] { done += 10; });
  actions.collect();
  CHECK(done == 1);
  counter->advance(3);
  actions.collect();
  actions.collect();
  CHECK(done == 11);
}

TEST_CASE("ze_driver: command memory keeps records of any size in order") {
  CommandBuffer buffer;
  std::mt19937 random(3);
  std::vector<size_t> sizes;
  size_t read = 0;
  const auto check_front = [&] {
    Command &command = buffer.front_command();
    const auto *payload = &command.payload<unsigned char>();
    size_t wrong = 0;
    for (size_t i = 0; i < sizes[read]; ++i)
      wrong += payload[i] != static_cast<unsigned char>(read + i);
    CHECK(wrong == 0);
    CHECK(reinterpret_cast<uintptr_t>(&command) % 64 == 0);
    CHECK(command.wait_count == read % 5);
    buffer.pop_front();
    ++read;
  };
  for (size_t i = 0; i < 3000; ++i) {
    const size_t size = i % 100 == 50 ? 100'000 : random() % 700; // some larger than a segment
    Command &command = buffer.add(Opcode::barrier, static_cast<uint32_t>(i % 5), size);
    auto *payload = &command.payload<unsigned char>();
    for (size_t byte = 0; byte < size; ++byte)
      payload[byte] = static_cast<unsigned char>(i + byte);
    sizes.push_back(size);
    while (read < sizes.size() && random() % 3 != 0)
      check_front();
  }
  while (read < sizes.size())
    check_front();
}

TEST_CASE(
    "ze_driver: observers of failures are told until they are removed, and one gives the reason") {
  struct Observer {
    const char *reason;
    int calls = 0;
    static const char *told(void *data) {
      auto &self = *static_cast<Observer *>(data);
      ++self.calls;
      return self.reason;
    }
  } knows_nothing{nullptr}, knows{"it did"}, knows_more{"it did not"};
  for (Observer *each : {&knows_nothing, &knows, &knows_more})
    add_failure_observer(Observer::told, each);
  const auto reason = [] {
    std::string found;
    tell_failure_observers([&](const char *told) { found = told ? told : "unknown"; });
    return found;
  };
  CHECK(reason() == "it did");
  remove_failure_observer(&knows);
  CHECK(reason() == "it did not");
  remove_failure_observer(&knows_more);
  CHECK(reason() == "unknown");
  remove_failure_observer(&knows_nothing);
  CHECK(reason() == "unknown");
  CHECK(knows_nothing.calls == 3);
  CHECK(knows.calls == 1);
  CHECK(knows_more.calls == 2);
}

TEST_CASE("ze_driver: observers are told of a failure when the one before has been reported") {
  struct Observer {
    std::atomic<int> calls{0};
    static const char *told(void *data) {
      return ++static_cast<Observer *>(data)->calls == 1 ? "first" : "second";
    }
  } observer;
  add_failure_observer(Observer::told, &observer);
  std::vector<std::string> reports;
  const auto report = [&](const char *reason) { reports.push_back(reason); };
  std::thread second;
  tell_failure_observers([&](const char *reason) {
    second = std::thread([&] { tell_failure_observers(report); });
    for (int i = 0; i < 50 && observer.calls == 1; ++i) // which it stays
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(observer.calls == 1);
    report(reason);
  });
  second.join();
  remove_failure_observer(&observer);
  CHECK(reports == std::vector<std::string>{"first", "second"});
}
