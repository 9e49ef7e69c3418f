// HIP API reference: Virtual memory management.
#include "mapped.h"
#include "processes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace fixture;

namespace {

constexpr auto none = hipMemAccessFlagsProtNone;
constexpr auto read_only = hipMemAccessFlagsProtRead;
constexpr auto read_write = hipMemAccessFlagsProtReadWrite;

hipMemAccessFlags access_at(void *address) {
  const hipMemLocation location{hipMemLocationTypeDevice, 0};
  unsigned long long flags = 77;
  REQUIRE_HIP(hipMemGetAccess(&flags, &location, address));
  return hipMemAccessFlags(flags);
}

} // namespace

TEST_CASE("hip virtual memory: the device has it, and a granularity that is a power of two") {
  int supported = 0;
  REQUIRE_HIP(
      hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  CHECK(supported == 1);
  const size_t unit = granularity();
  CHECK(unit >= 4096);
  CHECK((unit & (unit - 1)) == 0);
}

TEST_CASE("hip virtual memory: wrong properties are refused") {
  hipMemAllocationProp good = properties_of_memory();
  hipMemAllocationProp no_type = good, no_location = good, no_device = good, too_high = good;
  no_type.type = hipMemAllocationTypeInvalid;
  no_location.location.type = hipMemLocationTypeInvalid;
  no_device.location.id = -1;
  too_high.location.id = 9999;
  size_t unit = 0;
  hipMemGenericAllocationHandle_t handle = nullptr;
  constexpr auto minimum = hipMemAllocationGranularityMinimum;
  for (const hipMemAllocationProp *wrong : {&no_type, &no_location, &no_device, &too_high}) {
    CHECK(hipMemGetAllocationGranularity(&unit, wrong, minimum) == hipErrorInvalidValue);
    CHECK(hipMemCreate(&handle, granularity(), wrong, 0) == hipErrorInvalidValue);
  }
  CHECK(hipMemGetAllocationGranularity(nullptr, &good, minimum) == hipErrorInvalidValue);
  CHECK(hipMemGetAllocationGranularity(&unit, nullptr, minimum) == hipErrorInvalidValue);
  CHECK(hipMemGetAllocationGranularity(&unit, &good, hipMemAllocationGranularity_flags(7)) ==
        hipErrorInvalidValue);
  unit = granularity();
  CHECK(hipMemCreate(nullptr, unit, &good, 0) == hipErrorInvalidValue);
  CHECK(hipMemCreate(&handle, unit, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipMemCreate(&handle, 0, &good, 0) == hipErrorInvalidValue);
  CHECK(hipMemCreate(&handle, unit - 1, &good, 0) == hipErrorInvalidValue);
  CHECK(hipMemCreate(&handle, unit, &good, 1) == hipErrorInvalidValue);
  CHECK(hipMemCreate(&handle, unit << 40, &good, 0) == hipErrorOutOfMemory);
  good.requestedHandleType = hipMemHandleTypeWin32;
  CHECK(hipMemCreate(&handle, unit, &good, 0) == hipErrorNotSupported);
}

TEST_CASE("hip virtual memory: addresses are reserved as they are asked for") {
  const size_t unit = granularity();
  void *address = nullptr;
  CHECK(hipMemAddressReserve(nullptr, unit, 0, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipMemAddressReserve(&address, unit, 0, nullptr, 1) == hipErrorInvalidValue);
  CHECK(hipMemAddressReserve(&address, 0, 0, nullptr, 0) == hipErrorOutOfMemory);
  CHECK(hipMemAddressReserve(&address, unit - 1, 0, nullptr, 0) == hipErrorOutOfMemory);
  CHECK(hipMemAddressReserve(&address, unit, 3, nullptr, 0) == hipErrorOutOfMemory);
  CHECK(hipMemAddressReserve(&address, 0 - unit, 0, nullptr, 0) == hipErrorOutOfMemory);
  CHECK(address == nullptr);
  for (size_t alignment = 2; alignment <= 64 * unit; alignment *= 2) {
    const Addresses addresses(3, alignment);
    CHECK(reinterpret_cast<uintptr_t>(addresses.at(0)) % std::max(alignment, unit) == 0);
  }
  REQUIRE_HIP(hipMemAddressReserve(&address, 2 * unit, 0, nullptr, 0));
  CHECK(hipMemAddressFree(nullptr, unit) == hipErrorInvalidValue);
  CHECK(hipMemAddressFree(address, 0) == hipErrorInvalidValue);
  CHECK(hipMemAddressFree(address, unit) == hipErrorUnknown);
  CHECK(hipMemAddressFree(static_cast<char *>(address) + unit, unit) == hipErrorUnknown);
  CHECK(hipMemAddressFree(address, 2 * unit) == hipSuccess);
  CHECK(hipMemAddressFree(address, 2 * unit) == hipErrorUnknown);
}

TEST_CASE("hip virtual memory: wanted addresses are reserved if they are free", "[results]") {
  const size_t unit = granularity();
  void *wanted = nullptr, *address = nullptr, *other = nullptr;
  REQUIRE_HIP(hipMemAddressReserve(&wanted, 4 * unit, 0, nullptr, 0));
  REQUIRE_HIP(hipMemAddressFree(wanted, 4 * unit));
  REQUIRE_HIP(hipMemAddressReserve(&address, unit, 0, wanted, 0));
  CHECK(address == wanted);
  REQUIRE_HIP(hipMemAddressReserve(&other, unit, 0, wanted, 0));
  CHECK(other != wanted);
  CHECK(hipMemAddressFree(address, unit) == hipSuccess);
  CHECK(hipMemAddressFree(other, unit) == hipSuccess);
}

TEST_CASE("hip virtual memory: wrong mappings are refused", "[maps]") {
  Addresses addresses(2);
  const size_t unit = addresses.unit;
  const auto handle = create_memory();
  int own = 0;
  CHECK(hipMemMap(nullptr, unit, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(&own, unit, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), 0, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), unit - 1, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), 2 * unit, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0) + 1, unit, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(2), unit, 0, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), unit, unit, handle, 0) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), unit, 0, handle, 1) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), unit, 0, nullptr, 0) == hipErrorInvalidValue);
  addresses.map(0, 1, handle);
  const auto second = create_memory();
  CHECK(hipMemMap(addresses.at(0), unit, 0, second, 0) == hipErrorInvalidValue);
  CHECK(hipMemAddressFree(addresses.at(0), addresses.bytes()) == hipErrorUnknown);
  CHECK(hipMemUnmap(nullptr, unit) == hipErrorInvalidValue);
  CHECK(hipMemUnmap(addresses.at(0), 0) == hipErrorInvalidValue);
  CHECK(hipMemUnmap(addresses.at(0), 2 * unit) == hipErrorInvalidValue);
  CHECK(hipMemUnmap(addresses.at(1), unit) == hipErrorInvalidValue);
  CHECK(hipMemUnmap(&own, unit) == hipErrorInvalidValue);
  CHECK(hipMemRelease(second) == hipSuccess);
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: handles live until they were released as often as they were got",
          "[maps]") {
  Addresses addresses(1);
  const auto handle = create_memory();
  hipMemAllocationProp properties{};
  CHECK(hipMemGetAllocationPropertiesFromHandle(nullptr, handle) == hipErrorInvalidValue);
  CHECK(hipMemGetAllocationPropertiesFromHandle(&properties, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMemGetAllocationPropertiesFromHandle(&properties, handle));
  CHECK(properties.type == hipMemAllocationTypePinned);
  CHECK(properties.location.type == hipMemLocationTypeDevice);
  CHECK(properties.location.id == 0);
  hipMemGenericAllocationHandle_t again = nullptr;
  CHECK(hipMemRetainAllocationHandle(&again, addresses.at(0)) == hipErrorInvalidValue);
  addresses.map(0, 1, handle);
  CHECK(hipMemRetainAllocationHandle(nullptr, addresses.at(0)) == hipErrorInvalidValue);
  CHECK(hipMemRetainAllocationHandle(&again, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMemRetainAllocationHandle(&again, addresses.at(1) - 1));
  CHECK(again == handle);
  CHECK(hipMemRelease(nullptr) == hipErrorInvalidValue);
  CHECK(hipMemRelease(handle) == hipSuccess);
  CHECK(hipMemRelease(handle) == hipSuccess);
  CHECK(hipMemRelease(handle) == hipErrorInvalidValue);
  CHECK(hipMemMap(addresses.at(0), addresses.unit, 0, handle, 0) == hipErrorInvalidValue);
  // What is mapped is there, and has its handle.
  REQUIRE_HIP(hipMemRetainAllocationHandle(&again, addresses.at(0)));
  CHECK(hipMemRelease(again) == hipSuccess);
}

TEST_CASE("hip virtual memory: the memory is freed with its last handle and mapping", "[results]") {
  const auto free_bytes = [] {
    size_t free = 0, total = 0;
    REQUIRE_HIP(hipMemGetInfo(&free, &total));
    return free;
  };
  Addresses addresses(4);
  const size_t before = free_bytes();
  const auto handle = create_memory(4);
  CHECK(free_bytes() == before - addresses.bytes());
  addresses.map(0, 4, handle);
  REQUIRE_HIP(hipMemRelease(handle));
  CHECK(free_bytes() == before - addresses.bytes());
  addresses.unmap(0, 4);
  CHECK(free_bytes() == before);
}

TEST_CASE("hip virtual memory: access is that of each mapping and device", "[maps]") {
  Addresses addresses(2);
  const size_t unit = addresses.unit;
  const auto first = create_memory(), second = create_memory();
  REQUIRE_HIP(hipMemMap(addresses.at(0), unit, 0, first, 0));
  CHECK(access_at(addresses.at(0)) == none);
  REQUIRE_HIP(hipMemUnmap(addresses.at(0), unit));
  addresses.map(0, 1, first);
  addresses.map(1, 1, second);
  CHECK(access_at(addresses.at(0)) == read_write);
  REQUIRE_HIP(set_access(addresses.at(0), unit, read_only));
  CHECK(access_at(addresses.at(1) - 1) == read_only);
  CHECK(access_at(addresses.at(1)) == read_write);
  REQUIRE_HIP(set_access(addresses.at(0), 2 * unit, none));
  CHECK(access_at(addresses.at(1)) == none);

  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, read_write};
  const hipMemLocation here = access.location, nowhere{hipMemLocationTypeInvalid, 0};
  unsigned long long flags = 0;
  int own = 0;
  CHECK(hipMemSetAccess(nullptr, unit, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(addresses.at(0), 0, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(addresses.at(0), unit - 1, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(addresses.at(0), unit + 1, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(addresses.at(0), unit, nullptr, 1) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(addresses.at(0), unit, &access, 0) == hipErrorInvalidValue);
  CHECK(hipMemSetAccess(&own, unit, &access, 1) == hipErrorInvalidValue);
  access.flags = hipMemAccessFlags(2);
  CHECK(hipMemSetAccess(addresses.at(0), unit, &access, 1) == hipErrorInvalidValue);
  access.flags = read_write;
  for (const hipMemLocation wrong : {nowhere, hipMemLocation{hipMemLocationTypeDevice, -1},
                                     hipMemLocation{hipMemLocationTypeDevice, 9999}}) {
    access.location = wrong;
    CHECK(hipMemSetAccess(addresses.at(0), unit, &access, 1) == hipErrorInvalidValue);
    CHECK(hipMemGetAccess(&flags, &wrong, addresses.at(0)) == hipErrorInvalidValue);
  }
  CHECK(access_at(addresses.at(0)) == none);
  CHECK(hipMemGetAccess(nullptr, &here, addresses.at(0)) == hipErrorInvalidValue);
  CHECK(hipMemGetAccess(&flags, nullptr, addresses.at(0)) == hipErrorInvalidValue);
  CHECK(hipMemGetAccess(&flags, &here, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemGetAccess(&flags, &here, addresses.at(2)) == hipErrorInvalidValue);
  addresses.unmap(1, 1);
  CHECK(hipMemSetAccess(addresses.at(1), unit, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemRelease(first) == hipSuccess);
  CHECK(hipMemRelease(second) == hipSuccess);
}

TEST_CASE("hip virtual memory: kernels use memory, which is the same wherever it is mapped",
          "[results][free]") {
  Addresses here(2), there(1);
  const auto handle = create_memory(2);
  here.map(0, 2, handle);
  there.map(0, 1, handle); // its first part
  REQUIRE_HIP(hipMemRelease(handle));
  REQUIRE_HIP(hipMemset(here.at(0), 0, here.bytes()));
  REQUIRE_HIP(launch(function("add"), nullptr, 64, here.ints(), 5));
  REQUIRE_HIP(launch(function("add"), nullptr, 64, there.ints(), 2));
  CHECK(read_int(here.ints() + 63) == 7);
  CHECK(read_int(there.ints() + 63) == 7);
  // What is mapped anew has what it had.
  here.unmap(0, 2);
  CHECK(read_int(there.ints()) == 7);
}

TEST_CASE("hip virtual memory: copies and fills go through mappings that follow each other",
          "[results]") {
  Addresses addresses(3);
  const auto first = create_memory(), second = create_memory();
  addresses.map(0, 1, first);
  addresses.map(1, 1, second);
  const size_t bytes = 2 * addresses.unit, count = bytes / sizeof(int);
  std::vector<int> numbers(count), copied(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  REQUIRE_HIP(hipMemcpy(addresses.at(0), numbers.data(), bytes, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipMemcpy(copied.data(), addresses.at(0), bytes, hipMemcpyDefault));
  CHECK(copied == numbers);
  REQUIRE_HIP(hipMemsetD32(addresses.at(1) - 4, 99, 2));
  CHECK(read_int(addresses.at(1) - 4) == 99);
  CHECK(read_int(addresses.at(1)) == 99);
  void *base = nullptr;
  size_t size = 0;
  REQUIRE_HIP(hipMemGetAddressRange(&base, &size, addresses.at(1) + 4));
  CHECK(base == addresses.at(0));
  CHECK(size == bytes);
  // And no further.
  CHECK(hipMemset(addresses.at(1), 0, addresses.unit + 1) == hipErrorInvalidValue);
  CHECK(hipMemset(addresses.at(2), 0, 1) == hipErrorInvalidValue);
  CHECK(hipMemcpy(numbers.data(), addresses.at(2), 4, hipMemcpyDefault) == hipErrorInvalidValue);
  addresses.unmap(0, 1);
  CHECK(hipMemset(addresses.at(0), 0, 4) == hipErrorInvalidValue);
  CHECK(read_int(addresses.at(1)) == 99);
  CHECK(hipMemRelease(first) == hipSuccess);
  CHECK(hipMemRelease(second) == hipSuccess);
}

TEST_CASE("hip virtual memory: copies and fills do what the access allows, and lose no device",
          "[results]") {
  Addresses addresses(1);
  const auto handle = create_memory();
  const size_t unit = addresses.unit;
  int value = 0, values[2] = {};
  addresses.map(0, 1, handle);
  write_int(addresses.at(0), 6);
  REQUIRE_HIP(set_access(addresses.at(0), unit, read_only));
  CHECK(read_int(addresses.at(0)) == 6);
  CHECK(hipMemcpy(addresses.at(0), &value, 4, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemcpy2D(addresses.at(0), 8, values, 4, 4, 2, hipMemcpyDefault) == hipErrorInvalidValue);
  CHECK(hipMemset(addresses.at(0), 0, 4) == hipErrorInvalidValue);
  CHECK(hipMemset2D(addresses.at(0), 8, 0, 4, 2) == hipErrorInvalidValue);
  CHECK(hipStreamWriteValue32(nullptr, addresses.at(0), 1, 0) == hipErrorInvalidValue);
  REQUIRE_HIP(set_access(addresses.at(0), unit, none));
  CHECK(hipMemcpy(&value, addresses.at(0), 4, hipMemcpyDefault) == hipErrorInvalidValue);
  REQUIRE_HIP(set_access(addresses.at(0), unit, read_write));
  CHECK(read_int(addresses.at(0)) == 6);
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: [child] a kernel that writes what it may only read loses the device",
          "[.]") {
  Addresses addresses(1);
  addresses.map(0, 1, create_memory());
  REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(), 1));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(set_access(addresses.at(0), addresses.unit, read_only));
  REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(), 1));
  CHECK(hipDeviceSynchronize() == hipErrorLaunchFailure);
}

TEST_CASE("hip virtual memory: a kernel that writes what it may only read is a fault",
          "[results][free]") {
  CHECK(Process("hip virtual memory: \\[child] a kernel that writes what it may only read loses "
                "the device")
            .passes());
}

TEST_CASE("hip virtual memory: mapped memory is device memory, and is not freed", "[maps]") {
  Addresses addresses(1);
  const auto handle = create_memory();
  addresses.map(0, 1, handle);
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, addresses.at(0) + 8));
  CHECK(attributes.type == hipMemoryTypeDevice);
  CHECK(attributes.device == 0);
  CHECK(attributes.devicePointer == addresses.at(0) + 8);
  CHECK(hipFree(addresses.at(0)) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(addresses.at(0), nullptr) == hipErrorInvalidValue);
  CHECK(hipHostFree(addresses.at(0)) == hipErrorInvalidValue);
  addresses.unmap(0, 1);
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, addresses.at(0)));
  CHECK(attributes.type == hipMemoryTypeUnregistered);
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: unmapping waits for work that uses the memory", "[results]") {
  Addresses addresses(1);
  const Streams streams(2, hipStreamNonBlocking);
  const auto handle = create_memory();
  for (int round = 0; round < 10; ++round) {
    addresses.map(0, 1, handle);
    std::atomic<int> done = 0;
    const auto wait = [](void *data) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++*static_cast<std::atomic<int> *>(data);
    };
    for (const hipStream_t stream : streams) {
      REQUIRE_HIP(hipLaunchHostFunc(stream, wait, &done));
      REQUIRE_HIP(launch(function("add"), stream, 64, addresses.ints(), 1));
    }
    addresses.unmap(0, 1);
    CHECK(done == 2);
  }
  REQUIRE_HIP(hipDeviceSynchronize()); // nothing has faulted
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: drivers that map whole objects once refuse all else",
          "[maps][whole]") {
  Addresses addresses(2), others(2);
  const size_t unit = addresses.unit;
  const auto handle = create_memory(2);
  CHECK(hipMemMap(addresses.at(0), unit, 0, handle, 0) == hipErrorNotSupported);
  addresses.map(0, 2, handle);
  CHECK(hipMemMap(others.at(0), 2 * unit, 0, handle, 0) == hipErrorNotSupported);
  REQUIRE_HIP(set_access(addresses.at(0), 2 * unit, read_only));
  CHECK(access_at(addresses.at(0)) == read_only);
  CHECK(hipMemset(addresses.at(0), 0, 4) == hipErrorInvalidValue);
  addresses.unmap(0, 2);
  others.map(0, 2, handle);
  REQUIRE_HIP(hipMemset(others.at(0), 1, 2 * unit));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: sparse arrays are not supported") {
  hipArrayMapInfo change{};
  CHECK(hipMemMapArrayAsync(nullptr, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemMapArrayAsync(&change, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemMapArrayAsync(&change, 1, nullptr) == hipErrorNotSupported);
}

TEST_CASE("hip virtual memory: wrong exports and imports are refused") {
  const auto handle = create_memory(1, as_descriptor), own = create_memory(1);
  hipMemGenericAllocationHandle_t imported = nullptr;
  int descriptor = -1;
  CHECK(hipMemExportToShareableHandle(nullptr, handle, as_descriptor, 0) == hipErrorInvalidValue);
  CHECK(hipMemExportToShareableHandle(&descriptor, nullptr, as_descriptor, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypeWin32, 0) ==
        hipErrorInvalidValue);
  CHECK(hipMemExportToShareableHandle(&descriptor, handle, as_descriptor, 1) ==
        hipErrorInvalidValue);
  CHECK(hipMemExportToShareableHandle(&descriptor, own, as_descriptor, 0) == hipErrorInvalidValue);
  CHECK(hipMemExportToShareableHandle(&descriptor, own, hipMemHandleTypeNone, 0) ==
        hipErrorInvalidValue);
  CHECK(descriptor == -1);
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const int closed = ends[1];
  REQUIRE(close(closed) == 0);
  for (int wrong : {-1, closed, ends[0], 9999})
    CHECK(hipMemImportFromShareableHandle(&imported, &wrong, as_descriptor) ==
          hipErrorInvalidValue);
  CHECK(hipMemImportFromShareableHandle(&imported, nullptr, as_descriptor) == hipErrorInvalidValue);
  CHECK(hipMemImportFromShareableHandle(nullptr, &descriptor, as_descriptor) ==
        hipErrorInvalidValue);
  CHECK(hipMemImportFromShareableHandle(&imported, &descriptor, hipMemHandleTypeNone) ==
        hipErrorInvalidValue);
  void *const unreadable = reinterpret_cast<void *>(uintptr_t(1) << 40);
  CHECK(hipMemImportFromShareableHandle(&imported, unreadable, as_descriptor) ==
        hipErrorInvalidValue);
  REQUIRE(close(ends[0]) == 0);
  CHECK(hipMemRelease(own) == hipSuccess);
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: a descriptor is imported by its address and by itself",
          "[results][free]") {
  Addresses addresses(2), others(2);
  const auto handle = create_memory(2, as_descriptor);
  addresses.map(0, 2, handle);
  int descriptor = -1;
  REQUIRE_HIP(hipMemExportToShareableHandle(&descriptor, handle, as_descriptor, 0));
  CHECK(descriptor > 2);
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  write_int(addresses.at(1), 8);
  for (void *os_handle : {static_cast<void *>(&descriptor),
                          reinterpret_cast<void *>(static_cast<uintptr_t>(descriptor))}) {
    hipMemGenericAllocationHandle_t imported = nullptr;
    REQUIRE_HIP(hipMemImportFromShareableHandle(&imported, os_handle, as_descriptor));
    CHECK(imported != handle);
    others.map(0, 2, imported);
    CHECK(read_int(others.at(1)) == 8);
    others.unmap(0, 2);
    int again = -1;
    REQUIRE_HIP(hipMemExportToShareableHandle(&again, imported, as_descriptor, 0));
    CHECK(close(again) == 0);
    CHECK(hipMemRelease(imported) == hipSuccess);
  }
  CHECK(close(descriptor) == 0); // the program's, still
  CHECK(hipMemRelease(handle) == hipSuccess);
}

TEST_CASE("hip virtual memory: a reset of the device unmaps and releases its memory", "[maps]") {
  void *address = nullptr;
  const size_t unit = granularity();
  REQUIRE_HIP(hipMemAddressReserve(&address, unit, 0, nullptr, 0));
  const auto handle = create_memory();
  REQUIRE_HIP(hipMemMap(address, unit, 0, handle, 0));
  REQUIRE_HIP(hipDeviceReset());
  CHECK(hipMemRelease(handle) == hipErrorInvalidValue);
  CHECK(hipMemUnmap(address, unit) == hipErrorInvalidValue);
  CHECK(hipMemAddressFree(address, unit) == hipSuccess);
}

TEST_CASE("hip virtual memory: threads map, use and unmap beside each other", "[results]") {
  const size_t unit = granularity();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        void *address = nullptr;
        const auto properties = properties_of_memory();
        hipMemGenericAllocationHandle_t handle = nullptr;
        const int value = i * 1000 + round;
        int found = -1;
        const bool good = hipMemAddressReserve(&address, unit, 0, nullptr, 0) == hipSuccess &&
                          hipMemCreate(&handle, unit, &properties, 0) == hipSuccess &&
                          hipMemMap(address, unit, 0, handle, 0) == hipSuccess &&
                          hipMemRelease(handle) == hipSuccess &&
                          set_access(address, unit) == hipSuccess &&
                          hipMemsetD32(address, value, 16) == hipSuccess &&
                          hipMemcpy(&found, address, 4, hipMemcpyDeviceToHost) == hipSuccess &&
                          hipMemUnmap(address, unit) == hipSuccess &&
                          hipMemAddressFree(address, unit) == hipSuccess;
        wrong += !good || found != value;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}
