// What hipGraph_t and hipGraphNode_t stand for: work and its order, as data. Nothing here runs.
#pragma once

#include "node_work.h"
#include "small_vector.h"
#include "user_object.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <utility>

struct hipGraphNode {
  /// The ends of edges, in the order in which these were added.
  using Ends = chip::SmallVector<hipGraphNode *, 2>;

  hipGraphNode(ihipGraph &owner, uint64_t number, std::shared_ptr<const chip::NodeWork> node_work);

  ihipGraph &graph;
  const uint64_t id;        // never used again in the process
  uint64_t original_id = 0; // of the node that this one is a copy of
  size_t index = 0;         // in the graph's nodes
  /// Copies of the node have the same, until one of them is given other work.
  std::shared_ptr<const chip::NodeWork> work;
  Ends dependencies{};                              // which it waits for
  Ends dependents{};                                // which wait for it
  std::unique_ptr<const chip::ShownLaunch> shown{}; // what the program was given addresses of
  bool is_in_block = false; // with others of its graph, which are not freed one by one
};

/// A graph and its nodes have handles from publish() to retire(). Nodes and edges are thread-safe, since calls on streams that are
/// captured into the graph add them; what a node does is not.
struct ihipGraph : std::enable_shared_from_this<ihipGraph> {
  using Node = hipGraphNode;

  ihipGraph() = default;

  /// Of the nodes and edges: for whoever looks at nodes(), or at the dependencies of a node, of a graph that has handles.
  mutable std::recursive_mutex mutex;

  /// Throws hipErrorInvalidValue for a dependency that is not a node of the graph or stands twice.
  Node &add(chip::NodeWork &&work, std::span<const hipGraphNode_t> dependencies);
  /// The same for dependencies that are known to be nodes of the graph, none of them twice.
  Node &add_after(chip::NodeWork &&work, std::span<Node *const> dependencies);
  /// Adds all edges or none. Throws hipErrorInvalidValue for one that exists, or leads to its own beginning or out of the graph.
  void add_edges(std::span<const hipGraphNode_t> from, std::span<const hipGraphNode_t> to);
  /// Removes all edges or none. Throws hipErrorInvalidValue for one that does not exist, hipErrorNotSupported for one of a node
  /// that allocates or frees memory.
  void remove_edges(std::span<const hipGraphNode_t> from, std::span<const hipGraphNode_t> to);
  /// Removes a node and its edges. Throws hipErrorNotSupported for one that allocates or frees memory, hipErrorIllegalState while
  /// streams are captured into the graph.
  void remove(Node &node);

  struct NodeEnd {
    void operator()(Node *node) const {
      if (node->is_in_block)
        std::destroy_at(node);
      else
        delete node;
    }
  };
  /// In the order in which they were added.
  const std::vector<std::unique_ptr<Node, NodeEnd>> &nodes() const { return nodes_; }
  std::vector<Node *> roots() const;
  /// From a node to one that waits for it.
  std::vector<std::pair<Node *, Node *>> edges() const;
  /// Each node after those it waits for, and otherwise in the order in which they were added; nothing if there is a cycle.
  std::optional<std::vector<Node *>> order() const;
  /// Whether no node has a graph of its own, and none allocates or frees memory.
  bool is_plain() const {
    const std::lock_guard lock(mutex);
    return special_nodes_ == 0;
  }
  /// Whether the graph, or one in it, allocates or frees memory.
  bool owns_memory() const;
  /// Whether a node of the graph frees the memory.
  bool frees(const chip::GraphMemory &memory) const;

  /// A copy that shares nothing that can change, without handles. Throws hipErrorNotSupported for a graph that allocates or frees memory.
  std::shared_ptr<ihipGraph> clone() const;
  /// The same, but the copy has the memory of allocation nodes in common with the original.
  std::shared_ptr<ihipGraph> copy() const;
  /// The copy of a node, in a graph that is a copy of the node's. Throws hipErrorInvalidValue if there is none.
  Node &copy_of(const Node &original) const;
  /// Gives handles to the graph, its nodes and the graphs in it, and to nodes that are added later.
  void publish();
  /// These handles are not live from now on.
  void retire();
  bool is_published() const {
    const std::lock_guard lock(mutex);
    return is_published_;
  }

  const Node *parent = nullptr;      // the node that the graph belongs to
  std::atomic<unsigned> captures{0}; // in progress, which add nodes and hold on to others
  /// Of a graph that allocates memory, which has no more than one executable graph: expires with that.
  std::weak_ptr<const void> executable{};
  chip::UserObjectReferences user_objects{};

private:
  explicit ihipGraph(const ihipGraph &original);
  /// Of a node of this graph.
  Node &own(hipGraphNode_t node) const;
  Node &append(std::unique_ptr<Node, NodeEnd> node);

  void publish(Node &node);

  /// Memory of nodes that were made together.
  struct Block {
    std::byte *memory = nullptr;
    ~Block() { ::operator delete(memory); }
  };
  Block block_{};
  std::vector<std::unique_ptr<Node, NodeEnd>> nodes_{};
  size_t special_nodes_ = 0; // that have a graph of their own, or allocate or free memory
  std::unordered_set<const chip::GraphMemory *> freed_{}; // by nodes, which cannot be removed
  bool is_published_ = false;
};

namespace chip {

using Graph = ihipGraph;
using GraphNode = hipGraphNode;

/// Throw hipErrorInvalidValue for what is not live. A node that was found keeps its graph.
std::shared_ptr<Graph> find_graph(hipGraph_t graph, const char *argument = "graph");
std::shared_ptr<GraphNode> find_node(hipGraphNode_t node, const char *argument = "node");
/// The same for a node that is not of the kind.
std::shared_ptr<GraphNode> find_node(hipGraphNode_t node, hipGraphNodeType type,
                                     const char *argument = "node");
/// Throws hipErrorInvalidValue for what is not a live graph, or is one that belongs to a node.
void destroy_graph(hipGraph_t graph);

/// The work of a node that runs a copy of `child`. Throws hipErrorNotSupported for one that allocates or frees memory.
NodeWork child_graph_work(const Graph &child);
/// The work of a node that frees memory in `graph`. Throws hipErrorInvalidValue for what is not the address of memory of an
/// allocation node, or for what another node of the graph frees.
NodeWork free_work(const Graph &graph, void *address);

/// A picture of the graph in the language DOT. `flags` are hipGraphDebugDotFlags*.
std::string to_dot(const Graph &graph, unsigned flags);

} // namespace chip
