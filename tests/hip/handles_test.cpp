// Handles that stand for nothing: never made, destroyed, or of another kind. Each function that takes one says so, whatever the
// address is, and nothing behind it is touched.
#include "fixture.h"

#include <hip/hip_ext.h>

#include <cstdint>
#include <functional>
#include <sys/mman.h>
#include <vector>

using namespace fixture;

namespace {

/// What no handle of any kind is.
struct Garbage {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  alignas(64) std::byte own[512] = {};
  std::vector<void *> all = {reinterpret_cast<void *>(8),
                             reinterpret_cast<void *>(64),
                             reinterpret_cast<void *>(0xffff),
                             reinterpret_cast<void *>(0x7234'5678'90ab'cde0),
                             reinterpret_cast<void *>(UINTPTR_MAX),
                             reinterpret_cast<void *>(UINTPTR_MAX - 63),
                             page,
                             own,
                             own + 1};

  Garbage() { REQUIRE(page != MAP_FAILED); }
  ~Garbage() { munmap(page, 4096); }
};

template <class Handle> using Call = std::function<hipError_t(Handle)>;

/// `dead` was destroyed, `live` is of another kind.
template <class Handle>
void all_refuse(const std::vector<Call<Handle>> &calls, const std::vector<hipError_t> &expected,
                void *dead, void *live) {
  Garbage garbage;
  garbage.all.push_back(dead);
  garbage.all.push_back(live);
  garbage.all.push_back(static_cast<std::byte *>(live) + 8);
  for (size_t i = 0; i < calls.size(); ++i)
    for (void *address : garbage.all) {
      const hipError_t result = calls[i](reinterpret_cast<Handle>(address));
      INFO("call " << i << ", handle " << address << ": " << hipGetErrorName(result));
      bool is_expected = false;
      for (hipError_t each : expected)
        is_expected |= result == each;
      REQUIRE(is_expected);
      REQUIRE(hipGetLastError() == result);
    }
}

int number = 0;
unsigned flags = 0;
float ms = 0;

} // namespace

TEST_CASE("hip handles: what is no stream is refused") {
  hipStream_t dead = nullptr;
  REQUIRE_HIP(hipStreamCreate(&dead));
  REQUIRE_HIP(hipStreamDestroy(dead));
  Event event;
  HostMemory<int> memory(16);
  int *p = memory.get();
  void *allocated = nullptr;
  hipFunction_t nothing = function("nothing");
  hipDevice_t device = 0;
  unsigned long long id = 0;
  using S = hipStream_t;
  const hipPitchedPtr box{p, 16, 16, 1};
  all_refuse<S>(
      {[&](S s) { return hipStreamQuery(s); },
       [&](S s) { return hipStreamSynchronize(s); },
       [&](S s) { return hipStreamDestroy(s); },
       [&](S s) { return hipStreamGetFlags(s, &flags); },
       [&](S s) { return hipStreamGetPriority(s, &number); },
       [&](S s) { return hipStreamGetId(s, &id); },
       [&](S s) { return hipStreamGetDevice(s, &device); },
       [&](S s) { return hipStreamWaitEvent(s, event, 0); },
       [&](S s) { return hipStreamAddCallback(s, [](S, hipError_t, void *) {}, nullptr, 0); },
       [&](S s) { return hipLaunchHostFunc(s, [](void *) {}, nullptr); },
       [&](S s) { return hipStreamWriteValue32(s, p, 1, 0); },
       [&](S s) { return hipStreamWaitValue32(s, p, 0, hipStreamWaitValueGte); },
       [&](S s) { return hipExtStreamGetCUMask(s, 1, &flags); },
       [&](S s) { return hipEventRecord(event, s); },
       [&](S s) { return hipMemcpyAsync(p, p + 8, 4, hipMemcpyDefault, s); },
       [&](S s) { return hipMemcpyWithStream(p, p + 8, 4, hipMemcpyDefault, s); },
       [&](S s) { return hipMemcpy2DAsync(p, 16, p + 8, 16, 4, 1, hipMemcpyDefault, s); },
       [&](S s) { return hipMemsetAsync(p, 0, 4, s); },
       [&](S s) { return hipMemsetD32Async(p, 0, 1, s); },
       [&](S s) { return hipMemset2DAsync(p, 16, 0, 4, 1, s); },
       [&](S s) { return hipMemset3DAsync(box, 0, {4, 1, 1}, s); },
       [&](S s) { return hipMallocAsync(&allocated, 64, s); },
       [&](S s) { return hipFreeAsync(p, s); },
       [&](S s) { return launch(nothing, s, 1); },
       [&](S s) {
         return hipExtModuleLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, s, nullptr, nullptr);
       }},
      {hipErrorContextIsDestroyed, hipErrorInvalidHandle}, dead, event);
}

TEST_CASE("hip handles: what is no event is refused") {
  Event timed(hipEventDefault);
  hipEvent_t dead = nullptr;
  REQUIRE_HIP(hipEventCreate(&dead));
  REQUIRE_HIP(hipEventDestroy(dead));
  Streams streams(1);
  hipFunction_t nothing = function("nothing");
  using E = hipEvent_t;
  const auto ext_launch = [&](E start, E stop) {
    return hipExtModuleLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, start,
                                    stop);
  };
  all_refuse<E>(
      {[&](E e) { return hipEventQuery(e); }, [&](E e) { return hipEventSynchronize(e); },
       [&](E e) { return hipEventRecord(e, streams[0]); }, [&](E e) { return hipEventDestroy(e); },
       [&](E e) { return hipEventElapsedTime(&ms, timed, e); },
       [&](E e) { return hipEventElapsedTime(&ms, e, timed); },
       [&](E e) { return hipStreamWaitEvent(streams[0], e, 0); },
       [&](E e) { return ext_launch(e, nullptr); }, [&](E e) { return ext_launch(nullptr, e); }},
      {hipErrorInvalidHandle, hipErrorContextIsDestroyed}, dead, streams[0]);
}

TEST_CASE("hip handles: what is no function is refused") {
  hipModule_t module = nullptr;
  hipFunction_t dead = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetFunction(&dead, module, "nothing"));
  REQUIRE_HIP(launch(dead, nullptr, 1));
  REQUIRE_HIP(hipModuleUnload(module));
  Streams streams(1);
  using F = hipFunction_t;
  HIP_LAUNCH_CONFIG config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY =
      config.blockDimZ = 1;
  const std::vector<Call<F>> launches = {
      [&](F f) { return launch(f, streams[0], 1); },
      [&](F f) {
        return hipModuleLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr);
      },
      [&](F f) { return hipDrvLaunchKernelEx(&config, f, nullptr, nullptr); },
      [&](F f) {
        return hipExtModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
      },
      [&](F f) {
        return hipHccModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
      },
      [&](F f) { return hipFuncGetAttribute(&number, HIP_FUNC_ATTRIBUTE_NUM_REGS, f); },
      [&](F f) { return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&number, f, 1, 0); },
      [&](F f) { return hipModuleOccupancyMaxPotentialBlockSize(&number, &number, f, 0, 0); }};
  all_refuse<F>(launches, {hipErrorInvalidResourceHandle}, dead, streams[0]);
  for (const Call<F> &call : launches)
    REQUIRE(call(nullptr) != hipSuccess);
  // The same code loaded anew is another module, whose functions have to be asked for.
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE(launch(dead, nullptr, 1) == hipErrorInvalidResourceHandle);
  F live = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&live, module, "nothing"));
  REQUIRE_HIP(launch(live, nullptr, 1));
  REQUIRE_HIP(hipModuleUnload(module));
  REQUIRE(launch(live, nullptr, 1) == hipErrorInvalidResourceHandle);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip handles: functions of thousands of loads are told from those that are gone") {
  std::vector<hipFunction_t> functions;
  for (int i = 0; i < 200; ++i) {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&function, module, "nothing"));
    REQUIRE_HIP(launch(function, nullptr, 1));
    REQUIRE_HIP(hipModuleUnload(module));
    functions.push_back(function);
  }
  for (hipFunction_t function : functions)
    REQUIRE(launch(function, nullptr, 1) == hipErrorInvalidResourceHandle);
}

TEST_CASE("hip handles: what is no module is refused") {
  hipModule_t dead = nullptr;
  REQUIRE_HIP(hipModuleLoad(&dead, TEST_KERNELS));
  REQUIRE_HIP(hipModuleUnload(dead));
  hipFunction_t nothing = nullptr;
  void *address = nullptr;
  size_t bytes = 0;
  textureReference *reference = nullptr;
  Streams streams(1);
  using M = hipModule_t;
  all_refuse<M>({[&](M m) { return hipModuleUnload(m); },
                 [&](M m) { return hipModuleGetFunction(&nothing, m, "nothing"); },
                 [&](M m) { return hipModuleGetGlobal(&address, &bytes, m, "nothing"); },
                 [&](M m) { return hipModuleGetTexRef(&reference, m, "nothing"); }},
                {hipErrorInvalidResourceHandle}, dead, streams[0]);
}

TEST_CASE("hip handles: what is no array is refused") {
  const hipChannelFormatDesc element = {32, 0, 0, 0, hipChannelFormatKindSigned};
  hipArray_t dead = nullptr, level = nullptr;
  REQUIRE_HIP(hipMallocArray(&dead, &element, 16, 16, 0));
  REQUIRE_HIP(hipFreeArray(dead));
  Streams streams(1);
  std::vector<int> host(64);
  hipChannelFormatDesc found;
  HIP_ARRAY_DESCRIPTOR description;
  HIP_ARRAY3D_DESCRIPTOR description_3d;
  hipExtent extent;
  hipSurfaceObject_t surface = nullptr;
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  using A = hipArray_t;
  all_refuse<A>(
      {[&](A a) { return hipFreeArray(a); }, [&](A a) { return hipArrayDestroy(a); },
       [&](A a) { return hipArrayGetInfo(&found, &extent, &flags, a); },
       [&](A a) { return hipGetChannelDesc(&found, a); },
       [&](A a) { return hipArrayGetDescriptor(&description, a); },
       [&](A a) { return hipArray3DGetDescriptor(&description_3d, a); },
       [&](A a) {
         return hipMemcpy2DToArray(a, 0, 0, host.data(), 16, 16, 1, hipMemcpyHostToDevice);
       },
       [&](A a) {
         return hipMemcpy2DFromArray(host.data(), 16, a, 0, 0, 16, 1, hipMemcpyDeviceToHost);
       },
       [&](A a) { return hipMemcpyAtoH(host.data(), a, 0, 4); },
       [&](A a) { return hipMemcpyHtoA(a, 0, host.data(), 4); },
       [&](A a) {
         resource.res.array.array = a;
         return hipCreateSurfaceObject(&surface, &resource);
       }},
      {hipErrorInvalidHandle, hipErrorInvalidValue, hipErrorContextIsDestroyed}, dead, streams[0]);
  using Mipmapped = hipMipmappedArray_t;
  all_refuse<Mipmapped>({[&](Mipmapped m) { return hipFreeMipmappedArray(m); },
                         [&](Mipmapped m) { return hipMipmappedArrayDestroy(m); },
                         [&](Mipmapped m) { return hipGetMipmappedArrayLevel(&level, m, 0); },
                         [&](Mipmapped m) { return hipMipmappedArrayGetLevel(&level, m, 0); }},
                        {hipErrorInvalidHandle, hipErrorInvalidValue, hipErrorContextIsDestroyed},
                        dead, streams[0]);
}

TEST_CASE("hip handles: what is no texture or surface is refused") {
  Streams streams(1);
  hipResourceDesc resource;
  hipTextureDesc description;
  hipResourceViewDesc view;
  using T = hipTextureObject_t;
  all_refuse<T>(
      {[&](T t) { return hipDestroyTextureObject(t); }, [&](T t) { return hipTexObjectDestroy(t); },
       [&](T t) { return hipGetTextureObjectResourceDesc(&resource, t); },
       [&](T t) { return hipGetTextureObjectTextureDesc(&description, t); },
       [&](T t) { return hipGetTextureObjectResourceViewDesc(&view, t); },
       [&](T t) { return hipDestroySurfaceObject(reinterpret_cast<hipSurfaceObject_t>(t)); }},
      {hipErrorInvalidValue}, streams[0], streams[0]);
}
