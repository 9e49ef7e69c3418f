// The way of every operation from a stream to its queue.
#pragma once

#include "../../queue/submission.h"
#include "../streams/callback.h"
#include "../streams/capture.h"
#include "../streams/retired.h"
#include "any.h"

#include <type_traits>

namespace chip {

struct NodeWork;

/// Takes the operations that are asked of a stream instead of the stream's queue. It outlives all calls that may have found it
/// in the stream, which another thread may be in when the capture ends.
class Capture {
public:
  /// The address of memory that is allocated; null for all other operations.
  virtual void *add(const StreamTarget &stream, operations::Any &&operation) = 0;
  /// Takes what is a node of its own, the launch of a graph.
  virtual void add_node(const StreamTarget &stream, NodeWork &&work) = 0;
  /// What was captured is lost: a call came for the stream that is not allowed.
  virtual void invalidate() noexcept = 0;
  /// The stream is destroyed.
  virtual void leave() noexcept {}

protected:
  ~Capture() = default;
};

template <class Operation>
[[gnu::noinline, gnu::cold]] void *capture(const StreamTarget &stream, const Operation &operation) {
  return stream.capture->add(stream, operations::keep(operation));
}

/// Does an operation in the stream's place in HIP's order. Returns what `perform` does.
template <class Operation>
[[gnu::always_inline]] inline auto enqueue(const StreamTarget &stream, const Operation &operation) {
  if constexpr (operations::Appendable<Operation>) {
    if (stream.capture) [[unlikely]]
      capture(stream, out_of_line(operation));
    else
      stream.queue->submit(operation);
  } else {
    using Result = decltype(operation.perform(stream));
    if (stream.capture) [[unlikely]]
      return Result(capture(stream, out_of_line(operation)));
    return operation.perform(stream);
  }
}

/// Calls `enqueue`, which has something done in the stream's place, and waits for that, as copies and fills must where memory of
/// the program is concerned. What is captured runs later, with the memory as it is then: nothing is waited for.
template <class Enqueue>
void enqueue_and_finish(const StreamTarget &stream, const Enqueue &enqueue) {
  if (stream.capture) {
    enqueue();
    return;
  }
  const auto wait = [&] {
    enqueue();
    stream.queue->finish();
  };
  wait_with_callbacks([&] { return callbacks_before(stream); }, wait, [&] { settle(stream); });
  destroy_completed(Ending::at_once);
}

} // namespace chip
