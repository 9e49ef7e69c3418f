#include "capture.h"
#include "../../common/guarded.h"
#include "../operations/enqueue.h"

#include <vector>

namespace chip {
namespace {

auto &captures() { // outlives static destructors, which may call
  static auto &all = *new common::Guarded<std::vector<CaptureInProgress *>>;
  return all;
}

} // namespace

void begin_capture(CaptureInProgress &capture) {
  const auto all = captures().lock();
  all->push_back(&capture);
  captures_in_progress = unsigned(all->size());
}

void end_capture(CaptureInProgress &capture) noexcept {
  const auto all = captures().lock();
  std::erase(*all, &capture);
  captures_in_progress = unsigned(all->size());
}

void refuse_during_capture(CaptureRule rule) {
  bool is_refused = false;
  for (CaptureInProgress *capture : *captures().lock())
    if (rule != CaptureRule::unsafe || capture->covers_this_thread()) {
      capture->invalidate();
      is_refused = true;
    }
  if (is_refused)
    throw Error(rule == CaptureRule::implicit ? hipErrorStreamCaptureImplicit
                                              : hipErrorStreamCaptureUnsupported,
                "the call is not allowed while a stream is captured");
}

void check_not_captured(const StreamTarget &stream) {
  if (!stream.capture)
    return;
  if (stream.legacy) {
    stream.capture->invalidate();
    refuse_null_stream();
  }
  throw Error(hipErrorStreamCaptureUnsupported,
              "`stream` is captured, and the call cannot become part of a graph");
}

void refuse_null_stream() {
  throw Error(hipErrorStreamCaptureImplicit,
              "`stream` is the null stream, and a stream that is ordered with it is captured");
}

} // namespace chip
