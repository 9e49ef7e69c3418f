// What a hipStream_t stands for.
#pragma once

#include "../platform/platform.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace chip {
class Capture;
}

/// A stream object is recycled after hipStreamDestroy but never freed, so a stale handle is recognised, not followed.
struct ihipStream_t {
  static constexpr uint32_t alive_mark = 0x53747265;
  std::atomic<uint32_t> mark{0};
  chip::Device *device = nullptr;
  chip::Queue *queue = nullptr;
  /// Takes what is asked of the stream instead of the queue. Any thread may begin or end a capture while others use the stream.
  std::atomic<chip::Capture *> capture{nullptr};
  /// What `capture` is while the stream is captured, made for its first capture. As the stream object, it is never freed:
  /// another thread may be in a call that found it.
  chip::Capture *own_capture = nullptr;
  unsigned flags = hipStreamDefault;
  int priority = 0;
  uint64_t id = 0; // of the stream, not of the recycled object
  std::atomic<hipSynchronizationPolicy> policy{hipSyncPolicyAuto}; // a hint
  std::vector<uint32_t> unit_mask; // compute units that it was created for; empty: all
};

namespace chip {

using Stream = ihipStream_t;

/// A stream handle resolved: the queue that commands go to.
struct StreamTarget {
  Device *device;
  Queue *queue;
  bool legacy; // the legacy null stream
  Capture *capture = nullptr;
};

/// The legacy null stream of a device.
inline StreamTarget null_stream(Device &device) {
  return {&device, &device.scheduler().null_queue(), true,
          device.null_stream_capture.load(std::memory_order_acquire)};
}

StreamTarget resolve_handle(hipStream_t stream, bool per_thread);
/// Handles 0 and hipStreamLegacy, hipStreamPerThread, and those of create_stream(). `per_thread` makes 0 the thread's own
/// default stream (the _spt entry points). Throws hipErrorContextIsDestroyed for a destroyed or foreign handle.
inline StreamTarget resolve(hipStream_t stream, bool per_thread = false) {
  if (stream || per_thread)
    return resolve_handle(stream, per_thread);
  return null_stream(Platform::current_device());
}
/// The same for the functions that answer such a handle with another error.
StreamTarget resolve_or(hipError_t error, hipStream_t stream, bool per_thread);
inline Queue &queue_of(hipStream_t stream) { return *resolve(stream).queue; }

/// `flags` is hipStreamDefault or hipStreamNonBlocking; the priority is clamped to the device's range.
Stream *create_stream(unsigned flags, int priority);
/// A stream of the current device whose commands go to a list that the program has made (Scheduler::adopt).
Stream *stream_from_native(ze_command_list_handle_t list, unsigned flags);
/// Work already submitted still completes; where the list is the program's, it is waited for. Throws for the default streams.
void destroy_stream(hipStream_t stream);
/// Destroys all streams of a device, the default streams of threads too.
void destroy_streams(Device &device);
/// A handle's own object, for its flags and priority; nullptr for default streams. Throws for invalid handles.
Stream *find_stream(hipStream_t stream);

/// Runs a function of the host in the stream's place, on a thread of the driver that may block. One of the program's ends the
/// process if it does not return. Throws hipErrorNotSupported where the driver has no host functions.
enum class HostFunctionOf : uint8_t { runtime, program };
void append_host_function(const StreamTarget &stream, HostFunctionOf whom,
                          ze_host_function_callback_t function, void *data);
/// Throws hipErrorNotSupported where the driver has none.
void check_host_functions(const StreamTarget &stream);

/// The list of the stream, to which the program appends from now on beside HIP (Queue::share_list). Throws
/// hipErrorStreamCaptureUnsupported for a stream that is captured.
ze_command_list_handle_t share_list(const StreamTarget &stream);
/// Calls `append(list, data)` once, in the stream's place; what it appends to the list is work of the stream. Throws the HIP code
/// of what it returns, hipErrorStreamCaptureUnsupported for a stream that is captured.
void append_native(const StreamTarget &stream,
                   ze_result_t (*append)(ze_command_list_handle_t list, void *data), void *data);

/// A number that is never used again in the process.
uint64_t stream_id(hipStream_t stream);

/// Both throw hipErrorStreamCaptureUnsupported for a stream that is captured, and invalidate the capture.
void synchronize(const StreamTarget &stream);
/// All work of the device.
void synchronize(Device &device);
bool query(const StreamTarget &stream);

constexpr int lowest_priority = 1, highest_priority = -1;
/// Of a stream with the priority.
ze_command_queue_priority_t queue_priority(int priority);

} // namespace chip
