// HIP API reference: Memory management, arrays, memory with pitches and copies of boxes.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

// Copies of runs are deprecated, but there.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

const hipChannelFormatDesc of_floats = {32, 0, 0, 0, hipChannelFormatKindFloat};

class Array {
public:
  Array(hipExtent extent, unsigned flags = 0, hipChannelFormatDesc element = of_floats) {
    REQUIRE_HIP(hipMalloc3DArray(&array_, &element, extent, flags));
  }
  ~Array() { (void)hipFreeArray(array_); }
  Array(const Array &) = delete;
  operator hipArray_t() const { return array_; }

private:
  hipArray_t array_ = nullptr;
};

class DeviceMemory {
public:
  explicit DeviceMemory(size_t bytes) { REQUIRE_HIP(hipMalloc(&data_, bytes)); }
  ~DeviceMemory() { (void)hipFree(data_); }
  DeviceMemory(const DeviceMemory &) = delete;
  void *get() const { return data_; }

private:
  void *data_ = nullptr;
};

std::vector<float> counted(size_t n, float first = 0) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = first + float(i);
  return values;
}

hipError_t create(hipChannelFormatDesc element, hipExtent extent, unsigned flags) {
  hipArray_t array = nullptr;
  hipError_t result = hipMalloc3DArray(&array, &element, extent, flags);
  if (result == hipSuccess)
    REQUIRE_HIP(hipFreeArray(array));
  return result;
}

void fill(hipArray_t array, const std::vector<float> &values, size_t width, size_t height) {
  REQUIRE_HIP(hipMemcpy2DToArray(array, 0, 0, values.data(), width * 4, width * 4, height,
                                 hipMemcpyHostToDevice));
}
std::vector<float> contents(hipArray_t array, size_t width, size_t height) {
  std::vector<float> values(width * height);
  REQUIRE_HIP(hipMemcpy2DFromArray(values.data(), width * 4, array, 0, 0, width * 4, height,
                                   hipMemcpyDeviceToHost));
  return values;
}

} // namespace

TEST_CASE("hip arrays: elements have 1, 2 or 4 channels of the same size") {
  const auto u = hipChannelFormatKindUnsigned, f = hipChannelFormatKindFloat;
  for (int bits : {8, 16, 32}) {
    CHECK(create({bits, 0, 0, 0, u}, {4, 4, 0}, 0) == hipSuccess);
    CHECK(create({bits, bits, 0, 0, hipChannelFormatKindSigned}, {4, 4, 0}, 0) == hipSuccess);
    CHECK(create({bits, bits, bits, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
    CHECK(create({bits, bits, bits, bits, u}, {4, 4, 0}, 0) == hipSuccess);
    CHECK(create({bits, 0, bits, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
    CHECK(create({0, bits, 0, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
    CHECK(create({bits, 0, 0, 0, hipChannelFormatKindNone}, {4, 4, 0}, 0) == hipErrorInvalidValue);
    CHECK(create({bits, 0, 0, 0, f}, {4, 4, 0}, 0) ==
          (bits == 8 ? hipErrorInvalidValue : hipSuccess));
  }
  CHECK(create({8, 16, 0, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
  CHECK(create({64, 0, 0, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
  CHECK(create({0, 0, 0, 0, u}, {4, 4, 0}, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: sizes and flags have to go together") {
  CHECK(create(of_floats, {0, 0, 0}, 0) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 0, 4}, 0) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 0, 4}, hipArrayLayered) == hipSuccess);
  CHECK(create(of_floats, {4, 0, 0}, hipArrayLayered) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 4, 6}, hipArrayCubemap) == hipSuccess);
  CHECK(create(of_floats, {4, 2, 6}, hipArrayCubemap) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 4, 12}, hipArrayCubemap) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 4, 12}, hipArrayCubemap | hipArrayLayered) == hipSuccess);
  CHECK(create(of_floats, {4, 4, 13}, hipArrayCubemap | hipArrayLayered) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 4, 4}, hipArrayTextureGather) == hipErrorInvalidValue);
  CHECK(create(of_floats, {4, 4, 0}, 0x100) == hipErrorInvalidValue);
  hipArray_t array = nullptr;
  CHECK(hipMallocArray(nullptr, &of_floats, 4, 4, 0) == hipErrorInvalidValue);
  CHECK(hipMallocArray(&array, nullptr, 4, 4, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: the limits are those of the device's properties") {
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  auto attribute = [](hipDeviceAttribute_t which) {
    int value = -1;
    REQUIRE_HIP(hipDeviceGetAttribute(&value, which, 0));
    return value;
  };
  CHECK(attribute(hipDeviceAttributeImageSupport) == 1);
  CHECK(attribute(hipDeviceAttributeMaxTexture1DWidth) == p.maxTexture1D);
  CHECK(attribute(hipDeviceAttributeMaxTexture2DHeight) == p.maxTexture2D[1]);
  CHECK(attribute(hipDeviceAttributeMaxTexture3DDepth) == p.maxTexture3D[2]);
  const hipChannelFormatDesc bytes{8, 0, 0, 0, hipChannelFormatKindUnsigned};
  CHECK(create(bytes, {size_t(p.maxTexture1D), 0, 0}, 0) == hipSuccess);
  CHECK(create(bytes, {size_t(p.maxTexture1D) + 1, 0, 0}, 0) == hipErrorInvalidValue);
  CHECK(create(bytes, {size_t(p.maxTexture2D[0]), 2, 0}, 0) == hipSuccess);
  CHECK(create(bytes, {size_t(p.maxTexture2D[0]) + 1, 2, 0}, 0) == hipErrorInvalidValue);
  CHECK(create(bytes, {2, size_t(p.maxTexture2D[1]) + 1, 0}, 0) == hipErrorInvalidValue);
  CHECK(create(bytes, {2, 2, size_t(p.maxTexture3D[2])}, 0) == hipSuccess);
  CHECK(create(bytes, {2, 2, size_t(p.maxTexture3D[2]) + 1}, 0) == hipErrorInvalidValue);
  CHECK(create(bytes, {2, 2, size_t(p.maxTexture2DLayered[2])}, hipArrayLayered) == hipSuccess);
  CHECK(create(bytes, {2, 2, size_t(p.maxTexture2DLayered[2]) + 1}, hipArrayLayered) ==
        hipErrorInvalidValue);
}

TEST_CASE("hip arrays: an array says its element, extent and flags") {
  const hipChannelFormatDesc element{16, 16, 0, 0, hipChannelFormatKindSigned};
  Array array({5, 4, 3}, hipArraySurfaceLoadStore, element);
  hipChannelFormatDesc found{};
  hipExtent extent{};
  unsigned flags = 0;
  REQUIRE_HIP(hipArrayGetInfo(&found, &extent, &flags, array));
  CHECK(std::memcmp(&found, &element, sizeof found) == 0);
  CHECK((extent.width == 5 && extent.height == 4 && extent.depth == 3));
  CHECK(flags == hipArraySurfaceLoadStore);
  REQUIRE_HIP(hipArrayGetInfo(nullptr, nullptr, nullptr, array));
  HIP_ARRAY3D_DESCRIPTOR three{};
  REQUIRE_HIP(hipArray3DGetDescriptor(&three, array));
  CHECK((three.Width == 5 && three.Height == 4 && three.Depth == 3));
  CHECK((three.Format == HIP_AD_FORMAT_SIGNED_INT16 && three.NumChannels == 2));
  CHECK(three.Flags == hipArraySurfaceLoadStore);

  // The driver functions' formats, there and back.
  for (auto format :
       {HIP_AD_FORMAT_UNSIGNED_INT8, HIP_AD_FORMAT_UNSIGNED_INT16, HIP_AD_FORMAT_UNSIGNED_INT32,
        HIP_AD_FORMAT_SIGNED_INT8, HIP_AD_FORMAT_SIGNED_INT16, HIP_AD_FORMAT_SIGNED_INT32,
        HIP_AD_FORMAT_HALF, HIP_AD_FORMAT_FLOAT})
    for (unsigned channels : {1u, 2u, 4u}) {
      const HIP_ARRAY_DESCRIPTOR wanted{7, 3, format, channels};
      hipArray_t made = nullptr;
      REQUIRE_HIP(hipArrayCreate(&made, &wanted));
      HIP_ARRAY_DESCRIPTOR got{};
      REQUIRE_HIP(hipArrayGetDescriptor(&got, made));
      CHECK((got.Width == 7 && got.Height == 3 && got.Format == format &&
             got.NumChannels == channels));
      REQUIRE_HIP(hipArrayDestroy(made));
    }
  hipArray_t made = nullptr;
  const HIP_ARRAY_DESCRIPTOR three_channels{7, 3, HIP_AD_FORMAT_FLOAT, 3},
      no_format{7, 3, hipArray_Format(0x77), 1};
  CHECK(hipArrayCreate(&made, &three_channels) == hipErrorInvalidValue);
  CHECK(hipArrayCreate(&made, &no_format) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: a handle that is not live is refused") {
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &of_floats, 4, 4, 0));
  REQUIRE_HIP(hipFreeArray(array));
  CHECK(hipFreeArray(array) == hipErrorContextIsDestroyed);
  CHECK(hipArrayDestroy(array) == hipErrorContextIsDestroyed);
  CHECK(hipFreeArray(nullptr) == hipErrorInvalidValue);
  hipChannelFormatDesc element;
  CHECK(hipGetChannelDesc(&element, array) == hipErrorInvalidHandle);
  CHECK(hipGetChannelDesc(&element, nullptr) == hipErrorInvalidHandle);
  float value = 0;
  CHECK(hipMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, hipMemcpyHostToDevice) ==
        hipErrorInvalidHandle);
  CHECK(hipMemcpyAtoH(&value, array, 0, 4) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: levels are arrays, as long as the whole lives") {
  hipMipmappedArray_t whole = nullptr;
  REQUIRE_HIP(hipMallocMipmappedArray(&whole, &of_floats, {9, 5, 0}, 3, 0));
  const size_t widths[] = {9, 4, 2}, heights[] = {5, 2, 1};
  hipArray_t level = nullptr;
  for (unsigned i = 0; i < 3; ++i) {
    REQUIRE_HIP(hipGetMipmappedArrayLevel(&level, whole, i));
    hipExtent extent{};
    REQUIRE_HIP(hipArrayGetInfo(nullptr, &extent, nullptr, level));
    CHECK((extent.width == widths[i] && extent.height == heights[i] && extent.depth == 0));
    CHECK(hipFreeArray(level) == hipErrorContextIsDestroyed);
  }
  CHECK(hipGetMipmappedArrayLevel(&level, whole, 3) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeMipmappedArray(whole));
  CHECK(hipFreeMipmappedArray(whole) == hipErrorContextIsDestroyed);
  CHECK(hipGetChannelDesc(nullptr, level) == hipErrorInvalidValue);
  hipChannelFormatDesc element;
  CHECK(hipGetChannelDesc(&element, level) == hipErrorInvalidHandle);
  CHECK(hipGetMipmappedArrayLevel(&level, whole, 0) == hipErrorInvalidHandle);
  CHECK(hipGetMipmappedArrayLevel(&level, nullptr, 0) == hipErrorInvalidHandle);
}

TEST_CASE("hip arrays: rows go to and from a part of an array", "[results]") {
  constexpr size_t w = 10, h = 6;
  Array array({w, h, 0});
  fill(array, counted(w * h), w, h);
  const std::vector<float> part = counted(3 * 4, 1000);
  REQUIRE_HIP(
      hipMemcpy2DToArray(array, 8, 1, part.data(), 16, 12, 3, hipMemcpyDefault)); // 3 of 4 columns
  auto expected = counted(w * h);
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 3; ++x)
      expected[(y + 1) * w + x + 2] = part[y * 4 + x];
  CHECK(contents(array, w, h) == expected);

  Array other({w, h, 0});
  fill(other, counted(w * h, 500), w, h);
  REQUIRE_HIP(hipMemcpy2DArrayToArray(other, 4, 2, array, 8, 1, 12, 3, hipMemcpyDeviceToDevice));
  auto copied = counted(w * h, 500);
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 3; ++x)
      copied[(y + 2) * w + x + 1] = part[y * 4 + x];
  CHECK(contents(other, w, h) == copied);
}

TEST_CASE("hip arrays: copies past an edge are refused") {
  constexpr size_t w = 10, h = 6;
  Array array({w, h, 0});
  std::vector<float> memory(w * h * 2);
  auto copy = [&](size_t x, size_t y, size_t width, size_t height, size_t pitch = 80) {
    return hipMemcpy2DToArray(array, x, y, memory.data(), pitch, width, height,
                              hipMemcpyHostToDevice);
  };
  CHECK(copy(0, 0, w * 4 + 1, 1) == hipErrorInvalidValue);
  CHECK(copy(4, 0, w * 4, 1) == hipErrorInvalidValue);
  CHECK(copy(SIZE_MAX, 0, 4, 1) == hipErrorInvalidValue);
  CHECK(copy(0, 1, w * 4, h) == hipErrorInvalidValue);
  CHECK(copy(0, SIZE_MAX, 4, 2) == hipErrorInvalidValue);
  CHECK(copy(0, 0, 16, 1, 12) == hipErrorInvalidPitchValue);
  CHECK(copy(0, 0, 0, 1) == hipSuccess);
  CHECK(hipMemcpy2DToArray(array, 0, 0, nullptr, 8, 8, 1, hipMemcpyHostToDevice) ==
        hipErrorInvalidValue);
  CHECK(hipMemcpy2DToArray(array, 0, 0, memory.data(), 8, 8, 1, hipMemcpyKind(77)) ==
        hipErrorInvalidMemcpyDirection);
  CHECK(hipMemcpyToArray(array, 0, 0, memory.data(), w * h * 4 + 1, hipMemcpyHostToDevice) ==
        hipErrorInvalidValue);
  CHECK(hipMemcpyHtoA(array, 4, memory.data(), w * h * 4) == hipErrorInvalidValue);
}

TEST_CASE("hip pitched memory: copies that begin at the end of an allocation are refused") {
  DeviceMemory from(36), to(36);
  hip_Memcpy2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = hipMemoryTypeDevice;
  copy.srcDevice = from.get();
  copy.dstDevice = to.get();
  copy.srcPitch = copy.dstPitch = 12;
  copy.WidthInBytes = 4;
  copy.Height = 1;
  copy.srcY = 3;
  CHECK(hipMemcpyParam2D(&copy) == hipErrorInvalidValue);
  std::swap(copy.srcY, copy.dstY);
  CHECK(hipMemcpyParam2D(&copy) == hipErrorInvalidValue);
  copy.dstY = 2;
  CHECK(hipMemcpyParam2D(&copy) == hipSuccess);
}

TEST_CASE("hip arrays: a run goes on in the next row", "[results]") {
  constexpr size_t w = 5, h = 6; // rows are not multiples of a line
  Array array({w, h, 0});
  fill(array, std::vector<float>(w * h, -1), w, h);
  const auto run = counted(17, 100);
  REQUIRE_HIP(hipMemcpyToArray(array, 12, 1, run.data(), run.size() * 4, hipMemcpyHostToDevice));
  std::vector<float> expected(w * h, -1);
  std::copy(run.begin(), run.end(), expected.begin() + w + 3);
  CHECK(contents(array, w, h) == expected);
  std::vector<float> back(17);
  REQUIRE_HIP(
      hipMemcpyFromArray(back.data(), array, 12, 1, back.size() * 4, hipMemcpyDeviceToHost));
  CHECK(back == run);
}

TEST_CASE("hip arrays: copies of runs take arrays with one dimension", "[results]") {
  Array a({16, 0, 0}), b({16, 0, 0});
  const auto values = counted(16);
  REQUIRE_HIP(hipMemcpyHtoA(a, 0, values.data(), 64));
  DeviceMemory memory(64);
  REQUIRE_HIP(hipMemcpyAtoD(memory.get(), a, 4, 60));
  REQUIRE_HIP(hipMemcpyDtoA(b, 0, memory.get(), 60));
  REQUIRE_HIP(hipMemcpyAtoA(b, 60, a, 0, 4));
  std::vector<float> back(16);
  REQUIRE_HIP(hipMemcpyAtoH(back.data(), b, 0, 64));
  auto expected = counted(16, 1);
  expected[15] = 0;
  CHECK(back == expected);
  CHECK(hipMemcpyAtoH(back.data(), b, 4, 64) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: runs of the driver interface stay in the first row", "[results]") {
  constexpr size_t w = 5, h = 4, v = 7;
  Array a({w, h, 0}), b({v, 3, 0});
  const auto values = counted(w);
  REQUIRE_HIP(hipMemcpyHtoA(a, 0, values.data(), w * 4));
  REQUIRE_HIP(hipMemcpyAtoA(b, 8, a, 4, (w - 1) * 4));
  std::vector<float> back(w - 1);
  REQUIRE_HIP(hipMemcpyAtoH(back.data(), b, 8, (w - 1) * 4));
  CHECK(back == counted(w - 1, 1));
  std::vector<float> all(w * h);
  CHECK(hipMemcpyHtoA(a, 0, all.data(), w * h * 4) == hipErrorInvalidValue);
  CHECK(hipMemcpyAtoH(all.data(), a, 4, w * 4) == hipErrorInvalidValue);
  CHECK(hipMemcpyAtoA(b, 0, a, 0, (w + 1) * 4) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: boxes go anywhere", "[results]") {
  constexpr size_t w = 6, h = 5, d = 4;
  const auto values = counted(w * h * d);
  auto box_of = [&](size_t x0, size_t y0, size_t z0) {
    std::vector<float> box;
    for (size_t z = z0; z < z0 + 2; ++z)
      for (size_t y = y0; y < y0 + 3; ++y)
        for (size_t x = x0; x < x0 + 4; ++x)
          box.push_back(values[(z * h + y) * w + x]);
    return box;
  };
  Array array({w, h, d});
  hipMemcpy3DParms fill{};
  fill.srcPtr = make_hipPitchedPtr(const_cast<float *>(values.data()), w * 4, w, h);
  fill.dstArray = array;
  fill.extent = {w, h, d};
  fill.kind = hipMemcpyHostToDevice;
  REQUIRE_HIP(hipMemcpy3D(&fill));

  std::vector<float> box(4 * 3 * 2);
  hipMemcpy3DParms read{};
  read.srcArray = array;
  read.srcPos = {1, 2, 1};
  read.dstPtr = make_hipPitchedPtr(box.data(), 16, 4, 3);
  read.extent = {4, 3, 2};
  read.kind = hipMemcpyDeviceToHost;
  REQUIRE_HIP(hipMemcpy3D(&read));
  CHECK(box == box_of(1, 2, 1));

  // To pitched memory of the device, there between its slices, and back.
  hipPitchedPtr pitched{};
  REQUIRE_HIP(hipMalloc3D(&pitched, {w * 4, h, d}));
  hipMemcpy3DParms to_memory = read;
  to_memory.dstPtr = pitched;
  to_memory.dstPos = {4, 1, 2}; // of memory, bytes
  to_memory.kind = hipMemcpyDeviceToDevice;
  REQUIRE_HIP(hipMemcpy3D(&to_memory));
  HIP_MEMCPY3D back{};
  back.srcMemoryType = hipMemoryTypeDevice;
  back.srcDevice = pitched.ptr;
  back.srcPitch = pitched.pitch;
  back.srcHeight = h;
  back.srcXInBytes = 4;
  back.srcY = 1;
  back.srcZ = 2;
  back.dstMemoryType = hipMemoryTypeHost;
  box.assign(box.size(), 0);
  back.dstHost = box.data();
  back.dstPitch = 16;
  back.dstHeight = 3;
  back.WidthInBytes = 16;
  back.Height = 3;
  back.Depth = 2;
  REQUIRE_HIP(hipDrvMemcpy3D(&back));
  CHECK(box == box_of(1, 2, 1));

  back.srcMemoryType = hipMemoryTypeArray;
  back.srcArray = array;
  back.srcXInBytes = 8;
  REQUIRE_HIP(hipDrvMemcpy3D(&back));
  CHECK(box == box_of(2, 1, 2));
  back.srcZ = 3;
  CHECK(hipDrvMemcpy3D(&back) == hipErrorInvalidValue);

  read.srcPos = {3, 0, 0};
  CHECK(hipMemcpy3D(&read) == hipErrorInvalidValue);
  read.srcPos = {};
  read.srcPtr = pitched;
  CHECK(hipMemcpy3D(&read) == hipErrorInvalidValue); // an array and memory
  REQUIRE_HIP(hipFree(pitched.ptr));
}

TEST_CASE("hip arrays: hipMemcpyParam2D takes the address that the type names", "[results]") {
  constexpr size_t w = 8, h = 3;
  Array array({w, h, 0});
  fill(array, counted(w * h), w, h);
  std::vector<float> rows(w * h);
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeArray;
  copy.srcArray = array;
  copy.srcXInBytes = 4;
  copy.srcY = 1;
  copy.dstMemoryType = hipMemoryTypeHost;
  copy.dstHost = rows.data();
  copy.dstPitch = w * 4;
  copy.WidthInBytes = 12;
  copy.Height = 2;
  REQUIRE_HIP(hipMemcpyParam2D(&copy));
  CHECK((rows[0] == 9 && rows[2] == 11 && rows[3] == 0 && rows[w] == 17));
  copy.dstPitch = 8;
  CHECK(hipMemcpyParam2D(&copy) == hipErrorInvalidValue);
  copy.dstPitch = 0; // rows without gaps
  REQUIRE_HIP(hipMemcpyParam2D(&copy));
  CHECK((rows[2] == 11 && rows[3] == 17));
  copy.dstPitch = w * 4;
  copy.dstMemoryType = hipMemoryType(99);
  CHECK(hipMemcpyParam2D(&copy) == hipErrorInvalidValue);
  CHECK(hipMemcpyParam2D(nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip arrays: copies are in stream order, and their source may change", "[results]") {
  constexpr size_t w = 33, h = 40;
  Array array({w, h, 0});
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  DeviceMemory memory(w * h * 4);
  for (unsigned round = 0; round < 4; ++round) {
    REQUIRE_HIP(hipMemsetD32Async(memory.get(), int(round), w * h, stream));
    REQUIRE_HIP(hipMemcpy2DToArrayAsync(array, 0, 0, memory.get(), w * 4, w * 4, h,
                                        hipMemcpyDeviceToDevice, stream));
    REQUIRE_HIP(hipMemsetD32Async(memory.get(), -1, w * h, stream));
    // The null stream comes after the blocking ones.
    std::vector<unsigned> bits(w * h);
    REQUIRE_HIP(
        hipMemcpy2DFromArray(bits.data(), w * 4, array, 0, 0, w * 4, h, hipMemcpyDeviceToHost));
    CHECK(bits == std::vector<unsigned>(w * h, round));
  }
  std::vector<float> source = counted(w * h);
  REQUIRE_HIP(hipMemcpy2DToArrayAsync(array, 0, 0, source.data(), w * 4, w * 4, h,
                                      hipMemcpyHostToDevice, stream));
  source.assign(w * h, -5);
  REQUIRE_HIP(hipStreamSynchronize(stream));
  CHECK(contents(array, w, h) == counted(w * h));
  REQUIRE_HIP(hipStreamDestroy(stream));
}

TEST_CASE("hip pitched memory: small boxes of pageable memory are not waited for", "[results]") {
  constexpr size_t width = 60, pitch = 100, rows = 5, slices = 2, all = pitch * rows * slices;
  Streams streams(1);
  DeviceMemory memory(all);
  std::vector<uint8_t> source(all), expected(all), received(all);
  for (size_t i = 0; i < all; ++i) {
    source[i] = uint8_t(i % 251);
    expected[i] = i % pitch < width ? source[i] : 0x55;
  }
  REQUIRE_HIP(hipMemset(memory.get(), 0x55, all));
  // Given up after a while, so that a call that waits fails and does not hang.
  std::atomic<bool> goes_on = false;
  REQUIRE_HIP(hipLaunchHostFunc(
      streams[0],
      [](void *data) {
        for (int i = 0; i < 5000 && !*static_cast<std::atomic<bool> *>(data); ++i)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      &goes_on));
  hipMemcpy3DParms copy = {};
  copy.srcPtr = {source.data(), pitch, width, rows};
  copy.dstPtr = {memory.get(), pitch, width, rows};
  copy.extent = {width, rows, slices};
  copy.kind = hipMemcpyHostToDevice;
  REQUIRE_HIP(hipMemcpy3DAsync(&copy, streams[0]));
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  source.assign(all, 0);
  goes_on = true;
  REQUIRE_HIP(
      hipMemcpyAsync(received.data(), memory.get(), all, hipMemcpyDeviceToHost, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(received == expected);
}

TEST_CASE("hip pitched memory: rows are aligned, and copies leave the gaps alone", "[results]") {
  void *memory = nullptr;
  size_t pitch = 0;
  REQUIRE_HIP(hipMallocPitch(&memory, &pitch, 100, 7));
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  CHECK(pitch >= 100);
  CHECK(pitch % properties.texturePitchAlignment == 0);
  REQUIRE_HIP(hipMemset(memory, 0x55, pitch * 7));
  std::vector<uint8_t> rows(100 * 7), all(pitch * 7);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = uint8_t(i % 83);
  REQUIRE_HIP(hipMemcpy2D(memory, pitch, rows.data(), 100, 100, 7, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipMemcpy(all.data(), memory, all.size(), hipMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t y = 0; y < 7; ++y)
    for (size_t x = 0; x < pitch; ++x)
      wrong += all[y * pitch + x] != (x < 100 ? rows[y * 100 + x] : 0x55);
  CHECK(wrong == 0);
  CHECK(hipMemcpy2D(memory, 99, rows.data(), 100, 100, 7, hipMemcpyHostToDevice) ==
        hipErrorInvalidPitchValue);
  CHECK(hipMemcpy2D(memory, pitch, rows.data(), 100, 100, 8, hipMemcpyHostToDevice) ==
        hipErrorInvalidValue);
  CHECK(hipMemcpy2D(nullptr, pitch, rows.data(), 100, 100, 7, hipMemcpyHostToDevice) ==
        hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(memory));

  REQUIRE_HIP(hipMallocPitch(&memory, &pitch, 0, 7));
  CHECK(memory == nullptr);
  CHECK(hipMallocPitch(nullptr, &pitch, 1, 1) == hipErrorInvalidValue);
  CHECK(hipMallocPitch(&memory, nullptr, 1, 1) == hipErrorInvalidValue);
  CHECK(hipMallocPitch(&memory, &pitch, SIZE_MAX, 1) == hipErrorInvalidValue);
  CHECK(hipMallocPitch(&memory, &pitch, 1 << 20, SIZE_MAX >> 8) == hipErrorOutOfMemory);
  CHECK(hipMemAllocPitch(&memory, &pitch, 16, 1, 3) == hipErrorInvalidValue);
}

TEST_CASE("hip pitched memory: fills leave the gaps and what is around alone", "[results]") {
  hipPitchedPtr memory{};
  constexpr size_t w = 37, h = 11, d = 6; // the last steps of doubling are parts
  REQUIRE_HIP(hipMalloc3D(&memory, {w, h, d}));
  const size_t bytes = memory.pitch * h * d;
  std::vector<uint8_t> all(bytes);
  auto wrong = [&](size_t width, size_t height, size_t depth) {
    REQUIRE_HIP(hipMemcpy(all.data(), memory.ptr, bytes, hipMemcpyDeviceToHost));
    size_t count = 0;
    for (size_t z = 0; z < d; ++z)
      for (size_t y = 0; y < h; ++y)
        for (size_t x = 0; x < memory.pitch; ++x)
          count += all[(z * h + y) * memory.pitch + x] !=
                   (x < width && y < height && z < depth ? 0xab : 0x55);
    return count;
  };
  REQUIRE_HIP(hipMemset(memory.ptr, 0x55, bytes));
  REQUIRE_HIP(hipMemset2D(memory.ptr, memory.pitch, 0x1ab, w, h));
  CHECK(wrong(w, h, 1) == 0);
  REQUIRE_HIP(hipMemset(memory.ptr, 0x55, bytes));
  REQUIRE_HIP(hipMemset3D(memory, 0xab, {w - 1, h - 1, d - 1}));
  CHECK(wrong(w - 1, h - 1, d - 1) == 0);
  REQUIRE_HIP(hipMemset(memory.ptr, 0x55, bytes));
  REQUIRE_HIP(hipMemset3D(memory, 0xab, {w, h, d}));
  CHECK(wrong(w, h, d) == 0);
  CHECK(hipMemset3D(memory, 0, {w, h, d + 1}) == hipErrorInvalidValue);
  CHECK(hipMemset3D(memory, 0, {w, h + 1, d}) == hipErrorInvalidValue);
  CHECK(hipMemset2D(memory.ptr, w - 1, 0, w, h) == hipErrorInvalidValue);
  CHECK(hipMemset2D(nullptr, memory.pitch, 0, w, h) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMemset2D(nullptr, memory.pitch, 0, 0, h));
  REQUIRE_HIP(hipFree(memory.ptr));
}

TEST_CASE("hip arrays: a reset of the device forgets them") {
  hipArray_t array = nullptr, level = nullptr;
  hipMipmappedArray_t levels = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &of_floats, 64, 64, 0));
  REQUIRE_HIP(hipMallocMipmappedArray(&levels, &of_floats, {64, 64, 0}, 3, 0));
  REQUIRE_HIP(hipGetMipmappedArrayLevel(&level, levels, 1));
  REQUIRE_HIP(hipDeviceReset());
  hipExtent extent{};
  CHECK(hipArrayGetInfo(nullptr, &extent, nullptr, array) == hipErrorInvalidHandle);
  CHECK(hipArrayGetInfo(nullptr, &extent, nullptr, level) == hipErrorInvalidHandle);
  CHECK(hipFreeArray(array) != hipSuccess);
  CHECK(hipFreeMipmappedArray(levels) != hipSuccess);
  REQUIRE_HIP(hipMallocArray(&array, &of_floats, 64, 64, 0));
  REQUIRE_HIP(hipFreeArray(array));
}
