// HIP API reference: Memory management, stream-ordered memory allocator: pools between processes. Another process is forked off
// before this one has called HIP, and tells how it went by its exit status.
#include "fixture.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace fixture;

namespace {

hipMemPool_t create_pool(hipMemAllocationHandleType type) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.handleTypes = type;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool = nullptr;
  REQUIRE_HIP(hipMemPoolCreate(&pool, &properties));
  return pool;
}

hipMemPool_t exportable_pool() { return create_pool(hipMemHandleTypePosixFileDescriptor); }

int descriptor_of(hipMemPool_t pool) {
  int descriptor = -1;
  REQUIRE_HIP(
      hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 0));
  REQUIRE(descriptor > 2);
  return descriptor;
}

void *handle(int descriptor) { return reinterpret_cast<void *>(intptr_t(descriptor)); }

hipMemPool_t import_pool(int descriptor) {
  hipMemPool_t pool = nullptr;
  REQUIRE_HIP(hipMemPoolImportFromShareableHandle(&pool, handle(descriptor),
                                                  hipMemHandleTypePosixFileDescriptor, 0));
  return pool;
}

int *allocate(hipMemPool_t pool, size_t count) {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocFromPoolAsync(&memory, count * sizeof(int), pool, nullptr));
  return static_cast<int *>(memory);
}

hipMemPoolPtrExportData export_pointer(void *memory) {
  hipMemPoolPtrExportData data{};
  REQUIRE_HIP(hipMemPoolExportPointer(&data, memory));
  return data;
}

int *import_pointer(hipMemPool_t pool, hipMemPoolPtrExportData data) {
  void *memory = nullptr;
  REQUIRE_HIP(hipMemPoolImportPointer(&memory, pool, &data));
  return static_cast<int *>(memory);
}

std::vector<int> numbers(size_t count, int first) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

void write(int *memory, const std::vector<int> &values) {
  REQUIRE_HIP(hipMemcpy(memory, values.data(), values.size() * sizeof(int), hipMemcpyHostToDevice));
}

std::vector<int> read(const int *memory, size_t count) {
  std::vector<int> values(count);
  REQUIRE_HIP(hipMemcpy(values.data(), memory, count * sizeof(int), hipMemcpyDeviceToHost));
  return values;
}

struct Message {
  hipMemPoolPtrExportData blocks[2];
};

bool send(int socket, Message message, int descriptor) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)]{};
  iovec part{&message, sizeof message};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  cmsghdr *passed = CMSG_FIRSTHDR(&header);
  passed->cmsg_level = SOL_SOCKET;
  passed->cmsg_type = SCM_RIGHTS;
  passed->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(passed), &descriptor, sizeof descriptor);
  return sendmsg(socket, &header, 0) == ssize_t(sizeof message);
}

/// The descriptor; -1 if none came.
int receive(int socket, Message &message) {
  int descriptor = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)]{};
  iovec part{&message, sizeof message};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  if (recvmsg(socket, &header, 0) != ssize_t(sizeof message))
    return -1;
  if (const cmsghdr *passed = CMSG_FIRSTHDR(&header))
    std::memcpy(&descriptor, CMSG_DATA(passed), sizeof descriptor);
  return descriptor;
}

bool tell(int socket) { return ::write(socket, "x", 1) == 1; }
bool hear(int socket) {
  char byte;
  return ::read(socket, &byte, 1) == 1;
}

/// In the other process, where nobody catches what REQUIRE throws.
#define OR_FAIL(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                 \
      return 1;                                                                                    \
    }                                                                                              \
  } while (false)

constexpr size_t small_count = 1000, large_count = 3 << 20;

/// Uses memory of the other process, waits until that has ended, and uses it again.
int use_memory_of_other(int socket) {
  Message message;
  const int descriptor = receive(socket, message);
  OR_FAIL(descriptor >= 0);
  hipMemPool_t pool = nullptr;
  OR_FAIL(hipMemPoolImportFromShareableHandle(
              &pool, handle(descriptor), hipMemHandleTypePosixFileDescriptor, 0) == hipSuccess);
  close(descriptor);
  hipMemAccessFlags flags{};
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  OR_FAIL(hipMemPoolGetAccess(&flags, pool, &location) == hipSuccess);
  OR_FAIL(flags == hipMemAccessFlagsProtReadWrite);
  void *small = nullptr, *large = nullptr;
  OR_FAIL(hipMemPoolImportPointer(&small, pool, &message.blocks[0]) == hipSuccess);
  OR_FAIL(hipMemPoolImportPointer(&large, pool, &message.blocks[1]) == hipSuccess);
  std::vector<int> seen(small_count);
  OR_FAIL(hipMemcpy(seen.data(), small, small_count * sizeof(int), hipMemcpyDeviceToHost) ==
          hipSuccess);
  OR_FAIL(seen == numbers(small_count, 5));
  // Neighbours are in the same chunk, but none of this process's business.
  OR_FAIL(hipMemset(small, 0, small_count * sizeof(int) + 1) == hipErrorInvalidValue);
  for (int &value : seen)
    value *= 2;
  OR_FAIL(hipMemcpy(small, seen.data(), small_count * sizeof(int), hipMemcpyHostToDevice) ==
          hipSuccess);
  OR_FAIL(hipMemset(large, 7, large_count * sizeof(int)) == hipSuccess);
  OR_FAIL(tell(socket) && !hear(socket)); // the other one has ended
  OR_FAIL(hipMemcpy(seen.data(), large, small_count * sizeof(int), hipMemcpyDeviceToHost) ==
          hipSuccess);
  OR_FAIL(seen == std::vector<int>(small_count, 0x07070707));
  OR_FAIL(hipFreeAsync(small, nullptr) == hipSuccess);
  OR_FAIL(hipFreeAsync(small, nullptr) == hipErrorInvalidValue);
  OR_FAIL(hipMemPoolDestroy(pool) == hipSuccess);
  OR_FAIL(hipMemset(large, 8, 64) == hipSuccess); // it outlives its pool
  OR_FAIL(hipFree(large) == hipSuccess);
  OR_FAIL(hipDeviceSynchronize() == hipSuccess);
  return 0;
}

/// Has a pool, and ends when the other process has used it.
int have_memory(int socket) {
  const hipMemPool_t pool = exportable_pool();
  // The handle comes first, as programs pass it on before they allocate.
  const int descriptor = descriptor_of(pool);
  int *other = allocate(pool, small_count), *small = allocate(pool, small_count),
      *large = allocate(pool, large_count);
  write(other, numbers(small_count, 1));
  write(small, numbers(small_count, 5));
  OR_FAIL(send(socket, {{export_pointer(small), export_pointer(large)}}, descriptor));
  close(descriptor);
  OR_FAIL(hear(socket));
  std::vector<int> doubled = numbers(small_count, 5);
  for (int &value : doubled)
    value *= 2;
  OR_FAIL(read(small, small_count) == doubled);
  OR_FAIL(read(large, 1) == std::vector<int>{0x07070707});
  OR_FAIL(read(other, small_count) == numbers(small_count, 1));
  return 0;
}

} // namespace

TEST_CASE("hip pool export: another process uses memory of a pool, and keeps what it has mapped",
          "[results]") {
  // Of two siblings: a parent may do more with its children than others.
  int status[2] = {-1, -1};
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  pid_t processes[2];
  for (int i = 0; i < 2; ++i) {
    processes[i] = fork();
    REQUIRE(processes[i] >= 0);
    if (processes[i] == 0) {
      close(ends[1 - i]);
      int result = 1;
      try {
        result = i == 0 ? have_memory(ends[0]) : use_memory_of_other(ends[1]);
      } catch (...) {
        std::fprintf(stderr, "process %d: a call of HIP failed\n", i);
      }
      _exit(result);
    }
  }
  close(ends[0]);
  close(ends[1]);
  for (int i = 0; i < 2; ++i)
    REQUIRE(waitpid(processes[i], &status[i], 0) == processes[i]);
  CHECK(status[0] == 0);
  CHECK(status[1] == 0);
}

TEST_CASE("hip pool export: a process may import its own pool") {
  const hipMemPool_t pool = exportable_pool();
  int *memory = allocate(pool, small_count);
  const int descriptor = descriptor_of(pool);
  const hipMemPool_t imported = import_pool(descriptor);
  close(descriptor);
  const hipMemPoolPtrExportData data = export_pointer(memory);
  int *first = import_pointer(imported, data), *second = import_pointer(imported, data);
  CHECK(first == second); // mapped once, and to be freed twice
  hipPointerAttribute_t attributes;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, first));
  CHECK(attributes.type == hipMemoryTypeDevice);
  REQUIRE_HIP(hipFreeAsync(first, nullptr));
  REQUIRE_HIP(hipMemset(second, 1, small_count * sizeof(int)));
  REQUIRE_HIP(hipFree(second));
  CHECK(hipFree(second) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeAsync(memory, nullptr));
  REQUIRE_HIP(hipMemPoolDestroy(imported));
  REQUIRE_HIP(hipMemPoolDestroy(pool));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip pool export: what was exported and is gone is refused") {
  const hipMemPool_t pool = exportable_pool(), other = exportable_pool();
  int *memory = allocate(pool, large_count);
  const hipMemPoolPtrExportData data = export_pointer(memory);
  const int descriptor = descriptor_of(pool), other_descriptor = descriptor_of(other);
  const hipMemPool_t imported = import_pool(descriptor),
                     other_imported = import_pool(other_descriptor);
  void *address = nullptr;
  hipMemPoolPtrExportData copy = data;
  CHECK(hipMemPoolImportPointer(&address, other_imported, &copy) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(memory));
  REQUIRE_HIP(hipMemPoolTrimTo(pool, 0)); // the chunk goes
  CHECK(hipMemPoolImportPointer(&address, imported, &copy) == hipErrorInvalidValue);
  // Another chunk takes the same place in what the importer sees.
  memory = allocate(pool, large_count);
  const hipMemPoolPtrExportData next = export_pointer(memory);
  CHECK(hipMemPoolImportPointer(&address, imported, &copy) == hipErrorInvalidValue);
  CHECK(import_pointer(imported, next) != nullptr);
  REQUIRE_HIP(hipMemPoolDestroy(pool));
  CHECK(address == nullptr);
}

TEST_CASE("hip pool export: a reset of the device unmaps what was imported") {
  const hipMemPool_t pool = exportable_pool();
  int *memory = allocate(pool, small_count);
  const int descriptor = descriptor_of(pool);
  const hipMemPool_t imported = import_pool(descriptor);
  int *mapped = import_pointer(imported, export_pointer(memory));
  REQUIRE_HIP(hipDeviceReset());
  CHECK(hipFree(mapped) == hipErrorInvalidValue);
  CHECK(hipMemPoolDestroy(imported) == hipErrorInvalidValue);
  // The file is still one of a pool, which has no memory.
  const hipMemPool_t again = import_pool(descriptor);
  REQUIRE_HIP(hipMemPoolDestroy(again));
  close(descriptor);
}

TEST_CASE("hip pool export: arguments that are not valid are refused") {
  const hipMemPool_t pool = exportable_pool(), private_pool = create_pool(hipMemHandleTypeNone);
  constexpr auto type = hipMemHandleTypePosixFileDescriptor;
  int descriptor = -1;
  CHECK(hipMemPoolExportToShareableHandle(nullptr, pool, type, 0) == hipErrorInvalidValue);
  CHECK(hipMemPoolExportToShareableHandle(&descriptor, nullptr, type, 0) == hipErrorInvalidValue);
  CHECK(hipMemPoolExportToShareableHandle(&descriptor, private_pool, type, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypeNone, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypeWin32, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemPoolExportToShareableHandle(&descriptor, pool, type, 1) == hipErrorInvalidValue);
  CHECK(descriptor == -1);

  descriptor = descriptor_of(pool);
  hipMemPool_t imported = nullptr;
  CHECK(hipMemPoolImportFromShareableHandle(nullptr, handle(descriptor), type, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemPoolImportFromShareableHandle(&imported, nullptr, type, 0) == hipErrorInvalidValue);
  CHECK(hipMemPoolImportFromShareableHandle(&imported, handle(descriptor), hipMemHandleTypeNone,
                                            0) == hipErrorInvalidValue);
  CHECK(hipMemPoolImportFromShareableHandle(&imported, handle(descriptor), type, 1) ==
        hipErrorInvalidValue);
  const int files[] = {12345, memfd_create("short", MFD_CLOEXEC),
                       memfd_create("zeroes", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  REQUIRE(ftruncate(files[2], 4 << 20) == 0);
  for (const int file : files)
    CHECK(hipMemPoolImportFromShareableHandle(&imported, handle(file), type, 0) ==
          hipErrorInvalidValue);
  CHECK(imported == nullptr);

  int *memory = allocate(pool, 64), *private_memory = allocate(private_pool, 64);
  HostMemory<int> host(1);
  void *of_malloc = nullptr;
  REQUIRE_HIP(hipMalloc(&of_malloc, 64));
  hipMemPoolPtrExportData data{};
  CHECK(hipMemPoolExportPointer(nullptr, memory) == hipErrorInvalidValue);
  for (void *address : {static_cast<void *>(nullptr), static_cast<void *>(private_memory),
                        static_cast<void *>(host.get()), of_malloc, static_cast<void *>(&data)})
    CHECK(hipMemPoolExportPointer(&data, address) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(of_malloc));

  imported = import_pool(descriptor);
  close(descriptor);
  void *address = nullptr;
  data = export_pointer(memory);
  CHECK(hipMemPoolImportPointer(nullptr, imported, &data) == hipErrorInvalidValue);
  CHECK(hipMemPoolImportPointer(&address, nullptr, &data) == hipErrorInvalidValue);
  CHECK(hipMemPoolImportPointer(&address, pool, &data) == hipErrorInvalidValue);
  CHECK(hipMemPoolImportPointer(&address, imported, nullptr) == hipErrorInvalidValue);
  for (size_t i = 0; i < sizeof data; ++i) {
    hipMemPoolPtrExportData damaged = data;
    damaged.reserved[i] ^= 0x80;
    if (hipMemPoolImportPointer(&address, imported, &damaged) == hipSuccess)
      CHECK(i >= 12); // other bytes may name other memory of the same chunk, or say nothing
  }
  CHECK(hipMallocFromPoolAsync(&address, 64, imported, nullptr) == hipErrorInvalidValue);
  CHECK(hipDeviceSetMemPool(0, imported) == hipErrorInvalidValue);
  uint64_t reserved = 1;
  REQUIRE_HIP(hipMemPoolGetAttribute(imported, hipMemPoolAttrReservedMemCurrent, &reserved));
  CHECK(reserved == 0);
}
