// Nodes of graphs but those of memory: their parameters come back as they were given, and what is not valid is refused.
#include "nodes.h"

#include <climits>
#include <functional>
#include <utility>

using namespace fixture;

namespace {

struct Mixed { // as the kernel has it
  char c;
  double d;
  short s;
};

/// A launch of a kernel of the test module, with its arguments.
struct Launch {
  char a = 1;
  long long b = 2;
  Mixed m{3, 4, 5};
  float *out = nullptr;
  void *arguments[4] = {&a, &b, &m, &out};
  hipKernelNodeParams params{};

  explicit Launch(const char *kernel = "mixed") {
    params.func = reinterpret_cast<void *>(function(kernel));
    params.gridDim = dim3(2, 3, 4);
    params.blockDim = dim3(8, 2, 1);
    params.sharedMemBytes = 16;
    params.kernelParams = arguments;
  }
  Launch(const Launch &) = delete;
};

void do_nothing(void *) {}

using Add = std::function<hipError_t(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t)>;

/// What all functions that add nodes refuse.
void refuses_bad_places(const char *name, const Add &add) {
  INFO(name);
  const Graph graph, other;
  const hipGraphNode_t own = add_empty(graph), foreign = add_empty(other), gone = add_empty(graph);
  REQUIRE_HIP(hipGraphDestroyNode(gone));
  hipGraph_t destroyed = nullptr;
  REQUIRE_HIP(hipGraphCreate(&destroyed, 0));
  REQUIRE_HIP(hipGraphDestroy(destroyed));
  hipGraphNode_t node = nullptr;
  const hipGraphNode_t twice[] = {own, own};
  CHECK(add(nullptr, graph, nullptr, 0) == hipErrorInvalidValue);
  CHECK(add(&node, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(add(&node, destroyed, nullptr, 0) == hipErrorInvalidValue);
  CHECK(add(&node, graph, nullptr, 1) == hipErrorInvalidValue);
  CHECK(add(&node, graph, &foreign, 1) == hipErrorInvalidValue);
  CHECK(add(&node, graph, &gone, 1) == hipErrorInvalidValue);
  CHECK(add(&node, graph, &own, INT_MAX) == hipErrorInvalidValue);
  add_empty(graph); // so that the number of dependencies alone is no reason
  CHECK(add(&node, graph, twice, 2) == hipErrorInvalidValue);
  CHECK(node == nullptr);
  CHECK(graph.size() == 2);
  REQUIRE_HIP(add(&node, graph, &own, 1));
  CHECK(graph.size() == 3);
}

} // namespace

TEST_CASE("hip graph node: a kernel's launch is refused where it is not valid") {
  const Graph graph;
  hipGraphNode_t node = nullptr;
  Launch good;
  REQUIRE_HIP(hipGraphAddKernelNode(&node, graph, nullptr, 0, &good.params));
  const auto check = [&](hipError_t expected, const hipKernelNodeParams *params) {
    hipGraphNode_t other = nullptr;
    CHECK(hipGraphAddKernelNode(&other, graph, nullptr, 0, params) == expected);
    CHECK(other == nullptr);
    CHECK(hipGraphKernelNodeSetParams(node, params) == expected);
  };
  const auto with = [&](hipError_t expected, const std::function<void(Launch &)> &change) {
    Launch bad;
    change(bad);
    check(expected, &bad.params);
  };
  check(hipErrorInvalidValue, nullptr);
  with(hipErrorInvalidDeviceFunction, [](Launch &l) { l.params.func = nullptr; });
  with(hipErrorInvalidDeviceFunction, [](Launch &l) { l.params.func = &l; });
  with(hipErrorInvalidValue, [](Launch &l) { l.params.kernelParams = nullptr; });
  with(hipErrorInvalidValue, [](Launch &l) { l.params.extra = l.arguments; });
  with(hipErrorInvalidValue, [](Launch &l) { l.params.gridDim = dim3(0); });
  with(hipErrorInvalidValue, [](Launch &l) { l.params.blockDim = dim3(0); });
  with(hipErrorInvalidValue, [](Launch &l) { l.params.sharedMemBytes = 1u << 30; });
  with(hipErrorInvalidConfiguration, [](Launch &l) { l.params.blockDim = dim3(1 << 20); });
  Launch bounded("bounded");
  bounded.params.blockDim = dim3(65);
  check(hipErrorInvalidConfiguration, &bounded.params);
  const hipGraphNode_t empty = add_empty(graph);
  hipKernelNodeParams found{};
  CHECK(hipGraphKernelNodeGetParams(empty, &found) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeSetParams(empty, &good.params) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeGetParams(node, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &found));
  CHECK(found.gridDim.x == 2);
}

TEST_CASE("hip graph node: a kernel has attributes, which outlive changes of its launch") {
  const Graph graph;
  Launch launch("nothing");
  hipGraphNode_t node = nullptr, other = nullptr;
  REQUIRE_HIP(hipGraphAddKernelNode(&node, graph, nullptr, 0, &launch.params));
  REQUIRE_HIP(hipGraphAddKernelNode(&other, graph, nullptr, 0, &launch.params));
  const hipGraphNode_t empty = add_empty(graph);
  const auto priority = hipKernelNodeAttributePriority;
  const auto window = hipKernelNodeAttributeAccessPolicyWindow;
  hipKernelNodeAttrValue value{}, found{};
  found.priority = 5;
  REQUIRE_HIP(hipGraphKernelNodeGetAttribute(node, priority, &found));
  CHECK(found.priority == 0);
  value.priority = -1;
  REQUIRE_HIP(hipGraphKernelNodeSetAttribute(node, priority, &value));
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &launch.params));
  REQUIRE_HIP(hipGraphKernelNodeGetAttribute(node, priority, &found));
  CHECK(found.priority == -1);
  value = {};
  value.cooperative = 1;
  if (hipGraphKernelNodeSetAttribute(node, hipKernelNodeAttributeCooperative, &value) ==
      hipSuccess) {
    REQUIRE_HIP(hipGraphKernelNodeGetAttribute(node, hipKernelNodeAttributeCooperative, &found));
    CHECK(found.cooperative == 1);
  }
  REQUIRE_HIP(hipGraphKernelNodeCopyAttributes(node, other));
  REQUIRE_HIP(hipGraphKernelNodeGetAttribute(other, priority, &found));
  CHECK(found.priority == -1);
  CHECK(hipGraphKernelNodeCopyAttributes(empty, other) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeCopyAttributes(node, empty) == hipErrorInvalidValue);
  const auto unknown = static_cast<hipKernelNodeAttrID>(5);
  CHECK(hipGraphKernelNodeSetAttribute(node, unknown, &value) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeGetAttribute(node, unknown, &found) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeSetAttribute(node, priority, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeGetAttribute(node, priority, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeSetAttribute(empty, priority, &value) == hipErrorInvalidValue);
  CHECK(hipGraphKernelNodeGetAttribute(empty, priority, &found) == hipErrorInvalidValue);
  value = {};
  value.accessPolicyWindow.hitRatio = 0.5;
  value.accessPolicyWindow.hitProp = hipAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = hipAccessPropertyStreaming;
  REQUIRE_HIP(hipGraphKernelNodeSetAttribute(node, window, &value));
  const auto with = [&](const std::function<void(hipAccessPolicyWindow &)> &change) {
    hipKernelNodeAttrValue bad = value;
    change(bad.accessPolicyWindow);
    CHECK(hipGraphKernelNodeSetAttribute(node, window, &bad) == hipErrorInvalidValue);
  };
  with([](hipAccessPolicyWindow &w) { w.num_bytes = size_t(1) << 40; });
  with([](hipAccessPolicyWindow &w) { w.hitRatio = -0.6f; });
  with([](hipAccessPolicyWindow &w) { w.hitRatio = 1.1f; });
  with([](hipAccessPolicyWindow &w) { w.missProp = hipAccessPropertyPersisting; });
}

TEST_CASE("hip graph node: functions of the host and events come back, or are refused") {
  const Graph graph;
  hipGraphNode_t host = nullptr, record = nullptr, wait = nullptr, other = nullptr;
  int data = 0;
  hipHostNodeParams params{do_nothing, &data}, found{};
  REQUIRE_HIP(hipGraphAddHostNode(&host, graph, nullptr, 0, &params));
  CHECK(type_of(host) == hipGraphNodeTypeHost);
  params.userData = nullptr;
  REQUIRE_HIP(hipGraphHostNodeGetParams(host, &found));
  CHECK((found.fn == do_nothing && found.userData == &data));
  REQUIRE_HIP(hipGraphHostNodeSetParams(host, &params));
  REQUIRE_HIP(hipGraphHostNodeGetParams(host, &found));
  CHECK(found.userData == nullptr);
  params.fn = nullptr;
  CHECK(hipGraphAddHostNode(&other, graph, nullptr, 0, &params) == hipErrorInvalidValue);
  CHECK(hipGraphAddHostNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphHostNodeSetParams(host, &params) == hipErrorInvalidValue);
  CHECK(hipGraphHostNodeSetParams(host, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphHostNodeGetParams(host, nullptr) == hipErrorInvalidValue);

  const Event first, second;
  hipEvent_t gone = nullptr, event = nullptr;
  REQUIRE_HIP(hipEventCreate(&gone));
  REQUIRE_HIP(hipEventDestroy(gone));
  REQUIRE_HIP(hipGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  REQUIRE_HIP(hipGraphAddEventWaitNode(&wait, graph, nullptr, 0, first));
  CHECK(type_of(record) == hipGraphNodeTypeEventRecord);
  CHECK(type_of(wait) == hipGraphNodeTypeWaitEvent);
  const auto check = [&](auto add, auto get, auto set, hipGraphNode_t node,
                         hipGraphNode_t foreign) {
    REQUIRE_HIP(get(node, &event));
    CHECK(event == first);
    REQUIRE_HIP(set(node, second));
    REQUIRE_HIP(get(node, &event));
    CHECK(event == second);
    for (const hipEvent_t bad : {hipEvent_t(nullptr), gone}) {
      CHECK(add(&other, graph, nullptr, 0, bad) == hipErrorInvalidValue);
      CHECK(set(node, bad) == hipErrorInvalidValue);
    }
    CHECK(get(node, nullptr) == hipErrorInvalidValue);
    CHECK(get(foreign, &event) == hipErrorInvalidValue);
    CHECK(set(foreign, first) == hipErrorInvalidValue);
    CHECK(get(host, &event) == hipErrorInvalidValue);
  };
  check(hipGraphAddEventRecordNode, hipGraphEventRecordNodeGetEvent,
        hipGraphEventRecordNodeSetEvent, record, wait);
  check(hipGraphAddEventWaitNode, hipGraphEventWaitNodeGetEvent, hipGraphEventWaitNodeSetEvent,
        wait, record);
}

TEST_CASE("hip graph node: each function that adds one checks its place in the graph") {
  const DeviceMemory memory(4096);
  const Event event;
  const Graph child;
  Launch launch;
  const hipHostNodeParams host{do_nothing, nullptr};
  const hipMemsetParams fill = fill_of(memory);
  const hipMemcpy3DParms copy = box_copy(memory, memory.at(2048));
  hipMemAllocNodeParams allocation = allocation_of(64);
  hipStreamBatchMemOpParams write{};
  write.writeValue = {hipStreamMemOpWriteValue32, memory, {1}, 0, nullptr};
  const hipBatchMemOpNodeParams batch{nullptr, 1, &write, 0};
  hipGraphNodeParams any{};
  any.type = hipGraphNodeTypeEmpty;
  hipGraphNode_t allocator = nullptr;
  const Graph allocating;
  hipMemAllocNodeParams freed = allocation_of(64);
  REQUIRE_HIP(hipGraphAddMemAllocNode(&allocator, allocating, nullptr, 0, &freed));
  const hipCtx_t ctx = context();
  const HIP_MEMCPY3D driver_copy = driver_copy_of(memory, memory.at(2048));
  const HIP_MEMSET_NODE_PARAMS driver_fill = driver_fill_of(memory);
  const std::pair<const char *, Add> all[] = {
      {"empty", hipGraphAddEmptyNode},
      {"any", [&](auto... a) { return hipGraphAddNode(a..., &any); }},
      {"kernel", [&](auto... a) { return hipGraphAddKernelNode(a..., &launch.params); }},
      {"host", [&](auto... a) { return hipGraphAddHostNode(a..., &host); }},
      {"child", [&](auto... a) { return hipGraphAddChildGraphNode(a..., child); }},
      {"record", [&](auto... a) { return hipGraphAddEventRecordNode(a..., event); }},
      {"wait", [&](auto... a) { return hipGraphAddEventWaitNode(a..., event); }},
      {"memcpy", [&](auto... a) { return hipGraphAddMemcpyNode(a..., &copy); }},
      {"memcpy 1D",
       [&](auto... a) {
         return hipGraphAddMemcpyNode1D(a..., memory, memory.at(64), 64, hipMemcpyDefault);
       }},
      {"memset", [&](auto... a) { return hipGraphAddMemsetNode(a..., &fill); }},
      {"batch", [&](auto... a) { return hipGraphAddBatchMemOpNode(a..., &batch); }},
      {"alloc", [&](auto... a) { return hipGraphAddMemAllocNode(a..., &allocation); }},
      {"free", [&](auto... a) { return hipGraphAddMemFreeNode(a..., freed.dptr); }},
      {"driver's free", [&](auto... a) { return hipDrvGraphAddMemFreeNode(a..., freed.dptr); }},
      {"driver's copy",
       [&](auto... a) { return hipDrvGraphAddMemcpyNode(a..., &driver_copy, ctx); }},
      {"driver's fill",
       [&](auto... a) { return hipDrvGraphAddMemsetNode(a..., &driver_fill, ctx); }},
  };
  for (const auto &[name, add] : all)
    refuses_bad_places(name, add);
}

TEST_CASE("hip graph node: a kernel's launch comes back with copies of its arguments") {
  const Graph graph;
  hipGraphNode_t node = nullptr;
  float *const out = reinterpret_cast<float *>(0x1000);
  {
    Launch launch;
    launch.out = out;
    REQUIRE_HIP(hipGraphAddKernelNode(&node, graph, nullptr, 0, &launch.params));
    launch.b = 77;
  }
  CHECK(type_of(node) == hipGraphNodeTypeKernel);
  const auto check = [&](hipGraphNode_t of, long long b) {
    hipKernelNodeParams found{};
    REQUIRE_HIP(hipGraphKernelNodeGetParams(of, &found));
    CHECK(found.func == reinterpret_cast<void *>(function("mixed")));
    CHECK((found.gridDim.x == 2 && found.gridDim.y == 3 && found.gridDim.z == 4));
    CHECK((found.blockDim.x == 8 && found.blockDim.y == 2 && found.blockDim.z == 1));
    CHECK(found.sharedMemBytes == 16);
    CHECK(found.extra == nullptr);
    CHECK(*static_cast<char *>(found.kernelParams[0]) == 1);
    CHECK(*static_cast<long long *>(found.kernelParams[1]) == b);
    CHECK(static_cast<Mixed *>(found.kernelParams[2])->d == 4);
    CHECK(*static_cast<float **>(found.kernelParams[3]) == out);
  };
  check(node, 2);
  hipGraph_t clone = nullptr;
  hipGraphNode_t copy = nullptr;
  REQUIRE_HIP(hipGraphClone(&clone, graph));
  REQUIRE_HIP(hipGraphNodeFindInClone(&copy, node, clone));
  Launch changed;
  changed.out = out;
  changed.b = 9;
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &changed.params));
  check(node, 9);
  check(copy, 2);
  REQUIRE_HIP(hipGraphDestroy(clone));
  // What was found can be set again, though it refers to what it replaces.
  hipKernelNodeParams found{};
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &found));
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &found));
  check(node, 9);
  // Another kernel, its arguments in one buffer.
  float *buffer = out;
  size_t bytes = sizeof buffer;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  Launch other("scale");
  other.params.kernelParams = nullptr;
  other.params.extra = extra;
  REQUIRE_HIP(hipGraphKernelNodeSetParams(node, &other.params));
  REQUIRE_HIP(hipGraphKernelNodeGetParams(node, &found));
  CHECK(found.func == reinterpret_cast<void *>(function("scale")));
  CHECK(*static_cast<float **>(found.kernelParams[0]) == out);
}

TEST_CASE("hip graph node: operations on values come back, or are refused") {
  const DeviceMemory memory(64);
  const Graph graph;
  hipGraphNode_t node = nullptr, other = nullptr;
  hipStreamBatchMemOpParams all[2] = {};
  all[0].waitValue = {hipStreamMemOpWaitValue32, memory, {1}, hipStreamWaitValueGte, nullptr};
  all[1].writeValue = {hipStreamMemOpWriteValue32, memory.at(4), {2}, 0, nullptr};
  hipBatchMemOpNodeParams params{nullptr, 2, all, 0}, found{};
  REQUIRE_HIP(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  CHECK(type_of(node) == hipGraphNodeTypeBatchMemOp);
  REQUIRE_HIP(hipGraphBatchMemOpNodeGetParams(node, &found));
  REQUIRE(found.count == 2);
  CHECK(found.paramArray != all);
  CHECK(found.paramArray[1].writeValue.address == memory.at(4));
  params.count = 1;
  REQUIRE_HIP(hipGraphBatchMemOpNodeSetParams(node, &params));
  REQUIRE_HIP(hipGraphBatchMemOpNodeGetParams(node, &found));
  CHECK(found.count == 1);
  const auto with = [&](const std::function<void(hipBatchMemOpNodeParams &)> &change) {
    hipBatchMemOpNodeParams bad = params;
    change(bad);
    CHECK(hipGraphAddBatchMemOpNode(&other, graph, nullptr, 0, &bad) == hipErrorInvalidValue);
    CHECK(hipGraphBatchMemOpNodeSetParams(node, &bad) == hipErrorInvalidValue);
  };
  with([](auto &p) { p.count = 0; });
  with([](auto &p) { p.count = 257; });
  with([](auto &p) { p.flags = 1; });
  with([](auto &p) { p.paramArray = nullptr; });
  all[0].operation = hipStreamBatchMemOpType(77);
  with([](auto &) {});
  CHECK(hipGraphAddBatchMemOpNode(&other, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphBatchMemOpNodeSetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphBatchMemOpNodeGetParams(node, nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphBatchMemOpNodeGetParams(add_empty(graph), &found) == hipErrorInvalidValue);
}

TEST_CASE("hip graph node: nodes of any kind are added and changed by one function") {
  const DeviceMemory memory(4096);
  const Event event, other_event;
  const Graph graph, child;
  Launch launch;
  const auto params_of = [&](hipGraphNodeType type) {
    hipGraphNodeParams params{};
    params.type = type;
    switch (type) {
    case hipGraphNodeTypeKernel:
      params.kernel = launch.params;
      break;
    case hipGraphNodeTypeMemcpy:
      params.memcpy.copyParams = box_copy(memory, memory.at(2048));
      break;
    case hipGraphNodeTypeMemset:
      params.memset = fill_of(memory);
      break;
    case hipGraphNodeTypeHost:
      params.host = {do_nothing, nullptr};
      break;
    case hipGraphNodeTypeGraph:
      params.graph.graph = child;
      break;
    case hipGraphNodeTypeWaitEvent:
      params.eventWait.event = event;
      break;
    case hipGraphNodeTypeEventRecord:
      params.eventRecord.event = event;
      break;
    case hipGraphNodeTypeMemAlloc:
      params.alloc = allocation_of(64);
      break;
    default:
      break;
    }
    return params;
  };
  void *allocated = nullptr;
  hipGraphNode_t node = nullptr;
  for (int i = 0; i <= hipGraphNodeTypeCount; ++i) {
    const auto type = hipGraphNodeType(i);
    INFO(i);
    hipGraphNodeParams params = params_of(type);
    if (type == hipGraphNodeTypeMemFree)
      params.free.dptr = allocated;
    const hipError_t added = hipGraphAddNode(&node, graph, nullptr, 0, &params);
    switch (type) {
    case hipGraphNodeTypeExtSemaphoreSignal:
    case hipGraphNodeTypeExtSemaphoreWait:
    case hipGraphNodeTypeMemcpyFromSymbol:
    case hipGraphNodeTypeMemcpyToSymbol:
    case hipGraphNodeTypeBatchMemOp:
      CHECK(added == hipErrorNotSupported);
      continue;
    case hipGraphNodeTypeCount:
      CHECK(added == hipErrorInvalidValue);
      continue;
    case hipGraphNodeTypeMemAlloc:
      allocated = params.alloc.dptr;
      CHECK(allocated != nullptr);
      break;
    default:
      break;
    }
    REQUIRE(added == hipSuccess);
    CHECK(type_of(node) == type);
    const hipError_t changed = hipGraphNodeSetParams(node, &params);
    CHECK(changed == (type == hipGraphNodeTypeGraph || type == hipGraphNodeTypeEmpty ||
                              type >= hipGraphNodeTypeMemAlloc
                          ? hipErrorNotSupported
                          : hipSuccess));
    hipGraphNodeParams wrong =
        params_of(type == hipGraphNodeTypeHost ? hipGraphNodeTypeKernel : hipGraphNodeTypeHost);
    CHECK(hipGraphNodeSetParams(node, &wrong) == hipErrorInvalidValue);
    CHECK(hipGraphNodeSetParams(node, nullptr) == hipErrorInvalidValue);
  }
  CHECK(hipGraphAddNode(&node, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
  hipGraphNodeParams params = params_of(hipGraphNodeTypeEventRecord);
  REQUIRE_HIP(hipGraphAddNode(&node, graph, nullptr, 0, &params));
  params.eventRecord.event = other_event;
  REQUIRE_HIP(hipGraphNodeSetParams(node, &params));
  hipEvent_t found = nullptr;
  REQUIRE_HIP(hipGraphEventRecordNodeGetEvent(node, &found));
  CHECK(found == other_event);
  hipGraphNodeParams bad = params_of(hipGraphNodeTypeMemset);
  bad.memset.elementSize = 3;
  CHECK(hipGraphAddNode(&node, graph, nullptr, 0, &bad) == hipErrorInvalidValue);
}
