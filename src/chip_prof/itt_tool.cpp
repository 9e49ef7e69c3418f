// libchip_itt.so, which libCHIP and libroctx64 load where INTEL_LIBITTNOTIFY64 names a collector: it is a tool of common/tool.h,
// and tells the collector of calls of HIP, of the kernels that they launch, and of marks and ranges.
#include "../common/readable_name.h"
#include "../common/tool.h"
#include "format.h"
#include "gate.h"
#include "hip_calls.h"
#include "itt_collector.h"

#include <algorithm>
#include <string_view>

using namespace chip;
using namespace chip::prof;

namespace {

/// Where a function that launches a kernel has the kernel: a function of the host's, or of a module.
struct Launch {
  std::string_view name;
  int argument;
  bool of_module;
};
constexpr Launch launches[] = {{"hipLaunchKernel", 0, false},
                               {"hipLaunchKernel_spt", 0, false},
                               {"hipExtLaunchKernel", 0, false},
                               {"hipLaunchCooperativeKernel", 0, false},
                               {"hipLaunchCooperativeKernel_spt", 0, false},
                               {"hipLaunchKernelExC", 1, false},
                               {"hipModuleLaunchKernel", 0, true},
                               {"hipExtModuleLaunchKernel", 0, true},
                               {"hipHccModuleLaunchKernel", 0, true},
                               {"hipModuleLaunchCooperativeKernel", 0, true},
                               {"hipDrvLaunchKernelEx", 1, true}};

const Launch *launch_of[most_functions];
itt::StringHandle *handles[most_functions];
uint32_t name_of_module_kernel,
    name_of_host_kernel; // the numbers of functions that tell a kernel's name

struct Domains {
  itt::Domain *hip = itt::make_domain("HIP");
  itt::Domain *kernels = itt::make_domain("HIP kernels");
  itt::Domain *marks = itt::make_domain("roctx");
};
const Domains &domains() {
  static const Domains made;
  return made;
}

itt::StringHandle *kernel_of(const Frame &frame, const Launch &launch) {
  const auto argument = frame.arguments[launch.argument];
  const char *name = nullptr;
  if (launch.of_module) {
    using Function = const char *(*)(uint64_t);
    name = reinterpret_cast<Function>(
        functions[name_of_module_kernel].load(std::memory_order_relaxed))(argument);
  } else {
    using Function = const char *(*)(uint64_t, void *);
    name = reinterpret_cast<Function>(
        functions[name_of_host_kernel].load(std::memory_order_relaxed))(argument, nullptr);
  }
  return name ? itt::handle_of(common::readable_name(name).c_str()) : nullptr;
}

/// Numbers what is looked at in each call.
void prepare() {
  for (uint32_t number = 0; number < chip_prof_function_count; ++number) {
    const auto &function = chip_prof_functions[number];
    if (function.backend != Backend::Hip)
      continue;
    handles[number] = itt::handle_of(function.name);
    const auto launch = std::ranges::find(launches, function.name, &Launch::name);
    launch_of[number] = launch == std::end(launches) ? nullptr : launch;
    if (function.name == std::string_view("hipKernelNameRef"))
      name_of_module_kernel = number;
    if (function.name == std::string_view("hipKernelNameRefByPtr"))
      name_of_host_kernel = number;
  }
}

} // namespace

// The frame's start is how many tasks have been begun for the call.
extern "C" [[gnu::visibility("hidden")]] void *chip_prof_enter(Frame *frame) noexcept {
  const auto number = static_cast<uint32_t>(frame->function);
  void *const function = functions[number].load(std::memory_order_relaxed);
  frame->start_ns = 0;
  if (!itt::begin_task(domains().hip, handles[number]))
    return function;
  frame->start_ns = 1;
  if (launch_of[number]) {
    try {
      if (itt::begin_task(domains().kernels, kernel_of(*frame, *launch_of[number])))
        frame->start_ns = 2;
    } catch (...) { // there is no memory for the name
    }
  }
  return function;
}

extern "C" [[gnu::visibility("hidden")]] void chip_prof_leave(Frame *frame) noexcept {
  if (frame->start_ns == 2)
    itt::end_task(domains().kernels);
  if (frame->start_ns != 0)
    itt::end_task(domains().hip);
}

extern "C" [[gnu::visibility("default")]] int
chip_tool_attach(const chip_tool_interface *attached) {
  if (attached->size < sizeof *attached || chip_prof_function_count > most_functions ||
      !itt::has_collector())
    return 1;
  try {
    prepare();
    take_gates(*attached);
  } catch (...) { // no memory: what has been taken works
  }
  return 0;
}

extern "C" [[gnu::visibility("default")]] void chip_tool_marker(uint32_t kind, const char *message,
                                                                uint64_t id) {
  if (!itt::has_collector())
    return;
  itt::Domain *const domain = domains().marks;
  itt::StringHandle *const name = message ? itt::handle_of(message) : nullptr;
  switch (kind) {
  case CHIP_TOOL_MARKER_POINT:
    return itt::mark(domain, name);
  case CHIP_TOOL_MARKER_PUSH:
    itt::begin_task(domain, name);
    return;
  case CHIP_TOOL_MARKER_POP:
    return itt::end_task(domain);
  case CHIP_TOOL_MARKER_START:
    return itt::begin_overlapped_task(domain, id, name);
  case CHIP_TOOL_MARKER_STOP:
    return itt::end_overlapped_task(domain, id);
  default:
    return;
  }
}
