// Operations as values: kept, compared, changed, recorded and replayed. What is inside of the library, without its interface.
#include "queue/recording.h"
#include "runtime/code/launch.h"
#include "runtime/code/module_cache.h"
#include "runtime/operations/enqueue.h"
#include "runtime/streams/stream_value.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

using namespace chip;

namespace {

constexpr int cells = 1024;

/// The simulated device takes every call and executes nothing.
bool executes() { return !std::getenv("ProductFamilyOverride"); }

Device &device() {
  Platform::get();
  Platform::count_thread();
  return Platform::current_device();
}

/// Memory that a device and the host share.
struct Cells {
  int *data =
      static_cast<int *>((device(), allocate(AllocationKind::host, cells * sizeof(int), 0)));
  Cells() { reset(); }
  ~Cells() { free_allocation(data); }
  Cells(const Cells &) = delete;

  void reset() { std::iota(data, data + cells, 0); }
  std::vector<int> values() const { return {data, data + cells}; }
};

BuiltModule &module() {
  device();
  static const hipModule_t loaded = load_module_file(TEST_KERNELS);
  return *find_module(loaded);
}

template <class... Arguments>
operations::KeptLaunch kept_launch(const char *name, unsigned threads, unsigned shared_bytes,
                                   Arguments... arguments) {
  void *pointers[] = {&arguments...};
  const LaunchShape shape{
      .groups = {1, 1, 1}, .group_size = {threads, 1, 1}, .dynamic_local_bytes = shared_bytes};
  return operations::keep(operations::Launch{module().kernel(name), shape, pointers});
}

struct Block {
  int words[1020] = {};
};

BoxSide side(int *first, size_t pitch) {
  return {reinterpret_cast<std::byte *>(first), pitch, 4 * pitch};
}

void count_calls(void *data) { ++*static_cast<int *>(data); }

struct Case {
  const char *name;
  std::vector<operations::Any> operations;
};

/// Each kind of operation that can be recorded. `memory` is what they change, `other` what they read.
std::vector<Case> cases(Cells &memory, Cells &other, void *managed) {
  using namespace operations;
  int *m = memory.data, *o = other.data;
  std::vector<Case> all{
      {"launch", {kept_launch("add", 64, 0, m, 5)}},
      {"launches of one kernel with different arguments",
       {kept_launch("add", 64, 0, m, 5), kept_launch("add", 32, 0, m + 16, 7)}},
      {"launch with spilled arguments", {kept_launch("block_4080", 32, 0, Block{{7, 8}}, m, 7)}},
      {"launch with shared memory",
       {kept_launch("reverse", 64, 256, m), kept_launch("add", 64, 0, m, 1)}},
      {"copy", {Copy{m, o + 3, 100}, kept_launch("add", 8, 0, o, 1)}},
      {"copy of ordinary memory, kept", {keep(StagedCopy{m + 1, o, 40})}},
      {"copy of a box", {CopyBox{side(m, 64), side(o + 5, 128), {20, 3, 2}}}},
      {"copy of a box of ordinary memory, kept",
       {keep(StagedCopyBox{side(m, 64), side(o + 5, 128), {20, 3, 2}})}},
      {"fill", {Fill{m + 4, 0xabcd, 2, 10}, kept_launch("add", 64, 0, m, 3)}},
      {"fill of a box", {FillBox{side(m, 64), 0x5a, {20, 3, 2}}}},
      {"function of the host", {HostFunction{count_calls, m}}},
      {"function of the program", {HostFunction{count_calls, m, {}, false}}},
      {"written value", {WriteValue{m + 2, 99, 8}}},
      {"value that is waited for",
       {WriteValue{m, 77, 4},
        keep(WaitValue{m, {hipStreamWaitValueEq, 77, UINT32_MAX}, 4, nullptr})}},
      {"prefetch", {Prefetch{managed, 4096}, WriteValue{m, 1, 4}}},
  };
  Case chain{"all, one after the other", {}};
  for (const Case &one : all)
    chain.operations.insert(chain.operations.end(), one.operations.begin(), one.operations.end());
  all.push_back(std::move(chain));
  return all;
}

void enqueue_all(const StreamTarget &stream, const std::vector<operations::Any> &all) {
  for (const operations::Any &any : all)
    std::visit([&](const auto &operation) { enqueue(stream, operation); }, any);
}

/// Takes what is asked of a stream.
struct TestCapture final : Capture {
  std::vector<operations::Any> taken;
  void *add(const StreamTarget &, operations::Any &&operation) override {
    taken.push_back(std::move(operation));
    return nullptr;
  }
  void add_node(const StreamTarget &, NodeWork &&) override {}
  void invalidate() noexcept override {}
};

} // namespace

TEST_CASE("operations: a recording that runs twice does what its operations do when they are "
          "submitted twice") {
  Device &on = device();
  if (!on.driver().capabilities().append_command_lists)
    SKIP("the driver runs no recorded lists");
  Cells memory, other;
  void *managed = allocate(AllocationKind::managed, 4096, 0);
  InternalQueue queue(on.scheduler());
  const StreamTarget stream{&on, &*queue, false};
  for (const Case &one : cases(memory, other, managed)) {
    INFO(one.name);
    const auto result_of = [&](const std::function<void()> &run) {
      memory.reset();
      other.reset();
      run();
      run();
      queue->finish();
      return std::pair(memory.values(), other.values());
    };
    Recording recording(on.driver(), on.info());
    for (const operations::Any &any : one.operations)
      std::visit(
          [&](const auto &operation) {
            if constexpr (operations::Appendable<std::remove_cvref_t<decltype(operation)>>)
              recording.record(operation);
            else
              FAIL("an operation that cannot be recorded");
          },
          any);
    recording.close();
    const auto replayed = result_of([&] { queue->submit(recording); });
    const auto submitted = result_of([&] { enqueue_all(stream, one.operations); });
    CHECK(replayed == submitted);
    if (executes())
      CHECK(submitted != std::pair(Cells().values(), Cells().values()));
  }
  free_allocation(managed);
}

TEST_CASE("operations: a recording takes more arguments than an arena may have in flight") {
  Device &on = device();
  if (!on.driver().capabilities().append_command_lists)
    SKIP("the driver runs no recorded lists");
  Cells memory;
  InternalQueue queue(on.scheduler());
  Recording recording(on.driver(), on.info());
  const int launches = int(SpillArena::limit / sizeof(Block)) + 10;
  Block block;
  for (int i = 0; i < launches; ++i) {
    std::iota(std::begin(block.words), std::end(block.words),
              i); // what the kernel expects, by launch
    recording.record(kept_launch("block_4080", 32, 0, block, memory.data, i));
  }
  recording.close();
  queue->submit(recording);
  queue->finish();
  CHECK(memory.data[0] == 0); // no wrong word
}

TEST_CASE("operations: a kept launch owns its arguments, which can be compared and changed") {
  Cells memory;
  int *pointer = memory.data, value = 5;
  void *arguments[] = {&pointer, &value};
  const operations::Launch borrowed{
      module().kernel("add"), {.groups = {1, 1, 1}, .group_size = {64, 1, 1}}, arguments};
  const operations::KeptLaunch kept = operations::keep(borrowed);
  operations::KeptLaunch changed = kept;
  CHECK(changed == kept);
  value = 6;
  CHECK(*static_cast<const int *>(kept.arguments()[1]) == 5);
  changed = operations::KeptLaunch(kept.kernel(), kept.shape, arguments);
  CHECK(changed != kept);
  CHECK(changed == operations::keep(borrowed));
  changed = kept;
  changed.shape.groups.groupCountX = 2;
  CHECK(changed != kept);

  InternalQueue queue(device().scheduler());
  value = 1000;
  queue->submit(kept);
  queue->finish();
  if (executes())
    CHECK(memory.data[0] == 5);
}

TEST_CASE("operations: two are equal if nothing of them differs") {
  using namespace operations;
  Cells memory;
  Event *const events[] = {create_event(0), create_event(0)};
  const auto owner = std::make_shared<int>();
  // Each differs from the first of its kind in one thing.
  const auto all = [&] {
    int *const m = memory.data;
    const KeptLaunch launch = kept_launch("add", 64, 0, m, 5);
    std::vector<Any> made{launch, kept_launch("append_digit", 64, 0, m, 5),
                          kept_launch("add", 64, 0, m + 1, 5), kept_launch("add", 64, 0, m, 6)};
    const auto with_shape = [&](const std::function<void(LaunchShape &)> &change) {
      KeptLaunch changed = launch;
      change(changed.shape);
      made.push_back(changed);
    };
    with_shape([](LaunchShape &shape) { shape.groups.groupCountX = 2; });
    with_shape([](LaunchShape &shape) { shape.groups.groupCountY = 2; });
    with_shape([](LaunchShape &shape) { shape.groups.groupCountZ = 2; });
    with_shape([](LaunchShape &shape) { shape.group_size.groupSizeX = 2; });
    with_shape([](LaunchShape &shape) { shape.group_size.groupSizeY = 2; });
    with_shape([](LaunchShape &shape) { shape.group_size.groupSizeZ = 2; });
    with_shape([](LaunchShape &shape) { shape.dynamic_local_bytes = 2; });
    with_shape([](LaunchShape &shape) { shape.cooperative = true; });
    const ValueCondition condition{hipStreamWaitValueEq, 1, UINT32_MAX};
    const auto add = [&](auto... operations) { (made.push_back(keep(operations)), ...); };
    add(Copy{m, m, 4}, Copy{m + 1, m, 4}, Copy{m, m + 1, 4}, Copy{m, m, 8});
    add(Fill{m, 1, 2, 8}, Fill{m + 1, 1, 2, 8}, Fill{m, 2, 2, 8}, Fill{m, 1, 4, 8},
        Fill{m, 1, 2, 4});
    add(HostFunction{count_calls, m}, HostFunction{std::free, m}, HostFunction{count_calls, m + 1},
        HostFunction{count_calls, m, owner}, HostFunction{count_calls, m, {}, false});
    add(WriteValue{m, 1, 4}, WriteValue{m + 1, 1, 4}, WriteValue{m, 2, 4}, WriteValue{m, 1, 8});
    add(WaitValue{m, condition, 4, nullptr}, WaitValue{m + 1, condition, 4, nullptr},
        WaitValue{m, {hipStreamWaitValueGte, 1, UINT32_MAX}, 4, nullptr},
        WaitValue{m, {hipStreamWaitValueEq, 2, UINT32_MAX}, 4, nullptr},
        WaitValue{m, {hipStreamWaitValueEq, 1, 1}, 4, nullptr}, WaitValue{m, condition, 8, nullptr},
        WaitValue{m, condition, 4, &device()});
    add(RecordEvent{events[0]}, RecordEvent{events[1]}, WaitEvent{events[0]}, WaitEvent{events[1]});
    return made;
  };
  const std::vector<Any> first = all(), second = all();
  for (size_t i = 0; i < first.size(); ++i)
    for (size_t j = 0; j < second.size(); ++j) {
      INFO(i << " and " << j);
      CHECK((first[i] == second[j]) == (i == j));
    }
  for (Event *event : events)
    destroy_event(event);
}

TEST_CASE("operations: a kept launch outlives the handle of its module") {
  Cells memory;
  hipModule_t loaded = (device(), load_module_file(TEST_KERNELS));
  Kernel &kernel = find_module(loaded)->kernel("add");
  int *pointer = memory.data, value = 3;
  void *arguments[] = {&pointer, &value};
  const operations::KeptLaunch kept = operations::keep(
      operations::Launch{kernel, {.groups = {1, 1, 1}, .group_size = {64, 1, 1}}, arguments});
  unload_module(loaded);
  ModuleCache::instance().clear(); // where modules stay built for later loads
  InternalQueue queue(device().scheduler());
  queue->submit(kept);
  queue->finish();
  if (executes())
    CHECK(memory.data[1] == 4);
}

TEST_CASE("operations: an event that a kept operation names does not become another event") {
  device();
  Event *event = create_event(hipEventDisableTiming);
  {
    const operations::KeptRecordEvent kept = operations::keep(operations::RecordEvent{event});
    const operations::KeptRecordEvent copy = kept;
    CHECK(copy == kept);
    destroy_event(event);
    Event *other = create_event(hipEventDisableTiming);
    CHECK(other != event);
    destroy_event(other);
    InternalQueue queue(device().scheduler());
    enqueue(StreamTarget{&device(), &*queue, false}, kept); // harmless
    queue->finish();
  }
  // With the last of them it may.
  Event *again = create_event(hipEventDisableTiming);
  CHECK(again == event);
  CHECK(query(*again));
  destroy_event(again);
}

TEST_CASE(
    "operations: what is asked of a captured stream goes to the capture, and does the same later") {
  Device &on = device();
  Cells memory, other;
  Stream *stream = create_stream(hipStreamNonBlocking, 0);
  Event *event = create_event(hipEventDisableTiming);
  TestCapture capture;
  stream->capture = &capture;
  const StreamTarget captured = resolve(stream);
  const uint64_t submitted = stream->queue->submitted();
  std::array<int, 4> ordinary{7, 7, 7, 7};
  int *pointer = memory.data, value = 5;
  void *arguments[] = {&pointer, &value};

  launch(module().kernel("add"), {{1, 1, 1}, {64, 1, 1}}, captured, arguments);
  copy_memory(memory.data + 64, other.data, 64, hipMemcpyDefault, captured, Completion::async);
  copy_memory(memory.data + 128, ordinary.data(), sizeof ordinary, hipMemcpyDefault, captured,
              Completion::async);
  fill_memory(memory.data + 256, 1, 4, 16, captured, Completion::async);
  copy_box(side(memory.data + 300, 64), side(other.data, 128), {20, 3, 2}, hipMemcpyDefault,
           captured, Completion::async);
  fill_box(side(memory.data + 600, 64), 9, {20, 3, 2}, captured, Completion::async);
  write_value(captured, memory.data + 900, 17, 4);
  wait_value(captured, memory.data + 900, {hipStreamWaitValueEq, 17, UINT32_MAX}, 4);
  append_host_function(captured, HostFunctionOf::program, count_calls, memory.data + 1000);
  record(*event, captured);
  wait(captured, *event);
  CHECK(allocate_in_order(captured, on.default_pool(), 256) == nullptr);
  CHECK(capture.taken.size() == 12);
  CHECK(stream->queue->submitted() == submitted);
  CHECK(memory.values() == Cells().values());

  value = 0;
  stream->capture = nullptr;
  capture.taken.pop_back();
  enqueue_all(resolve(stream), capture.taken);
  synchronize(resolve(stream));
  if (executes()) {
    CHECK(memory.data[0] == 5);
    CHECK(memory.data[64] == 0);
    CHECK(memory.data[128] == 7);
    CHECK(memory.data[256] == 1);
    CHECK(memory.data[301] == 1);
    CHECK(memory.data[600] == 0x09090909);
    CHECK(memory.data[900] == 17);
    CHECK(memory.data[1000] == 1001);
  }
  capture.taken.clear();
  destroy_event(event);
  destroy_stream(stream);
  CHECK(on.scheduler().is_idle());
}
