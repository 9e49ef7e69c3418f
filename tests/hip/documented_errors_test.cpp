// The errors that the comments of the headers name, which are the reference in docs/api: each is what the call returns.
#include "fixture.h"

#include <hip/hip_ext.h>

// What HIP calls deprecated is documented as well.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

template <class T> T not_a(const char *memory) {
  return reinterpret_cast<T>(const_cast<char *>(memory));
}

/// Host memory that HIP does not know, and which is no handle of anything.
alignas(64) char own[8192];

/// 4096 bytes of the device.
struct DeviceMemory {
  DeviceMemory() { REQUIRE_HIP(hipMalloc(&data, 4096)); }
  ~DeviceMemory() { (void)hipFree(data); }
  DeviceMemory(const DeviceMemory &) = delete;
  char *at(size_t offset) const { return static_cast<char *>(data) + offset; }
  void *data = nullptr;
};

/// Valid as such until the next stream is created, which may get the same handle.
hipStream_t destroyed_stream() {
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipStreamDestroy(stream));
  return stream;
}

const hipChannelFormatDesc one_float = {32, 0, 0, 0, hipChannelFormatKindFloat};

} // namespace

TEST_CASE(
    "hip documented errors: functions of devices return the errors that their comments name") {
  int number = 0;
  char text[64];
  CHECK(hipInit(1) == hipErrorInvalidValue);
  CHECK(hipSetDevice(9999) == hipErrorInvalidDevice);
  CHECK(hipDeviceGet(&number, -1) == hipErrorInvalidDevice);
  CHECK(hipDeviceGetByPCIBusId(&number, "hello") == hipErrorInvalidValue);
  CHECK(hipDeviceGetByPCIBusId(&number, "7777:77:00.0") == hipErrorInvalidDevice);
  CHECK(hipDeviceGetAttribute(&number, hipDeviceAttribute_t(9000), 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetAttribute(&number, hipDeviceAttributeWarpSize, 9999) == hipErrorInvalidDevice);
  CHECK(hipDeviceGetName(text, 0, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetPCIBusId(text, 12, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetPCIBusId(text, 13, 0) == hipSuccess);
  CHECK(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceScheduleYield) == hipErrorInvalidValue);
  CHECK(hipDeviceSetLimit(hipLimitRange, 1) == hipErrorUnsupportedLimit);
  CHECK(hipDeviceSetLimit(hipLimitStackSize, size_t(1) << 40) == hipErrorInvalidValue);
  CHECK(hipDeviceGetStreamPriorityRange(nullptr, nullptr) == hipSuccess);
  CHECK(hipChooseDevice(nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE(
    "hip documented errors: functions of streams return the errors that their comments name") {
  fixture::Streams streams(1);
  const hipStream_t dead = destroyed_stream();
  fixture::HostMemory<int> value(2);
  hipStream_t stream = nullptr;
  unsigned flags = 0;
  uint32_t mask = 0;
  CHECK(hipStreamCreateWithFlags(&stream, 9) == hipErrorInvalidValue);
  CHECK(hipStreamDestroy(nullptr) == hipErrorInvalidResourceHandle);
  CHECK(hipStreamDestroy(dead) == hipErrorContextIsDestroyed);
  CHECK(hipStreamQuery(dead) == hipErrorContextIsDestroyed);
  CHECK(hipStreamSynchronize(dead) == hipErrorContextIsDestroyed);
  CHECK(hipGetStreamDeviceId(dead) == -1);
  CHECK(hipStreamGetFlags(nullptr, &flags) == hipErrorInvalidValue);
  CHECK(hipExtStreamCreateWithCUMask(&stream, 0, &mask) == hipErrorInvalidValue);
  CHECK(hipExtStreamGetCUMask(streams[0], 0, &mask) == hipErrorInvalidValue);
  CHECK(hipStreamAddCallback(streams[0], nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipLaunchHostFunc(streams[0], nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipStreamWaitValue32(streams[0], reinterpret_cast<char *>(value.get()) + 2, 0, 0) ==
        hipErrorInvalidValue);
  CHECK(hipStreamWaitValue32(streams[0], own, 0, 0) == hipErrorInvalidValue);
  CHECK(hipStreamWaitValue32(streams[0], value.get(), 0, 9) == hipErrorInvalidValue);
  CHECK(hipStreamWriteValue32(streams[0], value.get(), 0, 1) == hipErrorInvalidValue);
  CHECK(hipStreamBatchMemOp(streams[0], 257, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipStreamBatchMemOp(streams[0], 1, nullptr, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip documented errors: functions of events return the errors that their comments name") {
  fixture::Streams streams(1);
  const hipStream_t dead = destroyed_stream();
  fixture::Event timed(hipEventDefault), other(hipEventDefault), untimed(hipEventDisableTiming);
  hipEvent_t event = nullptr;
  float ms = 0;
  CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess) == hipErrorInvalidValue);
  CHECK(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem) ==
        hipErrorInvalidValue);
  CHECK(hipEventDestroy(nullptr) == hipErrorInvalidHandle);
  CHECK(hipEventQuery(timed) == hipSuccess);
  CHECK(hipEventSynchronize(timed) == hipSuccess);
  CHECK(hipEventElapsedTime(&ms, timed, other) == hipErrorInvalidHandle);
  CHECK(hipEventElapsedTime(&ms, timed, untimed) == hipErrorInvalidHandle);
  CHECK(hipEventRecord(nullptr, streams[0]) == hipErrorInvalidHandle);
  CHECK(hipEventRecord(timed, dead) == hipErrorContextIsDestroyed);
  CHECK(hipStreamWaitEvent(streams[0], timed, 1) == hipErrorInvalidValue);
  CHECK(hipStreamWaitEvent(streams[0], nullptr, 0) == hipErrorInvalidHandle);
  CHECK(hipStreamWaitEvent(dead, timed, 0) == hipErrorInvalidHandle);
  CHECK(hipStreamWaitEvent(streams[0], timed, 0) == hipSuccess);
  REQUIRE_HIP(hipEventCreate(&event));
  REQUIRE_HIP(hipEventDestroy(event));
  CHECK(hipEventDestroy(event) == hipErrorContextIsDestroyed);
  CHECK(hipEventQuery(event) == hipErrorInvalidHandle);
}

TEST_CASE("hip documented errors: functions of memory return the errors that their comments name") {
  DeviceMemory device;
  fixture::HostMemory<char> host(4096);
  void *managed = nullptr, *address = nullptr;
  size_t size = 0;
  unsigned flags = 0;
  REQUIRE_HIP(hipMallocManaged(&managed, 4096));
  CHECK(reinterpret_cast<uintptr_t>(device.data) % 256 == 0);
  CHECK(hipMalloc(static_cast<void **>(nullptr), 8) == hipErrorInvalidValue);
  CHECK(hipMalloc(&address, size_t(1) << 60) == hipErrorOutOfMemory);
  CHECK(hipMalloc(&address, 0) == hipSuccess);
  CHECK(address == nullptr);
  CHECK(hipFree(nullptr) == hipSuccess);
  CHECK(hipFree(device.at(8)) == hipErrorInvalidValue);
  CHECK(hipHostFree(device.data) == hipErrorInvalidValue);
  CHECK(hipExtMallocWithFlags(&address, 16, hipMallocSignalMemory) == hipErrorInvalidValue);
  CHECK(hipExtMallocWithFlags(&address, 16, 77) == hipErrorInvalidValue);
  CHECK(hipMallocPitch(&address, &size, size_t(1) << 40, 1) == hipErrorInvalidValue);
  CHECK(hipMallocPitch(&address, &size, 0, 5) == hipSuccess);
  CHECK(hipMemAllocPitch(&address, &size, 16, 5, 3) == hipErrorInvalidValue);
  CHECK(hipHostMalloc(&address, 8, hipHostMallocCoherent | hipHostMallocNonCoherent) ==
        hipErrorInvalidValue);
  CHECK(hipHostRegister(own, 0, 0) == hipErrorInvalidValue);
  CHECK(hipHostRegister(host.get() + 8, 8, 0) == hipErrorHostMemoryAlreadyRegistered);
  CHECK(hipHostUnregister(nullptr) == hipErrorInvalidValue);
  CHECK(hipHostUnregister(own) == hipErrorHostMemoryNotRegistered);
  CHECK(hipHostGetDevicePointer(&address, own, 0) == hipErrorInvalidValue);
  CHECK(hipHostGetFlags(&flags, device.data) == hipErrorInvalidValue);
  CHECK(hipMallocManaged(&address, 0) == hipErrorInvalidValue);
  CHECK(hipMallocManaged(&address, 8, hipMemAttachSingle) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync(device.data, 8, 0) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync(managed, 8, 9999) == hipErrorInvalidDevice);
  CHECK(hipMemPrefetchAsync(managed, 8192, 0) == hipErrorInvalidValue);
  CHECK(hipMemAdvise(managed, 8, hipMemoryAdvise(50), 0) == hipErrorInvalidValue);
  CHECK(hipMemAdvise(managed, 8, hipMemAdviseSetPreferredLocation, 9999) == hipErrorInvalidDevice);
  CHECK(hipMemPtrGetInfo(own, &size) == hipErrorInvalidValue);
  CHECK(hipMemGetAddressRange(&address, &size, own) == hipErrorNotFound);
  CHECK(hipMallocAsync(nullptr, 8, nullptr) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(host.get(), nullptr) == hipErrorInvalidValue);
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, own) == hipSuccess);
  CHECK(attributes.type == hipMemoryTypeUnregistered);
  CHECK(attributes.device == -2);
  CHECK(hipFree(managed) == hipSuccess);
}

TEST_CASE("hip documented errors: copies and fills return the errors that their comments name") {
  DeviceMemory device;
  void *const d = device.data;
  constexpr auto no_kind = hipMemcpyKind(77);
  CHECK(hipMemcpy(d, d, 0, no_kind) == hipErrorInvalidMemcpyDirection);
  CHECK(hipMemcpy(d, own, 0, hipMemcpyDefault) == hipSuccess);
  CHECK(hipMemcpy(nullptr, d, 8, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemcpy(d, own, 8000, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemcpyAsync(d, own, 8, hipMemcpyDefault, destroyed_stream()) ==
        hipErrorContextIsDestroyed);
  CHECK(hipMemcpy2D(d, 4, own, 8, 8, 2, hipMemcpyDefault) == hipErrorInvalidPitchValue);
  CHECK(hipMemcpy2D(d, size_t(1) << 40, own, 8, 8, 2, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemcpy2D(d, 8, own, 8, 8, 2, no_kind) == hipErrorInvalidMemcpyDirection);
  CHECK(hipMemcpy2D(d, 4, own, 8, 0, 2, hipMemcpyDefault) == hipSuccess);
  CHECK(hipMemcpyParam2D(nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpyToSymbol(static_cast<const void *>(own), own, 8) == hipErrorInvalidSymbol);
  CHECK(hipMemcpyToSymbol(static_cast<const void *>(own), own, 8, 0, hipMemcpyDeviceToHost) ==
        hipErrorInvalidMemcpyDirection);
  hipMemcpy3DParms box{};
  CHECK(hipMemcpy3D(nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3D(&box) == hipSuccess);
  box.srcPtr = {own, 4, 4, 1};
  box.dstPtr = {d, 8, 8, 1};
  box.extent = {8, 1, 1};
  box.kind = no_kind;
  CHECK(hipMemcpy3D(&box) == hipErrorInvalidPitchValue);
  box.srcPtr.pitch = 8;
  CHECK(hipMemcpy3D(&box) == hipErrorInvalidMemcpyDirection);
  CHECK(hipMemset(own, 0, 8) == hipErrorInvalidValue);
  CHECK(hipMemset(nullptr, 0, 8) == hipErrorInvalidValue);
  CHECK(hipMemset(nullptr, 0, 0) == hipSuccess);
  CHECK(hipMemset(d, 0, 8192) == hipErrorInvalidValue);
  CHECK(hipMemsetD32(device.at(2), 0, 1) == hipErrorInvalidValue);
  CHECK(hipMemset2D(d, 4, 0, 8, 2) == hipErrorInvalidValue);
}

TEST_CASE("hip documented errors: functions of kernels and modules return the errors that their "
          "comments name") {
  const auto no_module = not_a<hipModule_t>(own);
  const auto no_function = not_a<hipFunction_t>(own);
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  hipFuncAttributes attributes;
  textureReference *reference = nullptr;
  void *address = nullptr;
  size_t size = 0;
  int number = 0;
  CHECK(hipLaunchKernel(own, dim3(1), dim3(1), nullptr) == hipErrorInvalidDeviceFunction);
  CHECK(hipLaunchKernelExC(nullptr, own, nullptr) == hipErrorInvalidValue);
  CHECK(hipLaunchCooperativeKernelMultiDevice(nullptr, 1, 0) == hipErrorInvalidValue);
  CHECK(hipLaunchByPtr(own) == hipErrorMissingConfiguration);
  CHECK(hipSetupArgument(nullptr, 8, 0) == hipErrorInvalidValue);
  CHECK(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
        hipErrorInvalidResourceHandle);
  CHECK(hipDrvLaunchKernelEx(nullptr, nullptr, nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipExtModuleLaunchKernel(no_function, 3, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr) ==
        hipErrorInvalidValue);
  CHECK(hipModuleLoad(&module, "/nowhere") == hipErrorFileNotFound);
  CHECK(hipModuleLoadData(&module, "this is no image at all") == hipErrorInvalidImage);
  CHECK(hipModuleLoadData(&module, nullptr) == hipErrorInvalidValue);
  CHECK(hipModuleUnload(no_module) == hipErrorNotFound);
  CHECK(hipModuleGetFunction(&function, no_module, "x") == hipErrorInvalidResourceHandle);
  CHECK(hipModuleGetFunction(&function, fixture::module(), "no kernel") == hipErrorNotFound);
  CHECK(hipModuleGetGlobal(&address, &size, no_module, "x") == hipErrorInvalidResourceHandle);
  CHECK(hipModuleGetGlobal(&address, &size, fixture::module(), "no variable") == hipErrorNotFound);
  CHECK(hipModuleGetTexRef(&reference, no_module, "x") == hipErrorInvalidResourceHandle);
  CHECK(hipFuncGetAttributes(&attributes, own) == hipErrorInvalidDeviceFunction);
  CHECK(hipFuncGetAttribute(&number, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr) ==
        hipErrorInvalidResourceHandle);
  CHECK(hipGetFuncBySymbol(&function, own) == hipErrorInvalidDeviceFunction);
  CHECK(hipGetSymbolAddress(&address, static_cast<const void *>(own)) == hipErrorInvalidSymbol);
  const void *const no_kernel = nullptr;
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&number, no_kernel, 1, 0) ==
        hipErrorInvalidDeviceFunction);
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, no_kernel, 1, 0, 0) ==
        hipErrorInvalidDeviceFunction);
  CHECK(hipOccupancyMaxPotentialBlockSize(&number, &number, no_kernel, 0, 0) ==
        hipErrorInvalidDeviceFunction);
  CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&number, nullptr, 1, 0) ==
        hipErrorInvalidValue);
  CHECK(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&number, &number, nullptr, 0, 0, 9) ==
        hipErrorInvalidValue);
}

TEST_CASE("hip documented errors: functions of arrays return the errors that their comments name") {
  const hipChannelFormatDesc three_channels = {8, 8, 8, 0, hipChannelFormatKindUnsigned};
  hipChannelFormatDesc element;
  hipArray_t line = nullptr, plane = nullptr, level = nullptr;
  hipMipmappedArray_t levels = nullptr;
  CHECK(hipMallocArray(&line, &three_channels, 8) == hipErrorInvalidValue);
  CHECK(hipMallocArray(&line, &one_float, 0) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMallocArray(&line, &one_float, 8));
  REQUIRE_HIP(hipMallocArray(&plane, &one_float, 8, 8));
  CHECK(hipMemcpyHtoA(line, 30, own, 8) == hipErrorInvalidValue);
  CHECK(hipMemcpyHtoA(plane, 256, own, 1) == hipErrorInvalidValue);
  CHECK(hipMemcpyToArray(line, 0, 0, own, 64, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemcpy2DToArray(nullptr, 0, 0, own, 8, 8, 1, hipMemcpyDefault) == hipErrorInvalidHandle);
  CHECK(hipArrayGetInfo(nullptr, nullptr, nullptr, nullptr) == hipErrorInvalidHandle);
  CHECK(hipFreeArray(nullptr) == hipErrorInvalidValue);
  CHECK(hipFreeArray(line) == hipSuccess);
  CHECK(hipFreeArray(plane) == hipSuccess);
  CHECK(hipFreeArray(plane) == hipErrorContextIsDestroyed);
  CHECK(hipGetChannelDesc(&element, plane) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipMallocMipmappedArray(&levels, &one_float, make_hipExtent(8, 8, 0), 0));
  CHECK(hipGetMipmappedArrayLevel(&level, levels, 1) == hipErrorInvalidValue);
  CHECK(hipGetMipmappedArrayLevel(&level, levels, 0) == hipSuccess);
  CHECK(hipFreeArray(level) == hipErrorContextIsDestroyed);
  CHECK(hipFreeMipmappedArray(nullptr) == hipErrorInvalidValue);
  CHECK(hipFreeMipmappedArray(levels) == hipSuccess);
}

TEST_CASE(
    "hip documented errors: functions of textures return the errors that their comments name") {
  hipTextureObject_t texture = nullptr;
  hipSurfaceObject_t surface = nullptr;
  hipTextureDesc description{};
  hipResourceDesc resource{};
  hipResourceViewDesc view{};
  resource.resType = hipResourceTypeArray;
  CHECK(hipCreateTextureObject(&texture, nullptr, nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipCreateTextureObject(&texture, &resource, &description, nullptr) == hipErrorInvalidValue);
  CHECK(hipCreateSurfaceObject(&surface, &resource) == hipErrorInvalidHandle);
  CHECK(hipDestroyTextureObject(nullptr) == hipSuccess);
  CHECK(hipDestroyTextureObject(not_a<hipTextureObject_t>(own)) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMallocArray(&resource.res.array.array, &one_float, 8));
  view.format = hipResViewFormatUnsignedBlockCompressed1;
  CHECK(hipCreateTextureObject(&texture, &resource, &description, &view) == hipErrorNotSupported);
  REQUIRE_HIP(hipCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK(hipGetTextureObjectResourceViewDesc(&view, texture) == hipErrorInvalidValue);
  CHECK(hipDestroyTextureObject(texture) == hipSuccess);

  textureReference loose{};
  const textureReference *reference = nullptr;
  void *address = nullptr;
  size_t offset = 0;
  CHECK(hipGetTextureReference(&reference, own) == hipErrorInvalidSymbol);
  CHECK(hipBindTextureToArray(&loose, resource.res.array.array, &one_float) ==
        hipErrorInvalidValue);
  CHECK(hipUnbindTexture(&loose) == hipErrorInvalidValue);
  CHECK(hipGetTextureAlignmentOffset(&offset, &loose) == hipErrorInvalidValue);
  CHECK(hipTexRefSetAddressMode(&loose, 3, hipAddressModeClamp) == hipErrorInvalidValue);
  CHECK(hipTexRefSetFlags(&loose, 0x400) == hipErrorInvalidValue);
  CHECK(hipTexRefGetAddress(&address, &loose) == hipErrorInvalidValue);
  CHECK(hipFreeArray(resource.res.array.array) == hipSuccess);
}
