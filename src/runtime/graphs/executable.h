// What hipGraphExec_t stands for: a graph that can be launched.
#pragma once

#include "executable_plan.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace chip {

/// Why a graph cannot be made executable.
class InstantiationError : public Error {
public:
  InstantiationError(hipError_t error, const char *message, hipGraphInstantiateResult result,
                     const GraphNode *node)
      : Error(error, message), result_(result), node_(node) {}
  hipGraphInstantiateResult result() const { return result_; }
  /// Null where no node is at fault.
  const GraphNode *node() const { return node_; }

private:
  hipGraphInstantiateResult result_;
  const GraphNode *node_;
};

/// Why an executable graph cannot do what another graph says.
struct UpdateObstacle {
  hipGraphExecUpdateResult result;
  GraphNode *node; // of the other graph; may be null
  const char *message;
};

} // namespace chip

/// The nodes that calls name are those of the graph from which it was made: its own are copies of them. The object is recycled but
/// never freed: whatever is asked of one that has been destroyed throws hipErrorInvalidValue. Thread-safe.
struct hipGraphExec {
  static constexpr uint32_t alive_mark = 0x47726578;
  std::atomic<uint32_t> mark{0};

  hipGraphExec();
  ~hipGraphExec();
  /// Throws chip::InstantiationError.
  void create(const chip::Graph &graph, unsigned long long flags);
  /// What a launch still uses lives until that has completed. False if it has been destroyed before.
  bool destroy();
  /// Expires when this is destroyed.
  std::weak_ptr<const void> life() const;

  unsigned long long flags() const;
  /// Throws hipErrorInvalidValue if memory of the last launch has not been freed.
  void launch(const chip::StreamTarget &stream);
  /// Makes what the next launch in the stream needs.
  void prepare(const chip::StreamTarget &stream);
  /// False for one that has been destroyed.
  bool uses(const chip::Device &device) const noexcept;
  /// A node that does what a launch would do now. Throws hipErrorNotSupported for a graph that allocates or frees memory.
  chip::NodeWork as_node() const;

  /// These throw hipErrorInvalidValue for a node that does not belong to the graph or is of a kind that cannot be disabled.
  void set_enabled(const chip::GraphNode &original, bool is_enabled);
  bool is_enabled(const chip::GraphNode &original) const;
  /// Gives the copy of `original` the work that `make(its work)` returns. Throws hipErrorInvalidValue if there is none, or if
  /// the new work is not possible in a graph that is executable already.
  void update(const chip::GraphNode &original,
              const std::function<chip::NodeWork(const chip::NodeWork &)> &make);
  /// Takes the parameters of all nodes from those of a graph of the same shape. If that is not possible, nothing changes.
  std::optional<chip::UpdateObstacle> update(const chip::Graph &graph);
  /// The same for the graph of a child graph node.
  std::optional<chip::UpdateObstacle> update_child(const chip::GraphNode &original,
                                                   const chip::Graph &child);

private:
  class State;
  class Access;
  common::Guarded<std::shared_ptr<State>> state_; // null: nothing is there any more
};

namespace chip {

using GraphExec = hipGraphExec;

/// The handle of a new executable graph. Throws InstantiationError.
GraphExec &make_executable(Graph &graph, unsigned long long flags);
/// Throws hipErrorInvalidValue for what is not live. Takes no lock.
GraphExec &find_executable(hipGraphExec_t exec);
void destroy_executable(hipGraphExec_t exec);
/// Destroys those that use a device whose work has been waited for, or all.
void destroy_executables(const Device &device);
void destroy_all_executables();

/// Why the work of a node in an executable graph cannot become `next`, if so. `node` is not set.
std::optional<UpdateObstacle> obstacle_to(const NodeWork &now, const NodeWork &next);
/// Why a graph cannot give its parameters to `own`, if so.
std::optional<UpdateObstacle> obstacle_to(const Graph &own, const Graph &other);

} // namespace chip
