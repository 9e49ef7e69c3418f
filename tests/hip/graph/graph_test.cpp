// Graphs as data: nodes, edges, copies, pictures, and objects that live with them. Nothing runs.
#include "nodes.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace fixture;

namespace {

using Nodes = std::vector<hipGraphNode_t>;
using Edges = std::vector<std::pair<hipGraphNode_t, hipGraphNode_t>>;

template <class Handle>
Nodes list(hipError_t (*function)(Handle, hipGraphNode_t *, size_t *), Handle handle) {
  size_t count = 0;
  REQUIRE_HIP(function(handle, nullptr, &count));
  Nodes found(count);
  REQUIRE_HIP(function(handle, found.data(), &count));
  REQUIRE(count == found.size());
  return found;
}

Edges edges_of(hipGraph_t graph) {
  size_t count = 0;
  REQUIRE_HIP(hipGraphGetEdges(graph, nullptr, nullptr, &count));
  Nodes from(count), to(count);
  REQUIRE_HIP(hipGraphGetEdges(graph, from.data(), to.data(), &count));
  REQUIRE(count == from.size());
  Edges found;
  for (size_t i = 0; i < count; ++i)
    found.emplace_back(from[i], to[i]);
  return found;
}

std::string picture_of(hipGraph_t graph, unsigned flags) {
  const std::string path = "graph_test_" + std::to_string(getpid()) + ".dot";
  REQUIRE_HIP(hipGraphDebugDotPrint(graph, path.c_str(), flags));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  return text.str();
}

size_t count_of(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

hipGraphNode_t add_fill(hipGraph_t graph, void *memory) {
  hipMemsetParams fill{};
  fill.dst = memory;
  fill.elementSize = 1;
  fill.width = 4;
  fill.height = 1;
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  return node;
}

void count_call(void *counter) { ++*static_cast<int *>(counter); }

hipUserObject_t make_object(int *calls, unsigned references) {
  hipUserObject_t object = nullptr;
  REQUIRE_HIP(
      hipUserObjectCreate(&object, calls, count_call, references, hipUserObjectNoDestructorSync));
  return object;
}

} // namespace

TEST_CASE("hip graph: creation and destruction refuse what is not valid") {
  hipGraph_t graph = nullptr;
  CHECK(hipGraphCreate(nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphCreate(&graph, 1) == hipErrorInvalidValue);
  CHECK(graph == nullptr);
  CHECK(hipGraphDestroy(nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddEmptyNode(&node, graph, nullptr, 0));
  REQUIRE_HIP(hipGraphDestroy(graph));
  CHECK(hipGraphDestroy(graph) == hipErrorInvalidValue);
  hipGraphNodeType type;
  CHECK(hipGraphNodeGetType(node, &type) == hipErrorInvalidValue);
}

TEST_CASE("hip graph: lists tell their length first, and are cut or filled up") {
  const Graph graph;
  const hipGraphNode_t a = add_empty(graph), b = add_empty(graph), c = add_empty(graph, {b, a});
  CHECK(list(hipGraphGetNodes, hipGraph_t(graph)) == Nodes{a, b, c});
  CHECK(list(hipGraphGetRootNodes, hipGraph_t(graph)) == Nodes{a, b});
  CHECK(list(hipGraphNodeGetDependencies, c) == Nodes{b, a});
  CHECK(list(hipGraphNodeGetDependentNodes, a) == Nodes{c});
  CHECK(list(hipGraphNodeGetDependentNodes, c).empty());
  CHECK(edges_of(graph) == Edges{{a, c}, {b, c}});
  const hipGraphNode_t other = c;
  Nodes found(5, other), ends(5, other);
  size_t count = 2;
  REQUIRE_HIP(hipGraphGetNodes(graph, found.data(), &count));
  CHECK(count == 2);
  CHECK(found == Nodes{a, b, other, other, other});
  count = 5;
  REQUIRE_HIP(hipGraphGetNodes(graph, found.data(), &count));
  CHECK(count == 3);
  CHECK(found == Nodes{a, b, c, nullptr, nullptr});
  count = 4;
  REQUIRE_HIP(hipGraphGetEdges(graph, found.data(), ends.data(), &count));
  CHECK(count == 2);
  CHECK(found == Nodes{a, b, nullptr, nullptr, nullptr});
  CHECK(ends == Nodes{c, c, nullptr, nullptr, other});
  CHECK(hipGraphGetNodes(graph, found.data(), nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphGetRootNodes(graph, found.data(), nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphGetEdges(graph, found.data(), ends.data(), nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphGetEdges(graph, nullptr, ends.data(), &count) == hipErrorInvalidValue);
  CHECK(hipGraphGetEdges(graph, found.data(), nullptr, &count) == hipErrorInvalidValue);
  CHECK(hipGraphNodeGetDependencies(a, found.data(), nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphNodeGetDependentNodes(a, found.data(), nullptr) == hipErrorInvalidValue);
  CHECK(hipGraphNodeGetType(a, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip graph: edges are refused as a whole") {
  const Graph graph, other;
  const hipGraphNode_t a = add_empty(graph), b = add_empty(graph), c = add_empty(graph),
                       x = add_empty(other);
  const hipGraphNode_t gone = add_empty(graph);
  REQUIRE_HIP(hipGraphDestroyNode(gone));
  const auto add = [&](const Nodes &from, const Nodes &to) {
    return hipGraphAddDependencies(graph, from.data(), to.data(), from.size());
  };
  const auto remove = [&](const Nodes &from, const Nodes &to) {
    return hipGraphRemoveDependencies(graph, from.data(), to.data(), from.size());
  };
  CHECK(add({a, b}, {b, x}) == hipErrorInvalidValue);
  CHECK(add({a, x}, {b, c}) == hipErrorInvalidValue);
  CHECK(add({a, a}, {b, b}) == hipErrorInvalidValue);
  CHECK(add({a, c}, {b, c}) == hipErrorInvalidValue);
  CHECK(add({a, nullptr}, {b, c}) == hipErrorInvalidValue);
  CHECK(add({a, gone}, {b, c}) == hipErrorInvalidValue);
  CHECK(edges_of(graph).empty());
  CHECK(hipGraphAddDependencies(graph, nullptr, &a, 1) == hipErrorInvalidValue);
  CHECK(hipGraphAddDependencies(graph, &a, nullptr, 1) == hipErrorInvalidValue);
  CHECK(hipGraphAddDependencies(nullptr, &a, &b, 1) == hipErrorInvalidValue);
  CHECK(hipGraphAddDependencies(graph, nullptr, nullptr, 0) == hipSuccess);
  CHECK(hipGraphRemoveDependencies(graph, nullptr, nullptr, 0) == hipSuccess);
  // A cycle is found when the graph is to run.
  CHECK(add({a, b, c}, {b, c, a}) == hipSuccess);
  CHECK(add({a}, {b}) == hipErrorInvalidValue);
  CHECK(remove({a, b}, {b, a}) == hipErrorInvalidValue);
  CHECK(remove({a, a}, {b, b}) == hipErrorInvalidValue);
  CHECK(remove({a, x}, {b, x}) == hipErrorInvalidValue);
  CHECK(hipGraphRemoveDependencies(graph, nullptr, &a, 1) == hipErrorInvalidValue);
  CHECK(hipGraphRemoveDependencies(graph, &a, nullptr, 1) == hipErrorInvalidValue);
  CHECK(edges_of(graph).size() == 3);
  CHECK(remove({c, a}, {a, b}) == hipSuccess);
  CHECK(edges_of(graph) == Edges{{b, c}});
}

TEST_CASE("hip graph: a copy shares nothing that can change") {
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64));
  hipGraph_t clone = nullptr, second = nullptr;
  hipGraphNode_t fill, empty, child_node, inner, found = nullptr;
  {
    const Graph graph;
    fill = add_fill(graph, memory);
    empty = add_empty(graph, {fill});
    {
      const Graph child;
      inner = add_empty(child);
      REQUIRE_HIP(hipGraphAddChildGraphNode(&child_node, graph, &empty, 1, child));
    }
    CHECK(hipGraphClone(nullptr, graph) == hipErrorInvalidValue);
    CHECK(hipGraphClone(&clone, nullptr) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphClone(&clone, graph));
    REQUIRE_HIP(hipGraphClone(&second, clone));
    const hipGraphNode_t later = add_empty(graph, {empty});
    CHECK(list(hipGraphGetNodes, clone).size() == 3);
    CHECK(hipGraphNodeFindInClone(&found, later, clone) == hipErrorInvalidValue);
    CHECK(hipGraphNodeFindInClone(&found, fill, graph) == hipErrorInvalidValue);
    CHECK(hipGraphNodeFindInClone(&found, fill, second) == hipErrorInvalidValue);
    CHECK(hipGraphNodeFindInClone(nullptr, fill, clone) == hipErrorInvalidValue);
    CHECK(hipGraphNodeFindInClone(&found, nullptr, clone) == hipErrorInvalidValue);
    CHECK(hipGraphNodeFindInClone(&found, fill, nullptr) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphNodeFindInClone(&found, empty, clone));
    const Nodes nodes = list(hipGraphGetNodes, clone);
    CHECK(found == nodes[1]);
    CHECK(edges_of(clone) == Edges{{nodes[0], nodes[1]}, {nodes[1], nodes[2]}});
    // The graphs inside are copies as well.
    hipGraph_t child = nullptr, child_clone = nullptr;
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(child_node, &child));
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(nodes[2], &child_clone));
    CHECK(child != child_clone);
    const Nodes inside = list(hipGraphGetNodes, child);
    REQUIRE(inside.size() == 1);
    REQUIRE_HIP(hipGraphNodeFindInClone(&found, inside[0], child_clone));
    CHECK(found == list(hipGraphGetNodes, child_clone)[0]);
    CHECK(inside[0] != inner);
    // What one does is not seen by the other.
    hipMemsetParams changed{}, kept{};
    REQUIRE_HIP(hipGraphMemsetNodeGetParams(fill, &changed));
    changed.value = 7;
    REQUIRE_HIP(hipGraphMemsetNodeSetParams(fill, &changed));
    REQUIRE_HIP(hipGraphMemsetNodeGetParams(nodes[0], &kept));
    CHECK(kept.value == 0);
    REQUIRE_HIP(hipGraphDestroyNode(fill));
    CHECK(hipGraphNodeFindInClone(&found, fill, clone) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphDestroyNode(nodes[1]));
    CHECK(hipGraphNodeFindInClone(&found, empty, clone) == hipErrorInvalidValue);
    CHECK(edges_of(clone).empty());
    CHECK(edges_of(graph) == Edges{{empty, child_node}, {empty, later}});
  }
  // The original is gone, its copies live on.
  CHECK(list(hipGraphGetNodes, clone).size() == 2);
  CHECK(list(hipGraphGetNodes, second).size() == 3);
  REQUIRE_HIP(hipGraphDestroy(clone));
  CHECK(edges_of(second).size() == 2);
  REQUIRE_HIP(hipGraphDestroy(second));
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip graph: a child graph belongs to its node") {
  hipGraphNode_t node = nullptr, inner = nullptr;
  hipGraph_t own = nullptr;
  {
    const Graph graph, child;
    (void)add_empty(child);
    CHECK(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, nullptr) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    CHECK(hipGraphChildGraphNodeGetGraph(node, nullptr) == hipErrorInvalidValue);
    CHECK(hipGraphChildGraphNodeGetGraph(add_empty(graph), &own) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &own));
    CHECK(own != hipGraph_t(child));
    CHECK(hipGraphDestroy(own) == hipErrorInvalidValue);
    (void)add_empty(child);
    CHECK(list(hipGraphGetNodes, own).size() == 1);
    REQUIRE_HIP(hipGraphAddEmptyNode(&inner, own, nullptr, 0));
    CHECK(list(hipGraphGetNodes, own).size() == 2);
    hipGraphNodeType type;
    REQUIRE_HIP(hipGraphNodeGetType(node, &type));
    CHECK(type == hipGraphNodeTypeGraph);
    REQUIRE_HIP(hipGraphDestroyNode(node));
    size_t count = 0;
    CHECK(hipGraphGetNodes(own, nullptr, &count) == hipErrorInvalidValue);
    CHECK(hipGraphDestroyNode(inner) == hipErrorInvalidValue);
    REQUIRE_HIP(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &own));
    // A node that is refused leaves nothing behind.
    CHECK(hipGraphAddChildGraphNode(&node, graph, &inner, 1, child) == hipErrorInvalidValue);
  }
  size_t count = 0;
  CHECK(hipGraphGetNodes(own, nullptr, &count) == hipErrorInvalidValue);
}

TEST_CASE("hip graph: a graph may have a copy of itself in it") {
  const Graph graph;
  (void)add_empty(graph);
  hipGraphNode_t node = nullptr;
  REQUIRE_HIP(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, graph));
  CHECK(list(hipGraphGetNodes, hipGraph_t(graph)).size() == 2);
  hipGraph_t copy = nullptr;
  REQUIRE_HIP(hipGraphChildGraphNodeGetGraph(node, &copy));
  CHECK(list(hipGraphGetNodes, copy).size() == 1);
}

TEST_CASE("hip graph: user objects are destroyed with the last reference") {
  int calls = 0;
  hipUserObject_t object = nullptr;
  const unsigned flags = hipUserObjectNoDestructorSync;
  CHECK(hipUserObjectCreate(nullptr, &calls, count_call, 1, flags) == hipErrorInvalidValue);
  CHECK(hipUserObjectCreate(&object, &calls, nullptr, 1, flags) == hipErrorInvalidValue);
  CHECK(hipUserObjectCreate(&object, &calls, count_call, 0, flags) == hipErrorInvalidValue);
  CHECK(hipUserObjectCreate(&object, &calls, count_call, 1u + INT_MAX, flags) ==
        hipErrorInvalidValue);
  CHECK(hipUserObjectCreate(&object, &calls, count_call, 1, 0) == hipErrorInvalidValue);
  CHECK(hipUserObjectCreate(&object, &calls, count_call, 1, 9) == hipErrorInvalidValue);

  SECTION("the program's") {
    object = make_object(&calls, 2);
    REQUIRE_HIP(hipUserObjectRetain(object, 1));
    CHECK(hipUserObjectRetain(object, 0) == hipErrorInvalidValue);
    CHECK(hipUserObjectRetain(nullptr, 1) == hipErrorInvalidValue);
    CHECK(hipUserObjectRelease(object, 0) == hipErrorInvalidValue);
    CHECK(hipUserObjectRelease(nullptr, 1) == hipErrorInvalidValue);
    REQUIRE_HIP(hipUserObjectRelease(object, 2));
    CHECK(calls == 0);
    REQUIRE_HIP(hipUserObjectRelease(object, 1));
    CHECK(calls == 1);
    CHECK(hipUserObjectRetain(object, 1) == hipErrorInvalidValue);
    CHECK(hipUserObjectRelease(object, 1) == hipSuccess);
    CHECK(calls == 1);
  }
  SECTION("more than there are") {
    object = make_object(&calls, 2);
    REQUIRE_HIP(hipUserObjectRelease(object, INT_MAX));
    CHECK(calls == 1);
  }
  SECTION("a graph's") {
    object = make_object(&calls, 1);
    {
      const Graph graph, other;
      CHECK(hipGraphRetainUserObject(nullptr, object, 1, 0) == hipErrorInvalidValue);
      CHECK(hipGraphRetainUserObject(graph, nullptr, 1, 0) == hipErrorInvalidValue);
      CHECK(hipGraphRetainUserObject(graph, object, 0, 0) == hipErrorInvalidValue);
      CHECK(hipGraphRetainUserObject(graph, object, 1, 2) == hipErrorInvalidValue);
      REQUIRE_HIP(hipGraphRetainUserObject(graph, object, 3, 0));
      REQUIRE_HIP(hipUserObjectRelease(object, 7)); // none of them is the graph's
      CHECK(calls == 0);
      CHECK(hipGraphReleaseUserObject(nullptr, object, 1) == hipErrorInvalidValue);
      CHECK(hipGraphReleaseUserObject(graph, nullptr, 1) == hipErrorInvalidValue);
      CHECK(hipGraphReleaseUserObject(graph, object, 0) == hipErrorInvalidValue);
      REQUIRE_HIP(hipGraphReleaseUserObject(other, object, 1));
      REQUIRE_HIP(hipGraphReleaseUserObject(graph, object, 4));
      REQUIRE_HIP(hipGraphReleaseUserObject(graph, object, 2));
      CHECK(calls == 0);
    }
    CHECK(calls == 1);
  }
  SECTION("moved") {
    object = make_object(&calls, 2);
    const Graph graph;
    REQUIRE_HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    REQUIRE_HIP(hipUserObjectRelease(object, 1));
    CHECK(calls == 0);
    REQUIRE_HIP(hipGraphReleaseUserObject(graph, object, 1));
    CHECK(calls == 1);
  }
  SECTION("of a copy") {
    object = make_object(&calls, 1);
    hipGraph_t clone = nullptr;
    {
      const Graph graph;
      REQUIRE_HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
      REQUIRE_HIP(hipGraphClone(&clone, graph));
    }
    CHECK(calls == 0);
    REQUIRE_HIP(hipGraphDestroy(clone));
    CHECK(calls == 1);
  }
}

TEST_CASE("hip graph: a picture has the graph's nodes, edges and child graphs") {
  std::vector<char> host(64);
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64));
  const Graph graph, child;
  const hipGraphNode_t inner = add_empty(child);
  (void)add_empty(child, {inner});
  const hipGraphNode_t fill = add_fill(graph, memory);
  hipGraphNode_t copy, child_node, kernel;
  REQUIRE_HIP(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, memory, host.data(), 64,
                                      hipMemcpyHostToDevice));
  REQUIRE_HIP(hipGraphAddChildGraphNode(&child_node, graph, &copy, 1, child));
  hipKernelNodeParams launch{};
  launch.func = reinterpret_cast<void *>(function("nothing"));
  launch.gridDim = dim3(3);
  launch.blockDim = dim3(5);
  REQUIRE_HIP(hipGraphAddKernelNode(&kernel, graph, &copy, 1, &launch));
  const std::string plain = picture_of(graph, 0);
  CHECK(count_of(plain, "subgraph") == 2);
  CHECK(count_of(plain, "HtoD, 64 bytes") == 1);
  CHECK(count_of(plain, "KERNEL\\nnothing") == 1);
  CHECK(count_of(plain, "MEMSET") == 1);
  CHECK(count_of(plain, "EMPTY") == 2);
  CHECK(count_of(plain, "HOST") == 0);
  CHECK(count_of(plain, "grid") == 0);
  CHECK(count_of(plain, "{") == count_of(plain, "}"));
  const std::string verbose = picture_of(graph, hipGraphDebugDotFlagsVerbose);
  CHECK(count_of(verbose, "grid (3, 1, 1)\\nblock (5, 1, 1)") == 1);
  CHECK(count_of(verbose, "from host to device") == 1);
  CHECK(count_of(verbose, "HOST") == 0); // which stands for nodes that call a function of the host
  CHECK(count_of(picture_of(graph, hipGraphDebugDotFlagsKernelNodeParams), "grid") == 1);
  CHECK(count_of(picture_of(graph, hipGraphDebugDotFlagsHandles), "handle") == 6);
  // Read back: the names of nodes by their places, and the edges between them.
  const std::regex node_line(R"re((node_\d+_\d+) \[label="(\d+) ([A-Z_]+))re");
  const std::regex edge_line(R"re((node_\d+_\d+) -> (node_\d+_\d+))re");
  std::map<std::string, std::string> kinds;
  std::set<std::pair<std::string, std::string>> edges;
  const auto each = [&](const std::regex &line, auto &&visit) {
    for (std::sregex_iterator match(plain.begin(), plain.end(), line), end; match != end; ++match)
      visit(*match);
  };
  each(node_line, [&](const std::smatch &m) { kinds[m[1]] = m[3]; });
  each(edge_line, [&](const std::smatch &m) { edges.emplace(m[1], m[2]); });
  CHECK(kinds == std::map<std::string, std::string>{{"node_0_0", "MEMSET"},
                                                    {"node_0_1", "MEMCPY"},
                                                    {"node_0_2", "GRAPH"},
                                                    {"node_0_3", "KERNEL"},
                                                    {"node_1_0", "EMPTY"},
                                                    {"node_1_1", "EMPTY"}});
  CHECK(edges == std::set<std::pair<std::string, std::string>>{{"node_0_0", "node_0_1"},
                                                               {"node_0_1", "node_0_2"},
                                                               {"node_0_1", "node_0_3"},
                                                               {"node_1_0", "node_1_1"}});
  CHECK(hipGraphDebugDotPrint(nullptr, "x.dot", 0) == hipErrorInvalidValue);
  CHECK(hipGraphDebugDotPrint(graph, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphDebugDotPrint(graph, "", 0) == hipErrorOperatingSystem);
  CHECK(hipGraphDebugDotPrint(graph, "/dev/full", 0) == hipErrorOperatingSystem);
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip graph: random calls leave what a simple model has") {
  struct Model {
    Nodes nodes;
    Edges edges; // of each node in the order in which they were added
    std::map<hipGraphNode_t, hipGraphNodeType> types;
  };
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64));
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](size_t end) {
      return std::uniform_int_distribution<size_t>(0, end - 1)(random);
    };
    const Graph graph;
    Model model;
    const auto any_node = [&] { return model.nodes[below(model.nodes.size())]; };
    const auto has = [&](hipGraphNode_t from, hipGraphNode_t to) {
      return std::ranges::find(model.edges, std::pair(from, to)) != model.edges.end();
    };
    for (unsigned step = 0; step < 120; ++step) {
      const size_t choice = model.nodes.size() < 2 ? 0 : below(8);
      if (choice < 3) {
        Nodes dependencies;
        for (size_t i = model.nodes.empty() ? 0 : below(4); i-- != 0;)
          dependencies.push_back(any_node());
        Nodes sorted = dependencies;
        std::ranges::sort(sorted);
        const bool twice = std::ranges::adjacent_find(sorted) != sorted.end();
        hipGraphNode_t node = nullptr;
        hipError_t result;
        const bool fills = below(2) != 0;
        hipMemsetParams fill{};
        fill.dst = memory;
        fill.elementSize = 1;
        fill.width = 4;
        fill.height = 1;
        if (fills)
          result =
              hipGraphAddMemsetNode(&node, graph, dependencies.data(), dependencies.size(), &fill);
        else
          result = hipGraphAddEmptyNode(&node, graph, dependencies.data(), dependencies.size());
        const bool refused = twice || dependencies.size() > model.nodes.size();
        REQUIRE(result == (refused ? hipErrorInvalidValue : hipSuccess));
        if (refused)
          continue;
        model.nodes.push_back(node);
        model.types[node] = fills ? hipGraphNodeTypeMemset : hipGraphNodeTypeEmpty;
        for (const hipGraphNode_t dependency : dependencies)
          model.edges.emplace_back(dependency, node);
      } else if (choice < 6) {
        const hipGraphNode_t from = any_node(), to = any_node();
        const bool refused = from == to || has(from, to);
        REQUIRE(hipGraphAddDependencies(graph, &from, &to, 1) ==
                (refused ? hipErrorInvalidValue : hipSuccess));
        if (!refused)
          model.edges.emplace_back(from, to);
      } else if (choice == 6) {
        const hipGraphNode_t from = any_node(), to = any_node();
        const bool there = has(from, to);
        REQUIRE(hipGraphRemoveDependencies(graph, &from, &to, 1) ==
                (there ? hipSuccess : hipErrorInvalidValue));
        if (there)
          model.edges.erase(std::ranges::find(model.edges, std::pair(from, to)));
      } else if (below(3) == 0) {
        const hipGraphNode_t node = any_node();
        REQUIRE_HIP(hipGraphDestroyNode(node));
        std::erase(model.nodes, node);
        std::erase_if(model.edges,
                      [&](const auto &edge) { return edge.first == node || edge.second == node; });
      }
      REQUIRE(list(hipGraphGetNodes, hipGraph_t(graph)) == model.nodes);
      Edges expected;
      Nodes roots;
      for (const hipGraphNode_t node : model.nodes) {
        Nodes before, after;
        for (const auto &[from, to] : model.edges) {
          if (from == node) {
            after.push_back(to);
            expected.emplace_back(from, to);
          }
          if (to == node)
            before.push_back(from);
        }
        if (before.empty())
          roots.push_back(node);
        REQUIRE(list(hipGraphNodeGetDependencies, node) == before);
        REQUIRE(list(hipGraphNodeGetDependentNodes, node) == after);
        hipGraphNodeType type;
        REQUIRE_HIP(hipGraphNodeGetType(node, &type));
        REQUIRE(type == model.types[node]);
      }
      REQUIRE(edges_of(graph) == expected);
      REQUIRE(list(hipGraphGetRootNodes, hipGraph_t(graph)) == roots);
    }
    // A copy has the same shape, with nodes that can be found.
    hipGraph_t clone = nullptr;
    REQUIRE_HIP(hipGraphClone(&clone, graph));
    const Nodes copies = list(hipGraphGetNodes, clone);
    REQUIRE(copies.size() == model.nodes.size());
    std::map<hipGraphNode_t, hipGraphNode_t> copy_of;
    for (size_t i = 0; i < copies.size(); ++i) {
      hipGraphNode_t found = nullptr;
      REQUIRE_HIP(hipGraphNodeFindInClone(&found, model.nodes[i], clone));
      REQUIRE(found == copies[i]);
      copy_of[model.nodes[i]] = found;
    }
    for (const hipGraphNode_t node : model.nodes)
      for (const auto look : {hipGraphNodeGetDependencies, hipGraphNodeGetDependentNodes}) {
        Nodes expected = list(look, node);
        for (hipGraphNode_t &each : expected)
          each = copy_of[each];
        REQUIRE(list(look, copy_of[node]) == expected);
      }
    REQUIRE_HIP(hipGraphDestroy(clone));
  }
  REQUIRE_HIP(hipFree(memory));
}
