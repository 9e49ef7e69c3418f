// HIP API reference: Graph management, graphs and their structure.
#include "nodes.h"

#include <algorithm>
#include <cstdio>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// Stores elements as the functions do that first tell their number: `store(i, &element)` for those that fit, and
/// `store(i, null)` where there is room for more.
template <class Elements, class Store>
void store_elements(const Elements &elements, bool has_array, size_t &count, const Store &store) {
  if (!has_array) {
    count = elements.size();
    return;
  }
  const typename Elements::const_pointer none = nullptr;
  const size_t stored = std::min(count, elements.size());
  for (size_t i = 0; i < stored; ++i)
    store(i, &elements[i]);
  for (size_t i = stored; i < count; ++i)
    store(i, none);
  count = stored;
}

template <class Elements>
void store_nodes(const Elements &elements, hipGraphNode_t *nodes, size_t &count) {
  store_elements(elements, nodes != nullptr, count,
                 [&](size_t i, auto *element) { nodes[i] = element ? &**element : nullptr; });
}

/// Calls `change(graph, from, to)`.
template <class Change>
hipError_t change_edges(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                        size_t count, const Change &change,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    const auto found = find_graph(graph);
    if (count == 0)
      return;
    if (!from || !to)
      throw Error(hipErrorInvalidValue, "`from` or `to` is null, but `dependency_count` is not 0");
    change(*found, std::span(from, count), std::span(to, count));
  });
}

} // namespace

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags) {
  return entry([&] {
    Platform::get();
    required(graph);
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` is not 0");
    const auto made = std::make_shared<Graph>();
    made->publish();
    *graph = made.get();
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return entry([&] { destroy_graph(graph); });
}

hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t original) {
  return entry([&] {
    required(clone);
    const auto made = find_graph(original, "original")->clone();
    made->publish();
    *clone = made.get();
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t *node, hipGraphNode_t original,
                                   hipGraph_t clone) {
  return entry([&] {
    required(node);
    const auto found = find_node(original, "original");
    *node = &find_graph(clone, "clone")->copy_of(*found);
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                   const hipGraphNode_t *to, size_t dependency_count) {
  return change_edges(graph, from, to, dependency_count,
                      [](Graph &found, auto... ends) { found.add_edges(ends...); });
}

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t dependency_count) {
  return change_edges(graph, from, to, dependency_count,
                      [](Graph &found, auto... ends) { found.remove_edges(ends...); });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count) {
  return entry([&] {
    const auto found = find_graph(graph);
    const std::lock_guard lock(found->mutex);
    store_nodes(found->nodes(), nodes, required(node_count));
  });
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *node_count) {
  return entry([&] { store_nodes(find_graph(graph)->roots(), nodes, required(node_count)); });
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                            size_t *edge_count) {
  return entry([&] {
    const auto found = find_graph(graph);
    required(edge_count);
    if (!from != !to)
      throw Error(hipErrorInvalidValue, "only one of `from` and `to` is null");
    store_elements(found->edges(), from != nullptr, *edge_count, [&](size_t i, auto *edge) {
      from[i] = edge ? edge->first : nullptr;
      to[i] = edge ? edge->second : nullptr;
    });
  });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *dependencies,
                                       size_t *dependency_count) {
  return entry([&] {
    const auto found = find_node(node);
    const std::lock_guard lock(found->graph.mutex);
    store_nodes(found->dependencies, dependencies, required(dependency_count));
  });
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes,
                                         size_t *node_count) {
  return entry([&] {
    const auto found = find_node(node);
    const std::lock_guard lock(found->graph.mutex);
    store_nodes(found->dependents, nodes, required(node_count));
  });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type) {
  return entry([&] { required(type) = find_node(node)->work->type; });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return entry([&] {
    const auto found = find_node(node);
    found->graph.remove(*found);
  });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags) {
  return entry([&] {
    const auto found = find_graph(graph);
    required(path);
    const std::string text = to_dot(*found, flags);
    const std::unique_ptr<FILE, decltype([](FILE *file) { std::fclose(file); })> file(
        std::fopen(path, "w"));
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0)
      throw Error(hipErrorOperatingSystem, "the file at `path` cannot be written");
  });
}
