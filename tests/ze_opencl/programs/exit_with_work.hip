// A process that ends while the device works: what OpenCL was given is finished, and nothing crashes.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Slow in a way that no compiler can shorten.
__global__ void mark(int *steps, int *reached) {
  for (int i = 0; i < *steps; ++i)
    __hip_atomic_fetch_add(reached, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_add(reached + 1, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void never_end(int *flag) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0)
    ;
}

constexpr int launches = 4, expected = launches * (launches + 1) / 2;
static int *marks = nullptr;

static int launch_and_leave(int *shared, bool with_stream) {
  shared[0] = 1 << 25; // longer than libCHIP itself waits
  hipStream_t stream = nullptr;
  if (with_stream && hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) != hipSuccess)
    return 2;
  for (int i = 1; i <= launches; ++i) // each of another size: implementations compile for it
    mark<<<1, i, 0, stream>>>(shared, shared + 1);
  // As static objects that were made later than the driver's handlers are destroyed before these are called.
  marks = shared;
  std::atexit([] {
    if (marks[2] != expected)
      _exit(4);
  });
  return hipGetLastError() == hipSuccess ? 0 : 3;
}

/// The process ends all the same, in its time.
static int leave_for_ever() {
  int *flag = nullptr;
  if (hipHostMalloc(&flag, sizeof *flag) != hipSuccess)
    return 1;
  *flag = 0;
  never_end<<<1, 1>>>(flag);
  return hipGetLastError() == hipSuccess ? 0 : 1;
}

int main(int argc, char **) {
  if (argc > 1)
    return leave_for_ever();
  const size_t bytes = 4096;
  auto *const shared = static_cast<int *>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED)
    return 1;
  for (const bool with_stream : {false, true}) {
    shared[1] = shared[2] = 0;
    const pid_t child = fork();
    if (child == 0)
      std::exit(launch_and_leave(shared, with_stream));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
      return 1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || shared[2] != expected) {
      std::printf("FAILED: status 0x%x, %d of %d work-items have ended\n", status, shared[2],
                  expected);
      return 1;
    }
  }
  std::puts("PASSED");
}
