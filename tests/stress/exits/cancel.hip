// Threads that are cancelled (pthread_cancel) in the middle of HIP's calls: each ends, and the others go on.
//
//   cancel WHAT N LONGEST   cancels a thread that does WHAT after each of N delays between 0 and LONGEST microseconds, each time in
//                           a process of its own. WHAT is first_use, module, waits or compile.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern char **environ;

namespace {

constexpr unsigned threads_of_a_process = 3, hang_seconds = 60;

__global__ void add_one(int *number) { atomicAdd(number, 1); }
__global__ void print_nothing(int *number) {
  atomicAdd(number, 1);
  printf("\n");
}

#define CHECK(...)                                                                                 \
  do                                                                                               \
    if (!(__VA_ARGS__)) {                                                                          \
      std::fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #__VA_ARGS__);                 \
      _exit(EXIT_FAILURE);                                                                         \
    }                                                                                              \
  while (0)
#define CALL(...) CHECK((__VA_ARGS__) == hipSuccess)

/// A kernel adds to memory; a simulated device (scripts/pvc-sim) executes nothing. What is allocated is not freed: the thread may be cancelled.
void use_hip() {
  int *number = nullptr;
  CALL(hipMallocManaged(reinterpret_cast<void **>(&number), sizeof *number));
  *number = 0;
  add_one<<<1, 1>>>(number);
  CALL(hipDeviceSynchronize());
  CHECK(*number == 1 || std::getenv("CHIP_SAMPLE_UNCHECKED"));
}

void load_module() {
  hipModule_t module = nullptr;
  hipFunction_t kernel = nullptr;
  CALL(hipModuleLoad(&module, EXITS_MODULE));
  CALL(hipModuleGetFunction(&kernel, module, "add_variable"));
  int *number = nullptr;
  CALL(hipMallocManaged(reinterpret_cast<void **>(&number), sizeof *number));
  void *arguments[] = {&number};
  CALL(hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, hipStreamPerThread, arguments, nullptr));
  CALL(hipModuleUnload(module));
}

void wait() {
  int *number = nullptr;
  CALL(hipMallocManaged(reinterpret_cast<void **>(&number), sizeof *number));
  hipEvent_t event = nullptr;
  CALL(hipEventCreate(&event));
  for (int i = 0; i < 100; ++i) {
    print_nothing<<<1, 1, 0, hipStreamPerThread>>>(number);
    CALL(hipEventRecord(event, hipStreamPerThread));
    CALL(hipEventSynchronize(event));
    print_nothing<<<1, 1, 0, hipStreamPerThread>>>(number);
    CALL(hipStreamSynchronize(hipStreamPerThread));
    print_nothing<<<1, 1>>>(number);
    CALL(hipDeviceSynchronize());
  }
}

void compile() {
  hiprtcProgram program = nullptr;
  CHECK(hiprtcCreateProgram(&program, "__global__ void nothing() {}", "nothing.hip", 0, nullptr,
                            nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
}

using Work = void();
Work *find_work(std::string_view what) {
  return what == "first_use" ? use_hip
         : what == "module"  ? load_module
         : what == "waits"   ? wait
         : what == "compile" ? compile
                             : nullptr;
}

void cancel_threads(Work *work, unsigned delay) {
  alarm(hang_seconds);
  if (work == load_module || work == wait)
    CALL(hipFree(nullptr)); // only that is to be cancelled
  for (unsigned i = 0; i < threads_of_a_process; ++i) {
    pthread_t thread{};
    CHECK(pthread_create(
              &thread, nullptr,
              [](void *function) -> void * {
                for (;;) {
                  reinterpret_cast<Work *>(function)();
                  pthread_testcancel();
                }
              },
              reinterpret_cast<void *>(work)) == 0);
    usleep(delay);
    CHECK(pthread_cancel(thread) == 0);
    void *result = nullptr;
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  work();
  use_hip();
}

bool passes_in_a_process(std::string what, unsigned delay) {
  std::string program = "/proc/self/exe", number = std::to_string(delay);
  char *arguments[] = {program.data(), what.data(), number.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  CHECK(posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0);
  CHECK(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
    return true;
  std::fprintf(stderr, "%s cancelled after %u us ends with status 0x%x\n", what.c_str(), delay,
               status);
  return false;
}

} // namespace

int main(int count, char **arguments) {
  Work *work = count > 2 ? find_work(arguments[1]) : nullptr;
  CHECK(work);
  const auto number = [&](int i) { return unsigned(std::strtoul(arguments[i], nullptr, 10)); };
  if (count == 3) {
    cancel_threads(work, number(2));
    return EXIT_SUCCESS;
  }
  const unsigned times = number(2), longest = number(3);
  unsigned failures = 0;
  for (unsigned i = 0; i < times; ++i)
    failures += !passes_in_a_process(arguments[1], unsigned(uint64_t(longest) * i / times));
  std::fprintf(stderr, "%u of %u processes failed\n", failures, times);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
