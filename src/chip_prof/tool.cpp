// libchip_prof.so, which chip-prof loads into the program before everything else: its symbols stand in for those of the Level
// Zero loader. It is also a tool of common/tool.h: calls of HIP reach it through the gates of libCHIP, however the program found
// the function, and it is told of the work that devices have completed.
#include "../common/tool.h"
#include "gate.h"
#include "hip_calls.h"
#include "store.h"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>

namespace chip::prof {
namespace {

static_assert(most_functions * sizeof(Counters) + sizeof(BlockHeader) <= block_bytes);

const chip_tool_interface *interface;
[[gnu::tls_model("initial-exec")]] thread_local uint64_t *correlation_place;

// ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: what a function answers that no library of the process has.
int missing() { return 0x78000003; }

/// The loader's function that a thunk stands in for.
void *look_up(uint32_t number) {
  const char *const name = chip_prof_functions[number].name;
  void *found = dlsym(RTLD_NEXT, name);
  // Where a library of the program's has brought it, it is not in the scope that all see.
  for (const char *library_name : {"libze_loader.so.1", "libze_loader.so"}) {
    if (found)
      break;
    if (void *library = dlopen(library_name, RTLD_LAZY | RTLD_NOLOAD))
      found = dlsym(library, name);
  }
  if (!found)
    return reinterpret_cast<void *>(missing);
  functions[number].store(found, std::memory_order_relaxed);
  return found;
}

bool is_error(Result result, int value) {
  switch (result) {
  case Result::HipError:
    return value != 0 && value != 600; // hipErrorNotReady is an answer
  case Result::LevelZeroResult:
    return value != 0 && value != 1; // as is ZE_RESULT_NOT_READY
  case Result::None:
    break;
  }
  return false;
}

bool events_wanted() {
  static const bool wanted = [] {
    const char *value = std::getenv(variable);
    return value && !std::string_view(value).starts_with("0:");
  }();
  return wanted;
}
const bool keeps_events = events_wanted();

void observe(void *, const chip_tool_work *work) {
  if (!thread_state()) // which also opens the file
    return;
  const uint32_t name = work->name ? name_of(work->name) : 0;
  add_work(work->kind, work->device, name,
           {.submit_ns = work->submit_ns,
            .start_ns = work->start_ns,
            .end_ns = work->end_ns,
            .correlation = work->correlation,
            .stream = work->stream,
            .bytes = work->bytes,
            .kind = work->kind,
            .device = work->device,
            .name = name,
            .reserved = 0},
           keeps_events);
}

} // namespace
} // namespace chip::prof

using namespace chip::prof;

extern "C" [[gnu::visibility("hidden")]] void *chip_prof_enter(Frame *frame) noexcept {
  const auto number = static_cast<uint32_t>(frame->function);
  void *function = functions[number].load(std::memory_order_relaxed);
  if (!function) [[unlikely]]
    function = look_up(number);
  ThreadState *state = thread_state();
  if (!state) [[unlikely]] {
    frame->start_ns = 0;
    return function;
  }
  if (chip_prof_functions[number].backend == Backend::Hip) {
    ++state->correlation;
    if (!correlation_place) [[unlikely]]
      correlation_place = interface->correlation_of_thread();
    if (correlation_place)
      *correlation_place = state->correlation;
  }
  frame->correlation = state->correlation;
  frame->start_ns = now();
  return function;
}

extern "C" [[gnu::visibility("hidden")]] void chip_prof_leave(Frame *frame) noexcept {
  if (frame->start_ns == 0) [[unlikely]]
    return;
  const uint64_t end = now();
  ThreadState *state = thread_state();
  if (!state) [[unlikely]]
    return;
  const auto number = static_cast<uint32_t>(frame->function);
  const auto result = static_cast<uint32_t>(frame->result);
  state->counters[number].add(end - frame->start_ns, is_error(chip_prof_functions[number].result,
                                                              static_cast<int>(result)));
  if (keeps_events)
    add_event(*state, {frame->start_ns, end, number, result, frame->correlation});
}

extern "C" [[gnu::visibility("default")]] int
chip_tool_attach(const chip_tool_interface *attached) {
  if (attached->size < sizeof *attached || !std::getenv(variable))
    return 1;
  interface = attached;
  try {
    take_gates(*attached);
  } catch (...) { // no memory: what has been taken works
  }
  if (attached->observe_work(observe, nullptr) == 0)
    std::atexit([] { interface->flush_work(); });
  return 0;
}

extern "C" [[gnu::visibility("default")]] void chip_tool_marker(uint32_t kind, const char *message,
                                                                uint64_t id) {
  ThreadState *state = keeps_events ? thread_state() : nullptr;
  if (!state)
    return;
  const uint64_t time = now();
  add_event(*state, {time, time, marker_function | kind, message ? name_of(message) : 0, id});
}
