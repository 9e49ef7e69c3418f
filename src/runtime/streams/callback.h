// Callbacks of streams (hipStreamAddCallback), which are called whatever becomes of the work before them.
#pragma once

#include "stream.h"

#include <chrono>
#include <functional>

namespace chip {

/// Calls `function(handle, status, user_data)` once, when all earlier work of the stream is done: in the stream's place, with
/// hipSuccess, or, where that work is lost, from a thread of the runtime with the device's error. Throws hipErrorNotSupported
/// where the driver has no host functions; then, and when it throws anything else, the function is not called.
void add_callback(const StreamTarget &stream, hipStream_t handle, hipStreamCallback_t function,
                  void *user_data);

/// Calls those whose work is lost, before the caller reports the loss: data of theirs may go when it does. Waits up to a second
/// for those that another thread calls at the moment, but not for itself if it is one of them.
void call_lost_callbacks() noexcept;

/// A wait for work of a device, or a question for it, comes after the callbacks before that work: also if it meets a loss, of
/// which other threads may have been told while the work still runs.
struct CallbacksBefore {
  Scheduler &scheduler;
  std::function<bool(const Queue &)> is_chosen; // the queues that the call is for
};
/// Whether callbacks of the device are to be called, or have been told of a loss and not returned. Not in one of them.
bool has_callbacks(const Scheduler &scheduler);
/// Calls the chosen ones whose work is lost, and waits until none is told of a loss any more.
void finish_callbacks(const CallbacksBefore &before);
/// The same without waiting for those that other threads have called; false if there are any.
bool try_to_finish_callbacks(const CallbacksBefore &before);

/// Runs `wait`. `settle` waits for the same work whatever becomes of it, and `before` tells which callbacks that is for.
template <class Before, class Wait, class Settle>
void wait_with_callbacks(Before &&before, Wait &&wait, Settle &&settle) {
  try {
    wait();
  } catch (const Error &error) {
    if (tells_of_loss(error.code()))
      if (const CallbacksBefore callbacks = before(); has_callbacks(callbacks.scheduler)) {
        settle();
        finish_callbacks(callbacks);
      }
    throw;
  }
}
/// The same for a question: it is not answered by a loss before the callbacks have returned.
template <class Before, class Ask, class IsSettled>
bool ask_with_callbacks(Before &&before, Ask &&ask, IsSettled &&is_settled) {
  try {
    return ask();
  } catch (const Error &error) {
    if (tells_of_loss(error.code()))
      if (const CallbacksBefore callbacks = before(); has_callbacks(callbacks.scheduler))
        if (!is_settled() || !try_to_finish_callbacks(callbacks))
          return false;
    throw;
  }
}
/// For who waits for `stream`.
CallbacksBefore callbacks_before(const StreamTarget &stream);
void settle(const StreamTarget &stream) noexcept;

/// Whether the calling thread is in a callback, or in something that it calls.
bool is_in_callback() noexcept;

/// The process has ended (Platform::has_ended): waits until no thread of the runtime looks after callbacks any more. False if
/// one still does at `deadline`.
bool stop_callbacks(std::chrono::steady_clock::time_point deadline) noexcept;

} // namespace chip
