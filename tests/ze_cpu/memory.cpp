// Allocations: kinds, alignments, ranges, and the errors that the specification names.
#include "support.h"

#include <cstring>

namespace {

const ze_device_mem_alloc_desc_t device_desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0,
                                             0};
const ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};

ze_memory_allocation_properties_t properties_of(ze_context_handle_t context, const void *pointer,
                                                ze_device_handle_t *device = nullptr) {
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  REQUIRE_ZE(zeMemGetAllocProperties(context, pointer, &properties, device));
  return properties;
}

} // namespace

TEST_CASE_METHOD(Driver, "ze_cpu: allocations are aligned as asked for, and at least to 64 bytes",
                 "[front]") {
  for (size_t alignment : {0, 1, 64, 4096, 65536, 2 << 20})
    for (size_t size : {1, 100, 5000, 3 << 20}) {
      INFO(size << " bytes aligned to " << alignment);
      void *memory = nullptr;
      REQUIRE_ZE(zeMemAllocDevice(context, &device_desc, size, alignment, device, &memory));
      CHECK(reinterpret_cast<uintptr_t>(memory) % std::max<size_t>(alignment, 64) == 0);
      std::memset(memory, 1, size);
      CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
    }
}

TEST_CASE_METHOD(Driver, "ze_cpu: memory that was used and freed comes back cleared", "[front]") {
  constexpr size_t size = 4000;
  for (int i = 0; i < 10; ++i) {
    void *memory = nullptr;
    REQUIRE_ZE(zeMemAllocHost(context, &host_desc, size, 0, &memory));
    auto *bytes = static_cast<unsigned char *>(memory);
    REQUIRE(std::count(bytes, bytes + size, 0) == size);
    std::fill_n(bytes, size, 0xff);
    REQUIRE_ZE(zeMemFree(context, memory));
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: the kind of an allocation is remembered", "[front]") {
  void *on_device = nullptr, *on_host = nullptr, *on_both = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &device_desc, 64, 0, device, &on_device));
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 64, 0, &on_host));
  REQUIRE_ZE(zeMemAllocShared(context, &device_desc, &host_desc, 64, 0, device, &on_both));
  ze_device_handle_t owner = nullptr;
  CHECK(properties_of(context, on_device, &owner).type == ZE_MEMORY_TYPE_DEVICE);
  CHECK(owner == device);
  CHECK(properties_of(context, on_host, &owner).type == ZE_MEMORY_TYPE_HOST);
  CHECK(owner == nullptr);
  CHECK(properties_of(context, on_both).type == ZE_MEMORY_TYPE_SHARED);
  CHECK(properties_of(context, on_device).id != properties_of(context, on_host).id);
  CHECK(properties_of(context, on_device).pageSize >= 4096);
  for (void *memory : {on_device, on_host, on_both})
    CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: memory of others is of unknown kind", "[front]") {
  int local = 0;
  CHECK(properties_of(context, &local).type == ZE_MEMORY_TYPE_UNKNOWN);
  void *base = nullptr;
  size_t size = 0;
  CHECK(zeMemGetAddressRange(context, &local, &base, &size) == ZE_RESULT_ERROR_ADDRESS_NOT_FOUND);
}

TEST_CASE_METHOD(
    Driver,
    "ze_cpu: the range of any address inside an allocation is found, not of those around it",
    "[front]") {
  for (size_t bytes : {size_t{1000}, size_t{5} << 20}) {
    char *memory = shared<char>(bytes);
    for (size_t offset : {size_t{0}, size_t{1}, bytes / 2, bytes - 1}) {
      void *base = nullptr;
      size_t size = 0;
      REQUIRE_ZE(zeMemGetAddressRange(context, memory + offset, &base, &size));
      CHECK(base == memory);
      CHECK(size == bytes);
    }
    void *base = nullptr;
    CHECK((zeMemGetAddressRange(context, memory + bytes, &base, nullptr) ==
               ZE_RESULT_ERROR_ADDRESS_NOT_FOUND ||
           base != memory));
  }
}

TEST_CASE_METHOD(Driver, "ze_cpu: sizes and alignments that cannot be are refused", "[front]") {
  void *memory = nullptr;
  CHECK(zeMemAllocDevice(context, &device_desc, 0, 0, device, &memory) ==
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK(zeMemAllocHost(context, &host_desc, 64, 3, &memory) ==
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  CHECK(zeMemAllocDevice(context, &device_desc, properties.maxMemAllocSize + 1, 0, device,
                         &memory) == ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the machine's memory is not given away twice") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  void *first = nullptr, *second = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &device_desc, properties.maxMemAllocSize / 2 + 4096, 0,
                              device, &first));
  CHECK(zeMemAllocDevice(context, &device_desc, properties.maxMemAllocSize / 2 + 4096, 0, device,
                         &second) == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  REQUIRE_ZE(zeMemFree(context, first));
  REQUIRE_ZE(zeMemAllocDevice(context, &device_desc, properties.maxMemAllocSize / 2 + 4096, 0,
                              device, &second));
  REQUIRE_ZE(zeMemFree(context, second));
}

TEST_CASE_METHOD(Driver, "ze_cpu: atomic access is as it was set", "[front]") {
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocShared(context, &device_desc, &host_desc, 256, 0, device, &memory));
  ze_memory_atomic_attr_exp_flags_t flags = 0;
  REQUIRE_ZE(zeMemGetAtomicAccessAttributeExp(context, device, memory, 256, &flags));
  CHECK((flags & ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_SYSTEM_ATOMICS) != 0);
  REQUIRE_ZE(zeMemSetAtomicAccessAttributeExp(context, device, memory, 256,
                                              ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_NO_HOST_ATOMICS));
  REQUIRE_ZE(zeMemGetAtomicAccessAttributeExp(context, device, memory, 256, &flags));
  CHECK(flags == ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_NO_HOST_ATOMICS);
  CHECK(zeMemSetAtomicAccessAttributeExp(context, device, &flags, 4, 1) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemFree(context, memory) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: only the start of an allocation frees it, once, in any context",
                 "[front]") {
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 256, 0, &memory));
  CHECK(zeMemFree(context, static_cast<char *>(memory) + 64) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  Context other;
  REQUIRE_ZE(zeContextCreate(driver, &desc, other.out()));
  CHECK(properties_of(other, memory).type == ZE_MEMORY_TYPE_HOST);
  void *base = nullptr;
  CHECK(zeMemGetAddressRange(other, memory, &base, nullptr) == ZE_RESULT_SUCCESS);
  CHECK(base == memory);
  CHECK(zeMemFree(other, memory) == ZE_RESULT_SUCCESS);
  CHECK(zeMemFree(context, memory) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeMemFree(context, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeMemFree(nullptr, memory));
}

TEST_CASE_METHOD(Driver, "ze_cpu: deferred freeing keeps memory for the commands that use it") {
  const auto gate = pooled_event();
  List list = immediate();
  int *target = shared<int>(1);
  void *source = nullptr;
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 4096, 0, &source));
  *static_cast<int *>(source) = 42;
  ze_event_handle_t wait = gate;
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, target, source, sizeof(int), nullptr, 1, &wait));

  const ze_memory_free_ext_desc_t deferred{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
  REQUIRE_ZE(zeMemFreeExt(context, &deferred, source));
  CHECK(properties_of(context, source).type == ZE_MEMORY_TYPE_HOST); // still there
  REQUIRE_ZE(zeEventHostSignal(gate));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*target == 42);
  void *other = nullptr;
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 8192, 0, &other)); // a later call collects it
  CHECK((other == source || properties_of(context, source).type == ZE_MEMORY_TYPE_UNKNOWN));
  CHECK(zeMemFree(context, other) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: blocking free waits for the commands under way", "[front]") {
  List list = immediate();
  int *source = shared<int>(1);
  *source = 5;
  void *target = nullptr;
  REQUIRE_ZE(zeMemAllocHost(context, &host_desc, 4096, 0, &target));
  REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, target, source, sizeof(int), nullptr, 0, nullptr));
  const ze_memory_free_ext_desc_t blocking{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  REQUIRE_ZE(zeMemFreeExt(context, &blocking, target));
  CHECK(zeCommandListHostSynchronize(list, 0) == ZE_RESULT_SUCCESS);
}

TEST_CASE_METHOD(Driver, "ze_cpu: the base of memory that the program imported is found") {
  using Import = ze_result_t (*)(ze_driver_handle_t, void *, size_t);
  using Release = ze_result_t (*)(ze_driver_handle_t, void *);
  using GetBase = ze_result_t (*)(ze_driver_handle_t, void *, void **);
  const auto named = [&]<class Function>(const char *name, Function &function) {
    void *address = nullptr;
    REQUIRE_ZE(zeDriverGetExtensionFunctionAddress(driver, name, &address));
    function = reinterpret_cast<Function>(address);
  };
  Import import_pointer{};
  Release release{};
  GetBase get_base{};
  named("zexDriverImportExternalPointer", import_pointer);
  named("zexDriverReleaseImportedPointer", release);
  named("zexDriverGetHostPointerBaseAddress", get_base);

  std::vector<char> memory(1000), other(1000);
  void *base = nullptr;
  CHECK(get_base(driver, memory.data(), &base) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  REQUIRE_ZE(import_pointer(driver, memory.data(), memory.size()));
  for (size_t offset : {0, 1, 999}) {
    base = nullptr;
    CHECK(get_base(driver, memory.data() + offset, &base) == ZE_RESULT_SUCCESS);
    CHECK(base == memory.data());
  }
  CHECK(get_base(driver, memory.data() + memory.size(), &base) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(get_base(driver, other.data(), &base) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(get_base(driver, shared<int>(1), &base) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(get_base(driver, nullptr, &base) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(get_base(driver, memory.data(), nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  REQUIRE_ZE(release(driver, memory.data()));
  CHECK(get_base(driver, memory.data(), &base) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
}
