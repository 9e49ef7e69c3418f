// HIP API reference: Memory management.
#include "fixture.h"

#include <cstdint>
#include <numeric>
#include <vector>

using namespace fixture;

namespace {

class DeviceMemory {
public:
  explicit DeviceMemory(size_t bytes) { REQUIRE_HIP(hipMalloc(&data_, bytes)); }
  ~DeviceMemory() { (void)hipFree(data_); }
  DeviceMemory(const DeviceMemory &) = delete;
  void *get() const { return data_; }
  char *at(size_t offset) const { return static_cast<char *>(data_) + offset; }

private:
  void *data_ = nullptr;
};

std::vector<uint8_t> numbers(size_t count) {
  std::vector<uint8_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = uint8_t(i * 7 + i / 256);
  return values;
}

} // namespace

TEST_CASE("hip memory: allocation of nothing is a null pointer") {
  void *memory = &memory;
  REQUIRE_HIP(hipMalloc(&memory, 0));
  REQUIRE(memory == nullptr);
  REQUIRE_HIP(hipFree(nullptr));
  REQUIRE_HIP(hipHostFree(nullptr));
}

TEST_CASE("hip memory: null results and absurd sizes are refused") {
  void *memory = nullptr;
  REQUIRE(hipMalloc(nullptr, 16) == hipErrorInvalidValue);
  for (const size_t absurd : {SIZE_MAX / 2, SIZE_MAX, SIZE_MAX - 0xffff, size_t(1) << 52}) {
    REQUIRE(hipMalloc(&memory, absurd) == hipErrorOutOfMemory);
    REQUIRE(hipHostMalloc(&memory, absurd) == hipErrorOutOfMemory);
    REQUIRE(hipMallocManaged(&memory, absurd) == hipErrorOutOfMemory);
    REQUIRE(hipMallocAsync(&memory, absurd, nullptr) == hipErrorOutOfMemory);
    REQUIRE(memory == nullptr);
  }
  REQUIRE(hipHostMalloc(nullptr, 16, 0) == hipErrorInvalidValue);
  REQUIRE(hipHostMalloc(&memory, 16, 0x1000) == hipErrorInvalidValue);
  REQUIRE(hipMallocManaged(&memory, 0, hipMemAttachGlobal) == hipErrorInvalidValue);
  REQUIRE(hipMallocManaged(&memory, 16, 77) == hipErrorInvalidValue);
}

TEST_CASE("hip memory: what was not allocated, or freed already, cannot be freed") {
  int on_stack = 0;
  REQUIRE(hipFree(&on_stack) == hipErrorInvalidValue);
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 256));
  REQUIRE(hipFree(static_cast<char *>(memory) + 16) == hipErrorInvalidValue);
  REQUIRE(hipHostFree(memory) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(memory));
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
}

TEST_CASE("hip memory: hipFree takes memory of the host as well, but not what is registered") {
  void *memory = nullptr;
  REQUIRE_HIP(hipHostMalloc(&memory, 256));
  REQUIRE_HIP(hipFree(memory));
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
  std::vector<std::byte> own(256);
  REQUIRE_HIP(hipHostRegister(own.data(), own.size(), 0));
  REQUIRE(hipFree(own.data()) == hipErrorInvalidValue);
  REQUIRE_HIP(hipHostUnregister(own.data()));
}

TEST_CASE("hip memory: allocations are aligned to 256 bytes") {
  for (size_t size : {1u, 3u, 100u, 4097u}) {
    DeviceMemory memory(size);
    REQUIRE(reinterpret_cast<uintptr_t>(memory.get()) % 256 == 0);
  }
}

TEST_CASE("hip memory: bytes survive the way to the device and back", "[results]") {
  for (size_t size : {size_t(1), size_t(1000), size_t(65536), size_t(65537), size_t(5 << 20)}) {
    DeviceMemory first(size), second(size);
    auto sent = numbers(size);
    std::vector<uint8_t> received(size);
    REQUIRE_HIP(hipMemcpy(first.get(), sent.data(), size, hipMemcpyHostToDevice));
    REQUIRE_HIP(hipMemcpy(second.get(), first.get(), size, hipMemcpyDeviceToDevice));
    REQUIRE_HIP(hipMemcpy(received.data(), second.get(), size, hipMemcpyDeviceToHost));
    REQUIRE(sent == received);
  }
}

TEST_CASE("hip memory: a pageable source may change as soon as the call returns", "[results]") {
  Streams streams(1);
  for (size_t size : {size_t(4096), size_t(65536), size_t(1 << 20)}) {
    DeviceMemory memory(size);
    auto sent = numbers(size), copy = sent;
    HostMemory<int> flag(1);
    REQUIRE_HIP(launch(function("nothing"), streams[0], 1));
    REQUIRE_HIP(hipMemcpyAsync(memory.get(), copy.data(), size, hipMemcpyHostToDevice, streams[0]));
    std::fill(copy.begin(), copy.end(), uint8_t(0));
    std::vector<uint8_t> received(size);
    REQUIRE_HIP(
        hipMemcpyAsync(received.data(), memory.get(), size, hipMemcpyDeviceToHost, streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    REQUIRE(received == sent);
  }
}

TEST_CASE("hip memory: many small pageable copies in flight keep their own bytes", "[results]") {
  Streams streams(1);
  constexpr size_t count = 2000, size = 16384; // more than the staging memory holds at once
  DeviceMemory memory(size);
  HostMemory<uint32_t> seen(count);
  std::vector<uint32_t> buffer(size / 4);
  for (uint32_t i = 0; i < count; ++i) {
    std::fill(buffer.begin(), buffer.end(), i);
    REQUIRE_HIP(
        hipMemcpyAsync(memory.get(), buffer.data(), size, hipMemcpyHostToDevice, streams[0]));
    REQUIRE_HIP(
        hipMemcpyAsync(&seen[i], memory.at(size - 4), 4, hipMemcpyDeviceToHost, streams[0]));
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  for (uint32_t i = 0; i < count; ++i)
    REQUIRE(seen[i] == i);
}

TEST_CASE("hip memory: copies go between host memory of both kinds", "[results]") {
  auto sent = numbers(1000);
  HostMemory<uint8_t> pinned(1000);
  std::vector<uint8_t> received(1000);
  REQUIRE_HIP(hipMemcpy(pinned.get(), sent.data(), 1000, hipMemcpyHostToHost));
  REQUIRE_HIP(hipMemcpy(received.data(), pinned.get(), 1000, hipMemcpyDefault));
  REQUIRE(sent == received);
  std::vector<uint8_t> again(1000);
  REQUIRE_HIP(hipMemcpy(again.data(), received.data(), 1000, hipMemcpyHostToHost));
  REQUIRE(again == sent);
}

TEST_CASE("hip memory: copies of nothing succeed, copies of null and of too much are refused") {
  DeviceMemory memory(64);
  char host[128] = {};
  REQUIRE_HIP(hipMemcpy(memory.get(), host, 0, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice));
  REQUIRE(hipMemcpy(nullptr, host, 8, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  REQUIRE(hipMemcpy(memory.get(), nullptr, 8, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  REQUIRE(hipMemcpy(memory.get(), host, 65, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  REQUIRE(hipMemcpy(host, memory.at(32), 33, hipMemcpyDeviceToHost) == hipErrorInvalidValue);
  REQUIRE(hipMemcpy(memory.get(), host, 8, hipMemcpyKind(77)) == hipErrorInvalidMemcpyDirection);
}

TEST_CASE("hip memory: fills set elements of 1, 2 and 4 bytes", "[results]") {
  DeviceMemory memory(1024);
  std::vector<uint8_t> bytes(1024);
  auto read = [&] {
    REQUIRE_HIP(hipMemcpy(bytes.data(), memory.get(), 1024, hipMemcpyDeviceToHost));
  };
  REQUIRE_HIP(hipMemset(memory.get(), 0x5a, 1024));
  read();
  REQUIRE(bytes == std::vector<uint8_t>(1024, 0x5a));
  REQUIRE_HIP(hipMemsetD16(memory.get(), 0x1234, 8));
  read();
  REQUIRE(bytes[0] == 0x34);
  REQUIRE(bytes[15] == 0x12);
  REQUIRE(bytes[16] == 0x5a);
  REQUIRE_HIP(hipMemsetD32(memory.get(), 0x01020304, 3));
  read();
  REQUIRE(bytes[11] == 0x01);
  REQUIRE(bytes[12] == 0x34);
  REQUIRE_HIP(hipMemsetD8(memory.at(1023), 0x77, 1));
  read();
  REQUIRE(bytes[1022] == 0x5a);
  REQUIRE(bytes[1023] == 0x77);
}

TEST_CASE("hip memory: fills of what is no memory, or too small, are refused") {
  DeviceMemory memory(64);
  REQUIRE(hipMemset(nullptr, 0, 8) == hipErrorInvalidValue);
  REQUIRE(hipMemset(memory.get(), 0, 65) == hipErrorInvalidValue);
  REQUIRE(hipMemsetD32(memory.at(2), 0, 1) == hipErrorInvalidValue);
  REQUIRE(hipMemsetD32(memory.get(), 0, SIZE_MAX / 2) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMemset(memory.get(), 0, 0));
}

TEST_CASE("hip memory: managed memory is one address for host and device", "[results]") {
  float *values = nullptr;
  REQUIRE_HIP(
      hipMallocManaged(reinterpret_cast<void **>(&values), 4 * sizeof(float), hipMemAttachGlobal));
  for (int i = 0; i < 4; ++i)
    values[i] = 10;
  REQUIRE_HIP(launch(function("scale"), nullptr, 4, values));
  REQUIRE_HIP(hipDeviceSynchronize());
  for (int i = 0; i < 4; ++i)
    REQUIRE(values[i] == 10 * float(i + 1));
  REQUIRE_HIP(hipMemPrefetchAsync(values, 16, 0, nullptr));
  REQUIRE_HIP(hipMemAdvise(values, 16, hipMemAdviseSetReadMostly, 0));
  REQUIRE(hipMemPrefetchAsync(values, 17, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(hipFree(values));
}

TEST_CASE("hip memory: hipPointerGetAttributes says what an address is") {
  DeviceMemory device(256);
  HostMemory<char> host(256);
  int on_stack = 0;
  hipPointerAttribute_t attributes;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, device.at(8)));
  REQUIRE(attributes.type == hipMemoryTypeDevice);
  REQUIRE(attributes.devicePointer == device.at(8));
  REQUIRE(attributes.hostPointer == nullptr);
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, host.get()));
  REQUIRE(attributes.type == hipMemoryTypeHost);
  REQUIRE(attributes.hostPointer == host.get());
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, &on_stack));
  REQUIRE(attributes.type == hipMemoryTypeUnregistered);
  REQUIRE(hipPointerGetAttributes(nullptr, device.get()) == hipErrorInvalidValue);
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  REQUIRE_HIP(hipMemGetAddressRange(&base, &size, device.at(100)));
  REQUIRE(base == device.get());
  REQUIRE(size == 256);
  REQUIRE(hipMemGetAddressRange(&base, &size, &on_stack) == hipErrorNotFound);
  void *seen_by_device = nullptr;
  REQUIRE_HIP(hipHostGetDevicePointer(&seen_by_device, host.get(), 0));
  REQUIRE(seen_by_device == host.get());
  unsigned flags = 77;
  REQUIRE_HIP(hipHostGetFlags(&flags, host.get()));
  REQUIRE(flags == hipHostMallocDefault);
}

TEST_CASE("hip memory: registered memory is the host's and reachable, until it is unregistered") {
  std::vector<uint8_t> memory = numbers(10000);
  int supported = 0;
  REQUIRE_HIP(hipDeviceGetAttribute(&supported, hipDeviceAttributeHostRegisterSupported, 0));
  REQUIRE(supported == 1);
  REQUIRE_HIP(hipHostRegister(memory.data(), memory.size(), hipHostRegisterMapped));

  void *address = nullptr;
  unsigned flags = 0;
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipHostGetDevicePointer(&address, memory.data() + 5, 0));
  REQUIRE(address == memory.data() + 5);
  REQUIRE_HIP(hipHostGetFlags(&flags, memory.data()));
  REQUIRE(flags == hipHostRegisterMapped);
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory.data()));
  REQUIRE(attributes.type == hipMemoryTypeHost);
  REQUIRE(hipFree(memory.data()) == hipErrorInvalidValue);
  REQUIRE(hipHostFree(memory.data()) == hipErrorInvalidValue);

  DeviceMemory device(memory.size());
  REQUIRE_HIP(
      hipMemcpyAsync(device.get(), memory.data(), memory.size(), hipMemcpyDefault, nullptr));
  REQUIRE(hipMemcpyAsync(device.get(), memory.data() + 1, memory.size(), hipMemcpyDefault,
                         nullptr) == hipErrorInvalidValue);

  REQUIRE_HIP(hipHostUnregister(memory.data()));
  REQUIRE(hipHostUnregister(memory.data()) == hipErrorHostMemoryNotRegistered);
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory.data()));
  REQUIRE(attributes.type == hipMemoryTypeUnregistered);
}

TEST_CASE("hip memory: bytes go through registered memory", "[results]") {
  std::vector<uint8_t> source = numbers(10000), target(source.size());
  DeviceMemory device(source.size());
  for (auto *memory : {&source, &target})
    REQUIRE_HIP(hipHostRegister(memory->data(), memory->size(), 0));
  REQUIRE_HIP(
      hipMemcpyAsync(device.get(), source.data(), source.size(), hipMemcpyDefault, nullptr));
  REQUIRE_HIP(
      hipMemcpyAsync(target.data(), device.get(), target.size(), hipMemcpyDefault, nullptr));
  for (auto *memory : {&source, &target})
    REQUIRE_HIP(hipHostUnregister(memory->data())); // waits
  REQUIRE(target == source);
}

TEST_CASE("hip memory: what cannot be registered is refused") {
  std::vector<uint8_t> memory(10000);
  REQUIRE(hipHostRegister(nullptr, 1, 0) == hipErrorInvalidValue);
  REQUIRE(hipHostRegister(memory.data(), 0, 0) == hipErrorInvalidValue);
  REQUIRE(hipHostRegister(memory.data(), SIZE_MAX, 0) == hipErrorInvalidValue);
  REQUIRE(hipHostRegister(memory.data(), 1, 0x40) == hipErrorInvalidValue);
  REQUIRE(hipHostUnregister(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipHostUnregister(memory.data()) == hipErrorHostMemoryNotRegistered);

  REQUIRE_HIP(hipHostRegister(memory.data() + 4000, 2000, 0));
  REQUIRE_HIP(hipHostRegister(memory.data() + 4000, 1000, 0)); // instead
  REQUIRE_HIP(hipHostRegister(memory.data() + 5000, 100, 0));
  REQUIRE(hipHostRegister(memory.data() + 4000, 2000, 0) == hipErrorHostMemoryAlreadyRegistered);
  REQUIRE_HIP(hipHostUnregister(memory.data() + 5000));
  REQUIRE_HIP(hipHostRegister(memory.data() + 4000, 2000, 0));
  for (size_t offset : {3999, 4001, 5999})
    REQUIRE(hipHostRegister(memory.data() + offset, 2, 0) == hipErrorHostMemoryAlreadyRegistered);
  REQUIRE(hipHostRegister(memory.data(), memory.size(), 0) == hipErrorHostMemoryAlreadyRegistered);
  REQUIRE(hipHostUnregister(memory.data() + 4001) == hipErrorHostMemoryNotRegistered);
  REQUIRE_HIP(hipHostUnregister(memory.data() + 4000));

  void *pinned = nullptr;
  REQUIRE_HIP(hipHostMalloc(&pinned, 64, 0));
  REQUIRE(hipHostRegister(pinned, 64, 0) == hipErrorHostMemoryAlreadyRegistered);
  REQUIRE(hipHostUnregister(pinned) == hipErrorHostMemoryNotRegistered);
  REQUIRE_HIP(hipHostFree(pinned));
}
