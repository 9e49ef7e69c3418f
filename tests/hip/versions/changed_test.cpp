// What HIP 7 has changed: one program with files that are compiled with the headers of either version.
#define HIP_FORCE_API_VERSION 700
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "fixture.h"
#include "six.h"

#include <hip/hip_ext.h>

#include <dlfcn.h>

#include <string>

using namespace fixture;

namespace {

const six::Functions &of_6 = six::functions;

/// Captures a stream for as long as it lives.
class Captured {
public:
  explicit Captured(hipStreamCaptureMode mode) {
    REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    REQUIRE_HIP(hipStreamBeginCapture(stream, mode));
  }
  ~Captured() {
    hipGraph_t graph = nullptr;
    if (hipStreamEndCapture(stream, &graph) == hipSuccess)
      (void)hipGraphDestroy(graph);
    (void)hipStreamDestroy(stream);
  }
  Captured(const Captured &) = delete;
  bool is_valid() const {
    hipStreamCaptureStatus status{};
    REQUIRE_HIP(hipStreamIsCapturing(stream, &status));
    return status == hipStreamCaptureStatusActive;
  }
  hipStream_t stream = nullptr;
};

bool is_cooperative() {
  int is = 0;
  REQUIRE_HIP(hipDeviceGetAttribute(&is, hipDeviceAttributeCooperativeLaunch, 0));
  return is != 0;
}

struct Managed {
  Managed() { REQUIRE_HIP(hipMallocManaged(&data, 4096, hipMemAttachGlobal)); }
  ~Managed() { (void)hipFree(data); }
  Managed(const Managed &) = delete;
  void *data = nullptr;
};

} // namespace

TEST_CASE("hip versions: each file of a program has the version of its headers") {
  int version = 0;
  REQUIRE_HIP(hipRuntimeGetVersion(&version));
  CHECK(version == HIP_VERSION);
  CHECK(HIP_VERSION_MAJOR == 7);
  REQUIRE_HIP(hipDriverGetVersion(&version));
  CHECK(version == HIP_VERSION);
  REQUIRE_HIP(of_6.version(&version));
  CHECK(version == six::header_version);
  CHECK(hipRuntimeGetVersion(nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip versions: what is new has versions of its own, and what is old has none") {
  const auto has = [](const char *name, const char *version) {
    return dlvsym(RTLD_DEFAULT, name, version) != nullptr;
  };
  CHECK(has("hipLaunchKernelExC", "hip_6.5"));
  CHECK(has("hipFreeAsyncR0700", "hip_7.0"));
  CHECK(has("hipStreamGetId", "hip_7.1"));
  CHECK(has("hipLibraryLoadData", "hip_7.2"));
  CHECK_FALSE(has("hipLibraryLoadData", "hip_7.1"));
  // No version is the right one for what has none.
  CHECK(dlsym(RTLD_DEFAULT, "hipMalloc"));
  CHECK_FALSE(has("hipMalloc", "hip_4.2"));
}

TEST_CASE("hip versions: HIP 7 takes null where 6 does not") {
  hipPointerAttribute_t attributes{};
  attributes.device = 77;
  CHECK(hipPointerGetAttributes(&attributes, nullptr) == hipSuccess);
  CHECK(attributes.type == hipMemoryTypeUnregistered);
  CHECK(attributes.device == hipInvalidDeviceId);
  CHECK(hipPointerGetAttributes(nullptr, &attributes) == hipSuccess);
  CHECK(of_6.pointer_attributes(&attributes, nullptr) == hipErrorInvalidValue);
  CHECK(of_6.pointer_attributes(nullptr, &attributes) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(nullptr, nullptr) == hipSuccess);
  CHECK(of_6.free_async(nullptr, nullptr) == hipErrorInvalidValue);
  hipStream_t gone = nullptr;
  REQUIRE_HIP(hipStreamCreate(&gone));
  REQUIRE_HIP(hipStreamDestroy(gone));
  CHECK(hipFreeAsync(nullptr, gone) == hipErrorContextIsDestroyed);
  // What is not null goes the same way.
  const Managed memory;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory.data));
  CHECK(attributes.type == hipMemoryTypeManaged);
  int own = 0;
  CHECK(hipFreeAsync(&own, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip versions: captures forbid more in HIP 7") {
  const Managed memory;
  const Event event(hipEventDefault);
  char *bytes = static_cast<char *>(memory.data);
  const hipMemcpyKind kind = hipMemcpyDefault;
  const auto callback = [](hipStream_t, hipError_t, void *) {};
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(of_6.event_query(event) == hipSuccess);
    CHECK(of_6.advise(bytes, 64, hipMemAdviseSetReadMostly, 0) == hipSuccess);
    CHECK(of_6.copy_with_stream(bytes, bytes + 64, 64, kind, captured.stream) == hipSuccess);
    CHECK(captured.is_valid());
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipEventQuery(event) == hipErrorStreamCaptureUnsupported);
    CHECK_FALSE(captured.is_valid());
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipMemAdvise(bytes, 64, hipMemAdviseSetReadMostly, 0) ==
          hipErrorStreamCaptureUnsupported);
    CHECK_FALSE(captured.is_valid());
  }
  {
    const Captured captured(hipStreamCaptureModeRelaxed);
    CHECK(hipEventQuery(event) == hipSuccess);
    CHECK(hipMemAdvise(bytes, 64, hipMemAdviseSetReadMostly, 0) == hipSuccess);
    CHECK(captured.is_valid());
    CHECK(hipMemcpyWithStream(bytes, bytes + 64, 64, kind, captured.stream) ==
          hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeRelaxed);
    const Streams streams(1, hipStreamNonBlocking);
    CHECK(of_6.add_callback(streams[0], callback, nullptr, 0) == hipSuccess);
    CHECK(captured.is_valid());
    CHECK(hipStreamAddCallback(streams[0], callback, nullptr, 0) ==
          hipErrorStreamCaptureUnsupported);
    CHECK_FALSE(captured.is_valid());
    CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    hipMemPool_t pool = nullptr;
    hipMemPoolProps properties{};
    CHECK(hipMemPoolCreate(&pool, &properties) == hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipMemPoolDestroy(nullptr) == hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipDeviceSetMemPool(0, nullptr) == hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipDeviceSetCacheConfig(hipFuncCachePreferNone) == hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeDefault) ==
          hipErrorStreamCaptureUnsupported);
  }
  {
    const Captured captured(hipStreamCaptureModeGlobal);
    CHECK(hipFree(memory.data) == hipErrorStreamCaptureUnsupported);
  }
}

TEST_CASE("hip versions: hipFree of HIP 7 does not wait for memory of a pool", "[results]") {
  const HostMemory<int> flag(1, 0);
  const Streams streams(2, hipStreamNonBlocking);
  void *of_pool = nullptr, *other = nullptr;
  REQUIRE_HIP(hipMallocAsync(&of_pool, 4096, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_HIP(hipMalloc(&other, 4096));
  REQUIRE_HIP(launch(function("wait_for_flag"), streams[1], 1, flag.get()));
  // With the kernel running: to wait would be to wait for ever.
  REQUIRE_HIP(hipFree(of_pool));
  CHECK(hipFree(of_pool) == hipErrorInvalidValue);
  CHECK(of_6.free(of_pool) == hipErrorInvalidValue);
  CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  flag[0] = 1;
  REQUIRE_HIP(hipFree(other));
  CHECK(hipStreamQuery(streams[1]) == hipSuccess);
  CHECK(hipFree(nullptr) == hipSuccess);
}

TEST_CASE("hip versions: cooperative launches have other codes in HIP 7") {
  hipStream_t gone = nullptr;
  REQUIRE_HIP(hipStreamCreate(&gone));
  REQUIRE_HIP(hipStreamDestroy(gone));
  int own = 0;
  CHECK(hipLaunchCooperativeKernel(&own, dim3(1), dim3(1), nullptr, 0, gone) ==
        hipErrorInvalidHandle);
  CHECK(of_6.launch_cooperative(&own, dim3(1), dim3(1), nullptr, 0, gone) ==
        hipErrorContextIsDestroyed);
  const hipFunction_t nothing = function("nothing");
  CHECK(hipModuleLaunchCooperativeKernel(nothing, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr) ==
        hipErrorInvalidValue);
  hipLaunchParams launch{};
  launch.func = &own;
  launch.gridDim = launch.blockDim = dim3(1);
  for (hipStream_t stream : {hipStream_t(nullptr), hipStreamLegacy}) {
    launch.stream = stream;
    CHECK(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0) == hipErrorInvalidResourceHandle);
  }
  CHECK(hipLaunchCooperativeKernelMultiDevice(nullptr, 1, 0) == hipErrorInvalidValue);
  CHECK(hipLaunchCooperativeKernelMultiDevice(&launch, 0, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip versions: launches of a module's kernel have other codes in HIP 7") {
  hipStream_t gone = nullptr;
  REQUIRE_HIP(hipStreamCreate(&gone));
  REQUIRE_HIP(hipStreamDestroy(gone));
  const hipFunction_t kernel = function("nothing");
  constexpr unsigned many = 1u << 20; // threads, or bytes of shared memory with a factor
  struct Case {
    const char *what;
    unsigned grid, block, shared_bytes;
    hipStream_t stream;
    hipError_t of_7, of_7_cooperative;
  };
  const Case cases[] = {
      {"no block", 0, 1, 0, nullptr, hipErrorInvalidValue, hipErrorInvalidValue},
      {"no thread", 1, 0, 0, nullptr, hipErrorInvalidValue, hipErrorInvalidValue},
      {"no block, of many threads", 0, many, 0, nullptr, hipErrorInvalidValue,
       hipErrorInvalidValue},
      {"many threads", 1, many, 0, nullptr, hipErrorInvalidConfiguration,
       hipErrorInvalidConfiguration},
      {"much shared memory", 1, 1, many << 10, nullptr, hipErrorInvalidValue,
       hipErrorCooperativeLaunchTooLarge},
      {"stream not live", 1, 1, 0, gone, hipErrorContextIsDestroyed, hipErrorContextIsDestroyed},
  };
  const bool cooperative = is_cooperative();
  for (const auto &[what, grid, block, shared_bytes, stream, of_7, of_7_cooperative] : cases) {
    INFO(what);
    CHECK(hipModuleLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream, nullptr,
                                nullptr) == of_7);
    CHECK(of_6.launch_module(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream, nullptr,
                             nullptr) == hipErrorInvalidValue);
    CHECK(hipGetLastError() == hipErrorInvalidValue);
    if (!cooperative)
      continue;
    CHECK(hipModuleLaunchCooperativeKernel(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream,
                                           nullptr) == of_7_cooperative);
    CHECK(of_6.launch_module_cooperative(kernel, grid, 1, 1, block, 1, 1, shared_bytes, stream,
                                         nullptr) == hipErrorInvalidValue);
  }
  // Threads of a grid that are no whole blocks.
  CHECK(hipExtModuleLaunchKernel(kernel, 3, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr, nullptr,
                                 nullptr, 0) == hipErrorInvalidConfiguration);
  CHECK(hipHccModuleLaunchKernel(kernel, 3, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr, nullptr,
                                 nullptr) == hipErrorInvalidConfiguration);
  CHECK(of_6.launch_ext(kernel, 3, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr, nullptr, nullptr,
                        0) == hipErrorInvalidValue);
  CHECK(of_6.launch_hcc(kernel, 3, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr, nullptr, nullptr) ==
        hipErrorInvalidValue);
}

TEST_CASE("hip versions: texture references have other codes in HIP 7") {
  size_t offset = 0;
  const hipChannelFormatDesc floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
  CHECK(hipBindTexture2D(&offset, nullptr, nullptr, &floats, 1, 1, 4) == hipErrorNotFound);
  CHECK(of_6.bind_texture_2d(&offset, nullptr, nullptr, &floats, 1, 1, 4) == hipErrorInvalidValue);
  CHECK(hipBindTextureToArray(nullptr, nullptr, &floats) == hipErrorInvalidChannelDescriptor);
  CHECK(of_6.bind_texture_to_array(nullptr, nullptr, &floats) != hipErrorInvalidChannelDescriptor);
  CHECK(hipGetTextureAlignmentOffset(&offset, nullptr) == hipErrorInvalidTexture);
  CHECK(of_6.texture_alignment_offset(&offset, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip versions: HIP 7 says how wide a one-dimensional texture can be") {
  size_t width = 0;
  int attribute = 0;
  const hipChannelFormatDesc floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
  REQUIRE_HIP(hipDeviceGetAttribute(&attribute, hipDeviceAttributeMaxTexture1DLinear, 0));
  REQUIRE_HIP(hipDeviceGetTexture1DLinearMaxWidth(&width, &floats, 0));
  CHECK(width == size_t(attribute));
  CHECK(hipDeviceGetTexture1DLinearMaxWidth(nullptr, &floats, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetTexture1DLinearMaxWidth(&width, &floats, 99) == hipErrorInvalidDevice);
}

TEST_CASE("hip versions: flags of HIP 7 are taken") {
  void *memory = nullptr;
  REQUIRE_HIP(hipHostMalloc(&memory, 4096, hipHostMallocUncached));
  REQUIRE_HIP(hipHostFree(memory));
  alignas(4096) static char own[4096];
  REQUIRE_HIP(hipHostRegister(own, sizeof own, hipExtHostRegisterUncached));
  REQUIRE_HIP(hipHostUnregister(own));
}

TEST_CASE("hip versions: attributes of HIP 7 have values") {
  int value = 77;
  for (const auto attribute : {hipDeviceAttributePciDomainId, hipDeviceAttributeNumberOfXccs,
                               hipDeviceAttributeMaxAvailableVgprsPerThread,
                               hipDeviceAttributePciChipId, hipDeviceAttributeHostNumaId})
    CHECK(hipDeviceGetAttribute(&value, attribute, 0) == hipSuccess);
  REQUIRE_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeNumberOfXccs, 0));
  CHECK(value == 1);
  REQUIRE_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeHostNumaId, 0));
  CHECK(value == -1);
}

TEST_CASE("hip versions: attributes of launches are read with the size of either version") {
  // Not a kernel: what comes after the attributes are read.
  int own = 0;
  CHECK(six::launch_with_attribute(&own, nullptr) == hipErrorInvalidDeviceFunction);
  hipLaunchAttribute attributes[2] = {};
  attributes[0].id = hipLaunchAttributePriority;
  attributes[1].id = hipLaunchAttributeID(77);
  hipLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.attrs = attributes;
  config.numAttrs = 2;
  HIP_LAUNCH_CONFIG of_module = {1, 1, 1, 1, 1, 1, 0, nullptr, attributes, 2};
  const hipFunction_t nothing = function("nothing");
  CHECK(hipDrvLaunchKernelEx(&of_module, nothing, nullptr, nullptr) == hipErrorInvalidValue);
  attributes[1].id = hipLaunchAttributeMemSyncDomain;
  CHECK(hipDrvLaunchKernelEx(&of_module, nothing, nullptr, nullptr) == hipSuccess);
  CHECK(hipDeviceSynchronize() == hipSuccess);
}
