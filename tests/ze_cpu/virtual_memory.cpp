// Reserved addresses and what is mapped into them.
#include "support.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace {

class Mapping : public Driver {
public:
  const size_t page = [this] {
    size_t bytes = 0;
    REQUIRE_ZE(zeVirtualMemQueryPageSize(context, device, 1, &bytes));
    return bytes;
  }();

  Mapping() {
    REQUIRE_ZE(zeVirtualMemReserve(context, nullptr, reserved(), &base_));
    base = static_cast<char *>(base_);
  }
  ~Mapping() {
    zeVirtualMemFree(context, base_, reserved());
    for (ze_physical_mem_handle_t memory : memories_)
      zePhysicalMemDestroy(context, memory);
  }
  size_t reserved() const { return 8 * page; }

  ze_physical_mem_handle_t physical(size_t pages, ze_physical_mem_flags_t flags = 0) {
    ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, flags, pages * page};
    ze_physical_mem_handle_t memory = nullptr;
    REQUIRE_ZE(zePhysicalMemCreate(context, device, &desc, &memory));
    memories_.push_back(memory);
    return memory;
  }
  ze_result_t map(size_t at, size_t pages, ze_physical_mem_handle_t memory, size_t offset = 0,
                  ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE) {
    return zeVirtualMemMap(context, base + at * page, pages * page, memory, offset * page, access);
  }
  /// The access at page `at`, and for how many pages.
  std::pair<ze_memory_access_attribute_t, size_t> access(size_t at, size_t pages) {
    ze_memory_access_attribute_t attribute{};
    size_t bytes = 0;
    REQUIRE_ZE(zeVirtualMemGetAccessAttribute(context, base + at * page, pages * page, &attribute,
                                              &bytes));
    return {attribute, bytes / page};
  }
  ze_result_t copy(void *to, const void *from, size_t bytes) {
    List list = immediate();
    REQUIRE_ZE(zeCommandListAppendMemoryCopy(list, to, from, bytes, nullptr, 0, nullptr));
    return zeCommandListHostSynchronize(list, long_ns);
  }

  char *base = nullptr;

private:
  void *base_ = nullptr;
  std::vector<ze_physical_mem_handle_t> memories_;
};

constexpr auto none = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
constexpr auto read_write = ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
constexpr auto read_only = ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;

} // namespace

TEST_CASE_METHOD(Mapping, "ze_cpu: kernels use mapped memory, and it is the same wherever mapped") {
  const auto memory = physical(2);
  REQUIRE_ZE(map(0, 2, memory));
  REQUIRE_ZE(map(4, 1, memory, 1)); // its second page once more
  const Module module = test_module();
  const Kernel store = kernel(module, "store");
  char *target = base + page;
  const int value = 1234;
  const ze_group_count_t one{1, 1, 1};
  List list = immediate();
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 0, sizeof target, &target));
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof value, &value));
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  int seen = 0;
  std::memcpy(&seen, base + 4 * page, sizeof seen);
  CHECK(seen == value);
  // It keeps its contents while it is mapped nowhere.
  REQUIRE_ZE(zeVirtualMemUnmap(context, base, 2 * page));
  REQUIRE_ZE(zeVirtualMemUnmap(context, base + 4 * page, page));
  REQUIRE_ZE(map(7, 1, memory, 1));
  std::memcpy(&seen, base + 7 * page, sizeof seen);
  CHECK(seen == value);
}

TEST_CASE_METHOD(Mapping, "ze_cpu: mapped memory is known by its address", "[front]") {
  const auto on_device = physical(1), on_host = physical(1, ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST);
  REQUIRE_ZE(map(1, 1, on_device));
  REQUIRE_ZE(map(3, 1, on_host));
  const auto type_of = [&](size_t at) {
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    REQUIRE_ZE(zeMemGetAllocProperties(context, base + at * page + 100, &properties, nullptr));
    return properties.type;
  };
  CHECK(type_of(0) == ZE_MEMORY_TYPE_UNKNOWN);
  CHECK(type_of(1) == ZE_MEMORY_TYPE_DEVICE);
  CHECK(type_of(3) == ZE_MEMORY_TYPE_HOST);
  void *start = nullptr;
  size_t size = 0;
  REQUIRE_ZE(zeMemGetAddressRange(context, base + page + 100, &start, &size));
  CHECK(start == base + page);
  CHECK(size == page);
  CHECK(zeMemFree(context, base + page) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  REQUIRE_ZE(zeVirtualMemUnmap(context, base + page, page));
  CHECK(type_of(1) == ZE_MEMORY_TYPE_UNKNOWN);
}

TEST_CASE_METHOD(Mapping, "ze_cpu: mappings side by side are used as one") {
  REQUIRE_ZE(map(0, 1, physical(1)));
  REQUIRE_ZE(map(1, 1, physical(1)));
  std::vector<char> pattern(2 * page);
  for (size_t i = 0; i < pattern.size(); ++i)
    pattern[i] = static_cast<char>(i / 7);
  REQUIRE_ZE(copy(base, pattern.data(), pattern.size()));
  CHECK(std::equal(pattern.begin(), pattern.end(), base));
}

TEST_CASE_METHOD(Mapping, "ze_cpu: what is not mapped, or not to be written, is a fault",
                 "[fault]") {
  const auto memory = physical(1);
  int value = 3;
  CHECK(copy(base, &value, sizeof value) == ZE_RESULT_ERROR_DEVICE_LOST);
  REQUIRE_ZE(map(0, 1, memory, 0, read_only));
  CHECK(copy(&value, base, sizeof value) == ZE_RESULT_SUCCESS);
  CHECK(value == 0);
  CHECK(copy(base, &value, sizeof value) == ZE_RESULT_ERROR_DEVICE_LOST);
  REQUIRE_ZE(zeVirtualMemSetAccessAttribute(context, base, page, read_write));
  CHECK(copy(base, &value, sizeof value) == ZE_RESULT_SUCCESS);
  REQUIRE_ZE(zeVirtualMemUnmap(context, base, page));
  CHECK(copy(&value, base, sizeof value) == ZE_RESULT_ERROR_DEVICE_LOST);
}

TEST_CASE_METHOD(Mapping, "ze_cpu: access attributes are set and told page by page", "[front]") {
  using Answer = std::pair<ze_memory_access_attribute_t, size_t>;
  CHECK(access(0, 8) == Answer(none, 8));
  REQUIRE_ZE(map(1, 2, physical(2)));
  REQUIRE_ZE(map(3, 1, physical(1)));
  CHECK(access(0, 8) == Answer(none, 1));
  CHECK(access(1, 7) == Answer(read_write, 3));
  CHECK(access(1, 2) == Answer(read_write, 2));
  CHECK(access(4, 4) == Answer(none, 4));
  REQUIRE_ZE(zeVirtualMemSetAccessAttribute(context, base + 2 * page, 2 * page, read_only));
  CHECK(access(1, 7) == Answer(read_write, 1));
  CHECK(access(2, 6) == Answer(read_only, 2));
  CHECK(access(3, 5) == Answer(read_only, 1));
  CHECK(zeVirtualMemSetAccessAttribute(context, base + 3 * page, 2 * page, read_write) ==
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // half of it is not mapped
  REQUIRE_ZE(zeVirtualMemUnmap(context, base + page, 3 * page));
  CHECK(access(0, 8) == Answer(none, 8));
}

TEST_CASE_METHOD(Mapping, "ze_cpu: ranges that cannot be mapped or unmapped are refused",
                 "[front]") {
  const auto memory = physical(2);
  REQUIRE_ZE(map(2, 2, memory));
  CHECK(map(1, 2, memory) == ZE_RESULT_ERROR_INVALID_ARGUMENT); // something is there
  CHECK(map(3, 2, memory) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(map(7, 2, memory) == ZE_RESULT_ERROR_INVALID_ARGUMENT);    // beyond what is reserved
  CHECK(map(5, 2, memory, 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT); // beyond what there is
  CHECK(zeVirtualMemMap(context, base + 10, page, memory, 0, read_write) ==
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  CHECK(zeVirtualMemMap(context, base, page - 1, memory, 0, read_write) ==
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK(zeVirtualMemUnmap(context, base + 3 * page, page) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(zeVirtualMemUnmap(context, base + 2 * page, page) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK(access(2, 2) == std::pair(read_write, size_t{2}));
  CHECK(zeVirtualMemFree(context, base, page) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  void *other = nullptr;
  CHECK(zeVirtualMemReserve(context, nullptr, page / 2, &other) ==
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, page / 2};
  ze_physical_mem_handle_t none_made = nullptr;
  CHECK(zePhysicalMemCreate(context, device, &desc, &none_made) ==
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

TEST_CASE_METHOD(Mapping, "ze_cpu: addresses are reserved where they are wanted, if they are free",
                 "[front]") {
  void *somewhere = nullptr;
  REQUIRE_ZE(zeVirtualMemReserve(context, base, reserved(), &somewhere));
  CHECK(somewhere != base); // taken
  REQUIRE_ZE(zeVirtualMemFree(context, somewhere, reserved()));
  void *again = nullptr;
  REQUIRE_ZE(zeVirtualMemReserve(context, somewhere, reserved(), &again));
  CHECK(again == somewhere);
  REQUIRE_ZE(zeVirtualMemFree(context, again, reserved()));
}

TEST_CASE_METHOD(Mapping, "ze_cpu: physical memory counts, and comes back when it is destroyed",
                 "[front]") {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
  const size_t most = properties.maxMemAllocSize / page * page;
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0,
                              most / 4 * 3 / page * page};
  for (int i = 0; i < 2; ++i) {
    ze_physical_mem_handle_t first = nullptr, second = nullptr;
    REQUIRE_ZE(zePhysicalMemCreate(context, device, &desc, &first));
    CHECK(zePhysicalMemCreate(context, device, &desc, &second) ==
          ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    REQUIRE_ZE(zePhysicalMemDestroy(context, first));
  }
}

TEST_CASE_METHOD(Mapping, "ze_cpu: physical memory is shared by handle and by file descriptor",
                 "[front]") {
  const auto memory = physical(2);
  REQUIRE_ZE(map(0, 2, memory));
  base[page] = 'p';
  ze_ipc_mem_handle_t handle{};
  for (const void *named : {static_cast<const void *>(memory), static_cast<const void *>(base)}) {
    REQUIRE_ZE(zeMemGetIpcHandle(context, named, &handle));
    void *opened = nullptr;
    REQUIRE_ZE(zeMemOpenIpcHandle(context, device, handle, 0, &opened));
    CHECK(static_cast<char *>(opened)[page] == 'p');
    CHECK(zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS);
  }
  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_physical_mem_properties_t properties{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES, &exported, 0,
                                          0};
  REQUIRE_ZE(zePhysicalMemGetProperties(context, memory, &properties));
  CHECK(properties.size == 2 * page);
  CHECK(properties.id != 0);
  const ze_external_memory_import_fd_t import{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                              ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, exported.fd};
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, &import, 0, 2 * page};
  ze_physical_mem_handle_t same = nullptr;
  REQUIRE_ZE(zePhysicalMemCreate(context, device, &desc, &same));
  REQUIRE_ZE(map(4, 1, same, 1));
  CHECK(base[4 * page] == 'p');
  REQUIRE_ZE(zePhysicalMemDestroy(context, same)); // what is mapped stays
  CHECK(base[4 * page] == 'p');
  close(exported.fd);
}
