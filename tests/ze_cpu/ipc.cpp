// Memory that processes share: handles, file descriptors, and what becomes of the contents.
#include "processes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>

namespace {

const ze_device_mem_alloc_desc_t device_desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0,
                                             0};
const ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
class Ipc : public Driver {
public:
  int *device_memory(size_t count) {
    void *memory = nullptr;
    REQUIRE_ZE(zeMemAllocDevice(context, &device_desc, count * sizeof(int), 0, device, &memory));
    return static_cast<int *>(memory);
  }
  ze_ipc_mem_handle_t export_memory(const void *memory) {
    ze_ipc_mem_handle_t handle{};
    REQUIRE_ZE(zeMemGetIpcHandle(context, memory, &handle));
    return handle;
  }
  int *open(const ze_ipc_mem_handle_t &handle) {
    void *opened = nullptr;
    REQUIRE_ZE(zeMemOpenIpcHandle(context, device, handle, 0, &opened));
    return static_cast<int *>(opened);
  }
  /// Commands that count values up, each of the first `count` by one.
  void append_increments(ze_command_list_handle_t list, ze_kernel_handle_t increment, int *value,
                         int count) {
    const ze_group_count_t one{1, 1, 1};
    REQUIRE_ZE(zeKernelSetArgumentValue(increment, 0, sizeof value, &value));
    for (int i = 0; i < count; ++i)
      REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, increment, &one, nullptr, 0, nullptr));
  }
};

} // namespace

TEST_CASE_METHOD(Ipc, "ze_cpu: other process", "[.][process]") {
  const size_t count = told_parameter();
  int *memory = open(told_handle<ze_ipc_mem_handle_t>());
  for (size_t i = 0; i < count; ++i)
    REQUIRE(memory[i] == static_cast<int>(i));
  List list = immediate();
  const Module module = test_module();
  append_increments(list, kernel(module, "increment"), memory + count - 1, 10);
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  memory[0] = -1;
  CHECK(zeMemCloseIpcHandle(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: two processes share memory of any size", "[process]") {
  for (const size_t count : {size_t{16}, size_t{1024}, size_t{3} << 18}) {
    INFO(count);
    int *memory = device_memory(count);
    for (size_t i = 0; i < count; ++i)
      memory[i] = static_cast<int>(i);
    const ze_ipc_mem_handle_t handle = export_memory(memory);
    CHECK(memory[count / 2] == static_cast<int>(count / 2)); // the contents moved with it
    CHECK(OtherProcess("ze_cpu: other process", handle, count).passes());
    CHECK(memory[0] == -1);
    CHECK(memory[count - 1] == static_cast<int>(count) + 9);
    CHECK(zeMemPutIpcHandle(context, handle) == ZE_RESULT_SUCCESS);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  }
}

TEST_CASE_METHOD(Ipc, "ze_cpu: memory that is being shared loses nothing that lists write") {
  const Module module = test_module();
  const Kernel increment = kernel(module, "increment");
  List list = immediate();
  for (int round = 0; round < 20; ++round) {
    // The larger, the longer the move takes.
    int *memory = device_memory(size_t{1} << 20);
    append_increments(list, increment, memory, 500);
    export_memory(memory);
    append_increments(list, increment, memory, 500);
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    CHECK(*memory == 1000);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  }
}

TEST_CASE_METHOD(Ipc,
                 "ze_cpu: memory is shared while a kernel writes to it that waits for the host") {
  const Module module = test_module();
  const Kernel counting = kernel(module, "count_until_told");
  List list = immediate();
  const int count = 1 << 20;
  void *told = nullptr;
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 2 * sizeof(int), 0, &told));
  auto *const flag = static_cast<std::atomic<int> *>(told), *const rounds = flag + 1;
  for (int round = 0; round < 50; ++round) {
    int *memory = device_memory(count);
    *flag = *rounds = 0;
    REQUIRE_ZE(zeKernelSetArgumentValue(counting, 0, sizeof memory, &memory));
    REQUIRE_ZE(zeKernelSetArgumentValue(counting, 1, sizeof count, &count));
    REQUIRE_ZE(zeKernelSetArgumentValue(counting, 2, sizeof flag, &flag));
    REQUIRE_ZE(zeKernelSetArgumentValue(counting, 3, sizeof rounds, &rounds));
    const ze_group_count_t one{1, 1, 1};
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, counting, &one, nullptr, 0, nullptr));
    while (*rounds == 0)
      std::this_thread::yield();
    export_memory(memory);
    *flag = 1;
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    CHECK(std::count(memory, memory + count, rounds->load()) == count);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  }
  CHECK(zeMemFree(context, told) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: a child of fork can use memory that was being shared", "[process]") {
  const size_t count = size_t{8} << 20; // for a move of some milliseconds
  for (int round = 0; round < 8; ++round) {
    int *memory = device_memory(count);
    std::fill_n(memory, count, round);
    std::atomic<bool> begins{false};
    std::thread sharing([&] {
      begins = true;
      ze_ipc_mem_handle_t handle{};
      zeMemGetIpcHandle(context, memory, &handle);
    });
    while (!begins)
      std::this_thread::yield();
    usleep(static_cast<useconds_t>(500 * round));
    const pid_t child = fork();
    if (child == 0) {
      alarm(100); // writes where a move never ends would wait for ever
      std::fill_n(static_cast<volatile int *>(memory), count, round);
      _exit(0);
    }
    sharing.join();
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  }
}

TEST_CASE_METHOD(Ipc, "ze_cpu: a host function may share memory") {
  struct Call {
    Ipc *self;
    int *memory;
    ze_result_t result;
  } call{this, device_memory(100), ZE_RESULT_ERROR_UNKNOWN};
  List list = immediate();
  REQUIRE_ZE(zeCommandListAppendHostFunction(
      list,
      [](void *data) {
        auto &c = *static_cast<Call *>(data);
        ze_ipc_mem_handle_t handle{};
        c.result = zeMemGetIpcHandle(c.self->context, c.memory, &handle);
      },
      &call, nullptr, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(call.result == ZE_RESULT_SUCCESS);
  CHECK(zeMemFree(context, call.memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: memory that was opened is known, and is closed and not freed") {
  int *memory = device_memory(1000);
  memory[999] = 5;
  const ze_ipc_mem_handle_t handle = export_memory(memory + 10); // any address in it
  int *first = open(handle), *second = open(handle);
  CHECK(first != memory);
  CHECK(first != second);
  CHECK(first[999] == 5);
  first[999] = 6;
  CHECK(second[999] == 6);
  CHECK(memory[999] == 6);

  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  REQUIRE_ZE(zeMemGetAllocProperties(context, first + 7, &properties, &owner));
  CHECK(properties.type == ZE_MEMORY_TYPE_DEVICE);
  CHECK(owner == device);
  void *base = nullptr;
  size_t size = 0;
  REQUIRE_ZE(zeMemGetAddressRange(context, first + 7, &base, &size));
  CHECK(base == first);
  CHECK(size == 1000 * sizeof(int));

  CHECK(zeMemFree(context, first) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemCloseIpcHandle(context, memory) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemCloseIpcHandle(context, first) == ZE_RESULT_SUCCESS);
  CHECK(zeMemCloseIpcHandle(context, first) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  // What is open stays when its origin goes.
  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  CHECK(second[999] == 6);
  CHECK(zeMemCloseIpcHandle(context, second) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: a handle is opened as often as a program likes") {
  int *memory = device_memory(1);
  const ze_ipc_mem_handle_t handle = export_memory(memory);
  std::set<int *> opened;
  for (int i = 0; i < 3000; ++i) // more than a process may have descriptors, usually
    opened.insert(open(handle));
  CHECK(opened.size() == 3000);
  *memory = 11;
  CHECK(**opened.rbegin() == 11);
  for (int *each : opened)
    CHECK(zeMemCloseIpcHandle(context, each) == ZE_RESULT_SUCCESS);
  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: handles that name nothing are refused") {
  int *memory = device_memory(1);
  const ze_ipc_mem_handle_t handle = export_memory(memory);
  void *opened = nullptr;
  for (size_t byte = 0; byte < 48; ++byte) {
    ze_ipc_mem_handle_t damaged = handle;
    damaged.data[byte] = static_cast<char>(damaged.data[byte] ^ 0x40);
    const ze_result_t result = zeMemOpenIpcHandle(context, device, damaged, 0, &opened);
    INFO(byte);
    // A wrong process, or a smaller size, may still lead to the file.
    if (result == ZE_RESULT_SUCCESS)
      CHECK(zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS);
    else
      CHECK((result == ZE_RESULT_ERROR_INVALID_ARGUMENT ||
             result == ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS));
  }
  CHECK(zeMemOpenIpcHandle(context, device, {}, 0, &opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemOpenIpcHandle(context, device, handle, 0x4, &opened) ==
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK(zeMemPutIpcHandle(context, {}) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  REQUIRE_ZE(zeMemFree(context, memory));
  CHECK(zeMemOpenIpcHandle(context, device, handle, 0, &opened) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  int local = 0;
  ze_ipc_mem_handle_t none{};
  CHECK(zeMemGetIpcHandle(context, &local, &none) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: a descriptor that was passed on may take its place in the handle") {
  int *memory = device_memory(4);
  memory[3] = 77;
  ze_ipc_mem_handle_t handle = export_memory(memory);
  int descriptor = -1;
  std::memcpy(&descriptor, handle.data, sizeof descriptor);
  const int passed = dup(descriptor);
  REQUIRE(passed >= 0);
  std::memcpy(handle.data, &passed, sizeof passed);
  int *opened = open(handle);
  CHECK(opened[3] == 77);
  CHECK(zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS);
  close(passed);
  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: exported memory comes back by its file descriptor", "[front]") {
  const ze_external_memory_export_desc_t exportable{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
                                                    nullptr,
                                                    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  ze_device_mem_alloc_desc_t desc = device_desc;
  desc.pNext = &exportable;
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &desc, 10000, 0, device, &memory));
  auto *bytes = static_cast<char *>(memory);
  CHECK(std::count(bytes, bytes + 10000, 0) == 10000);
  bytes[9999] = 'x';

  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  properties.pNext = &exported;
  REQUIRE_ZE(zeMemGetAllocProperties(context, memory, &properties, nullptr));
  REQUIRE(exported.fd >= 0);

  const ze_external_memory_import_fd_t import{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                              ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, exported.fd};
  desc.pNext = &import;
  void *imported = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &desc, 10000, 0, device, &imported));
  CHECK(static_cast<char *>(imported)[9999] == 'x');
  void *too_large = nullptr;
  CHECK(zeMemAllocDevice(context, &desc, 1 << 20, 0, device, &too_large) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);

  ze_ipc_mem_handle_t handle{};
  REQUIRE_ZE(
      zeMemGetIpcHandleFromFileDescriptorExp(context, static_cast<uint64_t>(exported.fd), &handle));
  uint64_t descriptor = 0;
  REQUIRE_ZE(zeMemGetFileDescriptorFromIpcHandleExp(context, handle, &descriptor));
  CHECK(descriptor == static_cast<uint64_t>(exported.fd));
  int *opened = open(handle);
  CHECK(reinterpret_cast<char *>(opened)[9999] == 'x');
  CHECK(zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS);

  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
  CHECK(static_cast<char *>(imported)[9999] == 'x');
  CHECK(zeMemFree(context, imported) == ZE_RESULT_SUCCESS);
  CHECK(fcntl(exported.fd, F_GETFD) >= 0); // the program's own
  close(exported.fd);
  CHECK(zeMemGetIpcHandleFromFileDescriptorExp(context, static_cast<uint64_t>(exported.fd),
                                               &handle) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Ipc, "ze_cpu: memory can only be exported the ways that the device lists",
                 "[front]") {
  ze_device_external_memory_properties_t external{};
  external.stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetExternalMemoryProperties(device, &external));
  CHECK(external.memoryAllocationExportTypes == ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD);
  CHECK(external.memoryAllocationImportTypes == ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD);
  const ze_external_memory_export_desc_t dma_buf{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
                                                 nullptr, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  ze_host_mem_alloc_desc_t desc = host_desc;
  desc.pNext = &dma_buf;
  void *memory = nullptr;
  CHECK(zeMemAllocHost(context, &desc, 64, 0, &memory) == ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  // What was not made for it is not exported.
  int *plain = device_memory(1);
  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  properties.pNext = &exported;
  CHECK(zeMemGetAllocProperties(context, plain, &properties, nullptr) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemFree(context, plain) == ZE_RESULT_SUCCESS);
}
