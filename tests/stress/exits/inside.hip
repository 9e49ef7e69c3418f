// exit() in the middle of a call of HIP, as in a signal handler: the thread holds locks that destructors of the program want.
#include <hip/hip_runtime.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static constexpr int wrong_code = 8;
static hipStream_t stream = nullptr;
static void *memory = nullptr;

// libCHIP calls this in the place of the loader's function, with the lock of the stream's queue held.
extern "C" ze_result_t ZE_APICALL zeCommandListAppendMemoryFill(ze_command_list_handle_t, void *, const void *, size_t, size_t,
                                                                ze_event_handle_t, uint32_t, ze_event_handle_t *) {
  std::exit(EXIT_SUCCESS);
}

struct User {
  ~User() {
    const hipError_t error = hipMemsetAsync(memory, 0, 64, stream);
    if (error == hipErrorDeinitialized)
      return;
    std::fprintf(stderr, "hipMemsetAsync after exit(): %s\n", hipGetErrorName(error));
    _exit(wrong_code);
  }
};

int main() {
  alarm(20); // a hang
  if (hipStreamCreate(&stream) != hipSuccess || hipMalloc(&memory, 64) != hipSuccess)
    return wrong_code;
  static User user;
  (void)hipMemsetAsync(memory, 0, 64, stream);
  return wrong_code; // the stream has not called the driver
}
