#include "process.h"
#include "kernels.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace exits {
namespace {

Case the_case;
pthread_t main_thread;
pid_t parent;
std::atomic<bool> main_is_busy{false};
// HIP may have been interrupted anywhere: its functions, as most, must not be called from there.
std::atomic<bool> ends_in_handler{false};

[[noreturn]] void wrong(const char *what, int line) {
  std::fprintf(stderr, "line %d: %s, after %s\n", line, what, to_string(the_case).c_str());
  _exit(wrong_code);
}
#define CALL(...)                                                                                                      \
  do                                                                                                                   \
    if (const hipError_t result = (__VA_ARGS__); result != hipSuccess)                                                 \
      wrong((std::string(#__VA_ARGS__) + ": " + hipGetErrorName(result)).c_str(), __LINE__);                           \
  while (0)
#define FAILS(error, ...)                                                                                              \
  do                                                                                                                   \
    if (const hipError_t result = (__VA_ARGS__); result != error)                                                      \
      wrong((std::string(#__VA_ARGS__) + ": " + hipGetErrorName(result)).c_str(), __LINE__);                           \
  while (0)

// ---- The end

/// Ends the process in the way of the case, where that can be done by a call.
void end_process() {
  (void)!write(ending_descriptor, "e", 1);
  switch (the_case.end) {
  case End::return_from_main: // main() does that
  case End::pthread_exit:
    return;
  case End::exit:
    std::exit(asked_code);
  case End::quick_exit:
    std::quick_exit(asked_code);
  case End::bare_exit:
    _exit(asked_code);
  case End::abort:
    std::abort();
  case End::exception:
    throw std::runtime_error("nobody catches this");
  case End::sigterm:
    kill(getpid(), SIGTERM);
    for (;;)
      pause();
  case End::sigsegv:
    *reinterpret_cast<volatile int *>(64) = 1;
    wrong("the program survives a bad access", __LINE__);
  }
}

void end_here(Place place) {
  if (the_case.place == place && getpid() == parent)
    end_process();
}

void wait_before_the_end() {
  if (the_case.delay)
    usleep(the_case.delay);
}

// ---- What is used until the end, and after it

hipStream_t stream = nullptr, other_stream = nullptr;
hipEvent_t event = nullptr;
Numbers *numbers = nullptr;
void *memory = nullptr;
char *copied = nullptr; // where copies of `memory` go
hipFunction_t function = nullptr;
Launch *launch_kernel = launch;
bool uses_hip = false;

/// Everything fails, with `error`, and nothing crashes; but at the end of the process nothing is left to be freed.
void use_what_is_gone(hipError_t error) {
  const hipError_t of_freeing = error == hipErrorDeinitialized ? hipSuccess : error;
  add_one<<<1, 1, 0, stream>>>(numbers);
  FAILS(error, hipGetLastError());
  add_one<<<1, 1, 0, hipStreamPerThread>>>(numbers);
  FAILS(error, hipGetLastError());
  add_one<<<1, 1>>>(numbers);
  FAILS(error, hipGetLastError());
  void *arguments[] = {&numbers};
  FAILS(error, hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  FAILS(error, hipStreamQuery(stream));
  FAILS(error, hipStreamSynchronize(stream));
  FAILS(error, hipStreamSynchronize(hipStreamPerThread));
  FAILS(error, hipStreamWaitEvent(stream, event, 0));
  unsigned flags = 0;
  FAILS(error, hipStreamGetFlags(stream, &flags));
  int number = 0;
  FAILS(error, hipStreamGetPriority(stream, &number));
  FAILS(error, hipStreamGetDevice(stream, &number));
  unsigned long long id = 0;
  FAILS(error, hipStreamGetId(stream, &id));
  FAILS(error, hipStreamCreate(&other_stream));
  FAILS(error, hipLaunchHostFunc(stream, [](void *) {}, nullptr));
  FAILS(error, hipEventRecord(event, stream));
  FAILS(error, hipEventQuery(event));
  FAILS(error, hipEventSynchronize(event));
  float milliseconds = 0;
  FAILS(error, hipEventElapsedTime(&milliseconds, event, event));
  FAILS(of_freeing, hipEventDestroy(event));
  FAILS(error, hipEventCreate(&event));
  FAILS(of_freeing, hipStreamDestroy(stream));
  FAILS(error, hipMemcpyAsync(memory, memory, 4, hipMemcpyDefault, stream));
  FAILS(error, hipMemset(memory, 0, 4));
  FAILS(error, hipMallocAsync(&memory, 64, stream));
  FAILS(of_freeing, hipFreeAsync(memory, stream));
  FAILS(of_freeing, hipFree(memory));
  FAILS(of_freeing, hipHostFree(numbers));
  FAILS(error, hipGraphMemFreeNodeGetParams(nullptr, &memory)); // which does not free
  FAILS(error, hipMalloc(&memory, 64));
  FAILS(error, hipDeviceSynchronize());
  FAILS(error, hipDeviceReset());
  FAILS(error, hipSetDevice(0));
  FAILS(error, hipGetDevice(&number));
  FAILS(error, hipGetDeviceCount(&number));
  hipFuncAttributes attributes;
  FAILS(error, hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(add_one)));
  FAILS(error, hipFuncGetAttribute(&number, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  FAILS(error, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 32, 0));
  hipPointerAttribute_t pointer;
  FAILS(error, hipPointerGetAttributes(&pointer, numbers));
  if (hipGetErrorString(error) == nullptr)
    wrong("an error has no text", __LINE__);
}

/// As the destructors of a program's containers and streams: nothing waits.
void use_hip() {
  hipStream_t own = nullptr;
  CALL(hipStreamCreate(&own));
  add_one<<<1, 1, 0, own>>>(numbers);
  CALL(hipGetLastError());
  add_one<<<1, 1, 0, hipStreamPerThread>>>(numbers);
  CALL(hipGetLastError());
  CALL(hipStreamDestroy(own));
}

struct Older {
  ~Older() {
    end_here(Place::older);
    if (uses_hip && getpid() == parent)
      use_what_is_gone(hipErrorDeinitialized);
  }
} const older;

struct Younger {
  ~Younger() {
    end_here(Place::younger);
    if (uses_hip && getpid() == parent && !ends_in_handler)
      use_hip();
  }
};

struct OfThread {
  ~OfThread() {
    if (uses_hip && getpid() == parent && !ends_in_handler)
      use_hip();
    if (pthread_equal(pthread_self(), main_thread))
      end_here(Place::thread_local_);
  }
  void exist() {}
};
thread_local OfThread of_thread;

// ---- What goes on

void start_work() {
  const auto kernels = [](Kernel kernel, int count) {
    for (int i = 0; i < count; ++i) {
      launch_kernel(kernel, numbers, stream);
      CALL(hipGetLastError());
    }
  };
  switch (the_case.work) {
  case Work::no_hip:
  case Work::idle:
    break;
  case Work::short_:
    kernels(Kernel::short_, 100);
    break;
  case Work::long_:
    kernels(Kernel::long_, 2);
    break;
  case Work::endless:
    kernels(Kernel::endless, 1);
    break;
  case Work::printing:
    kernels(Kernel::printing, 3);
    break;
  case Work::host_functions:
    for (int i = 0; i < 20; ++i)
      (void)hipLaunchHostFunc(
          stream,
          [](void *) {
            if (getpid() != parent)
              wrong("a child of fork runs its parent's functions", __LINE__);
            usleep(1000);
          },
          nullptr);
  }
  CALL(hipEventRecord(event, stream));
}

/// Until somebody ends the process: in whatever it calls then.
[[noreturn]] void keep_doing() {
  main_is_busy = true;
  char byte = 0;
  if (!copied)
    copied = &byte;
  for (;;) {
    switch (the_case.doing) {
    case Doing::sleeping:
      usleep(1000);
      break;
    case Doing::stream:
      (void)hipStreamSynchronize(stream);
      break;
    case Doing::event:
      (void)hipEventSynchronize(event);
      break;
    case Doing::device:
      (void)hipDeviceSynchronize();
      break;
    case Doing::copy:
      (void)hipMemcpy(copied, memory, 1, hipMemcpyDeviceToHost);
      break;
    case Doing::launching:
      launch(Kernel::short_, numbers, other_stream);
      (void)hipStreamQuery(other_stream);
      break;
    case Doing::events:
      (void)hipEventRecord(event, other_stream);
      (void)hipEventQuery(event);
      break;
    }
  }
}

void use_hip_for_ever() {
  of_thread.exist();
  for (int i = 0;; ++i) {
    launch(Kernel::short_, numbers, i % 2 ? hipStreamPerThread : other_stream);
    (void)hipStreamSynchronize(hipStreamPerThread);
    void *own = nullptr;
    (void)hipMalloc(&own, 256);
    (void)hipFree(own);
  }
}

__global__ void nothing() {}

/// Drivers and compilers are loaded when the process ends.
void use_hip_first() {
  for (;;) {
    nothing<<<1, 1>>>();
    (void)hipDeviceSynchronize();
  }
}

/// The compiler is at work when the process ends.
void build_modules_for_ever() {
  for (;;) {
    hipModule_t modules[3] = {};
    for (hipModule_t &module : modules) {
      hipFunction_t kernel = nullptr;
      void *arguments[] = {&numbers};
      if (hipModuleLoad(&module, EXITS_MODULE) == hipSuccess &&
          hipModuleGetFunction(&kernel, module, "add_variable") == hipSuccess)
        (void)hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, hipStreamPerThread, arguments, nullptr);
    }
    for (hipModule_t module : modules)
      (void)hipModuleUnload(module);
  }
}

/// The child ends by exit(), which must not hang, nor do any of its parent's work or print what that has printed.
void fork_child() {
  std::fflush(stdout); // else the child prints this
  const int output = memfd_create("output", 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); // a hang
    dup2(output, STDOUT_FILENO);
    if (the_case.others == Others::child_exits)
      dup2(output, STDERR_FILENO); // nor has libCHIP anything to say
    if (the_case.others == Others::child_uses_hip)
      use_what_is_gone(hipErrorNotInitialized);
    std::exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    wrong("a child of fork does not end as it should", __LINE__);
  if (lseek(output, 0, SEEK_END) != 0)
    wrong("a child of fork prints what its parent's kernels print", __LINE__);
}

/// A function in `stream`, or this thread where the driver has none or does not execute.
void end_in_stream(bool callback) {
  static std::atomic<bool> called{false};
  const hipError_t submitted = callback ? hipStreamAddCallback(
                                              other_stream,
                                              [](hipStream_t, hipError_t, void *) {
                                                called = true;
                                                wait_before_the_end();
                                                end_process();
                                              },
                                              nullptr, 0)
                                        : hipLaunchHostFunc(
                                              other_stream,
                                              [](void *) {
                                                called = true;
                                                wait_before_the_end();
                                                end_process();
                                              },
                                              nullptr);
  const int patience = is_on_intels_driver() ? 20 : 200; // a simulated device calls nothing
  if (submitted == hipSuccess)
    for (int i = 0; i < patience && !called; ++i)
      usleep(10'000);
  if (!called)
    end_process();
}

void *library = nullptr;
void open_library() {
  library = dlopen(EXITS_LIBRARY, RTLD_NOW);
  auto *found = library ? reinterpret_cast<Launch *>(dlsym(library, "exits_launch")) : nullptr;
  if (!found)
    wrong("the library cannot be loaded", __LINE__);
  launch_kernel = found;
}

void set_up() {
  uses_hip = true;
  CALL(hipStreamCreate(&stream));
  CALL(hipStreamCreateWithFlags(&other_stream, hipStreamNonBlocking));
  CALL(hipEventCreate(&event));
  CALL(hipHostMalloc(reinterpret_cast<void **>(&numbers), sizeof *numbers));
  numbers->count = numbers->never = 0;
  CALL(hipMalloc(&memory, 64));
  // Intel's driver notes ordinary memory for the time of a copy and frees the note when another thread looks for what has ended,
  // even before the copy has been submitted: programs that only use Level Zero crash so, as soon as two engines are at work.
  if (is_on_intels_driver())
    CALL(hipHostMalloc(reinterpret_cast<void **>(&copied), 64));
  CALL(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(add_one)));
  if (the_case.code != Code::program)
    open_library();
  // Everything has been compiled before the end begins.
  launch_kernel(Kernel::short_, numbers, stream);
  launch(Kernel::short_, numbers, stream);
  CALL(hipStreamSynchronize(stream));
  static Younger younger;
}

} // namespace

int run_process(const Case &c) {
  the_case = c;
  main_thread = pthread_self();
  parent = getpid();
  of_thread.exist();
  struct sigaction action = {};
  action.sa_handler = [](int) {
    ends_in_handler = true;
    end_process();
  };
  sigaction(SIGINT, &action, nullptr);
  std::atexit([] { end_here(Place::atexit); });
  if (c.work != Work::no_hip) {
    set_up();
    start_work();
  }
  if (c.others == Others::threads)
    for (int i = 0; i < 2; ++i)
      std::thread(use_hip_for_ever).detach();
  if (c.others == Others::first_use)
    std::thread(use_hip_first).detach();
  if (c.others == Others::modules)
    std::thread(build_modules_for_ever).detach();
  if (c.others == Others::child_exits || c.others == Others::child_uses_hip)
    fork_child();
  if (c.code == Code::closed_library) {
    dlclose(library);
    launch_kernel = launch;
  }

  switch (c.place) {
  case Place::thread:
  case Place::handler:
    std::thread([] {
      while (!main_is_busy)
        usleep(100);
      wait_before_the_end();
      if (the_case.place == Place::handler)
        pthread_kill(main_thread, SIGINT);
      else
        end_process();
      for (;;)
        pause();
    }).detach();
    keep_doing();
  case Place::host_function:
  case Place::callback:
    std::thread([] { end_in_stream(the_case.place == Place::callback); }).detach();
    keep_doing();
  default:
    break;
  }
  wait_before_the_end();
  if (c.place == Place::main)
    end_process();
  if (c.end == End::pthread_exit)
    pthread_exit(nullptr);
  return asked_code;
}

} // namespace exits
