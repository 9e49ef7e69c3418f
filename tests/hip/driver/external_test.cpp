// HIP API reference: External resource interoperability. What can be imported is shared memory of the CPU, on the CPU driver.
#include "fixture.h"

#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

using namespace fixture;

namespace {

constexpr size_t file_bytes = 3 * 4096;

/// Shared memory with its descriptor, which stays the test's until it is given away.
struct SharedMemory {
  SharedMemory() {
    REQUIRE(descriptor >= 0);
    REQUIRE(ftruncate(descriptor, file_bytes) == 0);
    bytes = static_cast<char *>(
        mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    REQUIRE(bytes != MAP_FAILED);
  }
  ~SharedMemory() { munmap(bytes, file_bytes); }
  SharedMemory(const SharedMemory &) = delete;

  hipExternalMemoryHandleDesc description(size_t size = file_bytes) const {
    hipExternalMemoryHandleDesc result{};
    result.type = hipExternalMemoryHandleTypeOpaqueFd;
    result.handle.fd = descriptor;
    result.size = size;
    return result;
  }
  bool is_open() const { return fcntl(descriptor, F_GETFD) != -1; }

  int descriptor = memfd_create("external_test", MFD_CLOEXEC);
  char *bytes = nullptr;
};

hipExternalMemory_t import_of(const SharedMemory &memory) {
  const auto description = memory.description();
  hipExternalMemory_t imported = nullptr;
  REQUIRE_HIP(hipImportExternalMemory(&imported, &description));
  REQUIRE(imported != nullptr);
  return imported;
}

void *map(hipExternalMemory_t memory, size_t offset, size_t size) {
  hipExternalMemoryBufferDesc description{};
  description.offset = offset;
  description.size = size;
  void *address = nullptr;
  REQUIRE_HIP(hipExternalMemoryGetMappedBuffer(&address, memory, &description));
  return address;
}

/// Handles that are none.
template <class Handle> std::vector<Handle> no_handles() {
  static char own[64];
  return {nullptr, own, reinterpret_cast<Handle>(8)};
}

} // namespace

TEST_CASE("hip external memory: devices and others see the same bytes", "[results]") {
  SharedMemory memory;
  const hipExternalMemory_t imported = import_of(memory);
  void *const all = map(imported, 0, file_bytes), *const part = map(imported, 4096 + 64, 100);
  std::strcpy(&memory.bytes[4096 + 64], "hello");
  char found[8] = {};
  REQUIRE_HIP(hipMemcpy(found, part, 6, hipMemcpyDeviceToHost));
  REQUIRE(std::string_view(found) == "hello");
  REQUIRE_HIP(hipMemcpy(static_cast<char *>(all) + 8192, "world", 6, hipMemcpyHostToDevice));
  REQUIRE(std::string_view(&memory.bytes[8192]) == "world");
  REQUIRE_HIP(hipMemset(part, 'x', 5));
  REQUIRE(std::string_view(&memory.bytes[4096 + 64]) == "xxxxx");
  REQUIRE_HIP(hipFree(part));
  REQUIRE_HIP(hipFree(all));
  REQUIRE_HIP(hipDestroyExternalMemory(imported));
}

TEST_CASE("hip external memory: a mapping is device memory that ends where its part does",
          "[results]") {
  SharedMemory memory;
  const hipExternalMemory_t imported = import_of(memory);
  void *const part = map(imported, 100, 200);
  char bytes[256] = {};
  void *base = nullptr;
  size_t size = 0;
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipMemGetAddressRange(&base, &size, static_cast<char *>(part) + 5));
  REQUIRE(base == part);
  REQUIRE(size == 200);
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, part));
  REQUIRE(attributes.type == hipMemoryTypeDevice);
  REQUIRE(hipMemcpy(bytes, part, 201, hipMemcpyDeviceToHost) == hipErrorInvalidValue);
  REQUIRE(hipFree(static_cast<char *>(part) + 1) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(part));
  REQUIRE(hipFree(part) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroyExternalMemory(imported));
}

TEST_CASE("hip external memory: what was mapped outlives the import, which closes the descriptor",
          "[results]") {
  SharedMemory memory;
  const hipExternalMemory_t imported = import_of(memory);
  void *const all = map(imported, 0, file_bytes);
  REQUIRE(memory.is_open());
  REQUIRE_HIP(hipDestroyExternalMemory(imported));
  REQUIRE_FALSE(memory.is_open());
  REQUIRE_HIP(hipMemset(all, 'y', 4));
  REQUIRE(std::string_view(memory.bytes) == "yyyy");
  REQUIRE_HIP(hipFree(all));
  REQUIRE(hipDestroyExternalMemory(imported) == hipErrorInvalidValue);
}

TEST_CASE("hip external memory: a reset frees mappings and leaves the import", "[results]") {
  SharedMemory memory;
  const hipExternalMemory_t imported = import_of(memory);
  void *const part = map(imported, 4096, 4096);
  REQUIRE_HIP(hipDeviceReset());
  REQUIRE(hipFree(part) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(map(imported, 4096, 4096)));
  REQUIRE_HIP(hipDestroyExternalMemory(imported));
}

TEST_CASE("hip external memory: an import that fails leaves the descriptor to the program",
          "[results]") {
  SharedMemory memory;
  hipExternalMemory_t imported = nullptr;
  const auto too_large = memory.description(file_bytes + 1);
  REQUIRE(hipImportExternalMemory(&imported, &too_large) == hipErrorInvalidValue);
  REQUIRE(memory.is_open());
  auto closed = memory.description();
  REQUIRE(close(memory.descriptor) == 0);
  REQUIRE(hipImportExternalMemory(&imported, &closed) == hipErrorInvalidValue);
  REQUIRE(imported == nullptr);
}

TEST_CASE("hip external memory: descriptions that are not valid are refused") {
  SharedMemory memory;
  hipExternalMemory_t imported = nullptr;
  const auto import_as = [&](auto change) {
    auto description = memory.description();
    change(description);
    return hipImportExternalMemory(&imported, &description);
  };
  REQUIRE(hipImportExternalMemory(&imported, nullptr) == hipErrorInvalidValue);
  REQUIRE(import_as([](auto &d) { d.size = 0; }) == hipErrorInvalidValue);
  REQUIRE(import_as([](auto &d) { d.flags = 2; }) == hipErrorInvalidValue);
  REQUIRE(import_as([](auto &d) { d.handle.fd = -1; }) == hipErrorInvalidValue);
  for (int type : {0, 9})
    REQUIRE(import_as([&](auto &d) { d.type = hipExternalMemoryHandleType(type); }) ==
            hipErrorInvalidValue);
  for (auto type : {hipExternalMemoryHandleTypeOpaqueWin32, hipExternalMemoryHandleTypeD3D12Heap,
                    hipExternalMemoryHandleTypeNvSciBuf})
    REQUIRE(import_as([&](auto &d) { d.type = type; }) == hipErrorNotSupported);
  const auto description = memory.description();
  REQUIRE(hipImportExternalMemory(nullptr, &description) == hipErrorInvalidValue);
  REQUIRE(imported == nullptr);
  REQUIRE(memory.is_open());
}

TEST_CASE("hip external memory: parts that are not inside are refused", "[results]") {
  SharedMemory memory;
  const hipExternalMemory_t imported = import_of(memory);
  void *address = nullptr;
  const auto map_as = [&](unsigned long long offset, unsigned long long size, unsigned flags = 0) {
    hipExternalMemoryBufferDesc description{};
    description.offset = offset;
    description.size = size;
    description.flags = flags;
    return hipExternalMemoryGetMappedBuffer(&address, imported, &description);
  };
  REQUIRE(map_as(0, 0) == hipErrorInvalidValue);
  REQUIRE(map_as(0, file_bytes + 1) == hipErrorInvalidValue);
  REQUIRE(map_as(file_bytes, 1) == hipErrorInvalidValue);
  REQUIRE(map_as(1, SIZE_MAX) == hipErrorInvalidValue);
  REQUIRE(map_as(SIZE_MAX, 1) == hipErrorInvalidValue);
  REQUIRE(map_as(0, 1, 1) == hipErrorInvalidValue);
  const hipExternalMemoryBufferDesc good{0, 64, 0, {}};
  REQUIRE(hipExternalMemoryGetMappedBuffer(nullptr, imported, &good) == hipErrorInvalidValue);
  REQUIRE(hipExternalMemoryGetMappedBuffer(&address, imported, nullptr) == hipErrorInvalidValue);
  REQUIRE(address == nullptr);

  hipMipmappedArray_t array = nullptr;
  hipExternalMemoryMipmappedArrayDesc image{};
  image.formatDesc = {32, 0, 0, 0, hipChannelFormatKindFloat};
  image.extent = make_hipExtent(8, 8, 0);
  image.numLevels = 1;
  REQUIRE(hipExternalMemoryGetMappedMipmappedArray(&array, imported, &image) ==
          hipErrorNotSupported);
  REQUIRE(hipExternalMemoryGetMappedMipmappedArray(nullptr, imported, &image) ==
          hipErrorInvalidValue);
  REQUIRE(hipExternalMemoryGetMappedMipmappedArray(&array, imported, nullptr) ==
          hipErrorInvalidValue);
  image.numLevels = 0;
  REQUIRE(hipExternalMemoryGetMappedMipmappedArray(&array, imported, &image) ==
          hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroyExternalMemory(imported));
}

TEST_CASE("hip external memory: handles that are not live are refused, whatever they are") {
  const hipExternalMemoryBufferDesc buffer{0, 64, 0, {}};
  const hipExternalMemoryMipmappedArrayDesc image{};
  void *address = nullptr;
  hipMipmappedArray_t array = nullptr;
  for (hipExternalMemory_t memory : no_handles<hipExternalMemory_t>()) {
    REQUIRE(hipDestroyExternalMemory(memory) == hipErrorInvalidValue);
    REQUIRE(hipExternalMemoryGetMappedBuffer(&address, memory, &buffer) == hipErrorInvalidValue);
    REQUIRE(hipExternalMemoryGetMappedMipmappedArray(&array, memory, &image) ==
            hipErrorInvalidValue);
  }
}

TEST_CASE("hip external semaphore: none can be imported, and descriptions are checked") {
  hipExternalSemaphore_t semaphore = nullptr;
  hipExternalSemaphoreHandleDesc description{};
  description.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  description.handle.fd = 0;
  REQUIRE(hipImportExternalSemaphore(&semaphore, &description) == hipErrorNotSupported);
  REQUIRE(hipImportExternalSemaphore(nullptr, &description) == hipErrorInvalidValue);
  REQUIRE(hipImportExternalSemaphore(&semaphore, nullptr) == hipErrorInvalidValue);
  description.handle.fd = -1;
  REQUIRE(hipImportExternalSemaphore(&semaphore, &description) == hipErrorInvalidValue);
  description.type = hipExternalSemaphoreHandleTypeKeyedMutex;
  REQUIRE(hipImportExternalSemaphore(&semaphore, &description) == hipErrorNotSupported);
  description.flags = 1;
  REQUIRE(hipImportExternalSemaphore(&semaphore, &description) == hipErrorInvalidValue);
  description.flags = 0;
  description.type = hipExternalSemaphoreHandleType(11);
  REQUIRE(hipImportExternalSemaphore(&semaphore, &description) == hipErrorInvalidValue);
  REQUIRE(semaphore == nullptr);
}

TEST_CASE("hip external semaphore: no handle is live in any function that takes one") {
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  hipGraphNode_t empty = nullptr, node = nullptr;
  REQUIRE_HIP(hipGraphCreate(&graph, 0));
  REQUIRE_HIP(hipGraphAddEmptyNode(&empty, graph, nullptr, 0));
  REQUIRE_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  const hipExternalSemaphoreSignalParams signal{};
  const hipExternalSemaphoreWaitParams wait{};
  for (hipExternalSemaphore_t semaphore : no_handles<hipExternalSemaphore_t>()) {
    REQUIRE(hipDestroyExternalSemaphore(semaphore) == hipErrorInvalidValue);
    REQUIRE(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr) ==
            hipErrorInvalidValue);
    REQUIRE(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr) == hipErrorInvalidValue);
    const hipExternalSemaphoreSignalNodeParams signals{&semaphore, &signal, 1};
    const hipExternalSemaphoreWaitNodeParams waits{&semaphore, &wait, 1};
    REQUIRE(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signals) ==
            hipErrorInvalidValue);
    REQUIRE(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &waits) ==
            hipErrorInvalidValue);
    REQUIRE(hipGraphExternalSemaphoresSignalNodeSetParams(empty, &signals) == hipErrorInvalidValue);
    REQUIRE(hipGraphExternalSemaphoresWaitNodeSetParams(empty, &waits) == hipErrorInvalidValue);
    REQUIRE(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, empty, &signals) ==
            hipErrorInvalidValue);
    REQUIRE(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, empty, &waits) ==
            hipErrorInvalidValue);
  }
  hipExternalSemaphoreSignalNodeParams signals{};
  hipExternalSemaphoreWaitNodeParams waits{};
  REQUIRE(hipGraphExternalSemaphoresSignalNodeGetParams(empty, &signals) == hipErrorInvalidValue);
  REQUIRE(hipGraphExternalSemaphoresWaitNodeGetParams(empty, &waits) == hipErrorInvalidValue);
  REQUIRE(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr) ==
          hipErrorInvalidValue);
  REQUIRE(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, nullptr) ==
          hipErrorInvalidValue);
  REQUIRE(node == nullptr);
  REQUIRE(hipSignalExternalSemaphoresAsync(nullptr, &signal, 1, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipWaitExternalSemaphoresAsync(nullptr, &wait, 1, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipGraphExecDestroy(exec));
  REQUIRE_HIP(hipGraphDestroy(graph));
}
