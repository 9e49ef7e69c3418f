#include "graph.h"
#include "../../common/handle_table.h"

#include <algorithm>
#include <format>
#include <queue>

namespace {

/// The first of so many numbers.
uint64_t new_ids(size_t count) {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(count, std::memory_order_relaxed);
}

bool is_special(const chip::NodeWork &work) { return work.child || work.owns_memory(); }

struct GraphHandles {
  common::HandleTable<ihipGraph> graphs;
  common::HandleTable<hipGraphNode> nodes; // whose owners own the graph
};

GraphHandles &handles() { // outlives static destructors, which may call
  static GraphHandles &all = *new GraphHandles;
  return all;
}

using chip::Error;

bool has_edge(const hipGraphNode &from, const hipGraphNode &to) {
  return from.dependents.size() < to.dependencies.size()
             ? std::ranges::contains(from.dependents, &to)
             : std::ranges::contains(to.dependencies, &from);
}

void link(hipGraphNode &from, hipGraphNode &to) {
  from.dependents.push_back(&to);
  to.dependencies.push_back(&from);
}

void unlink(hipGraphNode &from, hipGraphNode &to) {
  from.dependents.erase(std::ranges::find(from.dependents, &to));
  to.dependencies.erase(std::ranges::find(to.dependencies, &from));
}

} // namespace

hipGraphNode::hipGraphNode(ihipGraph &owner, uint64_t number,
                           std::shared_ptr<const chip::NodeWork> node_work)
    : graph(owner), id(number), work(std::move(node_work)) {
  if (work->child)
    work->child->parent = this;
}

ihipGraph::ihipGraph(const ihipGraph &original)
    : std::enable_shared_from_this<ihipGraph>(), user_objects(original.user_objects) {}

void ihipGraph::publish() {
  const std::lock_guard lock(mutex);
  is_published_ = true;
  handles().graphs.add(shared_from_this());
  for (const auto &node : nodes_)
    publish(*node);
}

void ihipGraph::publish(Node &node) {
  handles().nodes.add(std::shared_ptr<Node>(shared_from_this(), &node));
  if (node.work->child)
    node.work->child->publish();
}

hipGraphNode &ihipGraph::own(hipGraphNode_t node) const {
  const auto found = handles().nodes.find(node);
  if (!found || &found->graph != this)
    throw Error(hipErrorInvalidValue, "an element of an array of nodes is not a node of `graph`");
  return *found;
}

hipGraphNode &ihipGraph::append(std::unique_ptr<Node, NodeEnd> node) {
  node->index = nodes_.size();
  if (node->work->type == hipGraphNodeTypeMemFree)
    freed_.insert(node->work->find<chip::MemoryDetails>()->memory.get());
  nodes_.push_back(std::move(node));
  special_nodes_ += is_special(*nodes_.back()->work);
  if (is_published_)
    publish(*nodes_.back());
  return *nodes_.back();
}

hipGraphNode &ihipGraph::add(chip::NodeWork &&work, std::span<const hipGraphNode_t> dependencies) {
  const std::lock_guard lock(mutex);
  std::vector<Node *> all;
  for (const hipGraphNode_t dependency : dependencies)
    all.push_back(&own(dependency));
  std::vector<Node *> sorted = all;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Error(hipErrorInvalidValue, "a node stands twice in `dependencies`");
  return add_after(std::move(work), all);
}

hipGraphNode &ihipGraph::add_after(chip::NodeWork &&work, std::span<Node *const> dependencies) {
  const std::lock_guard lock(mutex);
  Node &node = append(std::unique_ptr<Node, NodeEnd>(
      new Node(*this, new_ids(1), std::make_shared<const chip::NodeWork>(std::move(work)))));
  for (Node *dependency : dependencies)
    link(*dependency, node);
  return node;
}

void ihipGraph::add_edges(std::span<const hipGraphNode_t> from,
                          std::span<const hipGraphNode_t> to) {
  const std::lock_guard lock(mutex);
  size_t added = 0;
  try {
    for (; added < from.size(); ++added) {
      Node &first = own(from[added]), &second = own(to[added]);
      if (&first == &second)
        throw Error(hipErrorInvalidValue, "an edge leads from a node to itself");
      if (has_edge(first, second))
        throw Error(hipErrorInvalidValue, "an edge is there already, or stands twice");
      link(first, second);
    }
  } catch (...) {
    while (added-- != 0)
      unlink(*from[added], *to[added]);
    throw;
  }
}

void ihipGraph::remove_edges(std::span<const hipGraphNode_t> from,
                             std::span<const hipGraphNode_t> to) {
  const std::lock_guard lock(mutex);
  std::vector<std::pair<Node *, Node *>> all;
  for (size_t i = 0; i < from.size(); ++i) {
    Node &first = own(from[i]), &second = own(to[i]);
    if (!has_edge(first, second))
      throw Error(hipErrorInvalidValue, "there is no such edge");
    if (first.work->owns_memory() || second.work->owns_memory())
      throw Error(hipErrorNotSupported, "an edge is of a node that allocates or frees memory");
    all.emplace_back(&first, &second);
  }
  std::vector<std::pair<Node *, Node *>> sorted = all;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Error(hipErrorInvalidValue, "an edge stands twice");
  for (const auto &[first, second] : all)
    unlink(*first, *second);
}

void ihipGraph::remove(Node &node) {
  const std::lock_guard lock(mutex);
  if (node.work->owns_memory())
    throw Error(hipErrorNotSupported, "`node` allocates or frees memory");
  if (captures != 0)
    throw Error(hipErrorIllegalState, "streams are being captured into the graph of `node`");
  while (!node.dependencies.empty())
    unlink(*node.dependencies.back(), node);
  while (!node.dependents.empty())
    unlink(node, *node.dependents.back());
  if (node.work->child)
    node.work->child->retire();
  special_nodes_ -= is_special(*node.work);
  handles().nodes.take(&node);
  const auto place = nodes_.erase(nodes_.begin() + ptrdiff_t(node.index));
  for (auto later = place; later != nodes_.end(); ++later)
    --(*later)->index;
}

std::vector<hipGraphNode *> ihipGraph::roots() const {
  const std::lock_guard lock(mutex);
  std::vector<Node *> found;
  for (const auto &node : nodes_)
    if (node->dependencies.empty())
      found.push_back(node.get());
  return found;
}

std::vector<std::pair<hipGraphNode *, hipGraphNode *>> ihipGraph::edges() const {
  const std::lock_guard lock(mutex);
  std::vector<std::pair<Node *, Node *>> found;
  for (const auto &node : nodes_)
    for (Node *dependent : node->dependents)
      found.emplace_back(node.get(), dependent);
  return found;
}

std::optional<std::vector<hipGraphNode *>> ihipGraph::order() const {
  const std::lock_guard lock(mutex);
  std::vector<Node *> ordered;
  ordered.reserve(nodes_.size());
  const auto comes_after_all = [](const auto &node) {
    return std::ranges::all_of(node->dependencies, [&](const Node *dependency) {
      return dependency->index < node->index;
    });
  };
  if (std::ranges::all_of(nodes_, comes_after_all)) { // as programs mostly add them
    for (const auto &node : nodes_)
      ordered.push_back(node.get());
    return ordered;
  }
  std::vector<size_t> waits_for;
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready; // by index
  for (const auto &node : nodes_) {
    waits_for.push_back(node->dependencies.size());
    if (waits_for.back() == 0)
      ready.push(node->index);
  }
  while (!ready.empty()) {
    Node *node = nodes_[ready.top()].get();
    ready.pop();
    ordered.push_back(node);
    for (const Node *dependent : node->dependents)
      if (--waits_for[dependent->index] == 0)
        ready.push(dependent->index);
  }
  if (ordered.size() != nodes_.size())
    return std::nullopt;
  return ordered;
}

bool ihipGraph::owns_memory() const {
  const std::lock_guard lock(mutex);
  return !is_plain() && std::ranges::any_of(nodes_, [](const auto &node) {
    return node->work->owns_memory() || (node->work->child && node->work->child->owns_memory());
  });
}

bool ihipGraph::frees(const chip::GraphMemory &memory) const {
  const std::lock_guard lock(mutex);
  return freed_.contains(&memory);
}

std::shared_ptr<ihipGraph> ihipGraph::clone() const {
  if (owns_memory())
    throw Error(hipErrorNotSupported,
                "a graph that allocates or frees memory can neither be copied nor be a child");
  return copy();
}

std::shared_ptr<ihipGraph> ihipGraph::copy() const {
  const std::lock_guard lock(mutex);
  const std::shared_ptr<ihipGraph> copy(new ihipGraph(*this));
  copy->nodes_.reserve(nodes_.size());
  copy->block_.memory = static_cast<std::byte *>(::operator new(nodes_.size() * sizeof(Node)));
  const auto place = [&](size_t index) {
    return reinterpret_cast<Node *>(copy->block_.memory + index * sizeof(Node));
  };
  uint64_t id = new_ids(nodes_.size());
  for (const auto &node : nodes_) {
    std::shared_ptr<const chip::NodeWork> work = node->work;
    if (work->child) {
      auto own = std::make_shared<chip::NodeWork>(*work);
      own->child = work->child->copy();
      work = std::move(own);
    }
    Node *copied = new (place(node->index)) Node(*copy, id++, std::move(work));
    copied->is_in_block = true;
    copied->original_id = node->id;
    copy->append(std::unique_ptr<Node, NodeEnd>(copied));
    for (const Node *dependency : node->dependencies)
      copied->dependencies.push_back(place(dependency->index));
    for (const Node *dependent : node->dependents)
      copied->dependents.push_back(place(dependent->index));
  }
  return copy;
}

hipGraphNode &ihipGraph::copy_of(const Node &original) const {
  const std::lock_guard lock(mutex);
  const auto found =
      std::ranges::find(nodes_, original.id, [](const auto &node) { return node->original_id; });
  if (found == nodes_.end())
    throw Error(
        hipErrorInvalidValue,
        "`clone` is not a copy of the graph of `original`, or its copy of `original` is gone");
  return **found;
}

void ihipGraph::retire() {
  const auto self = handles().graphs.take(this); // which lives longer than the lock
  const std::lock_guard lock(mutex);
  is_published_ = false;
  for (const auto &node : nodes_) {
    if (node->work->child)
      node->work->child->retire();
    handles().nodes.take(node.get());
  }
}

namespace chip {

std::shared_ptr<Graph> find_graph(hipGraph_t handle, const char *argument) {
  if (auto graph = handles().graphs.find(handle))
    return graph;
  throw Error(hipErrorInvalidValue, std::format("`{}` is not a live hipGraph_t", argument));
}

std::shared_ptr<GraphNode> find_node(hipGraphNode_t handle, const char *argument) {
  if (auto node = handles().nodes.find(handle))
    return node;
  throw Error(hipErrorInvalidValue, std::format("`{}` is not a live hipGraphNode_t", argument));
}

std::shared_ptr<GraphNode> find_node(hipGraphNode_t handle, hipGraphNodeType type,
                                     const char *argument) {
  auto node = find_node(handle, argument);
  if (node->work->type != type)
    throw Error(hipErrorInvalidValue, std::format("`{}` is a node of another kind", argument));
  return node;
}

void destroy_graph(hipGraph_t handle) {
  const auto graph = find_graph(handle);
  if (graph->parent)
    throw Error(hipErrorInvalidValue, "`graph` belongs to a child graph node");
  graph->retire();
}

NodeWork child_graph_work(const Graph &child) {
  return {.type = hipGraphNodeTypeGraph, .child = child.clone()};
}

NodeWork free_work(const Graph &graph, void *address) {
  auto memory = GraphMemory::find(address);
  if (!memory)
    throw Error(hipErrorInvalidValue, "`address` is not memory of an allocation node");
  if (graph.frees(*memory))
    throw Error(hipErrorInvalidValue, "another node of `graph` frees `address`");
  Device *device = &memory->device();
  return {.type = hipGraphNodeTypeMemFree,
          .device = device,
          .details = MemoryDetails{.memory = std::move(memory)}};
}

} // namespace chip
