#include "executable.h"
#include "../../common/handle_table.h"
#include "../streams/bridge.h"
#include "../streams/retired.h"
#include "executable_state.h"

#include <algorithm>
#include <ranges>

namespace {

using namespace chip;

common::HandleTable<hipGraphExec> &executables() { // outlives static destructors, which may call
  static auto &all = *new common::HandleTable<hipGraphExec>;
  return all;
}

/// A node of a cycle, in the graph or in one that is in it; null if there is none.
const GraphNode *find_cycle(const Graph &graph) {
  std::vector<const GraphNode *> left;
  for (const auto &node : graph.nodes()) {
    if (node->work->child)
      if (const GraphNode *found = find_cycle(*node->work->child))
        return found;
    left.push_back(node.get());
  }
  if (graph.order())
    return nullptr;
  // Without what waits for nothing that is left, again and again, each node that is left has a dependency that is.
  for (size_t before = 0; before != left.size();) {
    before = left.size();
    std::erase_if(left, [&](const GraphNode *node) {
      return std::ranges::none_of(node->dependencies, [&](const GraphNode *dependency) {
        return std::ranges::contains(left, dependency);
      });
    });
  }
  return left.front();
}

/// Those of graphs in the graph as well.
void retire_user_objects(Graph &graph, const MarkerRef &last_use) {
  const auto objects = std::make_shared<UserObjectReferences>();
  graph.user_objects.swap(*objects);
  if (!objects->is_empty())
    retire(last_use, objects, Ending::at_once);
  for (const auto &node : graph.nodes())
    if (node->work->child)
      retire_user_objects(*node->work->child, last_use);
}

void check_children(const Graph &graph) {
  if (graph.is_plain())
    return;
  for (const auto &node : graph.nodes())
    if (node->work->child && node->work->child->owns_memory())
      throw InstantiationError(hipErrorNotSupported, "a child graph allocates or frees memory",
                               hipGraphInstantiateNodeOperationNotSupported, node.get());
}

} // namespace

hipGraphExec::hipGraphExec(const Graph &graph, unsigned long long executable_flags)
    : flags(executable_flags) {
  check_children(graph);
  try {
    state_ = std::make_unique<common::Guarded<State>>(std::in_place, graph, flags);
  } catch (const CyclicGraph &error) {
    throw InstantiationError(error.code(), error.what(), hipGraphInstantiateInvalidStructure,
                             find_cycle(graph));
  }
}

hipGraphExec::~hipGraphExec() {
  if (!state_) // its constructor has thrown
    return;
  const MarkerRef last = state_->lock()->last;
  // Apart: any wait may let go of them, and only one for the device of all else.
  retire_user_objects(*state_->lock()->graph, last);
  retire(last, std::shared_ptr<const void>(std::move(state_)), Ending::waits);
}

void hipGraphExec::launch(const StreamTarget &stream) {
  destroy_many_retired(Ending::at_once);
  state_->lock()->launch(stream, (flags & hipGraphInstantiateFlagAutoFreeOnLaunch) != 0);
}

void hipGraphExec::prepare(const StreamTarget &stream) { state_->lock()->prepare(stream); }

bool hipGraphExec::uses(const Device &device) const {
  return std::ranges::contains(state_->lock()->plan.lanes, &device, &Lane::device);
}

NodeWork hipGraphExec::as_node() const {
  const auto state = state_->lock();
  NodeWork work = child_graph_work(*state->graph);
  state->empty_disabled(*state->graph, *work.child);
  return work;
}

void hipGraphExec::set_enabled(const GraphNode &original, bool is_enabled) {
  const auto state = state_->lock();
  const auto &[node, index] = state->place_to_enable(original);
  if (state->is_enabled[index] == is_enabled)
    return;
  state->is_enabled[index] = is_enabled;
  state->invalidate(index);
}

bool hipGraphExec::is_enabled(const GraphNode &original) const {
  const auto state = state_->lock();
  return state->is_enabled[state->place_to_enable(original).index];
}

void hipGraphExec::update(const GraphNode &original,
                          const std::function<NodeWork(const NodeWork &)> &make) {
  destroy_many_retired(Ending::waits);
  const auto state = state_->lock();
  const State::Place &place = state->place_of(original);
  NodeWork work = make(*place.node->work);
  if (const auto obstacle = obstacle_to(*place.node->work, work))
    throw Error(hipErrorInvalidValue, obstacle->message);
  state->replace(place, std::make_shared<const NodeWork>(std::move(work)));
}

std::optional<UpdateObstacle> hipGraphExec::update(const Graph &other) {
  destroy_many_retired(Ending::waits);
  State::Replaced replaced;
  const auto state = state_->lock();
  const std::lock_guard lock(other.mutex);
  auto obstacle = obstacle_to(*state->graph, other);
  if (!obstacle)
    state->replace_all(*state->graph, other, replaced);
  return obstacle;
}

std::optional<UpdateObstacle> hipGraphExec::update_child(const GraphNode &original,
                                                         const Graph &other) {
  destroy_many_retired(Ending::waits);
  State::Replaced replaced;
  const auto state = state_->lock();
  Graph &child = state->child_of(original);
  const std::lock_guard lock(other.mutex);
  auto obstacle = obstacle_to(child, other);
  if (!obstacle)
    state->replace_all(child, other, replaced);
  return obstacle;
}

namespace chip {

std::shared_ptr<GraphExec> make_executable(Graph &graph, unsigned long long flags) {
  destroy_few_or_many_retired(Ending::waits);
  const std::lock_guard lock(graph.mutex);
  const bool owns_memory = graph.owns_memory();
  if (owns_memory && !graph.executable.expired())
    throw InstantiationError(
        hipErrorNotSupported,
        "`graph` allocates or frees memory, and is in use by an executable graph",
        hipGraphInstantiateError, nullptr);
  auto made = std::make_shared<GraphExec>(graph, flags);
  if (owns_memory)
    graph.executable = made;
  executables().add(made);
  return made;
}

std::shared_ptr<GraphExec> find_executable(hipGraphExec_t handle) {
  if (auto found = executables().find(handle))
    return found;
  throw Error(hipErrorInvalidValue, "`exec` is not a live hipGraphExec_t");
}

void destroy_executable(hipGraphExec_t handle) {
  if (!executables().take(handle))
    throw Error(hipErrorInvalidValue, "`exec` is not a live hipGraphExec_t");
  destroy_few_or_many_retired(Ending::waits);
}

void destroy_executables(const Device &device) {
  executables().take_all_if([&](const GraphExec &exec) { return exec.uses(device); });
  destroy_retired(Ending::waits);
  end_all_use(device);
}

void destroy_all_executables() {
  executables().take_all_if([](const GraphExec &) { return true; });
  destroy_all_retired();
}

} // namespace chip
