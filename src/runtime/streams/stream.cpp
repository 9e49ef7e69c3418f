#include "../../common/handle_pool.h"
#include "../../common/per_thread.h"
#include "../operations/enqueue.h"
#include "../operations/native.h"
#include "../platform/platform.h"
#include "../pools/pools.h"
#include "callback.h"
#include "retired.h"

#include <algorithm>

namespace chip {
namespace {

// Lives as long as the process: handles may come late.
constinit LastingHandlePool<Stream> streams;
std::atomic<uint64_t> next_id{64}; // smaller ones are the null streams of the devices

/// A thread's own default stream on each device that it used, given back when the thread ends.
struct PerThreadStreams {
  ThreadMark mark; // gone last
  struct Own {
    Stream *stream = nullptr;
    uint64_t id = 0;
    /// hipDeviceReset may have destroyed it, and the object may be another stream since.
    bool is_there() const {
      return stream && stream->mark == Stream::alive_mark && stream->id == id;
    }
  };
  std::vector<Own> by_device;
  ~PerThreadStreams() {
    const Inside inside;
    for (const Own &own : by_device)
      if (own.is_there() && !Platform::has_ended()) {
        try {
          destroy_stream(own.stream);
        } catch (...) {
          // No memory to give it back: it goes with the process.
        }
      }
  }
};

Stream &per_thread_stream(Device &device) {
  auto &streams = common::of_this_thread<PerThreadStreams>().by_device;
  auto index = size_t(device.ordinal());
  if (index >= streams.size())
    streams.resize(index + 1);
  PerThreadStreams::Own &own = streams[index];
  if (!own.is_there()) [[unlikely]] {
    own.stream = create_stream(hipStreamDefault, 0);
    own.id = own.stream->id;
  }
  return *own.stream;
}

[[noreturn]] void refuse(hipError_t error) {
  throw Error(error, "`stream` is not a live hipStream_t");
}

Stream &live_stream(hipStream_t handle, hipError_t error = hipErrorContextIsDestroyed) {
  Stream *stream = streams->find(handle);
  if (!stream)
    refuse(error);
  return *stream;
}

StreamTarget target_of(const Stream &stream) {
  return {stream.device, stream.queue, false, stream.capture.load(std::memory_order_acquire)};
}

Queue::Kind queue_kind_of(unsigned flags) {
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
    throw Error(hipErrorInvalidValue,
                "`flags` is neither hipStreamDefault nor hipStreamNonBlocking");
  return flags == hipStreamNonBlocking ? Queue::Kind::non_blocking : Queue::Kind::blocking;
}

/// A live stream on a queue that goes back where there is no memory for it.
Stream *make_stream(Device &device, Queue &queue, unsigned flags, int priority) {
  Stream *stream;
  try {
    stream = &streams->take();
  } catch (...) {
    device.scheduler().release(queue);
    throw;
  }
  stream->device = &device;
  stream->queue = &queue;
  stream->capture = nullptr;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_id++;
  stream->policy = hipSyncPolicyAuto;
  stream->unit_mask.clear();
  stream->mark.store(Stream::alive_mark, std::memory_order_release);
  return stream;
}

/// Of a handle that is not live any more.
void give_back(Stream &stream) {
  if (Capture *capture = stream.capture)
    capture->leave();
  stream.device->scheduler().release(*stream.queue);
  streams->give_back(stream);
}

/// Before a call that waits for a stream. A wait would never end: what is captured is not submitted.
void refuse_if_captured(const StreamTarget &stream) {
  if (!stream.capture) [[likely]]
    return;
  stream.capture->invalidate();
  if (stream.legacy)
    refuse_null_stream();
  throw Error(hipErrorStreamCaptureUnsupported, "`stream` is captured and cannot be waited for");
}

} // namespace

ze_command_queue_priority_t queue_priority(int priority) {
  return priority < 0   ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
         : priority > 0 ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW
                        : ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
}

StreamTarget resolve_or(hipError_t error, hipStream_t stream, bool per_thread) {
  if (stream == nullptr || stream == hipStreamLegacy) {
    Device &device = Platform::current_device();
    return per_thread && stream == nullptr ? target_of(per_thread_stream(device))
                                           : null_stream(device);
  }
  if (stream == hipStreamPerThread)
    return target_of(per_thread_stream(Platform::current_device()));
  return target_of(live_stream(stream, error));
}

StreamTarget resolve_handle(hipStream_t stream, bool per_thread) {
  return resolve_or(hipErrorContextIsDestroyed, stream, per_thread);
}

Stream *find_stream(hipStream_t stream) {
  if (stream == nullptr || stream == hipStreamLegacy)
    return nullptr;
  if (stream == hipStreamPerThread)
    return &per_thread_stream(Platform::current_device());
  return &live_stream(stream);
}

Stream *create_stream(unsigned flags, int priority) {
  const Queue::Kind kind = queue_kind_of(flags);
  Device &device = Platform::current_device();
  priority = std::clamp(priority, highest_priority, lowest_priority);
  return make_stream(device, device.scheduler().acquire(kind, queue_priority(priority)), flags,
                     priority);
}

Stream *stream_from_native(ze_command_list_handle_t list, unsigned flags) {
  const Queue::Kind kind = queue_kind_of(flags);
  Device &device = Platform::current_device();
  if (!ze::is_immediate_list_of(list, device.driver(), device.info()))
    throw Error(hipErrorInvalidValue,
                "`list` is not an immediate list of the current device and its context");
  return make_stream(device, device.scheduler().adopt(kind, list), flags, 0);
}

void destroy_stream(hipStream_t handle) {
  if (handle == nullptr || handle == hipStreamLegacy || handle == hipStreamPerThread)
    throw Error(hipErrorInvalidResourceHandle, "`stream` is a default stream");
  Stream *stream = streams->claim(handle);
  if (!stream)
    refuse(hipErrorContextIsDestroyed);
  give_back(*stream);
}

void destroy_streams(Device &device) {
  streams->end_all_if([&](const Stream &stream) { return stream.device == &device; }, give_back);
}

void check_host_functions(const StreamTarget &stream) {
  if (!stream.device->driver().capabilities().append_host_function)
    throw Error(hipErrorNotSupported,
                "this Level Zero driver runs no host functions; a newer one does");
}

void append_host_function(const StreamTarget &stream, HostFunctionOf whom,
                          ze_host_function_callback_t function, void *data) {
  check_host_functions(stream);
  enqueue(stream, operations::HostFunction{function, data, {}, whom == HostFunctionOf::runtime});
}

ze_command_list_handle_t share_list(const StreamTarget &stream) {
  check_not_captured(stream);
  return stream.queue->share_list();
}

void append_native(const StreamTarget &stream,
                   ze_result_t (*append)(ze_command_list_handle_t list, void *data), void *data) {
  check_not_captured(stream);
  stream.queue->submit(operations::AppendNative{append, data});
}

uint64_t stream_id(hipStream_t stream) {
  // The null stream of each device takes the numbers before those of created streams.
  const Stream *object = find_stream(stream);
  return object ? object->id : uint64_t(Platform::current_device().ordinal());
}

CallbacksBefore callbacks_before(const StreamTarget &stream) {
  Scheduler &scheduler = stream.device->scheduler();
  if (!stream.legacy)
    return {scheduler, [&own = *stream.queue](const Queue &queue) { return &queue == &own; }};
  return {scheduler, [&](const Queue &queue) {
            return &queue.scheduler() == &scheduler && queue.kind() != Queue::Kind::non_blocking;
          }};
}

void settle(const StreamTarget &stream) noexcept {
  if (stream.legacy)
    stream.device->scheduler().settle(Scheduler::Reach::legacy);
  else
    stream.queue->settle();
}

void synchronize(const StreamTarget &stream) {
  refuse_if_captured(stream);
  const auto wait = [&] {
    if (stream.legacy)
      stream.device->scheduler().finish_legacy();
    else
      stream.queue->finish();
  };
  wait_with_callbacks([&] { return callbacks_before(stream); }, wait, [&] { settle(stream); });
  destroy_completed(Ending::at_once);
  pools_synchronized(*stream.device);
}

void synchronize(Device &device) {
  Scheduler &scheduler = device.scheduler();
  const auto before = [&] {
    return CallbacksBefore{scheduler,
                           [&](const Queue &queue) { return &queue.scheduler() == &scheduler; }};
  };
  wait_with_callbacks(before, [&] { scheduler.synchronize(); }, [&] { scheduler.settle(); });
  destroy_completed(Ending::waits);
  pools_synchronized(device);
}

bool query(const StreamTarget &stream) {
  refuse_if_captured(stream);
  Scheduler &scheduler = stream.device->scheduler();
  const auto ask = [&] { return stream.legacy ? scheduler.query_legacy() : stream.queue->query(); };
  const auto is_settled = [&] {
    const auto now = std::chrono::steady_clock::now();
    return stream.legacy ? scheduler.settle_until(now, Scheduler::Reach::legacy)
                         : stream.queue->settle_until(now);
  };
  const bool is_complete =
      ask_with_callbacks([&] { return callbacks_before(stream); }, ask, is_settled);
  if (is_complete)
    destroy_completed(Ending::at_once);
  return is_complete;
}

} // namespace chip
