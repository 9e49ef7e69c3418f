#include "executable_plan.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace chip {
namespace {

constexpr uint32_t none = UINT32_MAX;

/// How far each lane is ordered before a node: the number of its nodes that come before.
using Clock = std::array<uint32_t, Plan::most_lanes>;

/// Numbers of steps. Most nodes wait for one or two others.
using Steps = SmallVector<uint32_t, 2>;

/// Nodes that follow each other in one lane, where nothing waits for one but the last, with what the first waits for: all before
/// this. Long lines of nodes are one step each, since a step costs several times what a node does.
struct Step {
  GraphNode *first; // null: nothing is done, others wait here
  GraphNode *last;  // each but this has one dependent, which is the next
  Steps dependencies;
  uint32_t lane = none;
  uint32_t place = 0; // in its lane, from 1
  Clock clock{};      // with itself
  Steps waits{};
  bool waits_for_start = false;
  bool others_wait = false;
};

std::optional<int> priority_of(const GraphNode &node) {
  if (const auto *kernel = node.work->find<KernelDetails>())
    if (const auto set = kernel->attributes.find(hipLaunchAttributePriority);
        set != kernel->attributes.end())
      return set->second.priority;
  return std::nullopt;
}

/// Child graphs are taken apart, so that their branches, too, run beside what does not wait for them.
class Flattener {
public:
  explicit Flattener(bool uses_priorities) : uses_priorities_(uses_priorities) {}

  std::vector<Step> steps;
  size_t node_count = 0;

  /// Returns what comes last. The roots of the graph wait for `entry`, if there is one.
  Steps add(const Graph &graph, uint32_t entry) {
    const auto order = graph.order();
    if (!order)
      throw CyclicGraph();
    node_count += order->size();
    std::vector<uint32_t> ends(order->size(), none); // by index of the node; none of an empty graph
    Steps last;
    for (GraphNode *node : *order) {
      uint32_t &end = ends[node->index];
      if (const GraphNode *before = continued_by(*node)) {
        end = ends[before->index];
        steps[end].last = node;
        if (node->dependents.empty())
          last.push_back(end);
        continue;
      }
      Steps dependencies;
      if (node->dependencies.empty() && entry != none)
        dependencies.push_back(entry);
      for (const GraphNode *dependency : node->dependencies)
        if (const uint32_t waited_for = ends[dependency->index]; waited_for != none)
          dependencies.push_back(waited_for);
      if (node->work->child)
        // Neither side sees how many nodes the other has: there would be an edge for each pair.
        end = one_of(add(*node->work->child, one_of(std::move(dependencies))));
      else
        end = add(node, std::move(dependencies));
      if (node->dependents.empty() && end != none)
        last.push_back(end);
    }
    if (order->empty() && entry != none)
      last.push_back(entry);
    return last;
  }

private:
  /// The node whose step a node can be added to, null if there is none.
  const GraphNode *continued_by(const GraphNode &node) const {
    if (node.dependencies.size() != 1 || node.work->child)
      return nullptr;
    const GraphNode *before = node.dependencies.front();
    if (before->dependents.size() != 1 || before->work->child ||
        before->work->device != node.work->device ||
        (uses_priorities_ && priority_of(*before) != priority_of(node)))
      return nullptr;
    return before;
  }
  uint32_t add(GraphNode *node, Steps dependencies) {
    std::ranges::sort(dependencies);
    const auto [first, end] = std::ranges::unique(dependencies);
    dependencies.erase(first, end);
    steps.push_back({.first = node, .last = node, .dependencies = std::move(dependencies)});
    return uint32_t(steps.size() - 1);
  }
  /// None for none.
  uint32_t one_of(Steps all) {
    if (all.size() > 1)
      return add(nullptr, std::move(all));
    return all.empty() ? none : all.front();
  }

  const bool uses_priorities_;
};

Lane wanted_lane(const GraphNode *node, Device &main_device, bool uses_priorities) {
  Lane lane{&main_device, std::nullopt};
  if (!node)
    return lane;
  if (node->work->device)
    lane.device = node->work->device;
  if (uses_priorities)
    lane.priority = priority_of(*node);
  return lane;
}

/// Gives each step a lane, and the waits that the order of the lanes does not make needless.
class Assigner {
public:
  Assigner(std::vector<Step> &steps, std::vector<Lane> &lanes) : steps_(steps), lanes_(lanes) {}

  void assign(uint32_t index, const Lane &wanted) {
    Step &step = steps_[index];
    for (const uint32_t dependency : step.dependencies)
      merge(step.clock, steps_[dependency].clock);
    append(index, choose(step, wanted));
  }
  void append(uint32_t index, uint32_t lane) {
    Step &step = steps_[index];
    step.lane = lane;
    Tail &tail = tails_[step.lane];
    step.place = ++tail.count;
    find_waits(step, tail.last == none ? Clock{} : steps_[tail.last].clock);
    step.clock[step.lane] = step.place;
    // Whoever waits in a lane makes what follows there wait as well.
    if (tail.last != none)
      merge(step.clock, steps_[tail.last].clock);
    step.waits_for_start = tail.last == none && step.waits.empty();
    tail.last = index;
  }

private:
  struct Tail {
    uint32_t last = none; // step
    uint32_t count = 0;
  };

  static void merge(Clock &clock, const Clock &other) {
    for (size_t i = 0; i < clock.size(); ++i)
      clock[i] = std::max(clock[i], other[i]);
  }

  bool fits(uint32_t lane, const Lane &wanted) const {
    return lanes_[lane].device == wanted.device && lanes_[lane].priority == wanted.priority;
  }

  /// A lane that orders the step after nothing that it does not wait for, if there is one.
  uint32_t choose(const Step &step, const Lane &wanted) {
    uint32_t least = none, free = none;
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane) {
      if (!fits(lane, wanted))
        continue;
      const Tail &tail = tails_[lane];
      if (tail.last != none && std::ranges::contains(step.dependencies, tail.last))
        return lane;
      if (free == none && step.clock[lane] == tail.count)
        free = lane;
      if (least == none || tail.count < tails_[least].count)
        least = lane;
    }
    if (free != none)
      return free;
    // Each kind of lane has to have one.
    if (lanes_.size() >= Plan::most_lanes) {
      if (least == none)
        throw Error(hipErrorNotSupported,
                    "the nodes of `graph` have too many devices and priorities");
      return least;
    }
    lanes_.push_back(wanted);
    return uint32_t(lanes_.size() - 1);
  }

  void find_waits(Step &step, Clock known) {
    // The last one first: it may come after others.
    for (const uint32_t index : std::views::reverse(step.dependencies)) {
      Step &dependency = steps_[index];
      if (dependency.lane == step.lane || known[dependency.lane] >= dependency.place)
        continue;
      merge(known, dependency.clock);
      dependency.others_wait = true;
      step.waits.push_back(index);
    }
  }

  std::vector<Step> &steps_;
  std::vector<Lane> &lanes_;
  std::array<Tail, Plan::most_lanes> tails_{};
};

void make_segments(const std::vector<Step> &steps, size_t node_count, Plan &plan) {
  std::vector<uint32_t> open(plan.lanes.size(),
                             none); // the segment of each lane that takes its next step
  std::vector<uint32_t> segment_of(steps.size());
  plan.nodes.reserve(node_count);
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    uint32_t &segment = open[step.lane];
    if (segment == none || !step.waits.empty()) {
      segment = uint32_t(plan.segments.size());
      plan.segments.push_back({.lane = step.lane, .waits_for_start = step.waits_for_start});
      for (const uint32_t wait : step.waits)
        plan.segments.back().waits.push_back(segment_of[wait]);
    }
    segment_of[i] = segment;
    for (GraphNode *node = step.first; node;
         node = node == step.last ? nullptr : node->dependents.front()) {
      plan.segments[segment].nodes.push_back(uint32_t(plan.nodes.size()));
      plan.nodes.push_back(node);
    }
    if (step.others_wait) {
      plan.segments[segment].others_wait = true;
      segment = none;
    }
  }
  for (uint32_t i = 0; i < plan.segments.size(); ++i)
    if (plan.segments[i].lane == 0)
      plan.end = i;
}

} // namespace

Plan make_plan(const Graph &graph, bool uses_priorities) {
  Flattener flattener(uses_priorities);
  const Steps last = flattener.add(graph, none);
  std::vector<Step> &steps = flattener.steps;
  const auto first = std::ranges::find_if(
      steps, [](const Step &step) { return step.first && step.first->work->device; });
  Device &device = first == steps.end() ? Platform::current_device() : *first->first->work->device;
  Plan plan;
  plan.lanes.push_back(
      wanted_lane(steps.empty() ? nullptr : steps.front().first, device, uses_priorities));
  Assigner assigner(steps, plan.lanes);
  for (uint32_t i = 0; i < steps.size(); ++i)
    assigner.assign(i, wanted_lane(steps[i].first, device, uses_priorities));
  // The end is a step like the others, in the first lane.
  if (std::ranges::any_of(last, [&](uint32_t i) { return steps[i].lane != 0; })) {
    steps.push_back({.first = nullptr, .last = nullptr, .dependencies = last});
    assigner.append(uint32_t(steps.size() - 1), 0);
  }
  make_segments(steps, flattener.node_count, plan);
  return plan;
}

} // namespace chip
