#include "context.h"
#include "../../common/per_thread.h"
#include "platform.h"

#include <format>
#include <vector>

namespace chip {
namespace {

/// What was current at each push that has not been taken back: what is current now is above. So a thread that only calls
/// hipSetDevice has nothing here, and that function, which replaces the top, need not know of it.
struct ContextStack {
  std::vector<Device *> below;
};

ContextStack &own_stack() { return common::of_this_thread<ContextStack>(); }

} // namespace

Device &find_context(hipCtx_t context, const char *argument) {
  Platform &platform = Platform::get();
  for (int i = 0; i < platform.device_count(); ++i)
    if (Device &device = platform.device(i); context_of(device) == context)
      return device;
  throw Error(hipErrorInvalidContext, std::format("`{}` is not a hipCtx_t", argument));
}

void push_context(Device &device) {
  own_stack().below.push_back(&Platform::current_device());
  Platform::set_current_device(device.ordinal());
}

Device &pop_context() {
  auto &below = own_stack().below;
  if (below.empty())
    throw Error(hipErrorInvalidContext, "the thread has pushed no context");
  Device &top = Platform::current_device();
  Platform::set_current_device(below.back()->ordinal());
  below.pop_back();
  return top;
}

void replace_context(Device &device) {
  if (has_pushed_context())
    Platform::set_current_device(device.ordinal());
  else
    push_context(device);
}

bool has_pushed_context() { return !own_stack().below.empty(); }

void retain_primary_context(Device &device) { ++device.primary_references; }

void release_primary_context(Device &device) {
  unsigned references = device.primary_references.load();
  while (references != 0 &&
         !device.primary_references.compare_exchange_weak(references, references - 1)) {
  }
}

bool is_primary_context_active(const Device &device) {
  return device.primary_references != 0 || device.allocated_bytes != 0 ||
         device.scheduler().has_queues();
}

} // namespace chip
