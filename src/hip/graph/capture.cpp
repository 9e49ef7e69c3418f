// HIP API reference: Graph management, graphs that are recorded from calls on streams.
#include "../../runtime/graphs/capture.h"
#include "../entry.h"
#include "../stream_work.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::named;
using chip::hip::required;

namespace {

std::span<const hipGraphNode_t> nodes_of(const hipGraphNode_t *dependencies, size_t count) {
  if (count != 0 && !dependencies)
    throw Error(hipErrorInvalidValue, "`dependencies` is null, but `dependency_count` is not 0");
  return {dependencies, count};
}

/// A stream that can be captured. Throws `error` for the null stream.
Stream &captured_stream(hipStream_t stream, hipError_t error) {
  Stream *found = find_stream(stream);
  if (!found)
    throw Error(error, "`stream` is the null stream, which cannot be captured");
  return *found;
}

hipError_t begin(hipStream_t stream, hipStreamCaptureMode mode, bool per_thread,
                 const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    begin_capture(captured_stream(named(stream, per_thread), hipErrorStreamCaptureUnsupported),
                  mode);
  });
}

hipError_t end(hipStream_t stream, hipGraph_t *graph, bool per_thread,
               const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(graph);
    Stream &found = captured_stream(named(stream, per_thread), hipErrorIllegalState);
    try {
      *graph = end_capture(found).get(); // which is a live handle
    } catch (const Error &error) {
      if (error.code() == hipErrorStreamCaptureInvalidated ||
          error.code() == hipErrorStreamCaptureUnjoined)
        *graph = nullptr;
      throw;
    }
  });
}

hipError_t is_capturing(hipStream_t stream, hipStreamCaptureStatus *status, bool per_thread,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(status) = capture_info(find_stream(named(stream, per_thread))).status;
  });
}

template <class T> void store(T *to, T value) {
  if (to)
    *to = value;
}

hipError_t get_info(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                    hipGraph_t *graph, const hipGraphNode_t **dependencies, size_t *count,
                    bool per_thread, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    required(status);
    const CaptureInfo info = capture_info(find_stream(named(stream, per_thread)));
    *status = info.status;
    if (info.status != hipStreamCaptureStatusActive)
      return;
    store<unsigned long long>(id, info.id);
    store(graph, info.graph.get());
    store(dependencies, info.dependencies.data());
    store(count, info.dependencies.size());
  });
}

} // namespace

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return begin(stream, mode, false);
}
hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return begin(stream, mode, true);
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *, size_t dependency_count,
                                        hipStreamCaptureMode mode) {
  return entry([&] {
    Stream &found = captured_stream(stream, hipErrorStreamCaptureUnsupported);
    begin_capture(found, mode, find_graph(graph), nodes_of(dependencies, dependency_count));
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
  return end(stream, graph, false);
}
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *graph) {
  return end(stream, graph, true);
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
  return is_capturing(stream, status, false);
}
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus *status) {
  return is_capturing(stream, status, true);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                   unsigned long long *id) {
  return get_info(stream, status, id, nullptr, nullptr, nullptr, false);
}
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus *status,
                                       unsigned long long *id) {
  return get_info(stream, status, id, nullptr, nullptr, nullptr, true);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status,
                                      unsigned long long *id, hipGraph_t *graph,
                                      const hipGraphNode_t **dependencies,
                                      size_t *dependency_count) {
  return get_info(stream, status, id, graph, dependencies, dependency_count, false);
}
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus *status,
                                          unsigned long long *id, hipGraph_t *graph,
                                          const hipGraphNode_t **dependencies,
                                          size_t *dependency_count) {
  return get_info(stream, status, id, graph, dependencies, dependency_count, true);
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t dependency_count, unsigned int flags) {
  return entry([&] {
    update_dependencies(captured_stream(stream, hipErrorIllegalState),
                        nodes_of(dependencies, dependency_count), flags);
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  return entry([&] { *mode = exchange_capture_mode(required(mode)); });
}
