// What the layer of layer.cpp tells the process that it is loaded into.
#pragma once

#include <cstddef>

/// Calls `X(name)` for each function that is counted: clName.
#define COUNTED_FUNCTIONS(X)                                                                       \
  X(CreateCommandQueueWithProperties)                                                              \
  X(EnqueueBarrierWithWaitList)                                                                    \
  X(EnqueueMarkerWithWaitList)                                                                     \
  X(EnqueueNDRangeKernel)                                                                          \
  X(EnqueueSVMMemFill)                                                                             \
  X(EnqueueSVMMemcpy)                                                                              \
  X(Finish)                                                                                        \
  X(Flush)                                                                                         \
  X(GetEventInfo)                                                                                  \
  X(ReleaseEvent)                                                                                  \
  X(RetainEvent)                                                                                   \
  X(SetEventCallback)                                                                              \
  X(SetKernelArg)                                                                                  \
  X(SetKernelArgSVMPointer)                                                                        \
  X(SetKernelExecInfo)                                                                             \
  X(WaitForEvents)

/// Calls until now.
struct CallCounts {
#define COUNTED_MEMBER(name) long name;
  COUNTED_FUNCTIONS(COUNTED_MEMBER)
#undef COUNTED_MEMBER
};

extern "C" {
CallCounts layer_counts();
/// The next kernel that is enqueued fails when it ends, and takes with it what is in its queue by then.
void layer_fail_next_kernel();
/// How many sizes of work-groups there have been since the last call; SIZE_MAX if the implementation chose one.
size_t layer_group_sizes();
/// Those of all kernels since the last call.
size_t layer_work_items();
/// Whether that kernel has ended.
bool layer_kernel_has_failed();
}
