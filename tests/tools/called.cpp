// Calls functions of HIP, and says on stdout which and how often. Some are made of others inside the library.
#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>

namespace {

std::map<std::string, int> calls;

#define CALL(function, ...) (++calls[#function], function(__VA_ARGS__))

/// The library is one in the process, under both of its names.
bool is_one_library() {
  Dl_info info{};
  if (!dladdr(dlsym(RTLD_DEFAULT, "chipStreamAppend"), &info))
    return false;
  std::string path = info.dli_fname;
  void *const self = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  void *const other =
      dlopen((path.substr(0, path.rfind('/')) + "/libamdhip64.so").c_str(), RTLD_NOW);
  return self && self == other;
}

} // namespace

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main() {
  int number = 0;
  void *memory = nullptr;
  hipStream_t stream = nullptr;
  hipDeviceProp_t properties;
  char bytes[64] = {};
  // What libCHIP looks for as it is loaded, and does not find, is no error of the program's.
  bool good = !dlerror();
  good &= CALL(hipInit, 0) == hipSuccess;
  good &= CALL(hipGetDeviceCount, &number) == hipSuccess && number > 0;
  good &= (++calls["hipGetDevicePropertiesR0600"], hipGetDeviceProperties(&properties, 0)) ==
          hipSuccess;
  for (int i = 0; i < 3; ++i) {
    good &= CALL(hipMalloc, &memory, sizeof bytes) == hipSuccess;
    good &= CALL(hipStreamCreate, &stream) == hipSuccess;
    good &= CALL(hipMemsetAsync, memory, 7, sizeof bytes, stream) == hipSuccess;
    good &=
        CALL(hipMemcpyAsync, bytes, memory, sizeof bytes, hipMemcpyDefault, stream) == hipSuccess;
    good &= CALL(hipStreamSynchronize, stream) == hipSuccess && bytes[63] == 7;
    good &= CALL(hipMemcpy, bytes, memory, sizeof bytes, hipMemcpyDeviceToHost) == hipSuccess;
    good &= CALL(hipStreamDestroy, stream) == hipSuccess;
    good &= CALL(hipFree, memory) == hipSuccess;
  }
  // Functions that are other functions with more parameters.
  good &= CALL(hipHccModuleLaunchKernel, nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr,
               nullptr, nullptr) != hipSuccess;
  good &= CALL(hipConfigureCall, dim3(1), dim3(1), 0, nullptr) == hipSuccess;
  // What compiled programs call.
  good &= CALL(__hipPushCallConfiguration, dim3(1), dim3(1), 0, nullptr) == hipSuccess;
  // A function by name is the one that tools see.
  hipError_t (*count)(int *) = nullptr;
  good &= CALL(hipGetProcAddress, "hipGetDeviceCount", reinterpret_cast<void **>(&count), 604, 0,
               nullptr) == hipSuccess;
  if (count)
    good &= (++calls["hipGetDeviceCount"], count(&number)) == hipSuccess;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  good &= CALL(hipModuleLoad, &module, TEST_KERNELS) == hipSuccess;
  good &= CALL(hipModuleGetFunction, &function, module, "nothing") == hipSuccess;
  good &= CALL(hipModuleLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
          hipSuccess;
  good &= CALL(hipExtModuleLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr,
               nullptr, nullptr, 0) == hipSuccess;
  // Forms whose bytes are products, a function of the host, and what is captured, which does not run.
  good &= CALL(hipMalloc, &memory, sizeof bytes) == hipSuccess;
  good &= CALL(hipMemcpy2D, bytes, 16, memory, 16, 8, 4, hipMemcpyDeviceToHost) == hipSuccess;
  good &= CALL(hipMemsetD32, memory, 1, 4) == hipSuccess;
  good &= CALL(hipMemset2DAsync, memory, 16, 1, 8, 3, nullptr) == hipSuccess;
  // Old loaders have no functions of the host.
  const hipError_t host = CALL(hipLaunchHostFunc, nullptr, [](void *) {}, nullptr);
  good &= host == hipSuccess || host == hipErrorNotSupported;
  hipGraph_t graph = nullptr;
  good &= CALL(hipStreamCreate, &stream) == hipSuccess;
  good &= CALL(hipStreamBeginCapture, stream, hipStreamCaptureModeRelaxed) == hipSuccess;
  good &= CALL(hipMemset2DAsync, memory, 16, 1, 8, 3, stream) == hipSuccess;
  good &= CALL(hipStreamEndCapture, stream, &graph) == hipSuccess && graph;
  good &= is_one_library();
  for (const auto &[name, times] : calls)
    std::printf("%s %d\n", name.c_str(), times);
  return good ? 0 : 1;
}
