// The inside of an executable graph.
#pragma once

#include "changing_nodes.h"
#include "executable.h"
#include "executable_program.h"

#include <utility>

/// One thread at a time.
class hipGraphExec::State {
public:
  State(const chip::Graph &graph, unsigned long long executable_flags);
  State(const State &) = delete;

  const unsigned long long flags;
  std::shared_ptr<const void> life = std::make_shared<char>(); // of the handle

  /// A node of the executable graph's own.
  struct Place {
    chip::GraphNode *node;
    uint32_t index = UINT32_MAX; // in the plan, where a child graph node is not
  };
  const Place &place_of(const chip::GraphNode &original) const;
  const Place &place_to_enable(const chip::GraphNode &original) const;
  /// The graph of a child graph node.
  chip::Graph &child_of(const chip::GraphNode &original) const;

  void prepare(const chip::StreamTarget &stream);
  void launch(const chip::StreamTarget &stream);
  void replace(const Place &place, std::shared_ptr<const chip::NodeWork> work);
  /// The works of all nodes, and the references to user objects, from those of a graph of the same shape. The references that the
  /// graphs have had go to `replaced`, for who lets go of them without a lock: the program is called with the last one.
  using Replaced = std::vector<std::shared_ptr<const void>>;
  void replace_all(chip::Graph &own, const chip::Graph &other, Replaced &replaced);

  /// Of a copy of one of the executable graph's own graphs.
  void empty_disabled(const chip::Graph &own, const chip::Graph &copy) const;

  std::shared_ptr<chip::Graph> graph; // a copy
  chip::Plan plan;
  std::vector<bool> is_enabled; // by index in the plan
  /// Of the node with that index in the plan: what its segment submits is built again.
  void invalidate(uint32_t index) { programs_[segment_of_[index]].invalidate(); }
  /// The end of the last launch, for whoever waits for it; empty if it is known complete.
  chip::MarkerRef last() const {
    return last_ ? last_->queue->signalled(last_) : chip::MarkerRef();
  }
  /// The same for who destroys this: where the driver does not tell, the launch has completed.
  chip::MarkerRef last_or_settled() const noexcept;

private:
  void add_children(const chip::Graph &own);
  const Place *find_place(uint64_t original_id) const;
  chip::StreamTarget target(uint32_t lane, const chip::StreamTarget &stream);
  void run(const chip::StreamTarget &stream);
  void run_segments(const chip::StreamTarget &stream, const chip::MarkerRef &start);
  void take_memory();

  chip::MarkerRef last_;                              // perhaps not signalled yet
  std::vector<const chip::GraphNode *> memory_nodes_; // in order
  std::vector<std::pair<uint64_t, Place>> places_;    // in the order of the original nodes' numbers
  std::vector<uint32_t> segment_of_;                  // by index in the plan
  chip::ChangingNodes changing_;
  std::vector<chip::SegmentProgram> programs_;               // by segment
  std::vector<std::unique_ptr<chip::InternalQueue>> queues_; // by lane
  // Of the last launch, or of the one that is prepared.
  std::vector<chip::StreamTarget> targets_; // by lane
  std::vector<chip::MarkerRef> ends_;       // by segment, where others wait for it
};
