// How memory is allocated, copied, filled and given to kernels on a platform: one class for each of OpenCL's ways to have
// addresses that kernels may follow. Functions that enqueue return OpenCL's error codes.
#pragma once

#include "../../ze_driver/memory_backend.h"
#include "../../ze_driver/records/command.h"
#include "../platform/platform.h"

#include <optional>
#include <shared_mutex>
#include <span>

namespace ze_opencl {

/// What an enqueued command waits for, and the event that it makes.
struct Order {
  std::span<const cl_event> waits;
  cl_event *event;

  cl_uint wait_count() const { return static_cast<cl_uint>(waits.size()); }
  const cl_event *wait_list() const { return waits.empty() ? nullptr : waits.data(); }
};

class MemoryAccess {
public:
  virtual ~MemoryAccess() = default;

  /// `size` bytes aligned to `alignment`, a power of two. `device` is null for host memory. Throws std::bad_alloc, and
  /// ze_driver::Unsupported for a kind of memory that the platform has no way for.
  virtual void *allocate(size_t size, size_t alignment, ze_driver::MemoryKind kind,
                         const Device *device) = 0;
  /// Gives back what allocate() returned; nothing uses it any more.
  virtual void free(void *pointer) noexcept = 0;

  /// Copies between any memory of the process and what allocate() returned, either way and within one of them. Regions may
  /// overlap only if they are the same.
  virtual cl_int copy(cl_command_queue queue, void *destination, const void *source, size_t bytes,
                      const Order &order) = 0;
  /// The same for a box whose rows lie apart. Nothing: it has to be copied row by row.
  virtual std::optional<cl_int> copy_box(cl_command_queue, const ze_driver::CopyRegionCommand &,
                                         const Order &) {
    return std::nullopt;
  }
  /// `pattern_bytes` is a power of two up to 128, of which `bytes` is a multiple; `destination` is aligned to it. The pattern is
  /// read before the call returns.
  virtual cl_int fill(cl_command_queue queue, void *destination, const void *pattern,
                      size_t pattern_bytes, size_t bytes, const Order &order) = 0;

  /// Sets a parameter that is a pointer.
  virtual cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) = 0;
  /// Lets the kernel follow pointers that it finds in memory: called once for each kernel.
  virtual cl_int allow_indirect_access(cl_kernel kernel) = 0;
  /// Called before each launch: tells the kernel of all memory there is, where it has to be. While the lock is held none of that is
  /// freed. Leaves OpenCL's error code in `error` if there is one.
  virtual std::shared_lock<std::shared_mutex> prepare_launch(cl_kernel, cl_int & /*error*/) {
    return {};
  }
};

/// Waits for a command that `enqueue(event)` gives to the queue. When this returns, nothing of it runs any more, whatever failed.
template <class Enqueue> cl_int enqueue_and_wait(cl_command_queue queue, Enqueue enqueue) {
  cl_event event = nullptr;
  if (const cl_int error = enqueue(&event); error != CL_SUCCESS)
    return error;
  const cl_int error = api().WaitForEvents(1, &event);
  if (error != CL_SUCCESS)
    api().Finish(queue);
  api().ReleaseEvent(event);
  return error;
}

/// The one for the platform's memory model; null if the implementation lacks functions of it. `platform.context` exists;
/// `devices` are the ones in it.
std::unique_ptr<MemoryAccess> make_memory_access(const Platform &platform,
                                                 std::span<const cl_device_id> devices);

} // namespace ze_opencl
