// What a segment of an executable graph submits to its queue.
#pragma once

#include "../../queue/recording.h"
#include "graph.h"

#include <memory>
#include <variant>
#include <vector>

namespace chip {

/// Operations that follow each other are recorded, where there are several, and run as one command.
class SegmentProgram {
public:
  /// An operation of a node's work, which the node may be given again as long as the operation is the same.
  struct Step {
    const GraphNode *node;
    uint32_t index;
    bool is_left_out; // of recordings: the operation may change
    const operations::Any &operation() const { return node->work->operations[index]; }
  };
  /// The nodes live until the next call, and operations that are not left out are the same until invalidate() is called. Returns what had been
  /// recorded before, which may still be running.
  std::shared_ptr<const void> build(Device &device, const std::vector<Step> &all);
  /// It has to be built before it is submitted again.
  void invalidate() { is_current_ = false; }
  bool is_current(const Device &device) const;
  /// Once it is built.
  bool is_empty() const { return parts_->empty(); }
  void submit(const StreamTarget &stream) const;
  /// The same. `end` gets a marker for the point behind it, an empty one if that is known complete; it may hold one that is of no
  /// use any more.
  void submit_marked(const StreamTarget &stream, MarkerRef &end) const;
  /// The same, where nobody waits for the marker before it has been asked for (Queue::signalled).
  void submit_ended(const StreamTarget &stream, MarkerRef &end) const;

private:
  void submit(const StreamTarget &stream, size_t parts) const;
  const Recording *last_recording() const;

  using Part = std::variant<std::unique_ptr<Recording>, Step>;

  std::shared_ptr<std::vector<Part>> parts_;
  uint64_t memory_epoch_ = 0;
  bool is_current_ = false;
};

} // namespace chip
