// Memory, and commands that do not do what they are for.
//   SHIM_BREAK: copies, fills, kernels (succeed, and do nothing), never (no command ends), failures (kernels end with an error),
//     callbacks (say that the command failed)
#include "shim.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <unistd.h>

namespace shim {
namespace {

constexpr cl_int failure = CL_OUT_OF_RESOURCES;

bool breaks(std::string_view what) { return lists("SHIM_BREAK", what); }

/// Events of kernels that end with an error.
class Failed {
public:
  void set(cl_event event, bool has_failed) {
    const std::lock_guard lock(mutex_);
    if (has_failed)
      events_.insert(event);
    else
      events_.erase(event);
  }
  bool contains(cl_event event) {
    const std::lock_guard lock(mutex_);
    return events_.contains(event);
  }

private:
  std::mutex mutex_;
  std::set<cl_event> events_;
} failed;

cl_int do_nothing(cl_command_queue queue, cl_uint count, const cl_event *waits, cl_event *event) {
  return original.clEnqueueMarkerWithWaitList(queue, count, waits, event);
}

cl_int CL_API_CALL copy(cl_command_queue queue, cl_bool blocks, void *to, const void *from,
                        size_t bytes, cl_uint count, const cl_event *waits, cl_event *event) {
  return breaks("copies")
             ? do_nothing(queue, count, waits, event)
             : original.clEnqueueSVMMemcpy(queue, blocks, to, from, bytes, count, waits, event);
}

cl_int CL_API_CALL copy_unified(cl_command_queue queue, cl_bool blocks, void *to, const void *from,
                                size_t bytes, cl_uint count, const cl_event *waits,
                                cl_event *event) {
  return breaks("copies") ? do_nothing(queue, count, waits, event)
                          : original_unified.clEnqueueMemcpyINTEL(queue, blocks, to, from, bytes,
                                                                  count, waits, event);
}

cl_int CL_API_CALL fill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_bytes,
                        size_t bytes, cl_uint count, const cl_event *waits, cl_event *event) {
  return breaks("fills") ? do_nothing(queue, count, waits, event)
                         : original.clEnqueueSVMMemFill(queue, to, pattern, pattern_bytes, bytes,
                                                        count, waits, event);
}

cl_int CL_API_CALL fill_unified(cl_command_queue queue, void *to, const void *pattern,
                                size_t pattern_bytes, size_t bytes, cl_uint count,
                                const cl_event *waits, cl_event *event) {
  return breaks("fills") ? do_nothing(queue, count, waits, event)
                         : original_unified.clEnqueueMemFillINTEL(queue, to, pattern, pattern_bytes,
                                                                  bytes, count, waits, event);
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t *offset, const size_t *items, const size_t *group,
                          cl_uint count, const cl_event *waits, cl_event *event) {
  if (const auto most = said("group"); most && group) {
    size_t in_group = 1;
    for (cl_uint i = 0; i < dimensions; ++i)
      in_group *= group[i];
    if (in_group > *most) {
      std::fprintf(stderr, "shim: a work-group of %zu\n", in_group);
      return CL_INVALID_WORK_GROUP_SIZE;
    }
  }
  const cl_int error = breaks("kernels")
                           ? do_nothing(queue, count, waits, event)
                           : original.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
                                                             items, group, count, waits, event);
  if (error == CL_SUCCESS && event)
    failed.set(*event, breaks("failures"));
  return error;
}

cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info which, size_t size, void *value,
                                  size_t *needed) {
  const cl_int error = original.clGetEventInfo(event, which, size, value, needed);
  if (error == CL_SUCCESS && which == CL_EVENT_COMMAND_EXECUTION_STATUS && value) {
    cl_int &status = *static_cast<cl_int *>(value);
    if (breaks("never"))
      status = CL_SUBMITTED;
    else if (status == CL_COMPLETE && failed.contains(event))
      status = failure;
  }
  return error;
}

cl_int CL_API_CALL wait(cl_uint count, const cl_event *events) {
  while (breaks("never"))
    pause();
  const cl_int error = original.clWaitForEvents(count, events);
  for (cl_uint i = 0; i < count && error == CL_SUCCESS; ++i)
    if (failed.contains(events[i]))
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return error;
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  while (breaks("never"))
    pause();
  return original.clFinish(queue);
}

struct Callback {
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *data;
};

cl_int CL_API_CALL set_callback(cl_event event, cl_int when,
                                void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *data) {
  if (!breaks("callbacks"))
    return original.clSetEventCallback(event, when, function, data);
  const auto tell = [](cl_event ended, cl_int, void *made) {
    const Callback called = *static_cast<Callback *>(made);
    delete static_cast<Callback *>(made);
    called.function(ended, failure, called.data);
  };
  return original.clSetEventCallback(event, when, tell, new Callback{function, data});
}

/// As a device would that has no such memory.
void *CL_API_CALL allocate(cl_context context, cl_svm_mem_flags flags, size_t bytes,
                           cl_uint alignment) {
  const bool is_hidden_everywhere = lists("SHIM_HIDE", "fine_svm") && variable("SHIM_TWO").empty();
  if ((flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) && is_hidden_everywhere)
    return nullptr;
  if (const auto most = said("allocation"); most && bytes > *most)
    return nullptr;
  return original.clSVMAlloc(context, flags, bytes, alignment);
}

// Memory stays allocated. PoCL tells that a command has ended before it lets go of the memory that the command used: what is
// freed in between is free for malloc and not yet for PoCL, which ends the process when it gets that address again.

void CL_API_CALL free_memory(cl_context, void *) {}

cl_int CL_API_CALL free_unified(cl_context, void *) { return CL_SUCCESS; }

cl_int CL_API_CALL release_memory(cl_mem) { return CL_SUCCESS; }

} // namespace

void change_commands(cl_icd_dispatch &table, UnifiedFunctions &unified) {
  table.clEnqueueSVMMemcpy = &copy;
  table.clEnqueueSVMMemFill = &fill;
  table.clEnqueueNDRangeKernel = &launch;
  table.clGetEventInfo = &get_event_info;
  table.clWaitForEvents = &wait;
  table.clFinish = &finish;
  table.clSetEventCallback = &set_callback;
  table.clSVMAlloc = &allocate;
  table.clSVMFree = &free_memory;
  table.clReleaseMemObject = &release_memory;
  unified.clEnqueueMemcpyINTEL = &copy_unified;
  unified.clEnqueueMemFillINTEL = &fill_unified;
  unified.clMemBlockingFreeINTEL = &free_unified;
}

} // namespace shim
