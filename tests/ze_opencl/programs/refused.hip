// What a user is told of kernels that the device cannot run: once for each, in HIP's words, while each launch returns its error.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <string>
#include <unistd.h>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

// Threads meet in loops that each leaves when it likes, which no device without sub-groups can do.
template <typename T> __global__ void votes(T *out) {
  for (unsigned i = 0; i < threadIdx.x % 5; ++i)
    out[threadIdx.x] += static_cast<T>(__ballot(i == 2));
}

__global__ void waits(int *out) {
  for (unsigned i = 0; i < threadIdx.x % 5; ++i) {
    out[threadIdx.x + i] += 1;
    __syncwarp();
  }
}

__global__ void plain(int *out) { *out = 1; }

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

int main() {
  int *out = nullptr;
  CHECK(hipMalloc(&out, 4096) == hipSuccess);
  std::FILE *const file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  if (!file || before < 0)
    return 2;
  dup2(fileno(file), STDERR_FILENO);
  for (int i = 0; i < 3; ++i) {
    votes<float><<<1, 32>>>(reinterpret_cast<float *>(out));
    CHECK(hipGetLastError() == hipErrorSharedObjectInitFailed);
    waits<<<1, 32>>>(out);
    CHECK(hipGetLastError() == hipErrorSharedObjectInitFailed);
    plain<<<1, 1>>>(out);
    CHECK(hipGetLastError() == hipSuccess);
  }
  CHECK(hipDeviceSynchronize() == hipSuccess);
  dup2(before, STDERR_FILENO);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    text += static_cast<char>(c);
  std::fclose(file);

  std::fputs(text.c_str(), stdout);
  CHECK(count(text, "\n") == 2);
  CHECK(count(text, "kernel void votes<float>(float*) cannot be launched: ") == 1);
  CHECK(count(text, ": it uses __ballot ") == 1);
  CHECK(count(text, "kernel waits(int*) cannot be launched: ") == 1);
  CHECK(count(text, ": it uses __syncwarp where not all threads of a block are known to come, ") ==
        1);
  CHECK(count(text, ", and the device has no sub-groups (OpenCL device ") == 2);
  CHECK(count(text, "_Z") == 0);
  CHECK(count(text, "OpGroup") == 0);

  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
