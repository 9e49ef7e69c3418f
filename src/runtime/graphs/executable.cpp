#include "executable.h"
#include "../../common/handle_pool.h"
#include "../streams/bridge.h"
#include "../streams/retired.h"
#include "executable_state.h"

#include <algorithm>
#include <ranges>

namespace {

using namespace chip;

constinit LastingHandlePool<hipGraphExec> executables; // for static destructors, which may call

[[noreturn]] void refuse_executable() {
  throw Error(hipErrorInvalidValue, "`exec` is not a live hipGraphExec_t");
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

/// What a live executable graph has, locked.
class hipGraphExec::Access {
public:
  explicit Access(const hipGraphExec &exec) : state_(exec.state_.lock()) {
    if (!*state_)
      refuse_executable();
  }
  State *operator->() const { return state_->get(); }

private:
  decltype(std::declval<const common::Guarded<std::shared_ptr<State>> &>().lock()) state_;
};

hipGraphExec::hipGraphExec() = default;
hipGraphExec::~hipGraphExec() = default;

void hipGraphExec::create(const Graph &graph, unsigned long long flags) {
  check_children(graph);
  try {
    auto state = std::make_shared<State>(graph, flags);
    *state_.lock() = std::move(state);
  } catch (const CyclicGraph &error) {
    throw InstantiationError(error.code(), error.what(), hipGraphInstantiateInvalidStructure,
                             find_cycle(graph));
  }
}

bool hipGraphExec::destroy() {
  mark.store(0, std::memory_order_release);
  std::shared_ptr<State> state;
  state.swap(*state_.lock());
  if (!state)
    return false;
  state->life.reset();
  const MarkerRef last = state->last_or_settled();
  // Apart: any wait may let go of them, and only one for the device of all else.
  retire_user_objects(*state->graph, last);
  retire(last, std::move(state), Ending::waits);
  return true;
}

std::weak_ptr<const void> hipGraphExec::life() const { return Access(*this)->life; }

unsigned long long hipGraphExec::flags() const { return Access(*this)->flags; }

void hipGraphExec::launch(const StreamTarget &stream) {
  destroy_many_retired(Ending::at_once);
  Access(*this)->launch(stream);
}

void hipGraphExec::prepare(const StreamTarget &stream) { Access(*this)->prepare(stream); }

bool hipGraphExec::uses(const Device &device) const noexcept {
  const auto state = state_.lock();
  return *state && std::ranges::contains((*state)->plan.lanes, &device, &Lane::device);
}

NodeWork hipGraphExec::as_node() const {
  const Access state(*this);
  NodeWork work = child_graph_work(*state->graph);
  state->empty_disabled(*state->graph, *work.child);
  return work;
}

void hipGraphExec::set_enabled(const GraphNode &original, bool is_enabled) {
  const Access state(*this);
  const auto &[node, index] = state->place_to_enable(original);
  if (state->is_enabled[index] == is_enabled)
    return;
  state->is_enabled[index] = is_enabled;
  state->invalidate(index);
}

bool hipGraphExec::is_enabled(const GraphNode &original) const {
  const Access state(*this);
  return state->is_enabled[state->place_to_enable(original).index];
}

void hipGraphExec::update(const GraphNode &original,
                          const std::function<NodeWork(const NodeWork &)> &make) {
  destroy_many_retired(Ending::waits);
  const Access state(*this);
  const State::Place &place = state->place_of(original);
  NodeWork work = make(*place.node->work);
  if (const auto obstacle = obstacle_to(*place.node->work, work))
    throw Error(hipErrorInvalidValue, obstacle->message);
  state->replace(place, std::make_shared<const NodeWork>(std::move(work)));
}

std::optional<UpdateObstacle> hipGraphExec::update(const Graph &other) {
  destroy_many_retired(Ending::waits);
  State::Replaced replaced;
  const Access state(*this);
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
  const Access state(*this);
  Graph &child = state->child_of(original);
  const std::lock_guard lock(other.mutex);
  auto obstacle = obstacle_to(child, other);
  if (!obstacle)
    state->replace_all(child, other, replaced);
  return obstacle;
}

namespace chip {

GraphExec &make_executable(Graph &graph, unsigned long long flags) {
  destroy_few_or_many_retired(Ending::waits);
  const std::lock_guard lock(graph.mutex);
  const bool owns_memory = graph.owns_memory();
  if (owns_memory && !graph.executable.expired())
    throw InstantiationError(
        hipErrorNotSupported,
        "`graph` allocates or frees memory, and is in use by an executable graph",
        hipGraphInstantiateError, nullptr);
  GraphExec &made = executables->take();
  try {
    made.create(graph, flags);
  } catch (...) {
    executables->give_back(made);
    throw;
  }
  if (owns_memory)
    graph.executable = made.life();
  made.mark.store(GraphExec::alive_mark, std::memory_order_release);
  return made;
}

GraphExec &find_executable(hipGraphExec_t handle) {
  if (GraphExec *found = executables->find(handle))
    return *found;
  refuse_executable();
}

namespace {

/// False if another thread has done it.
bool destroy(GraphExec &exec) {
  if (!exec.destroy())
    return false;
  executables->give_back(exec);
  return true;
}

} // namespace

void destroy_executable(hipGraphExec_t handle) {
  if (!destroy(find_executable(handle)))
    refuse_executable();
  destroy_few_or_many_retired(Ending::waits);
}

void destroy_executables(const Device &device) {
  executables->for_each([&](GraphExec &exec) {
    if (exec.uses(device))
      destroy(exec);
  });
  destroy_retired(Ending::waits);
  end_all_use(device);
}

void destroy_all_executables() {
  executables->for_each([](GraphExec &exec) { destroy(exec); });
  destroy_all_retired();
}

} // namespace chip
