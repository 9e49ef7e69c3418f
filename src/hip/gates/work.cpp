// A tool has other functions behind its own, which record an event before and one after what they submit, if it wants records: who
// has no tool pays nothing.
#include "work.h"
#include "../../runtime/streams/stream.h"
#include "../entry.h"

#include <hip/hip_ext.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// What programs call that were compiled with the headers of HIP 7; these declare no such names.
extern "C" {
hipError_t hipLaunchCooperativeKernelR0700(const void *function, dim3 grid_dim, dim3 block_dim,
                                           void **params, unsigned int shared_bytes,
                                           hipStream_t stream);
decltype(hipModuleLaunchKernel) hipModuleLaunchKernelR0700;
decltype(hipModuleLaunchCooperativeKernel) hipModuleLaunchCooperativeKernelR0700;
decltype(hipExtModuleLaunchKernel) hipExtModuleLaunchKernelR0700;
decltype(hipHccModuleLaunchKernel) hipHccModuleLaunchKernelR0700;
decltype(hipMemcpyWithStream) hipMemcpyWithStreamR0700;
}

namespace chip::hip {
namespace {

using Nanoseconds = uint64_t;

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Nanoseconds(time.tv_sec) * 1'000'000'000 + Nanoseconds(time.tv_nsec);
}

struct Pending {
  chip_tool_work work{};
  std::string name;
  hipEvent_t start = nullptr, end = nullptr;
};

/// An event of a device, and the host's time when it was reached.
struct Base {
  hipEvent_t event = nullptr;
  hipEvent_t tried = nullptr; // takes the place of `event` where it is better known
  hipStream_t stream = nullptr;
  Nanoseconds time = 0;
};

struct Records {
  std::atomic<chip_tool_work_function> function{nullptr};
  std::atomic<void *> user{nullptr};
  std::mutex mutex;
  std::condition_variable added, done;
  std::deque<Pending> pending;                             // the first is being waited for
  std::map<uint32_t, std::vector<hipEvent_t>> free_events; // by device
  std::map<uint32_t, Base> bases;                          // of the collecting thread
  bool has_thread = false;
};

/// Never destroyed: its thread runs until the process ends.
Records &records() {
  static Records &all = *new Records;
  return all;
}

hipEvent_t take_event(Records &all, uint32_t device) {
  const std::lock_guard lock(all.mutex);
  std::vector<hipEvent_t> &free = all.free_events[device];
  hipEvent_t event = nullptr;
  if (free.empty()) {
    // The stream may be one of another device than the current one.
    int current = -1;
    if (hipGetDevice(&current) != hipSuccess || hipSetDevice(int(device)) != hipSuccess)
      return nullptr;
    const hipError_t error = hipEventCreate(&event);
    return hipSetDevice(current) == hipSuccess && error == hipSuccess ? event : nullptr;
  }
  event = free.back();
  free.pop_back();
  return event;
}

/// The difference between two events is a number of 24 bits: the base is never far from what is measured with it.
constexpr Nanoseconds base_lifetime = 1'000'000'000;

bool renew(Base &base, uint32_t device) {
  if (hipSetDevice(int(device)) != hipSuccess)
    return false;
  if (!base.event &&
      (hipEventCreate(&base.event) != hipSuccess || hipEventCreate(&base.tried) != hipSuccess ||
       hipStreamCreateWithFlags(&base.stream, hipStreamNonBlocking) != hipSuccess))
    return false;
  Nanoseconds narrowest = UINT64_MAX;
  for (int tries = 0; tries < 8; ++tries) {
    const Nanoseconds before = now();
    if (hipEventRecord(base.tried, base.stream) != hipSuccess ||
        hipEventSynchronize(base.tried) != hipSuccess)
      return false;
    const Nanoseconds after = now();
    if (after - before >= narrowest)
      continue;
    narrowest = after - before;
    base.time = before + narrowest / 2;
    std::swap(base.event, base.tried);
  }
  return true;
}

/// Whether the times of what was completed are known now.
bool measure(Records &all, Pending &record) {
  if (hipEventSynchronize(record.end) != hipSuccess)
    return false;
  Base &base = all.bases[record.work.device];
  float until_start = 0, duration = 0;
  if ((!base.event || now() - base.time > base_lifetime) && !renew(base, record.work.device))
    return false;
  if (hipEventElapsedTime(&until_start, base.event, record.start) != hipSuccess ||
      hipEventElapsedTime(&duration, record.start, record.end) != hipSuccess)
    return false;
  record.work.start_ns = Nanoseconds(int64_t(base.time) + int64_t(double(until_start) * 1e6));
  // Nothing begins before it is submitted: where it seems so, the base is later than was estimated.
  if (record.work.start_ns < record.work.submit_ns) {
    base.time += record.work.submit_ns - record.work.start_ns;
    record.work.start_ns = record.work.submit_ns;
  }
  record.work.end_ns = record.work.start_ns + Nanoseconds(double(duration) * 1e6);
  return true;
}

void collect() {
  Records &all = records();
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.added.wait(lock, [&] { return !all.pending.empty(); });
    Pending &record = all.pending.front();
    lock.unlock();
    const bool is_known = measure(all, record);
    record.work.name = record.name.empty() ? nullptr : record.name.c_str();
    if (const auto function = all.function.load(); function && is_known)
      function(all.user.load(), &record.work);
    lock.lock();
    std::vector<hipEvent_t> &free = all.free_events[record.work.device];
    free.push_back(record.start);
    free.push_back(record.end);
    all.pending.pop_front();
    all.done.notify_all();
  }
}

void add(Pending &&record) {
  Records &all = records();
  const std::lock_guard lock(all.mutex);
  if (!all.has_thread) {
    std::thread(collect).detach();
    // Before the runtime ends, which was initialised before.
    std::atexit(flush_work);
    std::at_quick_exit(flush_work);
    all.has_thread = true;
  }
  all.pending.push_back(std::move(record));
  all.added.notify_one();
}

/// Makes the call. Tells of its work if that is submitted now: what is captured has not run.
template <class Call>
hipError_t observed(chip_tool_work_kind kind, hipStream_t stream, bool per_thread, size_t bytes,
                    const char *name, const Call &call) noexcept {
  Pending record;
  try {
    if (!records().function.load(std::memory_order_acquire) || !Platform::get().device_count())
      return call();
    const StreamTarget target = resolve(stream, per_thread);
    if (target.capture)
      return call();
    record.work.size = sizeof record.work;
    record.work.kind = kind;
    record.work.device = uint32_t(target.device->ordinal());
    record.work.stream = target.queue->slot();
    record.work.correlation = *correlation_of_thread();
    record.work.bytes = bytes;
    if (name)
      record.name = name;
    record.start = take_event(records(), record.work.device);
    record.end = take_event(records(), record.work.device);
  } catch (...) {
    return call(); // which says what is wrong
  }
  const hipStream_t where = per_thread && !stream ? hipStreamPerThread : stream;
  record.work.submit_ns = now();
  const bool records_it =
      record.start && record.end && hipEventRecord(record.start, where) == hipSuccess;
  const hipError_t result = call();
  try {
    if (records_it && result == hipSuccess && hipEventRecord(record.end, where) == hipSuccess)
      add(std::move(record));
  } catch (...) {
    // No memory for the record.
  }
  return result;
}

const char *name_of(const void *function, hipStream_t stream) {
  return records().function.load() ? hipKernelNameRefByPtr(function, stream) : nullptr;
}
const char *name_of(hipFunction_t function) {
  return records().function.load() ? hipKernelNameRef(function) : nullptr;
}

// ---- What is known of a call from its arguments

template <class Wanted, class... Arguments> Wanted last_of(const Arguments &...arguments) {
  Wanted found{};
  const auto look = [&]<class T>(const T &argument) {
    if constexpr (std::is_same_v<T, Wanted>)
      found = argument;
  };
  (look(arguments), ...);
  return found;
}

template <class... Arguments> hipStream_t stream_of(const Arguments &...arguments) {
  if (const auto *config = last_of<const hipLaunchConfig_t *>(arguments...))
    return config->stream;
  if (const auto *config = last_of<const HIP_LAUNCH_CONFIG *>(arguments...))
    return config->hStream;
  return last_of<hipStream_t>(arguments...);
}

template <class... Arguments>
const char *kernel_of(hipStream_t stream, const Arguments &...arguments) {
  if (const auto function = last_of<hipFunction_t>(arguments...))
    return name_of(function);
  const void *const function = last_of<const void *>(arguments...);
  return function ? name_of(function, stream) : nullptr;
}

size_t count_of(size_t count) { return count; }
size_t count_of(const hipExtent &extent) { return extent.width * extent.height * extent.depth; }
size_t count_of(const hip_Memcpy2D *copy) { return copy ? copy->WidthInBytes * copy->Height : 0; }
size_t count_of(const HIP_MEMCPY3D *copy) {
  return copy ? copy->WidthInBytes * copy->Height * copy->Depth : 0;
}
/// Where an array takes part, the width is one of elements.
template <class Copy>
  requires requires(const Copy &copy) { copy.extent; }
size_t count_of(const Copy *copy) {
  if (!copy)
    return 0;
  hipChannelFormatDesc format{};
  const hipArray_t array = copy->srcArray ? copy->srcArray : copy->dstArray;
  if (!array || hipArrayGetInfo(&format, nullptr, nullptr, array) != hipSuccess)
    return count_of(copy->extent);
  return count_of(copy->extent) * size_t(format.x + format.y + format.z + format.w) / 8;
}

/// The launches from number `next` on, of a call that makes one on each of several streams.
template <class Call>
hipError_t observed_launches(const hipLaunchParams *launches, int count, int next,
                             const Call &call) noexcept {
  if (next == count)
    return call();
  const hipLaunchParams &launch = launches[next];
  return observed(CHIP_TOOL_WORK_KERNEL, launch.stream, false, 0,
                  name_of(launch.func, launch.stream),
                  [&] { return observed_launches(launches, count, next + 1, call); });
}

/// What takes the place of `call`, which launches on several streams.
template <auto call>
hipError_t observing_launches(hipLaunchParams *launches, int count, unsigned flags) {
  const auto make = [&] { return call(launches, count, flags); };
  int devices = 0;
  // A count that the call refuses may be one of launches that are not there.
  if (!records().function.load(std::memory_order_relaxed) || !launches ||
      hipGetDeviceCount(&devices) != hipSuccess || count > devices || count < 0)
    return make();
  return observed_launches(launches, count, 0, make);
}

/// What takes the place of `call`. Its bytes are `scale` times the product of the parameters with the numbers `counts`.
template <chip_tool_work_kind kind, bool per_thread, auto call, size_t scale, class... Parameters,
          size_t... counts>
void *observing(hipError_t (*)(Parameters...), std::index_sequence<counts...>) {
  hipError_t (*const function)(Parameters...) = [](Parameters... p) -> hipError_t {
    const bool is_asked = records().function.load(std::memory_order_relaxed) != nullptr;
    const hipStream_t stream = stream_of(p...);
    size_t bytes = 0;
    const char *name = nullptr;
    if constexpr (sizeof...(counts) != 0)
      if (is_asked) {
        const auto all = std::tie(p...);
        bytes = scale * (count_of(std::get<counts>(all)) * ...);
      }
    if constexpr (kind == CHIP_TOOL_WORK_KERNEL)
      name = kernel_of(stream, p...);
    return observed(kind, stream, per_thread, bytes, name, [&] { return call(p...); });
  };
  return reinterpret_cast<void *>(function);
}

struct Replacement {
  std::string_view name;
  void *function;
};

/// A row of the table: kind, function, what the bytes are multiplied by, and which parameters they are the product of.
#define OBSERVE(kind, function, scale, ...)                                                        \
  OBSERVE_AS(kind, decltype(&function), function, scale __VA_OPT__(, ) __VA_ARGS__)
/// The same for a function that has overloads in C++, of which `type` is the pointer to one.
#define OBSERVE_AS(kind, type, function, scale, ...)                                               \
  Replacement {                                                                                    \
    #function, observing<CHIP_TOOL_WORK_##kind, std::string_view(#function).ends_with("_spt"),     \
                         static_cast<type>(function), scale>(static_cast<type>(function),          \
                                                             std::index_sequence<__VA_ARGS__>())   \
  }
/// For a function that launches on several streams.
#define OBSERVE_LAUNCHES(function)                                                                 \
  Replacement {                                                                                    \
    #function, reinterpret_cast<void *>(observing_launches<static_cast<LaunchSeveral>(function)>)  \
  }
using LaunchSeveral = hipError_t (*)(hipLaunchParams *, int, unsigned);

} // namespace

void prepare_records() {
  // Of functions that have overloads in C++.
  using LaunchCooperative =
      hipError_t (*)(const void *, dim3, dim3, void **, unsigned, hipStream_t);
  using ToSymbol = hipError_t (*)(const void *, const void *, size_t, size_t, hipMemcpyKind);
  using ToSymbolAsync =
      hipError_t (*)(const void *, const void *, size_t, size_t, hipMemcpyKind, hipStream_t);
  using FromSymbol = hipError_t (*)(void *, const void *, size_t, size_t, hipMemcpyKind);
  using FromSymbolAsync =
      hipError_t (*)(void *, const void *, size_t, size_t, hipMemcpyKind, hipStream_t);
  const Replacement all[] = {
      OBSERVE(KERNEL, hipLaunchKernel, 1),
      OBSERVE(KERNEL, hipLaunchKernel_spt, 1),
      OBSERVE(KERNEL, hipLaunchCooperativeKernel_spt, 1),
      OBSERVE(KERNEL, hipLaunchCooperativeKernelR0700, 1),
      OBSERVE(KERNEL, hipExtLaunchKernel, 1),
      OBSERVE(KERNEL, hipLaunchKernelExC, 1),
      OBSERVE(KERNEL, hipDrvLaunchKernelEx, 1),
      OBSERVE(KERNEL, hipModuleLaunchKernel, 1),
      OBSERVE(KERNEL, hipModuleLaunchKernelR0700, 1),
      OBSERVE(KERNEL, hipModuleLaunchCooperativeKernel, 1),
      OBSERVE(KERNEL, hipModuleLaunchCooperativeKernelR0700, 1),
      OBSERVE(KERNEL, hipExtModuleLaunchKernel, 1),
      OBSERVE(KERNEL, hipExtModuleLaunchKernelR0700, 1),
      OBSERVE(KERNEL, hipHccModuleLaunchKernel, 1),
      OBSERVE(KERNEL, hipHccModuleLaunchKernelR0700, 1),
      OBSERVE_LAUNCHES(hipLaunchCooperativeKernelMultiDevice),
      OBSERVE_LAUNCHES(hipExtLaunchMultiKernelMultiDevice),
      OBSERVE(COPY, hipMemcpy, 1, 2),
      OBSERVE(COPY, hipMemcpy_spt, 1, 2),
      OBSERVE(COPY, hipMemcpyAsync, 1, 2),
      OBSERVE(COPY, hipMemcpyAsync_spt, 1, 2),
      OBSERVE(COPY, hipMemcpyWithStream, 1, 2),
      OBSERVE(COPY, hipMemcpyWithStreamR0700, 1, 2),
      OBSERVE(COPY, hipMemcpyHtoD, 1, 2),
      OBSERVE(COPY, hipMemcpyDtoH, 1, 2),
      OBSERVE(COPY, hipMemcpyDtoD, 1, 2),
      OBSERVE(COPY, hipMemcpyHtoDAsync, 1, 2),
      OBSERVE(COPY, hipMemcpyDtoHAsync, 1, 2),
      OBSERVE(COPY, hipMemcpyDtoDAsync, 1, 2),
      OBSERVE(COPY, hipMemcpyPeer, 1, 4),
      OBSERVE(COPY, hipMemcpyPeerAsync, 1, 4),
      OBSERVE(COPY, hipMemcpyAtoH, 1, 3),
      OBSERVE(COPY, hipMemcpyAtoD, 1, 3),
      OBSERVE(COPY, hipMemcpyDtoA, 1, 3),
      OBSERVE(COPY, hipMemcpyHtoA, 1, 3),
      OBSERVE(COPY, hipMemcpyAtoHAsync, 1, 3),
      OBSERVE(COPY, hipMemcpyHtoAAsync, 1, 3),
      OBSERVE(COPY, hipMemcpyAtoA, 1, 4),
      OBSERVE(COPY, hipMemcpyToArray, 1, 4),
      OBSERVE(COPY, hipMemcpyFromArray, 1, 4),
      OBSERVE(COPY, hipMemcpyFromArray_spt, 1, 4),
      OBSERVE(COPY, hipMemcpy2D, 1, 4, 5),
      OBSERVE(COPY, hipMemcpy2D_spt, 1, 4, 5),
      OBSERVE(COPY, hipMemcpy2DAsync, 1, 4, 5),
      OBSERVE(COPY, hipMemcpy2DAsync_spt, 1, 4, 5),
      OBSERVE(COPY, hipMemcpy2DToArray, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DToArray_spt, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DToArrayAsync, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DToArrayAsync_spt, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DFromArray, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DFromArray_spt, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DFromArrayAsync, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy2DFromArrayAsync_spt, 1, 5, 6),
      OBSERVE(COPY, hipMemcpy3D, 1, 0),
      OBSERVE(COPY, hipMemcpy3D_spt, 1, 0),
      OBSERVE(COPY, hipMemcpy3DAsync, 1, 0),
      OBSERVE(COPY, hipMemcpy3DAsync_spt, 1, 0),
      OBSERVE(COPY, hipMemcpy3DPeer, 1, 0),
      OBSERVE(COPY, hipMemcpy3DPeerAsync, 1, 0),
      OBSERVE(COPY, hipMemcpyParam2D, 1, 0),
      OBSERVE(COPY, hipMemcpyParam2DAsync, 1, 0),
      OBSERVE(COPY, hipDrvMemcpy2DUnaligned, 1, 0),
      OBSERVE(COPY, hipDrvMemcpy3D, 1, 0),
      OBSERVE(COPY, hipDrvMemcpy3DAsync, 1, 0),
      OBSERVE(COPY, hipMemcpy2DArrayToArray, 1),
      OBSERVE(COPY, hipMemcpyBatchAsync, 1),
      OBSERVE(COPY, hipMemcpy3DBatchAsync, 1),
      OBSERVE(FILL, hipMemset, 1, 2),
      OBSERVE(FILL, hipMemset_spt, 1, 2),
      OBSERVE(FILL, hipMemsetAsync, 1, 2),
      OBSERVE(FILL, hipMemsetAsync_spt, 1, 2),
      OBSERVE(FILL, hipMemsetD8, 1, 2),
      OBSERVE(FILL, hipMemsetD8Async, 1, 2),
      OBSERVE(FILL, hipMemsetD16, 2, 2),
      OBSERVE(FILL, hipMemsetD16Async, 2, 2),
      OBSERVE(FILL, hipMemsetD32, 4, 2),
      OBSERVE(FILL, hipMemsetD32Async, 4, 2),
      OBSERVE(FILL, hipMemset2D, 1, 3, 4),
      OBSERVE(FILL, hipMemset2D_spt, 1, 3, 4),
      OBSERVE(FILL, hipMemset2DAsync, 1, 3, 4),
      OBSERVE(FILL, hipMemset2DAsync_spt, 1, 3, 4),
      OBSERVE(FILL, hipMemsetD2D8, 1, 3, 4),
      OBSERVE(FILL, hipMemsetD2D8Async, 1, 3, 4),
      OBSERVE(FILL, hipMemsetD2D16, 2, 3, 4),
      OBSERVE(FILL, hipMemsetD2D16Async, 2, 3, 4),
      OBSERVE(FILL, hipMemsetD2D32, 4, 3, 4),
      OBSERVE(FILL, hipMemsetD2D32Async, 4, 3, 4),
      OBSERVE(FILL, hipMemset3D, 1, 2),
      OBSERVE(FILL, hipMemset3D_spt, 1, 2),
      OBSERVE(FILL, hipMemset3DAsync, 1, 2),
      OBSERVE(FILL, hipMemset3DAsync_spt, 1, 2),
      OBSERVE(HOST_FUNCTION, hipLaunchHostFunc, 1),
      OBSERVE(HOST_FUNCTION, hipLaunchHostFunc_spt, 1),
      OBSERVE(HOST_FUNCTION, hipStreamAddCallback, 1),
      OBSERVE(HOST_FUNCTION, hipStreamAddCallback_spt, 1),
      OBSERVE(GRAPH, hipGraphLaunch, 1),
      OBSERVE(GRAPH, hipGraphLaunch_spt, 1),
      OBSERVE(OTHER, hipStreamWaitValue32, 1),
      OBSERVE(OTHER, hipStreamWaitValue64, 1),
      OBSERVE(OTHER, hipStreamWriteValue32, 1),
      OBSERVE(OTHER, hipStreamWriteValue64, 1),
      OBSERVE(OTHER, hipStreamBatchMemOp, 1),
      OBSERVE(OTHER, hipMemPrefetchAsync, 1),
      OBSERVE(OTHER, hipMemPrefetchAsync_v2, 1),
      OBSERVE(OTHER, hipMemPrefetchBatchAsync, 1),
      OBSERVE_AS(KERNEL, LaunchCooperative, hipLaunchCooperativeKernel, 1),
      OBSERVE_AS(COPY, ToSymbol, hipMemcpyToSymbol, 1, 2),
      OBSERVE_AS(COPY, ToSymbol, hipMemcpyToSymbol_spt, 1, 2),
      OBSERVE_AS(COPY, ToSymbolAsync, hipMemcpyToSymbolAsync, 1, 2),
      OBSERVE_AS(COPY, ToSymbolAsync, hipMemcpyToSymbolAsync_spt, 1, 2),
      OBSERVE_AS(COPY, FromSymbol, hipMemcpyFromSymbol, 1, 2),
      OBSERVE_AS(COPY, FromSymbol, hipMemcpyFromSymbol_spt, 1, 2),
      OBSERVE_AS(COPY, FromSymbolAsync, hipMemcpyFromSymbolAsync, 1, 2),
      OBSERVE_AS(COPY, FromSymbolAsync, hipMemcpyFromSymbolAsync_spt, 1, 2),
  };
  for (size_t i = 0; i < gates().count; ++i)
    for (const Replacement &replacement : all)
      if (replacement.name == gates().names[i])
        __atomic_store_n(&gates().functions[i], replacement.function, __ATOMIC_RELEASE);
}

int observe_work(chip_tool_work_function function, void *user) {
  records().user = user;
  records().function = function;
  return 0;
}

void flush_work() {
  Records &all = records();
  std::unique_lock lock(all.mutex);
  all.done.wait(lock, [&] { return all.pending.empty(); });
}

uint64_t *correlation_of_thread() {
  thread_local uint64_t correlation = 0;
  return &correlation;
}

} // namespace chip::hip
