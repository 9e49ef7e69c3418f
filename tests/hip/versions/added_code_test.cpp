// Functions that HIP 7 has added: streams and code.
#define HIP_FORCE_API_VERSION 700
#include "fixture.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace fixture;

namespace {

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
  CHECK(count == 10);
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
  REQUIRE(count == 10);
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

TEST_CASE("hip 7 entry points: hipGetProcAddress_spt finds functions of the thread's own stream") {
  void *function = nullptr;
  const auto find = [&](uint64_t flags) {
    REQUIRE_HIP(hipGetProcAddress_spt("hipMemcpy", &function, HIP_VERSION, flags, nullptr));
    return function;
  };
  CHECK(find(HIP_GET_PROC_ADDRESS_DEFAULT) == reinterpret_cast<void *>(&hipMemcpy_spt));
  CHECK(find(HIP_GET_PROC_ADDRESS_LEGACY_STREAM) == reinterpret_cast<void *>(&hipMemcpy));
  CHECK(find(HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) ==
        reinterpret_cast<void *>(&hipMemcpy_spt));
  CHECK(hipGetProcAddress_spt("hipMemcpy", &function, HIP_VERSION, 3, nullptr) ==
        hipErrorInvalidValue);
}
