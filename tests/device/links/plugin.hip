// A library with kernels whose names are those of another library: ANSWER differs.
#include <hip/hip_runtime.h>

__device__ int calls = 0;
__managed__ int in_both = 0; // host and device

__global__ void answer(int *out) {
  in_both = ++calls;
  *out = ANSWER;
}

// Writes the answer when *go has become 1.
__global__ void answer_late(int *out, const volatile int *go) {
  while (*go == 0)
    ;
  *out = ANSWER;
}

extern "C" hipError_t plugin_answer(int *out, hipStream_t stream) {
  answer<<<1, 1, 0, stream>>>(out);
  return hipGetLastError();
}
extern "C" hipError_t plugin_answer_late(int *out, const int *go, hipStream_t stream) {
  answer_late<<<1, 1, 0, stream>>>(out, go);
  return hipGetLastError();
}
extern "C" int plugin_calls() { return in_both; }
extern "C" hipError_t plugin_copy_calls(int *out) {
  return hipMemcpyFromSymbol(out, calls, sizeof calls);
}

static volatile int *told = nullptr;
// Runs when the library is unloaded, before its kernels are taken from the runtime.
__attribute__((destructor)) static void unloading() {
  if (told)
    *told = 1;
}
extern "C" void plugin_tell(volatile int *unloaded) { told = unloaded; }
