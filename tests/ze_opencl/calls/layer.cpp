// A layer between OpenCL's loader and its implementations (OPENCL_LAYERS): counts calls, and makes a kernel fail.
#define CL_TARGET_OPENCL_VERSION 300
#include "layer.h"

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

namespace {

cl_icd_dispatch below, ours;

enum Function {
#define COUNTED_NUMBER(name) number_##name,
  COUNTED_FUNCTIONS(COUNTED_NUMBER)
#undef COUNTED_NUMBER
      function_count
};
std::array<std::atomic<long>, function_count> counts;

/// Puts a function in the place of `entry` that counts, and calls `behind`.
template <int number, class Result, class... Arguments>
void count(Result(CL_API_CALL *&entry)(Arguments...)) {
  static Result(CL_API_CALL * behind)(Arguments...);
  behind = entry;
  entry = [](Arguments... arguments) -> Result {
    ++counts[number];
    return behind(arguments...);
  };
}

std::mutex mutex; // guards what follows
bool fails_next = false;
cl_event failing = nullptr;      // of the kernel that fails
std::map<cl_event, long> failed; // and of what it takes with it: references of the program
std::set<std::array<size_t, 3>> group_sizes;
size_t work_items = 0;

bool is_complete(cl_event event) {
  cl_int status = CL_QUEUED;
  return below.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                              nullptr) == CL_SUCCESS &&
         status == CL_COMPLETE;
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t *offset, const size_t *items,
                                  const size_t *group_items, cl_uint wait_count,
                                  const cl_event *waits, cl_event *event) {
  const std::lock_guard lock(mutex);
  std::array<size_t, 3> size{}; // what the implementation chooses is none that anybody may count on
  if (group_items)
    std::copy_n(group_items, dimensions, size.begin());
  group_sizes.insert(size);
  work_items += std::accumulate(items, items + dimensions, size_t{1}, std::multiplies());
  const bool fails = fails_next || (failing && !is_complete(failing));
  const cl_int error = below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, items,
                                                    group_items, wait_count, waits, event);
  if (error == CL_SUCCESS && event && fails) {
    failed[*event] = 1;
    failing = *event;
    fails_next = false;
  }
  return error;
}

cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info which, size_t size, void *value,
                                  size_t *needed) {
  const std::lock_guard lock(mutex);
  const cl_int error = below.clGetEventInfo(event, which, size, value, needed);
  if (error == CL_SUCCESS && which == CL_EVENT_COMMAND_EXECUTION_STATUS && value &&
      failed.contains(event))
    if (auto &status = *static_cast<cl_int *>(value); status == CL_COMPLETE)
      status = CL_OUT_OF_RESOURCES;
  return error;
}

cl_int CL_API_CALL retain_event(cl_event event) {
  const std::lock_guard lock(mutex);
  if (const auto found = failed.find(event); found != failed.end())
    ++found->second;
  return below.clRetainEvent(event);
}

/// A handle that nobody has may come back as another event's.
cl_int CL_API_CALL release_event(cl_event event) {
  const std::lock_guard lock(mutex);
  if (const auto found = failed.find(event); found != failed.end() && --found->second == 0) {
    if (failing == event)
      failing = nullptr;
    failed.erase(found);
  }
  return below.clReleaseEvent(event);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] CallCounts layer_counts() {
  CallCounts all;
#define COUNTED_COPY(name) all.name = counts[number_##name];
  COUNTED_FUNCTIONS(COUNTED_COPY)
#undef COUNTED_COPY
  return all;
}

[[gnu::visibility("default")]] void layer_fail_next_kernel() {
  const std::lock_guard lock(mutex);
  fails_next = true;
}

[[gnu::visibility("default")]] size_t layer_group_sizes() {
  const std::lock_guard lock(mutex);
  const auto all = std::exchange(group_sizes, {});
  return all.contains({}) ? SIZE_MAX : all.size();
}

[[gnu::visibility("default")]] size_t layer_work_items() {
  const std::lock_guard lock(mutex);
  return std::exchange(work_items, 0);
}

[[gnu::visibility("default")]] bool layer_kernel_has_failed() {
  const std::lock_guard lock(mutex);
  return failing && is_complete(failing);
}

[[gnu::visibility("default")]] cl_int CL_API_CALL clGetLayerInfo(cl_layer_info which, size_t size,
                                                                 void *value, size_t *needed) {
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  constexpr char name[] = "counting layer";
  const bool is_version = which == CL_LAYER_API_VERSION;
  if (!is_version && which != CL_LAYER_NAME)
    return CL_INVALID_VALUE;
  const size_t bytes = is_version ? sizeof version : sizeof name;
  if (needed)
    *needed = bytes;
  if (value && size < bytes)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, is_version ? static_cast<const void *>(&version) : name, bytes);
  return CL_SUCCESS;
}

[[gnu::visibility("default")]] cl_int CL_API_CALL clInitLayer(cl_uint count_below,
                                                              const cl_icd_dispatch *table_below,
                                                              cl_uint *count_ours,
                                                              const cl_icd_dispatch **table_ours) {
  constexpr cl_uint all = sizeof(cl_icd_dispatch) / sizeof(void *);
  if (count_below < all)
    return CL_INVALID_VALUE;
  std::memcpy(&below, table_below, sizeof below);
  ours = below;
  ours.clEnqueueNDRangeKernel = &enqueue_kernel;
  ours.clGetEventInfo = &get_event_info;
  ours.clRetainEvent = &retain_event;
  ours.clReleaseEvent = &release_event;
#define COUNTED_ENTRY(name) count<number_##name>(ours.cl##name);
  COUNTED_FUNCTIONS(COUNTED_ENTRY)
#undef COUNTED_ENTRY
  *count_ours = all;
  *table_ours = &ours;
  return CL_SUCCESS;
}
}
