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
#include <vector>

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
  if (free.empty())
    return hipEventCreate(&event) == hipSuccess ? event : nullptr;
  event = free.back();
  free.pop_back();
  return event;
}

/// The difference between two events is a number of 24 bits: the base is never far from what is measured with it.
constexpr Nanoseconds base_lifetime = 1'000'000'000;

bool renew(Base &base, uint32_t device) {
  if (hipSetDevice(int(device)) != hipSuccess)
    return false;
  if (!base.event && (hipEventCreate(&base.event) != hipSuccess ||
                      hipStreamCreateWithFlags(&base.stream, hipStreamNonBlocking) != hipSuccess))
    return false;
  Nanoseconds narrowest = UINT64_MAX;
  for (int tries = 0; tries < 8; ++tries) {
    const Nanoseconds before = now();
    if (hipEventRecord(base.event, base.stream) != hipSuccess ||
        hipEventSynchronize(base.event) != hipSuccess)
      return false;
    const Nanoseconds after = now();
    base.time = before + (after - before) / 2;
    if (after - before <= narrowest + narrowest / 4)
      if (tries >= 4)
        break;
    narrowest = std::min(narrowest, after - before);
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
    std::atexit([] { flush_work(); }); // before the runtime ends, which was initialised before
    all.has_thread = true;
  }
  all.pending.push_back(std::move(record));
  all.added.notify_one();
}

/// Makes the call. Tells of its work if that is submitted now, to the current device.
template <class Call>
hipError_t observed(chip_tool_work_kind kind, hipStream_t stream, bool per_thread, size_t bytes,
                    const char *name, const Call &call) noexcept {
  Pending record;
  try {
    if (!records().function.load(std::memory_order_acquire) || !Platform::get().device_count())
      return call();
    const StreamTarget target = resolve(stream, per_thread);
    int current = -1;
    if (target.capture || hipGetDevice(&current) != hipSuccess ||
        current != target.device->ordinal())
      return call();
    record.work.size = sizeof record.work;
    record.work.kind = kind;
    record.work.device = uint32_t(current);
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
  const bool records_it =
      record.start && record.end && hipEventRecord(record.start, where) == hipSuccess;
  record.work.submit_ns = now();
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

// ---- What takes the place of functions

hipError_t launch(const void *f, dim3 g, dim3 b, void **a, size_t s, hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_KERNEL, stream, false, 0, name_of(f, stream),
                  [&] { return hipLaunchKernel(f, g, b, a, s, stream); });
}
hipError_t launch_spt(const void *f, dim3 g, dim3 b, void **a, size_t s, hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_KERNEL, stream, true, 0, name_of(f, stream),
                  [&] { return hipLaunchKernel_spt(f, g, b, a, s, stream); });
}
hipError_t launch_cooperative(const void *f, dim3 g, dim3 b, void **a, unsigned s,
                              hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_KERNEL, stream, false, 0, name_of(f, stream),
                  [&] { return hipLaunchCooperativeKernel(f, g, b, a, s, stream); });
}
template <auto launch>
hipError_t launch_module(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned s, hipStream_t stream, void **params,
                         void **extra) {
  return observed(CHIP_TOOL_WORK_KERNEL, stream, false, 0, name_of(f),
                  [&] { return launch(f, gx, gy, gz, bx, by, bz, s, stream, params, extra); });
}
template <auto call>
hipError_t copy_async(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                      hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_COPY, stream, call == hipMemcpyAsync_spt, bytes, nullptr,
                  [&] { return call(to, from, bytes, kind, stream); });
}
hipError_t copy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  return observed(CHIP_TOOL_WORK_COPY, nullptr, false, bytes, nullptr,
                  [&] { return hipMemcpy(to, from, bytes, kind); });
}
template <auto call> hipError_t copy_to_device(hipDeviceptr_t to, const void *from, size_t bytes) {
  return observed(CHIP_TOOL_WORK_COPY, nullptr, false, bytes, nullptr,
                  [&] { return call(to, const_cast<void *>(from), bytes); });
}
hipError_t copy_to_host(void *to, hipDeviceptr_t from, size_t bytes) {
  return observed(CHIP_TOOL_WORK_COPY, nullptr, false, bytes, nullptr,
                  [&] { return hipMemcpyDtoH(to, from, bytes); });
}
hipError_t fill(void *to, int value, size_t bytes) {
  return observed(CHIP_TOOL_WORK_FILL, nullptr, false, bytes, nullptr,
                  [&] { return hipMemset(to, value, bytes); });
}
hipError_t fill_async(void *to, int value, size_t bytes, hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_FILL, stream, false, bytes, nullptr,
                  [&] { return hipMemsetAsync(to, value, bytes, stream); });
}
hipError_t graph(hipGraphExec_t graph, hipStream_t stream) {
  return observed(CHIP_TOOL_WORK_GRAPH, stream, false, 0, nullptr,
                  [&] { return hipGraphLaunch(graph, stream); });
}

struct Replacement {
  std::string_view name;
  void *function;
};
template <class Function> Replacement replaces(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

void prepare_records() {
  const Replacement all[] = {
      replaces("hipLaunchKernel", launch),
      replaces("hipLaunchKernel_spt", launch_spt),
      replaces("hipLaunchCooperativeKernel", launch_cooperative),
      replaces("hipModuleLaunchKernel", launch_module<hipModuleLaunchKernel>),
      replaces("hipMemcpyAsync", copy_async<hipMemcpyAsync>),
      replaces("hipMemcpyAsync_spt", copy_async<hipMemcpyAsync_spt>),
      replaces("hipMemcpyWithStream", copy_async<hipMemcpyWithStream>),
      replaces("hipMemcpy", copy),
      replaces("hipMemcpyHtoD", copy_to_device<hipMemcpyHtoD>),
      replaces("hipMemcpyDtoH", copy_to_host),
      replaces("hipMemset", fill),
      replaces("hipMemsetAsync", fill_async),
      replaces("hipGraphLaunch", graph),
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
