// Callbacks of streams (hipStreamAddCallback), which are called whatever becomes of the work before them.
#pragma once

#include "stream.h"

#include <chrono>

namespace chip {

/// Calls `function(handle, status, user_data)` once, when all earlier work of the stream is done: in the stream's place, with
/// hipSuccess, or, where that work is lost, from a thread of the runtime with the device's error. Throws hipErrorNotSupported
/// where the driver has no host functions; then, and when it throws anything else, the function is not called.
void add_callback(const StreamTarget &stream, hipStream_t handle, hipStreamCallback_t function,
                  void *user_data);

/// Calls those whose work is lost, before the caller reports the loss: data of theirs may go when it does. Waits up to a second
/// for those that another thread calls at the moment, but not for itself if it is one of them.
void call_lost_callbacks() noexcept;

/// Whether the calling thread is in a callback, or in something that it calls.
bool is_in_callback() noexcept;

/// The process has ended (Platform::has_ended): waits until no thread of the runtime looks after callbacks any more. False if
/// one still does at `deadline`.
bool stop_callbacks(std::chrono::steady_clock::time_point deadline) noexcept;

} // namespace chip
