// The inside of graphs, for whoever runs them: an order of the nodes, their operations, and the use of their memory.
#include "nodes.h"
#include "runtime/graphs/executable_plan.h"
#include "runtime/graphs/graph.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

using namespace fixture;

namespace {

/// Does what the nodes say, one after the other.
void run(hipGraph_t graph) {
  const chip::StreamTarget stream = chip::resolve(nullptr);
  const auto order = chip::find_graph(graph)->order();
  REQUIRE(order);
  for (const chip::GraphNode *node : *order) {
    for (const chip::operations::Any &operation : node->work->operations)
      std::visit([&](const auto &each) { chip::enqueue(stream, each); }, operation);
    if (node->work->child)
      run(node->work->child.get());
  }
  REQUIRE_HIP(hipDeviceSynchronize());
}

uint64_t attribute(hipGraphMemAttributeType which) {
  uint64_t value = 0;
  REQUIRE_HIP(hipDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

} // namespace

TEST_CASE("graph inside: nodes come after those that they wait for, and a cycle has no order") {
  std::mt19937 random(1);
  for (unsigned turn = 0; turn < 50; ++turn) {
    const Graph graph;
    std::vector<hipGraphNode_t> nodes;
    for (unsigned i = 0; i < 20; ++i)
      nodes.push_back(add_empty(graph));
    std::vector<hipGraphNode_t> shuffled = nodes;
    std::ranges::shuffle(shuffled, random);
    std::vector<std::pair<size_t, size_t>> edges;
    for (unsigned i = 0; i < 30; ++i) {
      const size_t from = random() % 19, to = from + 1 + random() % (19 - from);
      if (hipGraphAddDependencies(graph, &shuffled[from], &shuffled[to], 1) == hipSuccess)
        edges.emplace_back(from, to);
    }
    const auto order = chip::find_graph(graph)->order();
    REQUIRE(order);
    REQUIRE(order->size() == nodes.size());
    const auto place = [&](size_t i) { return std::ranges::find(*order, shuffled[i]); };
    for (const auto &[from, to] : edges)
      REQUIRE(place(from) < place(to));
    const auto [from, to] = edges[random() % edges.size()];
    REQUIRE_HIP(hipGraphAddDependencies(graph, &shuffled[to], &shuffled[from], 1));
    REQUIRE_FALSE(chip::find_graph(graph)->order());
  }
  const Graph graph;
  const std::vector<hipGraphNode_t> nodes = {add_empty(graph), add_empty(graph), add_empty(graph)};
  CHECK(*chip::find_graph(graph)->order() == nodes);
}

TEST_CASE("graph inside: the operations of nodes do what their parameters say") {
  HostMemory<uint32_t> memory(256);
  const auto at = [&](size_t i) { return static_cast<void *>(&memory[i]); };
  const Graph graph, child;
  hipGraphNode_t node = nullptr, last = nullptr;
  SECTION("fills of rows") {
    for (const unsigned size : {1, 2, 4}) {
      hipMemsetParams fill{};
      fill.dst = at(0);
      fill.elementSize = size;
      fill.width = 8 / size;
      fill.height = 5;
      fill.pitch = 16;
      fill.value = 0xa1b2c3d4;
      const Graph one;
      REQUIRE_HIP(hipGraphAddMemsetNode(&node, one, nullptr, 0, &fill));
      run(one);
      std::byte pattern[8];
      for (unsigned i = 0; i < 8; i += size)
        std::memcpy(pattern + i, &fill.value, size);
      for (unsigned row = 0; row < 6; ++row) {
        INFO(size << " bytes, row " << row);
        CHECK((std::memcmp(at(row * 4), pattern, 8) == 0) == (row < 5));
        CHECK(memory[row * 4 + 2] == 0);
      }
    }
  }
  SECTION("copies, kernels, values and host functions, in their order") {
    float start[4] = {1, 1, 1, 1};
    float *const cells = static_cast<float *>(at(0));
    void *arguments[] = {const_cast<float **>(&cells)};
    hipKernelNodeParams launch{};
    launch.func = reinterpret_cast<void *>(function("scale"));
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(4);
    launch.kernelParams = arguments;
    const hipHostNodeParams host{[](void *value) { ++*static_cast<uint32_t *>(value); }, at(64)};
    hipStreamBatchMemOpParams write{};
    write.writeValue = {hipStreamMemOpWriteValue32, at(64), {41}, 0, nullptr};
    const hipBatchMemOpNodeParams batch{nullptr, 1, &write, 0};
    // Added from the last to the first, and put in order by edges.
    hipGraphNode_t kernel = nullptr, copy = nullptr;
    REQUIRE_HIP(hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch));
    REQUIRE_HIP(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, cells, start, sizeof start,
                                        hipMemcpyDefault));
    REQUIRE_HIP(hipGraphAddDependencies(graph, &copy, &kernel, 1));
    REQUIRE_HIP(hipGraphAddBatchMemOpNode(&node, child, nullptr, 0, &batch));
    REQUIRE_HIP(hipGraphAddHostNode(&last, child, &node, 1, &host));
    REQUIRE_HIP(hipGraphAddChildGraphNode(&node, graph, &kernel, 1, child));
    for (unsigned turn = 0; turn < 2; ++turn) {
      run(graph);
      for (unsigned i = 0; i < 4; ++i)
        CHECK(cells[i] == float(i + 1));
      CHECK(memory[64] == 42);
    }
  }
}

TEST_CASE("graph inside: memory counts from the launch that allocates it until it is freed") {
  CHECK(attribute(hipGraphMemAttrReservedMemCurrent) == 0);
  {
    const auto first = chip::GraphMemory::allocate(chip::Platform::current_device(), 1000);
    const auto second = chip::GraphMemory::allocate(chip::Platform::current_device(), 500);
    CHECK(chip::GraphMemory::find(first->address()) == first);
    CHECK(attribute(hipGraphMemAttrUsedMemHigh) == 0);
    first->begin_use();
    first->begin_use(); // no more than once
    second->begin_use();
    first->end_use();
    first->end_use();
    CHECK(attribute(hipGraphMemAttrUsedMemCurrent) == 500);
    CHECK(attribute(hipGraphMemAttrReservedMemCurrent) == 500);
    CHECK(attribute(hipGraphMemAttrUsedMemHigh) == 1500);
    uint64_t zero = 0;
    REQUIRE_HIP(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
    CHECK(attribute(hipGraphMemAttrUsedMemHigh) == 0);
    CHECK(attribute(hipGraphMemAttrReservedMemHigh) == 1500);
    second->end_use();
  }
  CHECK(attribute(hipGraphMemAttrUsedMemCurrent) == 0);
}

TEST_CASE("graph inside: kernels have lanes of their priorities, where these count") {
  const Graph graph;
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void *>(function("nothing"));
  params.gridDim = params.blockDim = dim3(1);
  const std::optional<int> priorities[] = {std::nullopt, -1, 1, -1};
  std::vector<hipGraphNode_t> nodes;
  for (const std::optional<int> priority : priorities) {
    hipGraphNode_t node = nullptr;
    REQUIRE_HIP(hipGraphAddKernelNode(&node, graph, nodes.empty() ? nullptr : &nodes.back(),
                                      nodes.empty() ? 0 : 1, &params));
    nodes.push_back(node);
    hipKernelNodeAttrValue value{};
    value.priority = priority.value_or(0);
    if (priority)
      REQUIRE_HIP(hipGraphKernelNodeSetAttribute(node, hipLaunchAttributePriority, &value));
  }
  for (const bool count : {false, true}) {
    const chip::Plan plan = chip::make_plan(*chip::find_graph(graph), count);
    CHECK(plan.lanes.size() == (count ? 3 : 1));
    for (const chip::Segment &segment : plan.segments)
      for (const uint32_t index : segment.nodes) {
        const size_t number = size_t(std::ranges::find(nodes, plan.nodes[index]) - nodes.begin());
        REQUIRE(number < nodes.size());
        CHECK(plan.lanes[segment.lane].priority == (count ? priorities[number] : std::nullopt));
      }
  }
}

TEST_CASE("graph inside: branches whose nodes were added in turns are one segment each") {
  const Graph graph;
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void *>(function("nothing"));
  params.gridDim = params.blockDim = dim3(1);
  const auto add = [&](std::vector<hipGraphNode_t> after) {
    hipGraphNode_t node = nullptr;
    REQUIRE_HIP(hipGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
    return node;
  };
  constexpr size_t length = 4;
  std::vector<hipGraphNode_t> left{add({})}, right{add({})};
  while (left.size() < length) {
    left.push_back(add({left.back()}));
    right.push_back(add({right.back()}));
  }
  const hipGraphNode_t both = add({left.back(), right.back()}), behind = add({both});
  const chip::Plan plan = chip::make_plan(*chip::find_graph(graph), false);
  std::vector<std::vector<hipGraphNode_t>> segments;
  for (const chip::Segment &segment : plan.segments) {
    segments.emplace_back();
    for (const uint32_t index : segment.nodes)
      segments.back().push_back(plan.nodes[index]);
  }
  CHECK(segments == std::vector<std::vector<hipGraphNode_t>>{left, right, {both, behind}});
  CHECK(plan.lanes.size() == 2);
  CHECK(plan.end == 2);
}
