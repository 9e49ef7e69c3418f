// A program that chip-prof is tested with: what its argument says.
#include "../../src/common/tool.h"

#include <hip/hip_runtime_api.h>
#include <roctracer/roctx.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

int repeat_get_device(long count) {
  int device = 0;
  for (long i = 0; i < count; ++i)
    if (hipGetDevice(&device) != hipSuccess)
      return 1;
  return 0;
}

int make_calls() {
  void *memory[2] = {};
  for (void *&place : memory)
    if (hipMalloc(&place, 1 << 16) != hipSuccess)
      return 1;
  // Arguments on the stack, and structures among them.
  const hipExtent extent{64, 4, 2};
  if (hipMemset3D(hipPitchedPtr{memory[0], 64, 64, 4}, 7, extent) != hipSuccess ||
      hipDeviceSynchronize() != hipSuccess)
    return 1;
  unsigned char last = 0;
  if (hipMemcpy(&last, static_cast<char *>(memory[0]) + 511, 1, hipMemcpyDeviceToHost) !=
          hipSuccess ||
      last != 7)
    return 1;
  for (void *place : memory)
    if (hipFree(place) != hipSuccess)
      return 1;
  for (int i = 0; i < 3; ++i)
    if (hipSetDevice(1000) == hipSuccess)
      return 1;
  if (hipGetLastError() == hipSuccess ||
      std::string_view(hipGetErrorName(hipSuccess)) != "hipSuccess")
    return 1;
  std::jthread([] { std::exit(repeat_get_device(5) == 0 ? 0 : 1); }).join();
  return 1;
}

int mark_ranges() {
  roctxRangePush("outer");
  roctxRangePush("inner");
  const int failed = repeat_get_device(1);
  roctxRangePop();
  roctxMark("a mark");
  const roctx_range_id_t id = roctxRangeStart("of two threads");
  std::jthread([id] { roctxRangeStop(id); }).join();
  roctxRangePop();
  return failed;
}

// --- What libCHIP tells a tool of work, in its place

uint64_t correlation;
chip_tool_work_function observer;

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

int report_work() {
  static const char *const names[] = {"none"};
  static chip_tool_interface interface{};
  interface.size = sizeof interface;
  interface.version = CHIP_TOOL_VERSION;
  interface.function_names = names;
  interface.observe_work = [](chip_tool_work_function function, void *) {
    observer = function;
    return 0;
  };
  interface.flush_work = [] {};
  interface.correlation_of_thread = [] { return &correlation; };
  const auto attach = reinterpret_cast<int (*)(const chip_tool_interface *)>(
      dlsym(RTLD_DEFAULT, "chip_tool_attach"));
  if (!attach || attach(&interface) != 0)
    return 1;
  for (uint64_t i = 0; i < 200; ++i) {
    if (repeat_get_device(1) != 0)
      return 1;
    const bool copy = i % 4 == 3;
    const uint64_t submitted = now(), start = submitted + 20'000 + i % 7 * 9'000;
    const chip_tool_work work{
        sizeof work,
        static_cast<uint32_t>(copy ? CHIP_TOOL_WORK_COPY : CHIP_TOOL_WORK_KERNEL),
        0,
        1 + i % 2,
        correlation,
        submitted,
        start,
        start + 30'000 + i % 5 * 20'000,
        copy ? 4096u : 0u,
        copy    ? nullptr
        : i % 3 ? "_Z5saxpyifPKfPf"
                : "</script>\"scale\\"};
    observer(nullptr, &work);
    usleep(100);
  }
  return 0;
}

/// Closes descriptors that are not its own, and opens a file with each of them.
int take_descriptors(const char *path) {
  if (repeat_get_device(1) != 0)
    return 1;
  for (int file = 3; file < 64; ++file)
    close(file);
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file != 3 || write(file, "mine", 4) != 4)
    return 1;
  for (int copy = 4; copy < 64; ++copy)
    if (dup(file) != copy)
      return 1;
  return repeat_get_device(200'000);
}

int fork_and_call() {
  // The parent has a file already, which is not the child's.
  if (repeat_get_device(4) != 0)
    return 1;
  const pid_t child = fork();
  if (child == 0) {
    // Calls are counted, whatever becomes of them in a child.
    int device = 0;
    for (int i = 0; i < 3; ++i)
      (void)hipGetDevice(&device);
    _exit(0);
  }
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "calls")
    return make_calls();
  if (what == "many")
    return repeat_get_device(1'000'000);
  if (what == "ranges")
    return mark_ranges();
  if (what == "work")
    return report_work();
  if (what == "descriptors" && count > 2)
    return take_descriptors(arguments[2]);
  if (what == "fork")
    return fork_and_call();
  if (what == "killed") {
    if (repeat_get_device(2) != 0)
      return 1;
    raise(SIGKILL);
  }
  if (what == "wait") {
    std::signal(SIGTERM, [](int) { _exit(5); });
    if (repeat_get_device(1) != 0)
      return 1;
    std::puts("waiting");
    std::fflush(stdout);
    for (;;)
      pause();
  }
  return 2;
}
