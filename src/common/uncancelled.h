// Threads that a program cancels (pthread_cancel).
#pragma once

#include <pthread.h>

namespace common {

/// While a thread has one of these, its cancellation is put off: what a cancelled thread would leave half-made is shared with
/// other threads, and the exception by which it ends cannot pass through calls of HIP. For what may block or reads files; what
/// does neither needs none, because no cancellation can happen there.
class Uncancelled {
public:
  Uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  Uncancelled(const Uncancelled &) = delete;
  Uncancelled &operator=(const Uncancelled &) = delete;
  ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }

private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace common
