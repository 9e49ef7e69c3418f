// Changes of graphs that are executable already.
#include "captures.h"
#include "executable.h"

#include <cstring>

using namespace fixture;

namespace {

void add_one(void *value) { ++*static_cast<int *>(value); }
void add_ten(void *value) { *static_cast<int *>(value) += 10; }

struct UpdateResult {
  hipError_t error;
  hipGraphExecUpdateResult result;
  hipGraphNode_t node;
};

UpdateResult update(hipGraphExec_t exec, hipGraph_t graph) {
  UpdateResult found{};
  found.node = hipGraphNode_t(&found); // to be set in any case
  found.error = hipGraphExecUpdate(exec, graph, &found.node, &found.result);
  return found;
}

} // namespace

TEST_CASE("hip graph exec update: each kind of node can change, for later launches only",
          "[results]") {
  HostMemory<unsigned char> bytes(256);
  HostMemory<long long> digits(2);
  HostMemory<int> numbers(2);
  HostMemory<uint32_t> words(2);
  const Event first_event, second_event;
  const Graph graph, child;
  add_digit(child, &digits[1], 1);
  const hipGraphNode_t kernel = add_digit(graph, &digits[0], 1), empty = add_empty(graph);
  const hipGraphNode_t fill = add_fill(graph, bytes.get(), 16, 1);
  const hipGraphNode_t copy = add_copy(graph, &bytes[32], &bytes[64], 16);
  const hipGraphNode_t host = add_host(graph, add_one, &numbers[0]);
  const hipGraphNode_t child_node = add_child(graph, child);
  hipStreamBatchMemOpParams write{};
  write.writeValue = {hipStreamMemOpWriteValue32, &words[0], {41}, 0, nullptr};
  hipBatchMemOpNodeParams batch{nullptr, 1, &write, 0};
  hipGraphNode_t batch_node = nullptr, record = nullptr, wait = nullptr;
  REQUIRE_HIP(hipGraphAddBatchMemOpNode(&batch_node, graph, nullptr, 0, &batch));
  REQUIRE_HIP(hipGraphAddEventRecordNode(&record, graph, &kernel, 1, first_event));
  REQUIRE_HIP(hipGraphAddEventWaitNode(&wait, graph, nullptr, 0, first_event));
  std::memset(&bytes[64], 2, 16);
  std::memset(&bytes[96], 3, 16);
  const Executable exec(graph), unchanged(graph);
  exec.run();
  CHECK(digits[0] == 1);
  CHECK(digits[1] == 1);
  CHECK(bytes[0] == 1);
  CHECK(bytes[32] == 2);
  CHECK(numbers[0] == 1);
  CHECK(words[0] == 41);

  const Graph other_child;
  add_digit(other_child, &digits[1], 2);
  const hipMemsetParams new_fill = bytes_of(&bytes[128], 16, 4);
  const hipHostNodeParams new_host{add_ten, &numbers[1]};
  write.writeValue = {hipStreamMemOpWriteValue32, &words[1], {42}, 0, nullptr};
  const auto change = [&](hipGraphExec_t target) {
    set_digit(target, kernel, &digits[0], 2);
    REQUIRE_HIP(hipGraphExecMemsetNodeSetParams(target, fill, &new_fill));
    REQUIRE_HIP(hipGraphExecMemcpyNodeSetParams1D(target, copy, &bytes[160], &bytes[96], 8,
                                                  hipMemcpyDefault));
    REQUIRE_HIP(hipGraphExecHostNodeSetParams(target, host, &new_host));
    REQUIRE_HIP(hipGraphExecChildGraphNodeSetParams(target, child_node, other_child));
    REQUIRE_HIP(hipGraphExecBatchMemOpNodeSetParams(target, batch_node, &batch));
    REQUIRE_HIP(hipGraphExecEventRecordNodeSetEvent(target, record, second_event));
    REQUIRE_HIP(hipGraphExecEventWaitNodeSetEvent(target, wait, second_event));
  };
  Gate gate;
  REQUIRE_HIP(hipLaunchHostFunc(nullptr, Gate::pass, &gate));
  REQUIRE_HIP(hipGraphLaunch(exec, nullptr)); // with the old parameters
  change(exec);
  gate.open();
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(digits[0] == 11);
  CHECK(numbers[0] == 2);
  CHECK(bytes[128] == 0);
  words[0] = words[1] = 0;
  exec.run();
  CHECK(digits[0] == 112);
  CHECK(digits[1] == 112);
  CHECK(bytes[128] == 4);
  CHECK(bytes[143] == 4);
  CHECK(bytes[160] == 3);
  CHECK(bytes[168] == 0);
  CHECK(numbers[0] == 2);
  CHECK(numbers[1] == 10);
  CHECK(words[0] == 0);
  CHECK(words[1] == 42);
  REQUIRE_HIP(hipEventSynchronize(second_event));
  unchanged.run();
  CHECK(digits[0] == 1121);
  CHECK(numbers[0] == 3);
  CHECK(words[0] == 41);

  // The same by the function for any node.
  hipGraphNodeParams params{};
  params.type = hipGraphNodeTypeHost;
  params.host = {add_one, &numbers[1]};
  REQUIRE_HIP(hipGraphExecNodeSetParams(exec, host, &params));
  CHECK(hipGraphExecNodeSetParams(exec, kernel, &params) == hipErrorInvalidValue);
  CHECK(hipGraphExecNodeSetParams(exec, host, nullptr) == hipErrorInvalidValue);
  params = {};
  params.type = hipGraphNodeTypeEmpty;
  CHECK(hipGraphExecNodeSetParams(exec, empty, &params) == hipErrorNotSupported);
  exec.run();
  CHECK(numbers[1] == 11);
}

TEST_CASE("hip graph exec update: nodes of a graph in the graph change as well", "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph, child, inner;
  add_digit(inner, memory.get(), 1);
  const hipGraphNode_t in_child = add_child(child, inner);
  const hipGraphNode_t node = add_child(graph, child);
  (void)in_child;
  hipGraph_t own_child = nullptr, own_inner = nullptr;
  REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &own_child));
  hipGraphNode_t found = nullptr;
  size_t count = 1;
  REQUIRE_HIP(hipGraphGetNodes(own_child, &found, &count));
  REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(found, &own_inner));
  hipGraphNode_t kernel = nullptr;
  REQUIRE_HIP(hipGraphGetNodes(own_inner, &kernel, &count));
  const Executable exec(graph);
  set_digit(exec, kernel, memory.get(), 5);
  exec.run();
  CHECK(*memory.get() == 5);
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, kernel, 0));
  exec.run();
  CHECK(*memory.get() == 5);
  const Graph other;
  const Graph other_child;
  add_digit(other, memory.get(), 6);
  add_child(other_child, other);
  REQUIRE_HIP(hipGraphExecChildGraphNodeSetParams(exec, node, other_child));
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, kernel, 1));
  exec.run();
  CHECK(*memory.get() == 56);
}

TEST_CASE(
    "hip graph exec update: what is not valid or not possible is refused, and changes nothing") {
  HostMemory<unsigned char> bytes(64);
  HostMemory<long long> digits(1);
  const DeviceMemory device(64);
  const Event event;
  const Graph graph, other, child;
  const hipGraphNode_t kernel = add_digit(graph, digits.get(), 1),
                       foreign = add_digit(other, digits.get(), 1);
  const hipGraphNode_t fill = add_fill(graph, bytes.get(), 16, 1);
  const hipGraphNode_t host = add_host(graph, add_one, digits.get());
  const hipGraphNode_t empty = add_empty(graph);
  const hipGraphNode_t child_node = add_child(graph, child);
  hipGraphNode_t copy = nullptr, rows = nullptr, box = nullptr;
  REQUIRE_HIP(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, device, bytes.get(), 64,
                                      hipMemcpyHostToDevice));
  hipMemsetParams fill_rows = fill_of(device);
  REQUIRE_HIP(hipGraphAddMemsetNode(&rows, graph, nullptr, 0, &fill_rows));
  const DeviceMemory from(1024), to(4096);
  hipMemcpy3DParms box_params = box_copy(to, from);
  REQUIRE_HIP(hipGraphAddMemcpyNode(&box, graph, nullptr, 0, &box_params));
  const Executable exec(graph);
  const hipGraphNode_t late = add_digit(graph, digits.get(), 1);
  const Digit good(digits.get(), 2);
  const auto invalid = hipErrorInvalidValue;

  CHECK(hipGraphExecKernelNodeSetParams(nullptr, kernel, &good.params) == invalid);
  CHECK(hipGraphExecKernelNodeSetParams(exec, nullptr, &good.params) == invalid);
  CHECK(hipGraphExecKernelNodeSetParams(exec, kernel, nullptr) == invalid);
  CHECK(hipGraphExecKernelNodeSetParams(exec, empty, &good.params) == invalid);
  CHECK(hipGraphExecKernelNodeSetParams(exec, foreign, &good.params) == invalid);
  CHECK(hipGraphExecKernelNodeSetParams(exec, late, &good.params) == invalid);
  hipKernelNodeParams bad = good.params;
  bad.gridDim = dim3(0);
  CHECK(hipGraphExecKernelNodeSetParams(exec, kernel, &bad) == invalid);

  const hipMemsetParams new_fill = bytes_of(bytes.get(), 8, 2);
  CHECK(hipGraphExecMemsetNodeSetParams(exec, copy, &new_fill) == invalid);
  CHECK(hipGraphExecMemsetNodeSetParams(exec, fill, nullptr) == invalid);
  CHECK(hipGraphExecMemsetNodeSetParams(exec, fill, &fill_rows) == invalid);
  CHECK(hipGraphExecMemsetNodeSetParams(exec, rows, &fill_rows) == hipSuccess);
  fill_rows.width = 3;
  CHECK(hipGraphExecMemsetNodeSetParams(exec, rows, &fill_rows) == invalid);

  const auto set_copy = [&](void *dst, const void *src, size_t count, hipMemcpyKind kind) {
    return hipGraphExecMemcpyNodeSetParams1D(exec, copy, dst, src, count, kind);
  };
  CHECK(set_copy(device, bytes.get(), 0, hipMemcpyHostToDevice) == invalid);
  CHECK(set_copy(nullptr, bytes.get(), 8, hipMemcpyHostToDevice) == invalid);
  CHECK(set_copy(device, bytes.get(), 65, hipMemcpyHostToDevice) == invalid);
  CHECK(set_copy(device, bytes.get(), 8, hipMemcpyDefault) == invalid);
  CHECK(set_copy(bytes.get(), device, 8, hipMemcpyDeviceToHost) == invalid);
  CHECK(set_copy(device, from, 8, hipMemcpyHostToDevice) == invalid);
  CHECK(set_copy(from, from, 8, hipMemcpyHostToDevice) == invalid);
  CHECK(set_copy(from, bytes.get(), 8, hipMemcpyHostToDevice) == hipSuccess);
  char pageable[8] = {};
  CHECK(set_copy(from, pageable, 8, hipMemcpyHostToDevice) == hipSuccess);
  CHECK(hipGraphExecMemcpyNodeSetParams(exec, box, nullptr) == invalid);
  CHECK(hipGraphExecMemcpyNodeSetParams(exec, box, &box_params) == hipSuccess);
  hipMemcpy3DParms short_rows = box_params;
  short_rows.srcPtr.pitch = box_params.extent.width - 1;
  CHECK(hipGraphExecMemcpyNodeSetParams(exec, box, &short_rows) == hipErrorInvalidPitchValue);
  box_params.srcPtr.ptr = short_rows.srcPtr.ptr = pageable;
  CHECK(hipGraphExecMemcpyNodeSetParams(exec, box, &box_params) == invalid);
  CHECK(hipGraphExecMemcpyNodeSetParams(exec, box, &short_rows) == invalid);

  const hipHostNodeParams no_host{nullptr, nullptr};
  CHECK(hipGraphExecHostNodeSetParams(exec, host, nullptr) == invalid);
  CHECK(hipGraphExecHostNodeSetParams(exec, host, &no_host) == invalid);
  CHECK(hipGraphExecEventRecordNodeSetEvent(exec, empty, event) == invalid);
  CHECK(hipGraphExecEventWaitNodeSetEvent(exec, empty, event) == invalid);
  CHECK(hipGraphExecChildGraphNodeSetParams(exec, child_node, nullptr) == invalid);
  CHECK(hipGraphExecChildGraphNodeSetParams(exec, empty, child) == invalid);
  CHECK(hipGraphExecChildGraphNodeSetParams(exec, child_node, other) ==
        hipErrorGraphExecUpdateFailure);

  unsigned enabled = 7;
  CHECK(hipGraphNodeSetEnabled(nullptr, kernel, 0) == invalid);
  CHECK(hipGraphNodeSetEnabled(exec, nullptr, 0) == invalid);
  for (const hipGraphNode_t node : {host, empty, child_node, foreign, late}) {
    CHECK(hipGraphNodeSetEnabled(exec, node, 0) == invalid);
    CHECK(hipGraphNodeGetEnabled(exec, node, &enabled) == invalid);
  }
  CHECK(hipGraphNodeGetEnabled(exec, kernel, nullptr) == invalid);
  CHECK(enabled == 7);
  for (const hipGraphNode_t node : {kernel, fill, copy})
    for (const unsigned value : {0, 1}) {
      REQUIRE_HIP(hipGraphNodeSetEnabled(exec, node, value));
      REQUIRE_HIP(hipGraphNodeGetEnabled(exec, node, &enabled));
      CHECK(enabled == value);
    }
}

TEST_CASE("hip graph exec update: the copy that a capture made takes the kind of its call") {
  HostMemory<unsigned char> bytes(64);
  const DeviceMemory device(64);
  const Streams streams(1);
  StreamCapture capture(streams[0]);
  REQUIRE_HIP(hipMemcpyAsync(device, bytes.get(), 8, hipMemcpyHostToDevice, streams[0]));
  const hipGraphNode_t copy = nodes_of(capture.end())[0];
  const Executable exec(capture.graph());
  const auto set_copy = [&](hipMemcpyKind kind) {
    return hipGraphExecMemcpyNodeSetParams1D(exec, copy, device, &bytes[8], 8, kind);
  };
  CHECK(set_copy(hipMemcpyHostToDevice) == hipSuccess);
  CHECK(set_copy(hipMemcpyDeviceToDevice) == hipErrorInvalidValue);
  CHECK(set_copy(hipMemcpyDefault) == hipErrorInvalidValue);
}

TEST_CASE("hip graph exec update: a copy changes though its memory has been freed since") {
  HostMemory<unsigned char> bytes(64);
  auto old = std::make_unique<DeviceMemory>(64);
  const DeviceMemory next(64), other(64);
  bool is_destination = true;
  SECTION("to it") {}
  SECTION("from it") { is_destination = false; }
  const auto kind = is_destination ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
  const auto add = [&](hipGraph_t graph, void *device) {
    void *const to = is_destination ? device : bytes.get();
    void *const from = is_destination ? bytes.get() : device;
    hipGraphNode_t node = nullptr;
    REQUIRE_HIP(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, to, from, 64, kind));
    return node;
  };
  const Graph graph, changed;
  const hipGraphNode_t node = add(graph, *old);
  const hipGraphNode_t replacement = add(changed, next);
  const Executable by_graph(graph), by_parameters(graph);
  by_graph.run();
  old.reset();
  CHECK(update(by_graph, changed).error == hipSuccess);
  hipMemcpy3DParms params{};
  REQUIRE_HIP(hipGraphMemcpyNodeGetParams(replacement, &params));
  CHECK(hipGraphExecMemcpyNodeSetParams(by_parameters, node, &params) == hipSuccess);
  (is_destination ? params.srcPtr : params.dstPtr).ptr = other;
  CHECK(hipGraphExecMemcpyNodeSetParams(by_parameters, node, &params) == hipErrorInvalidValue);
  HIP_MEMCPY3D described{};
  REQUIRE_HIP(hipDrvGraphMemcpyNodeGetParams(node, &described));
  CHECK((is_destination ? described.dstMemoryType : described.srcMemoryType) ==
        hipMemoryTypeDevice);
  by_graph.run();
  by_parameters.run();
}

TEST_CASE("hip graph exec update: a node that is not enabled is skipped, and the order stays",
          "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph;
  const hipGraphNode_t first = add_digit(graph, memory.get(), 1);
  const hipGraphNode_t middle = add_digit(graph, memory.get(), 2, {first});
  const hipGraphNode_t last = add_digit(graph, memory.get(), 3, {middle});
  const Executable exec(graph);
  const auto run = [&] {
    *memory.get() = 0;
    exec.run();
    return *memory.get();
  };
  CHECK(run() == 123);
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, middle, 0));
  CHECK(run() == 13);
  set_digit(exec, middle, memory.get(), 5);
  CHECK(run() == 13);
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, first, 0));
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, last, 0));
  CHECK(run() == 0);
  REQUIRE_HIP(hipGraphNodeSetEnabled(exec, middle, 1));
  CHECK(run() == 5);
}

TEST_CASE("hip graph exec update: a graph of the same shape gives all its parameters",
          "[results]") {
  HostMemory<long long> memory(1);
  const auto make = [&](hipGraph_t graph, hipGraph_t child, int base) {
    const hipGraphNode_t first = add_digit(graph, memory.get(), base);
    add_digit(child, memory.get(), base + 1);
    const hipGraphNode_t middle = add_child(graph, child, {first});
    add_digit(graph, memory.get(), base + 2, {middle, first});
  };
  const Graph graph, child, other, other_child;
  make(graph, child, 1);
  make(other, other_child, 4);
  const Executable exec(graph);
  exec.run();
  CHECK(*memory.get() == 123);
  const UpdateResult done = update(exec, other);
  CHECK(done.error == hipSuccess);
  CHECK(done.result == hipGraphExecUpdateSuccess);
  CHECK(done.node == nullptr);
  exec.run();
  CHECK(*memory.get() == 123456);
  hipGraph_t clone = nullptr;
  REQUIRE_HIP(hipGraphClone(&clone, graph));
  CHECK(update(exec, clone).error == hipSuccess);
  REQUIRE_HIP(hipGraphDestroy(clone));
  *memory.get() = 0;
  exec.run();
  CHECK(*memory.get() == 123);
}

TEST_CASE("hip graph exec update: a graph that differs in more is refused with the reason and the "
          "node, and nothing changes") {
  HostMemory<unsigned char> bytes(64);
  HostMemory<long long> digits(1);
  const DeviceMemory device(64);
  const Graph graph, other, child;
  const auto add_parameters = [&](hipGraph_t to, int digit) {
    const hipGraphNode_t kernel = add_digit(to, digits.get(), digit);
    hipGraphNode_t copy = nullptr;
    REQUIRE_HIP(hipGraphAddMemcpyNode1D(&copy, to, &kernel, 1, device, bytes.get(), 64,
                                        hipMemcpyHostToDevice));
    return Nodes{kernel, copy, add_child(to, child, {copy})};
  };
  const Nodes nodes = add_parameters(graph, 1);
  const Executable exec(graph);
  const auto check = [&](hipGraphExecUpdateResult result, hipGraphNode_t node) {
    const UpdateResult found = update(exec, other);
    CHECK(found.error == hipErrorGraphExecUpdateFailure);
    CHECK(found.result == result);
    CHECK(found.node == node);
  };
  hipGraphNode_t node = nullptr;
  hipGraphExecUpdateResult result{};
  CHECK(hipGraphExecUpdate(nullptr, graph, &node, &result) == hipErrorInvalidValue);
  CHECK(hipGraphExecUpdate(exec, nullptr, &node, &result) == hipErrorInvalidValue);
  CHECK(hipGraphExecUpdate(exec, graph, nullptr, &result) == hipErrorInvalidValue);
  CHECK(hipGraphExecUpdate(exec, graph, &node, nullptr) == hipErrorInvalidValue);
  SECTION("the number of nodes") {
    add_parameters(other, 2);
    add_empty(other);
    check(hipGraphExecUpdateErrorTopologyChanged, nullptr);
  }
  SECTION("the kind of a node") {
    const hipGraphNode_t kernel = add_digit(other, digits.get(), 2);
    const hipGraphNode_t fill = add_fill(other, device, 8, 1, {kernel});
    add_child(other, child, {fill});
    check(hipGraphExecUpdateErrorNodeTypeChanged, fill);
  }
  SECTION("edges") {
    const Nodes made = add_parameters(other, 2);
    REQUIRE_HIP(hipGraphAddDependencies(other, &made[0], &made[2], 1));
    check(hipGraphExecUpdateErrorTopologyChanged, made[2]);
  }
  SECTION("a parameter that cannot change") {
    const Nodes made = add_parameters(other, 2);
    REQUIRE_HIP(
        hipGraphMemcpyNodeSetParams1D(made[1], bytes.get(), device, 64, hipMemcpyDeviceToHost));
    check(hipGraphExecUpdateErrorParametersChanged, made[1]);
  }
  SECTION("a graph in the graph") {
    const Nodes made = add_parameters(other, 2);
    hipGraph_t inner = nullptr;
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(made[2], &inner));
    add_empty(inner);
    check(hipGraphExecUpdateErrorTopologyChanged, made[2]);
  }
  SECTION("memory of its own") {
    const auto add_allocation = [](hipGraph_t to) {
      hipMemAllocNodeParams params = allocation_of(64);
      hipGraphNode_t made = nullptr;
      REQUIRE_HIP(hipGraphAddMemAllocNode(&made, to, nullptr, 0, &params));
      return made;
    };
    const Graph first, second;
    add_allocation(first);
    const hipGraphNode_t made = add_allocation(second);
    const Executable owner(first);
    CHECK(update(owner, first).error == hipSuccess);
    const UpdateResult found = update(owner, second);
    CHECK(found.result == hipGraphExecUpdateErrorNotSupported);
    CHECK(found.node == made);
  }
  REQUIRE_HIP(hipGraphLaunch(exec, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  if (!std::getenv("ProductFamilyOverride"))
    CHECK(*digits.get() == 1);
}

TEST_CASE("hip graph exec update: the device of a node stays", "[multidevice]") {
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count >= 2);
  const DeviceMemory here(64);
  REQUIRE_HIP(hipSetDevice(1));
  const DeviceMemory there(64);
  const Graph graph, other;
  const hipGraphNode_t elsewhere = add_fill(other, there, 8, 1);
  REQUIRE_HIP(hipSetDevice(0));
  const hipGraphNode_t fill = add_fill(graph, here, 64, 7);
  const Executable exec(graph);
  const hipMemsetParams changed = bytes_of(there, 8, 1);
  CHECK(hipGraphExecMemsetNodeSetParams(exec, fill, &changed) == hipErrorInvalidValue);
  const UpdateResult found = update(exec, other);
  CHECK(found.result == hipGraphExecUpdateErrorParametersChanged);
  CHECK(found.node == elsewhere);
}

TEST_CASE("hip graph exec: nodes run on the devices that they were made for, in streams of any",
          "[multidevice]") {
  REQUIRE_HIP(hipSetDevice(1));
  const Streams there(1);
  const DeviceMemory second(64);
  REQUIRE_HIP(hipSetDevice(0));
  const Streams here(1);
  const DeviceMemory first(64);
  HostMemory<unsigned char> result(64);
  const Graph graph;
  const hipGraphNode_t one = add_fill(graph, first, 64, 1);
  REQUIRE_HIP(hipSetDevice(1));
  const hipGraphNode_t two = add_copy(graph, second, first, 64, {one});
  const hipGraphNode_t three = add_fill(graph, second.at(32), 32, 3, {two});
  REQUIRE_HIP(hipSetDevice(0));
  add_copy(graph, result.get(), second, 64, {three});
  const Executable exec(graph);
  for (const hipStream_t stream : {here[0], there[0], here[0]}) {
    std::memset(result.get(), 0, 64);
    exec.run(stream);
    CHECK(result[0] == 1);
    CHECK(result[63] == 3);
  }
}

TEST_CASE(
    "hip graph exec update: the arguments that a program was shown stay when the node gets others",
    "[results]") {
  HostMemory<long long> memory(1);
  const Graph graph;
  const hipGraphNode_t node = add_digit(graph, memory.get(), 3);
  hipKernelNodeParams shown{};
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &shown));
  {
    const Executable exec(graph); // which has the work of the node in common with it
    hipKernelNodeAttrValue value{};
    REQUIRE_HIP(hipGraphKernelNodeSetAttribute(node, hipLaunchAttributePriority, &value));
    const Digit other(memory.get(), 5);
    REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &other.params));
    exec.run();
  }
  CHECK(memory[0] == 3);
  CHECK(*static_cast<int *>(shown.kernelParams[1]) == 3);
  Executable(graph).run();
  CHECK(memory[0] == 35);
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &shown));
  Executable(graph).run();
  CHECK(memory[0] == 353);
}
