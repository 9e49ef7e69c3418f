// What calls may do while streams are captured. How a capture keeps what is asked of its streams is in operations/enqueue.h.
#pragma once

#include "stream.h"

#include <atomic>

namespace chip {

/// What an entry point may do while a stream is captured, whichever stream it works on itself. docs/api says it of each function.
enum class CaptureRule {
  allowed,
  unsafe, // refused while a capture covers the calling thread: the call could wait for work that is not submitted
  implicit, // refused while any stream is captured: the call works on the null stream, and waits
  wide,     // refused while any stream is captured: the call waits for all streams
};

/// A capture that is in progress, as calls see it that it does not allow.
class CaptureInProgress {
public:
  /// Whether the mode in which the capture began forbids unsafe calls of the calling thread.
  virtual bool covers_this_thread() const noexcept = 0;
  /// What was captured is lost: a call came that is not allowed.
  virtual void invalidate() noexcept = 0;

protected:
  ~CaptureInProgress() = default;
};

/// Where in a capture an event was recorded.
class CapturedPoint {
public:
  virtual ~CapturedPoint() = default;
  /// Whether the capture has not ended. An event of one that has counts as not captured.
  virtual bool is_in_progress() const noexcept = 0;
  /// What the stream captured that recorded the event is lost.
  virtual void invalidate() noexcept = 0;
  /// The stream, which is not captured, takes part in the capture from this point on. Throws hipErrorStreamCaptureInvalidated for
  /// a capture that is invalid.
  virtual void join(Stream &stream) = 0;
};

/// From now on, and until end_capture(), calls look at the capture. Both are thread-safe.
void begin_capture(CaptureInProgress &capture);
void end_capture(CaptureInProgress &capture) noexcept;

inline constinit std::atomic<unsigned> captures_in_progress{0};
void refuse_during_capture(CaptureRule rule);

/// Throws hipErrorStreamCaptureUnsupported, or for `implicit` hipErrorStreamCaptureImplicit, if a capture forbids the call, which
/// invalidates the capture.
inline void check_capture(CaptureRule rule) {
  // Relaxed: a program that lets a capture begin while another thread is in such a call has asked for no order.
  if (rule != CaptureRule::allowed && captures_in_progress.load(std::memory_order_relaxed) != 0)
      [[unlikely]]
    refuse_during_capture(rule);
}

/// For calls that cannot be captured: throws hipErrorStreamCaptureUnsupported for a stream that is captured, and for the null
/// stream as refuse_null_stream() does.
void check_not_captured(const StreamTarget &stream);
/// Throws hipErrorStreamCaptureImplicit: a stream that is ordered with the null stream is captured.
[[noreturn]] void refuse_null_stream();

} // namespace chip
