// Functions that HIP 7 has added.
#define HIP_FORCE_API_VERSION 700
#include "fixture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace fixture;

namespace {

template <class T> class DeviceMemory {
public:
  explicit DeviceMemory(size_t count) : count_(count) {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
    REQUIRE_HIP(hipMemset(data_, 0, count * sizeof(T)));
  }
  ~DeviceMemory() { (void)hipFree(data_); }
  DeviceMemory(const DeviceMemory &) = delete;
  T *get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    REQUIRE_HIP(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};

std::vector<char> test_code() {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Library {
public:
  Library() {
    const std::vector<char> code = test_code(); // gone when the library is used
    REQUIRE_HIP(
        hipLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  ~Library() {
    if (library_)
      (void)hipLibraryUnload(library_);
  }
  Library(const Library &) = delete;
  operator hipLibrary_t() const { return library_; }
  hipKernel_t kernel(const char *name) const {
    hipKernel_t kernel = nullptr;
    REQUIRE_HIP(hipLibraryGetKernel(&kernel, library_, name));
    return kernel;
  }
  void unload() {
    REQUIRE_HIP(hipLibraryUnload(library_));
    library_ = nullptr;
  }

private:
  hipLibrary_t library_ = nullptr;
};

constexpr const char *rotate = "rotate", *nothing = "nothing";

} // namespace

// ---- Copies and fills

TEST_CASE("hip 7 copies: a batch copies all", "[results]") {
  const DeviceMemory<int> first(16), second(16);
  int source[16], target[16] = {};
  for (int i = 0; i < 16; ++i)
    source[i] = i + 1;
  const Streams streams(1, hipStreamNonBlocking);
  void *dsts[] = {first.get(), second.get(), second.get() + 8},
       *srcs[] = {source, source, source + 8};
  size_t sizes[] = {sizeof source, 8 * sizeof(int), 8 * sizeof(int)}, failed = 7;
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall;
  size_t indices[] = {0, 2};
  REQUIRE_HIP(
      hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, indices, 2, &failed, streams[0]));
  CHECK(failed == SIZE_MAX);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(std::ranges::equal(first.read(), source));
  CHECK(std::ranges::equal(second.read(), source));
  void *back[] = {target}, *from[] = {second.get()};
  REQUIRE_HIP(hipMemcpyBatchAsync(back, from, sizes, 1, nullptr, nullptr, 0, nullptr, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(std::ranges::equal(target, source));
}

TEST_CASE("hip 7 copies: a batch tells which copy is not possible") {
  const DeviceMemory<int> memory(16);
  void *dsts[] = {memory.get(), memory.get() + 8, memory.get() + 12},
       *srcs[] = {memory.get() + 4, memory.get(), memory.get()};
  size_t sizes[] = {4, 4, 64}, failed = 77;
  CHECK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, &failed, nullptr) ==
        hipErrorInvalidValue);
  CHECK(failed == 2);
  dsts[1] = nullptr;
  CHECK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, &failed, nullptr) ==
        hipErrorInvalidValue);
  CHECK(failed == 1);
  const auto refused = [&](void **to, void **from, size_t *bytes, size_t count,
                           hipMemcpyAttributes *attributes, size_t *indices, size_t number) {
    failed = 77;
    return hipMemcpyBatchAsync(to, from, bytes, count, attributes, indices, number, &failed,
                               nullptr) == hipErrorInvalidValue &&
           failed == SIZE_MAX;
  };
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderAny;
  size_t indices[] = {0, 1};
  CHECK(refused(nullptr, srcs, sizes, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, nullptr, sizes, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, nullptr, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, sizes, 0, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 2)); // more than copies
  CHECK(refused(dsts, srcs, sizes, 1, nullptr, indices, 1));
  CHECK(refused(dsts, srcs, sizes, 1, attributes, nullptr, 1));
  indices[0] = 1;
  CHECK(refused(dsts, srcs, sizes, 2, attributes, indices, 2));
  indices[0] = 0, indices[1] = 2;
  CHECK(refused(dsts, srcs, sizes, 2, attributes, indices, 2));
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 1));
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderAny;
  attributes[0].flags = 2;
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 1));
}

TEST_CASE("hip 7 copies: a batch of boxes copies between memory and arrays", "[results]") {
  const hipChannelFormatDesc floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &floats, 8, 4));
  const DeviceMemory<float> target(4 * 16);
  float source[4][8];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x)
      source[y][x] = float(10 * y + x);
  hipMemcpy3DBatchOp into{};
  into.src.type = hipMemcpyOperandTypePointer;
  into.src.op.ptr.ptr = source;
  into.dst.type = hipMemcpyOperandTypeArray;
  into.dst.op.array.array = array;
  into.extent = {8, 4, 1};
  into.srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall;
  size_t failed = 7;
  REQUIRE_HIP(hipMemcpy3DBatchAsync(1, &into, &failed, 0, nullptr));
  CHECK(failed == SIZE_MAX);
  hipMemcpy3DBatchOp out{};
  out.src.type = hipMemcpyOperandTypeArray;
  out.src.op.array.array = array;
  out.src.op.array.offset = {2, 1, 0};
  out.dst.type = hipMemcpyOperandTypePointer;
  out.dst.op.ptr.ptr = target.get();
  out.dst.op.ptr.rowLength = 16;
  out.extent = {4, 2, 1};
  out.srcAccessOrder = hipMemcpySrcAccessOrderStream;
  REQUIRE_HIP(hipMemcpy3DBatchAsync(1, &out, nullptr, 0, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  const std::vector<float> read = target.read();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x)
      CHECK(read[size_t(16 * y + x)] == source[y + 1][x + 2]);
  CHECK(read[4] == 0);

  const auto refused = [&](hipMemcpy3DBatchOp operation, size_t index = 0) {
    failed = 7;
    return hipMemcpy3DBatchAsync(1, &operation, &failed, 0, nullptr) == hipErrorInvalidValue &&
           failed == index;
  };
  hipMemcpy3DBatchOp wrong = out;
  wrong.srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
  CHECK(refused(wrong));
  wrong = out;
  wrong.src.type = hipMemcpy3DOperandType(3);
  CHECK(refused(wrong));
  wrong = out;
  wrong.src.op.array.offset.x = 5;
  CHECK(refused(wrong));
  wrong = out;
  wrong.extent.width = SIZE_MAX / 2;
  CHECK(refused(wrong));
  wrong = out;
  wrong.dst.op.ptr.rowLength = 3; // less than the width
  CHECK(refused(wrong));
  CHECK(hipMemcpy3DBatchAsync(1, &out, nullptr, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DBatchAsync(0, &out, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DBatchAsync(1, nullptr, nullptr, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeArray(array));
}

TEST_CASE("hip 7 copies: hipMemcpy3DPeer copies a box", "[results]") {
  const DeviceMemory<char> from(64), to(64);
  REQUIRE_HIP(hipMemset(from.get(), 5, 64));
  hipMemcpy3DPeerParms copy{};
  copy.srcPtr = {from.get(), 16, 16, 4};
  copy.dstPtr = {to.get(), 8, 8, 8};
  copy.extent = {8, 4, 1};
  SECTION("and waits") { REQUIRE_HIP(hipMemcpy3DPeer(&copy)); }
  SECTION("in a stream") {
    REQUIRE_HIP(hipMemcpy3DPeerAsync(&copy, nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
  }
  const std::vector<char> read = to.read();
  CHECK(std::count(read.begin(), read.end(), 5) == 32);
  CHECK(std::all_of(read.begin(), read.begin() + 32, [](char c) { return c == 5; }));
  copy.srcDevice = 99;
  CHECK(hipMemcpy3DPeer(&copy) == hipErrorInvalidDevice);
  CHECK(hipMemcpy3DPeer(nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DPeerAsync(nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip 7 fills: rows of elements are set and what is between them is not", "[results]") {
  const DeviceMemory<unsigned> memory(64);
  const auto set = [&](size_t from, size_t to, size_t row_bytes) {
    const std::vector<unsigned> words = memory.read();
    const auto *bytes = reinterpret_cast<const unsigned char *>(words.data());
    for (size_t row = from; row < to; ++row)
      for (size_t i = 0; i < 32; ++i)
        if ((bytes[32 * row + i] != 0) != (i < row_bytes))
          return false;
    return true;
  };
  REQUIRE_HIP(hipMemsetD2D8(memory.get(), 32, 0x11, 3, 2));
  CHECK(set(0, 2, 3));
  CHECK(set(2, 8, 0));
  REQUIRE_HIP(hipMemsetD2D16(memory.get() + 16, 32, 0x2233, 5, 2));
  CHECK(set(2, 4, 10));
  REQUIRE_HIP(hipMemsetD2D32Async(memory.get() + 32, 32, 0x44556677, 7, 2, nullptr));
  REQUIRE_HIP(hipMemsetD2D16Async(memory.get() + 48, 32, 0x2233, 1, 1, nullptr));
  REQUIRE_HIP(hipMemsetD2D8Async(memory.get() + 56, 32, 0x11, 1, 1, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(set(4, 6, 28));
  CHECK(set(6, 7, 2));
  CHECK(set(7, 8, 1));
  CHECK(memory.read()[32] == 0x44556677);
  REQUIRE_HIP(hipMemsetD2D32(memory.get(), 32, 0, 8, 8));
  CHECK(set(0, 8, 0));
}

TEST_CASE("hip 7 fills: what cannot be filled is refused") {
  const DeviceMemory<unsigned> memory(64);
  unsigned own[16];
  CHECK(hipMemsetD2D8(own, 8, 1, 4, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(nullptr, 8, 1, 4, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(memory.get(), 3, 1, 4, 2) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(memory.get(), 1024, 1, 4, 2) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D32(reinterpret_cast<char *>(memory.get()) + 2, 32, 1, 4, 2) ==
        hipErrorInvalidValue);
  CHECK(hipMemsetD2D32(memory.get(), 32, 1, SIZE_MAX / 2, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D16(memory.get(), 32, 1, 0, 5) == hipSuccess);
}

// ---- Managed memory

TEST_CASE("hip 7 memory: advice and prefetches have locations") {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocManaged(&memory, 4096, hipMemAttachGlobal));
  const hipMemLocation device = {hipMemLocationTypeDevice, 0}, host = {hipMemLocationTypeHost, 0},
                       node = {hipMemLocationTypeHostNuma, 0}, none = {hipMemLocationTypeNone, 0},
                       missing = {hipMemLocationTypeDevice, 99};
  for (const hipMemLocation location : {device, host, node}) {
    CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetPreferredLocation, location) == hipSuccess);
    CHECK(hipMemPrefetchAsync_v2(memory, 4096, location, 0, nullptr) == hipSuccess);
  }
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetReadMostly, none) == hipSuccess);
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetAccessedBy, none) == hipErrorInvalidValue);
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetAccessedBy, missing) == hipErrorInvalidDevice);
  CHECK(hipMemAdvise_v2(memory, 0, hipMemAdviseSetReadMostly, none) == hipErrorInvalidValue);
  const DeviceMemory<int> other(16); // not managed
  CHECK(hipMemAdvise_v2(other.get(), 8, hipMemAdviseSetReadMostly, none) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, none, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, missing, 0, nullptr) == hipErrorInvalidDevice);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, device, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 8192, device, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip 7 memory: there are no handles for others") {
  const DeviceMemory<int> memory(16);
  const auto fd = hipMemRangeHandleTypeDmaBufFd;
  int handle = 0;
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 64, fd, 0) == hipErrorNotSupported);
  CHECK(hipMemGetHandleForAddressRange(nullptr, memory.get(), 64, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, &handle, 4, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 0, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 64, hipMemRangeHandleType(2), 0) ==
        hipErrorInvalidValue);
}

// ---- Streams

TEST_CASE("hip 7 streams: attributes read back, and others are refused") {
  int least = 0, greatest = 0;
  REQUIRE_HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  hipStream_t created = nullptr, other = nullptr;
  REQUIRE_HIP(hipStreamCreateWithPriority(&created, hipStreamNonBlocking, greatest));
  REQUIRE_HIP(hipStreamCreate(&other));
  for (hipStream_t stream : {created, hipStream_t(nullptr), hipStreamPerThread}) {
    hipStreamAttrValue value{};
    REQUIRE_HIP(hipStreamGetAttribute(stream, hipStreamAttributePriority, &value));
    CHECK(value.priority == (stream == created ? greatest : 0));
    REQUIRE_HIP(hipStreamGetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value));
    CHECK(value.syncPolicy == hipSyncPolicyAuto);
    value.syncPolicy = hipSyncPolicyYield;
    REQUIRE_HIP(hipStreamSetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value));
    value = {};
    REQUIRE_HIP(hipStreamGetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value));
    CHECK(value.syncPolicy == hipSyncPolicyYield);
    value.syncPolicy = hipSynchronizationPolicy(5);
    CHECK(hipStreamSetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value) ==
          hipErrorInvalidValue);
    CHECK(hipStreamSetAttribute(stream, hipStreamAttributePriority, &value) ==
          hipErrorInvalidValue);
    CHECK(hipStreamGetAttribute(stream, hipStreamAttributeMemSyncDomain, &value) ==
          hipErrorInvalidValue);
    CHECK(hipStreamGetAttribute(stream, hipStreamAttributePriority, nullptr) ==
          hipErrorInvalidValue);
  }
  hipStreamAttrValue value{};
  REQUIRE_HIP(hipStreamCopyAttributes(other, created));
  REQUIRE_HIP(hipStreamGetAttribute(other, hipStreamAttributeSynchronizationPolicy, &value));
  CHECK(value.syncPolicy == hipSyncPolicyYield);
  REQUIRE_HIP(hipStreamDestroy(created));
  CHECK(hipStreamCopyAttributes(other, created) == hipErrorInvalidResourceHandle);
  REQUIRE_HIP(hipStreamDestroy(other));
  REQUIRE_HIP(hipStreamCreate(&other)); // recycles an object
  REQUIRE_HIP(hipStreamGetAttribute(other, hipStreamAttributeSynchronizationPolicy, &value));
  CHECK(value.syncPolicy == hipSyncPolicyAuto);
  REQUIRE_HIP(hipStreamDestroy(other));
}

// ---- Code

TEST_CASE("hip 7 modules: kernels are counted, and fat binaries load") {
  const std::vector<char> code = test_code();
  hipModule_t module = nullptr;
  REQUIRE_HIP(hipModuleLoadFatBinary(&module, code.data()));
  unsigned count = 0;
  REQUIRE_HIP(hipModuleGetFunctionCount(&count, module));
  CHECK(count == 8);
  CHECK(hipModuleGetFunctionCount(nullptr, module) == hipErrorInvalidValue);
  REQUIRE_HIP(hipModuleUnload(module));
  CHECK(hipModuleGetFunctionCount(&count, module) == hipErrorInvalidResourceHandle);
  CHECK(hipModuleLoadFatBinary(&module, nullptr) == hipErrorInvalidValue);
  CHECK(hipModuleLoadFatBinary(nullptr, code.data()) == hipErrorInvalidValue);
}

TEST_CASE("hip 7 libraries: kernels have names and a library") {
  const Library library;
  unsigned count = 0;
  REQUIRE_HIP(hipLibraryGetKernelCount(&count, library));
  REQUIRE(count == 8);
  std::vector<hipKernel_t> kernels(count + 1, nullptr);
  REQUIRE_HIP(hipLibraryEnumerateKernels(kernels.data(), count + 1, library));
  CHECK(kernels.back() == nullptr);
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    const char *name = nullptr;
    hipLibrary_t owner = nullptr;
    REQUIRE_HIP(hipKernelGetName(&name, kernels[i]));
    REQUIRE_HIP(hipKernelGetLibrary(&owner, kernels[i]));
    CHECK(owner == library);
    CHECK(library.kernel(name) == kernels[i]);
    names.push_back(name);
  }
  CHECK(std::ranges::is_sorted(names));
  CHECK(std::ranges::find(names, rotate) != names.end());
  hipKernel_t two[2] = {};
  REQUIRE_HIP(hipLibraryEnumerateKernels(two, 1, library));
  CHECK(two[0] == kernels[0]);
  CHECK(two[1] == nullptr);
  // Another load of the same code has kernels of its own.
  const Library other;
  CHECK(other.kernel(nothing) != library.kernel(nothing));
  hipKernel_t kernel = nullptr;
  CHECK(hipLibraryGetKernel(&kernel, library, "no such kernel") == hipErrorNotFound);
  CHECK(hipLibraryGetKernel(&kernel, library, "__chip_init_globals") == hipErrorNotFound);
}

TEST_CASE("hip 7 libraries: a kernel is launched as a function and as a program's kernel",
          "[results]") {
  Library library;
  const HostMemory<int> numbers(4);
  for (int i = 0; i < 4; ++i)
    numbers[size_t(i)] = i;
  hipKernel_t kernel = library.kernel(rotate);
  int *pointer = numbers.get();
  void *arguments[] = {&pointer};
  const Streams streams(1);
  SECTION("by hipLaunchKernel") {
    REQUIRE_HIP(hipLaunchKernel(kernel, dim3(1), dim3(4), arguments, 0, streams[0]));
  }
  SECTION("by hipModuleLaunchKernel") {
    REQUIRE_HIP(hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(kernel), 1, 1, 1, 4, 1, 1, 0,
                                      streams[0], arguments, nullptr));
  }
  SECTION("by hipLaunchKernelExC") {
    hipLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(4);
    config.stream = streams[0];
    REQUIRE_HIP(hipLaunchKernelExC(&config, kernel, arguments));
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(numbers[0] == 1);
  CHECK(numbers[3] == 0);
  library.unload();
  CHECK(hipLaunchKernel(kernel, dim3(1), dim3(4), arguments, 0, streams[0]) ==
        hipErrorInvalidDeviceFunction);
  CHECK(hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(kernel), 1, 1, 1, 4, 1, 1, 0,
                              streams[0], arguments, nullptr) == hipErrorInvalidResourceHandle);
  const char *name = nullptr;
  CHECK(hipKernelGetName(&name, kernel) == hipErrorInvalidHandle);
}

TEST_CASE("hip 7 libraries: each has variables of its own", "[results]") {
  const Library first, second;
  const HostMemory<int> result(1);
  int *pointer = result.get();
  void *arguments[] = {&pointer};
  const auto count = [&](const Library &library) {
    REQUIRE_HIP(hipLaunchKernel(library.kernel("count"), dim3(1), dim3(1), arguments, 0, nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
    return result[0];
  };
  const int start = count(first);
  CHECK(count(first) == start + 1);
  CHECK(count(second) == start);
}

TEST_CASE("hip 7 libraries: kernels run on every device", "[multidevice]") {
  const Library library;
  hipKernel_t kernel = library.kernel(rotate);
  const HostMemory<int> numbers(4);
  int *pointer = numbers.get();
  void *arguments[] = {&pointer};
  for (int device = 0; device < 2; ++device) {
    REQUIRE_HIP(hipSetDevice(device));
    for (int i = 0; i < 4; ++i)
      numbers[size_t(i)] = i;
    hipStream_t stream = nullptr;
    REQUIRE_HIP(hipStreamCreate(&stream));
    REQUIRE_HIP(hipSetDevice(1 - device)); // the stream says which
    REQUIRE_HIP(hipLaunchKernel(kernel, dim3(1), dim3(4), arguments, 0, stream));
    REQUIRE_HIP(hipStreamSynchronize(stream));
    CHECK(numbers[0] == 1);
    REQUIRE_HIP(hipStreamDestroy(stream));
  }
}

TEST_CASE("hip 7 libraries: what is wrong with code is told when it is asked for") {
  hipLibrary_t library = nullptr;
  hipKernel_t kernel = nullptr;
  unsigned count = 0;
  const char text[64] = "this is no code for any device";
  REQUIRE_HIP(hipLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(hipLibraryGetKernel(&kernel, library, nothing) == hipErrorInvalidImage);
  CHECK(hipLibraryGetKernelCount(&count, library) == hipErrorInvalidImage);
  CHECK(hipLibraryEnumerateKernels(&kernel, 1, library) == hipErrorInvalidImage);
  REQUIRE_HIP(hipLibraryUnload(library));
  CHECK(hipLibraryUnload(library) == hipErrorInvalidResourceHandle);
  CHECK(hipLibraryUnload(nullptr) == hipErrorInvalidResourceHandle);
  CHECK(hipLibraryGetKernel(&kernel, nullptr, nothing) == hipErrorInvalidValue);
  CHECK(hipLibraryGetKernelCount(&count, nullptr) == hipErrorInvalidValue);
  CHECK(hipLibraryEnumerateKernels(&kernel, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipKernelGetName(nullptr, nullptr) == hipErrorInvalidValue);
  const char *name = nullptr;
  CHECK(hipKernelGetName(&name, nullptr) == hipErrorInvalidValue);
  CHECK(hipKernelGetLibrary(&library, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip 7 libraries: files and options are looked at") {
  hipLibrary_t library = nullptr;
  const auto load = [&](const char *file, unsigned jit_count, hipLibraryOption *options,
                        unsigned count) {
    return hipLibraryLoadFromFile(&library, file, nullptr, nullptr, jit_count, options, nullptr,
                                  count);
  };
  CHECK(load("/no/such/file", 0, nullptr, 0) == hipErrorInvalidValue);
  CHECK(load(nullptr, 0, nullptr, 0) == hipErrorInvalidValue);
  CHECK(load("/dev/null", 0, nullptr, 0) == hipErrorInvalidImage);
  CHECK(load(TEST_KERNELS, 1, nullptr, 0) == hipErrorInvalidValue);
  CHECK(load(TEST_KERNELS, 0, nullptr, 1) == hipErrorInvalidValue);
  hipLibraryOption option = hipLibraryHostUniversalFunctionAndDataTable;
  CHECK(load(TEST_KERNELS, 0, &option, 1) == hipErrorNotSupported);
  option = hipLibraryOption(7);
  CHECK(load(TEST_KERNELS, 0, &option, 1) == hipErrorInvalidValue);
  option = hipLibraryBinaryIsPreserved;
  REQUIRE_HIP(load(TEST_KERNELS, 0, &option, 1));
  REQUIRE_HIP(hipLibraryUnload(library));
  CHECK(hipLibraryLoadFromFile(nullptr, TEST_KERNELS, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        hipErrorInvalidValue);
  CHECK(hipLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        hipErrorInvalidValue);
}

TEST_CASE("hip 7 occupancy: so many blocks with so much shared memory run at once") {
  const Library library;
  hipKernel_t kernel = library.kernel(rotate);
  int per_multiprocessor = 0;
  size_t shared = 0;
  REQUIRE_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, 32, 0));
  for (int blocks : {1, per_multiprocessor}) {
    REQUIRE_HIP(hipOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, blocks, 32));
    int count = 0;
    REQUIRE_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 32, shared));
    CHECK(count >= blocks);
  }
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, per_multiprocessor + 1, 32) ==
        hipErrorInvalidValue);
  const void *address = kernel;
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(nullptr, address, 1, 32) == hipErrorInvalidValue);
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&shared, address, 0, 32) == hipErrorInvalidValue);
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&shared, address, 1, 0) == hipErrorInvalidValue);
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&shared, &shared, 1, 32) ==
        hipErrorInvalidDeviceFunction);
}

TEST_CASE("hip 7 entry points: functions are found by their names") {
  void *function = nullptr;
  auto status = hipDriverEntryPointVersionNotSufficent;
  const auto find = [&](const char *name, unsigned long long flags = hipEnableDefault) {
    return hipGetDriverEntryPoint(name, &function, flags, &status);
  };
  REQUIRE_HIP(find("hipGetDeviceCount"));
  CHECK(status == hipDriverEntryPointSuccess);
  int count = 0;
  REQUIRE_HIP(reinterpret_cast<decltype(&hipGetDeviceCount)>(function)(&count));
  CHECK(count >= 1);
  // As this file calls it, which is not as in HIP 6.
  REQUIRE_HIP(find("hipFreeAsync"));
  CHECK(function == reinterpret_cast<void *>(&hipFreeAsync));
  REQUIRE_HIP(find("hipMemcpy", hipEnablePerThreadDefaultStream));
  CHECK(function == reinterpret_cast<void *>(&hipMemcpy_spt));
  REQUIRE_HIP(hipGetDriverEntryPoint_spt("hipMemcpy", &function, hipEnableDefault, nullptr));
  CHECK(function == reinterpret_cast<void *>(&hipMemcpy_spt));
  REQUIRE_HIP(hipGetDriverEntryPoint_spt("hipMemcpy", &function, hipEnableLegacyStream, nullptr));
  CHECK(function == reinterpret_cast<void *>(&hipMemcpy));
  REQUIRE_HIP(find("hipMalloc", hipEnablePerThreadDefaultStream));
  for (const char *name : {"hipNoSuchFunction", "zeInit", "malloc"}) {
    CHECK(find(name) == hipErrorInvalidValue);
    CHECK(status == hipDriverEntryPointSymbolNotFound);
    CHECK(function == nullptr);
  }
  CHECK(find("") == hipErrorInvalidValue);
  CHECK(find(nullptr) == hipErrorInvalidValue);
  CHECK(find("hipMalloc", 3) == hipErrorInvalidValue);
  CHECK(hipGetDriverEntryPoint("hipMalloc", nullptr, 0, &status) == hipErrorInvalidValue);
}
