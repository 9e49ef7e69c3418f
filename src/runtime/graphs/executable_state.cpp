#include "executable_state.h"
#include "../streams/bridge.h"
#include "../streams/retired.h"

#include <algorithm>
#include <iterator>
#include <ranges>

using namespace chip;

namespace {

/// In which a node can be skipped without a change of what the others do.
bool can_be_disabled(hipGraphNodeType type) {
  return type == hipGraphNodeTypeKernel || type == hipGraphNodeTypeMemcpy ||
         type == hipGraphNodeTypeMemset;
}

[[noreturn]] void refuse_node() {
  throw Error(hipErrorInvalidValue, "`node` is not a node of this kind in the graph of `exec`");
}

std::vector<uint32_t> segments_of_nodes(const Plan &plan) {
  std::vector<uint32_t> segment_of(plan.nodes.size());
  for (uint32_t i = 0; i < plan.segments.size(); ++i)
    for (const uint32_t index : plan.segments[i].nodes)
      segment_of[index] = i;
  return segment_of;
}

} // namespace

hipGraphExec::State::State(const Graph &original, unsigned long long executable_flags)
    : flags(executable_flags), graph(original.copy()),
      plan(make_plan(*graph, (flags & hipGraphInstantiateFlagUseNodePriority) != 0)),
      is_enabled(plan.nodes.size(), true), segment_of_(segments_of_nodes(plan)),
      changing_(segment_of_, plan.segments.size()), programs_(plan.segments.size()),
      queues_(plan.lanes.size()), ends_(plan.segments.size()) {
  places_.reserve(plan.nodes.size());
  for (uint32_t i = 0; i < plan.nodes.size(); ++i)
    places_.push_back({plan.nodes[i]->original_id, {plan.nodes[i], i}});
  if (!graph->is_plain()) {
    add_children(*graph);
    std::ranges::copy_if(plan.nodes, std::back_inserter(memory_nodes_),
                         [](const GraphNode *node) { return node->work->owns_memory(); });
  }
  if (constexpr auto number = &std::pair<uint64_t, Place>::first;
      !std::ranges::is_sorted(places_, {}, number)) // as it mostly is
    std::ranges::sort(places_, {}, number);
}

/// Child graph nodes have a place, too, which is none in the plan.
void hipGraphExec::State::add_children(const Graph &own) {
  for (const auto &node : own.nodes())
    if (node->work->child) {
      places_.push_back({node->original_id, {node.get()}});
      add_children(*node->work->child);
    }
}

const hipGraphExec::State::Place *hipGraphExec::State::find_place(uint64_t original_id) const {
  const auto found =
      std::ranges::lower_bound(places_, original_id, {}, &std::pair<uint64_t, Place>::first);
  return found == places_.end() || found->first != original_id ? nullptr : &found->second;
}

const hipGraphExec::State::Place &hipGraphExec::State::place_of(const GraphNode &original) const {
  const Place *found = find_place(original.id);
  if (!found)
    refuse_node();
  return *found;
}

const hipGraphExec::State::Place &
hipGraphExec::State::place_to_enable(const GraphNode &original) const {
  const Place &place = place_of(original);
  if (!can_be_disabled(place.node->work->type))
    throw Error(hipErrorInvalidValue, "`node` is not a kernel, copy or fill node");
  return place;
}

Graph &hipGraphExec::State::child_of(const GraphNode &original) const {
  const Place &place = place_of(original);
  if (!place.node->work->child)
    refuse_node();
  return *place.node->work->child;
}

// ---- Changes

void hipGraphExec::State::replace(const Place &place, std::shared_ptr<const NodeWork> work) {
  const MarkerRef last_use = last();
  const bool is_alike = work->operations.size() == place.node->work->operations.size();
  if (changing_.change(place.index) || !is_alike)
    invalidate(place.index);
  retire(last_use, std::exchange(place.node->work, std::move(work)), Ending::waits);
}

void hipGraphExec::State::replace_all(Graph &own, const Graph &other, Replaced &replaced) {
  const auto objects = std::make_shared<UserObjectReferences>(other.user_objects);
  own.user_objects.swap(*objects);
  if (!objects->is_empty()) {
    replaced.push_back(objects);
    retire(last(), objects, Ending::at_once);
  }
  for (const auto &[node, source] : std::views::zip(own.nodes(), other.nodes())) {
    if (node->work->child)
      replace_all(*node->work->child, *source->work->child, replaced);
    else if (node->work == source->work)
      continue;
    else if (node->work->operations != source->work->operations)
      replace(*find_place(node->original_id), source->work);
    else {
      // What was recorded uses what these operations own, and no other ones that are equal.
      auto work = std::make_shared<NodeWork>(*node->work);
      work->details = source->work->details;
      node->work = std::move(work);
    }
  }
}

void hipGraphExec::State::empty_disabled(const Graph &own, const Graph &copy) const {
  for (const auto &[node, copied] : std::views::zip(own.nodes(), copy.nodes())) {
    if (node->work->child)
      empty_disabled(*node->work->child, *copied->work->child);
    else if (!is_enabled[find_place(node->original_id)->index])
      copied->work = std::make_shared<const NodeWork>();
  }
}

MarkerRef hipGraphExec::State::last_or_settled() const noexcept {
  try {
    return last();
  } catch (const Error &) {
    last_->queue->settle();
    return {};
  }
}

// ---- Launches

/// Where a lane's work goes in a launch: to the stream, or to a queue beside it.
StreamTarget hipGraphExec::State::target(uint32_t index, const StreamTarget &stream) {
  const Lane &lane = plan.lanes[index];
  const ze_command_queue_priority_t priority =
      lane.priority ? queue_priority(*lane.priority) : stream.queue->priority();
  if (index == 0 && lane.device == stream.device && priority == stream.queue->priority())
    return {stream.device, stream.queue, stream.legacy};
  auto &queue = queues_[index];
  if (!queue || (*queue)->priority() != priority)
    queue = std::make_unique<InternalQueue>(lane.device->scheduler(), priority);
  return {lane.device, &**queue, false};
}

void hipGraphExec::State::prepare(const StreamTarget &stream) {
  targets_.clear();
  for (uint32_t i = 0; i < plan.lanes.size(); ++i)
    targets_.push_back(target(i, stream));
  for (uint32_t i = 0; i < plan.segments.size(); ++i) {
    Device &device = *plan.lanes[plan.segments[i].lane].device;
    if (programs_[i].is_current(device) && !changing_.takes_in(i))
      continue;
    std::vector<SegmentProgram::Step> all;
    all.reserve(plan.segments[i].nodes.size());
    for (const uint32_t index : plan.segments[i].nodes)
      if (is_enabled[index])
        for (uint32_t k = 0; k < plan.nodes[index]->work->operations.size(); ++k)
          all.push_back({plan.nodes[index], k, changing_.is_left_out(index)});
    const MarkerRef last_use = last();
    retire(last_use,
           device.scheduler().noticing_loss([&] { return programs_[i].build(device, all); }),
           Ending::at_once);
  }
}

void hipGraphExec::State::launch(const StreamTarget &stream) {
  stream.device->scheduler().check_alive();
  changing_.count_launch();
  // Whatever fails does so before anything is submitted, as far as that can be known.
  prepare(stream);
  take_memory();
  // A launch that does nothing has its place among streams as any other.
  if (std::ranges::all_of(programs_, &SegmentProgram::is_empty))
    (void)stream.queue->record_marker();
  run(stream);
}

void hipGraphExec::State::take_memory() {
  const auto memory_of = [](const GraphNode *node) {
    return node->work->find<MemoryDetails>()->memory.get();
  };
  const auto is_allocation = [](const GraphNode *node) {
    return node->work->type == hipGraphNodeTypeMemAlloc;
  };
  for (const GraphNode *node : memory_nodes_ | std::views::filter(is_allocation))
    if (memory_of(node)->is_used()) {
      if (!(flags & hipGraphInstantiateFlagAutoFreeOnLaunch))
        throw Error(hipErrorInvalidValue, "memory of the last launch has not been freed");
      memory_of(node)->end_use();
    }
  for (const GraphNode *node : memory_nodes_)
    if (is_allocation(node))
      memory_of(node)->begin_use();
    else
      memory_of(node)->end_use();
}

void hipGraphExec::State::run(const StreamTarget &stream) {
  if (last_ && last_->queue != stream.queue)
    wait_for(*stream.queue, last());
  const auto is_beside = [&](const StreamTarget &lane) { return lane.queue != stream.queue; };
  MarkerRef start;
  if (std::ranges::any_of(targets_, is_beside))
    start = stream.queue->record_marker();
  try {
    run_segments(stream, start);
    if (is_beside(targets_.front())) {
      wait_for(*stream.queue, last_);
      last_ = stream.queue->marker();
    }
  } catch (...) {
    try {
      // Also after a failure, what was submitted is a part of the stream's work.
      for (const StreamTarget &lane : targets_ | std::views::filter(is_beside))
        wait_for(*stream.queue, lane.queue->marker());
      last_ = stream.queue->marker();
    } catch (const Error &) {
      // The device is lost.
    }
    throw;
  }
}

/// `last_` becomes the end of the first lane, which the others have come to.
void hipGraphExec::State::run_segments(const StreamTarget &stream, const MarkerRef &start) {
  for (uint32_t i = 0; i < plan.segments.size(); ++i) {
    const Segment &segment = plan.segments[i];
    const StreamTarget &lane = targets_[segment.lane];
    if (segment.waits_for_start && start && start->queue != lane.queue)
      wait_for(*lane.queue, start);
    for (const uint32_t other : segment.waits)
      wait_for(*lane.queue, ends_[other]);
    if (i == plan.end && lane.queue == stream.queue)
      programs_[i].submit_ended(lane, last_);
    else if (i == plan.end)
      programs_[i].submit_marked(lane, last_);
    else if (segment.others_wait)
      programs_[i].submit_marked(lane, ends_[i]);
    else
      programs_[i].submit(lane);
  }
  if (!plan.end)
    last_ = targets_.front().queue->marker();
}
