// HIP API reference: memory of hipMalloc between processes that are not related.
#include "mapped.h"
#include "processes.h"

#include <catch2/generators/catch_generators.hpp>

#include "../../support/random.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <thread>

using namespace fixture;

namespace {

constexpr unsigned lazily = hipIpcMemLazyEnablePeerAccess;

/// Memory of hipMalloc.
class Ints {
public:
  explicit Ints(size_t count) {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(int)));
    REQUIRE_HIP(hipMemset(data_, 0, count * sizeof(int)));
  }
  ~Ints() { free(); }
  Ints(const Ints &) = delete;
  int *get() const { return data_; }
  void free() { (void)hipFree(std::exchange(data_, nullptr)); }
  hipIpcMemHandle_t handle(size_t offset = 0) const {
    hipIpcMemHandle_t handle;
    REQUIRE_HIP(hipIpcGetMemHandle(&handle, data_ + offset));
    return handle;
  }

private:
  int *data_ = nullptr;
};

int *open_handle(const hipIpcMemHandle_t &handle) {
  void *opened = nullptr;
  REQUIRE_HIP(hipIpcOpenMemHandle(&opened, handle, lazily));
  return static_cast<int *>(opened);
}

bool is_one_of(hipError_t error, std::initializer_list<hipError_t> errors) {
  return std::ranges::find(errors, error) != errors.end();
}

} // namespace

TEST_CASE("hip ipc memory: wrong arguments are refused", "[ipc]") {
  Ints memory(1000);
  HostMemory<int> host(16);
  hipIpcMemHandle_t handle{};
  void *opened = nullptr;
  CHECK(hipIpcGetMemHandle(nullptr, memory.get()) == hipErrorInvalidValue);
  CHECK(hipIpcGetMemHandle(&handle, nullptr) == hipErrorInvalidValue);
  CHECK(hipIpcGetMemHandle(&handle, memory.get() + 1000) == hipErrorInvalidValue);
  CHECK(hipIpcGetMemHandle(&handle, host.get()) == hipErrorInvalidValue);
  CHECK(hipIpcGetMemHandle(&handle, &handle) == hipErrorInvalidValue);
  CHECK(hipIpcOpenMemHandle(&opened, handle, lazily) == hipErrorInvalidValue);
  CHECK(hipIpcCloseMemHandle(nullptr) == hipErrorInvalidValue);
  CHECK(hipIpcCloseMemHandle(memory.get()) == hipErrorInvalidValue);
  int *const freed = memory.get();
  memory.free();
  CHECK(hipIpcGetMemHandle(&handle, freed) == hipErrorInvalidValue);
}

TEST_CASE("hip ipc memory: neither mapped memory nor memory of pools has handles", "[ipc][maps]") {
  Addresses addresses(1);
  addresses.map(0, 1, create_memory());
  hipIpcMemHandle_t handle{};
  CHECK(hipIpcGetMemHandle(&handle, addresses.at(0)) == hipErrorInvalidValue);
  void *pooled = nullptr;
  REQUIRE_HIP(hipMallocAsync(&pooled, 1024, nullptr));
  CHECK(hipIpcGetMemHandle(&handle, pooled) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeAsync(pooled, nullptr));
}

TEST_CASE("hip ipc memory: a handle is opened by other processes only", "[results][ipc]") {
  const Ints memory(1024), other(1024);
  const hipIpcMemHandle_t handle = memory.handle();
  void *opened = nullptr;
  CHECK(hipIpcOpenMemHandle(&opened, handle, lazily) == hipErrorInvalidContext);
  CHECK(hipIpcOpenMemHandle(nullptr, handle, lazily) == hipErrorInvalidValue);
  CHECK(hipIpcOpenMemHandle(&opened, handle, 0) == hipErrorInvalidValue);
  CHECK(hipIpcOpenMemHandle(&opened, handle, 123) == hipErrorInvalidValue);
  // It is the same each time, and no other's.
  const hipIpcMemHandle_t again = memory.handle(), others = other.handle();
  CHECK(std::memcmp(&handle, &again, sizeof handle) == 0);
  CHECK(std::memcmp(&handle, &others, sizeof handle) != 0);
}

TEST_CASE("hip ipc memory: memory at the same address has another handle", "[results][ipc]") {
  hipIpcMemHandle_t before{};
  int *address = nullptr;
  for (int i = 0; i < 20; ++i) {
    const Ints memory(1024);
    const hipIpcMemHandle_t handle = memory.handle();
    if (memory.get() == address)
      CHECK(std::memcmp(&handle, &before, sizeof handle) != 0);
    before = handle;
    address = memory.get();
  }
}

TEST_CASE("hip ipc memory: [child] uses memory that it opens", "[.]") {
  Channel parent = channel_to_parent();
  const auto handle = parent.receive<hipIpcMemHandle_t>();
  const auto count = parent.receive<size_t>();
  int *const memory = open_handle(handle);
  for (const size_t i : {size_t(0), count / 2, count - 1})
    CHECK(read_int(memory + i) == int(i));
  REQUIRE_HIP(launch(function("add"), nullptr, 1, memory, 7));
  REQUIRE_HIP(hipMemcpy(memory + count - 1, memory, sizeof(int), hipMemcpyDeviceToDevice));
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory));
  CHECK(attributes.type == hipMemoryTypeDevice);
  CHECK(hipMemset(memory, 0, count * sizeof(int) + 1) == hipErrorInvalidValue);
  CHECK(hipFree(memory) == hipErrorInvalidValue);
  hipIpcMemHandle_t own{};
  CHECK(hipIpcGetMemHandle(&own, memory) == hipErrorInvalidValue);
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  CHECK(hipIpcCloseMemHandle(memory) == hipErrorInvalidValue);
  CHECK(hipMemset(memory, 0, 4) == hipErrorInvalidValue);
}

TEST_CASE("hip ipc memory: two processes use the same memory", "[results][ipc]") {
  for (const size_t count : {size_t(16), size_t(1024), size_t(3) << 18}) {
    INFO(count);
    const Ints memory(count);
    std::vector<int> numbers(count);
    for (size_t i = 0; i < count; ++i)
      numbers[i] = int(i);
    REQUIRE_HIP(hipMemcpy(memory.get(), numbers.data(), count * 4, hipMemcpyHostToDevice));
    Process child("hip ipc memory: \\[child] uses memory that it opens");
    child.channel.send(memory.handle());
    child.channel.send(count);
    CHECK(child.passes());
    CHECK(read_int(memory.get()) == 7);
    CHECK(read_int(memory.get() + count - 1) == 7);
  }
}

TEST_CASE("hip ipc memory: [child] opens handles more than once", "[.]") {
  Channel parent = channel_to_parent();
  const auto first = parent.receive<hipIpcMemHandle_t>();
  const auto inner = parent.receive<hipIpcMemHandle_t>();
  const auto other = parent.receive<hipIpcMemHandle_t>();
  int *const memory = open_handle(first);
  CHECK(open_handle(first) == memory);
  CHECK(open_handle(inner) == memory + 100);
  int *const others = open_handle(other);
  CHECK(others != memory);
  CHECK(read_int(memory + 100) == 5);
  CHECK(hipIpcCloseMemHandle(memory + 1) == hipErrorInvalidValue);
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  CHECK(hipIpcCloseMemHandle(memory) == hipErrorInvalidValue);
  CHECK(read_int(memory + 100) == 5); // as long as one opening is left
  CHECK(hipIpcCloseMemHandle(memory + 100) == hipSuccess);
  CHECK(hipMemset(memory, 0, 4) == hipErrorInvalidValue);
  CHECK(read_int(others) == 0);
  CHECK(read_int(open_handle(first) + 100) == 5);
}

TEST_CASE("hip ipc memory: openings of a handle have one address, and are closed as often",
          "[results][ipc]") {
  const Ints memory(1024), other(1024);
  write_int(memory.get() + 100, 5);
  Process child("hip ipc memory: \\[child] opens handles more than once");
  child.channel.send(memory.handle());
  child.channel.send(memory.handle(100));
  child.channel.send(other.handle());
  CHECK(child.passes());
}

TEST_CASE("hip ipc memory: [child] opens neighbours", "[.]") {
  Channel parent = channel_to_parent();
  int *const first = open_handle(parent.receive<hipIpcMemHandle_t>());
  int *const second = open_handle(parent.receive<hipIpcMemHandle_t>());
  for (int *const memory : {first, second}) {
    CHECK(hipMemset(memory, 1, 1024) == hipSuccess);
    CHECK(hipMemset(memory, 1, 1025) == hipErrorInvalidValue);
    void *base = nullptr;
    size_t bytes = 0;
    REQUIRE_HIP(hipMemGetAddressRange(&base, &bytes, memory + 7));
    CHECK(base == memory);
    CHECK(bytes == 1024);
  }
  CHECK(hipIpcCloseMemHandle(first) == hipSuccess);
  CHECK(hipMemset(first, 1, 1) == hipErrorInvalidValue);
  CHECK(hipMemset(second, 2, 1024) == hipSuccess);
  CHECK(hipIpcCloseMemHandle(second) == hipSuccess);
}

// Small memory of hipMalloc shares allocations of the driver.
TEST_CASE("hip ipc memory: what is open is the memory of one hipMalloc", "[results][ipc]") {
  const Ints first(256), second(256), third(256);
  Process child("hip ipc memory: \\[child] opens neighbours");
  child.channel.send(first.handle());
  child.channel.send(third.handle());
  CHECK(child.passes());
  CHECK(read_int(first.get() + 255) == 0x01010101);
  CHECK(read_int(second.get()) == 0);
  CHECK(read_int(second.get() + 255) == 0);
  CHECK(read_int(third.get() + 255) == 0x02020202);
}

TEST_CASE("hip ipc memory: [child] frees memory and allocates more in its place", "[.]") {
  Channel parent = channel_to_parent();
  const Ints neighbour(256);
  Ints memory(256);
  int *const address = memory.get();
  parent.send(memory.handle());
  parent.await();
  memory.free();
  parent.tell();
  parent.await();
  const Ints again(256);
  parent.send(again.get() == address);
  write_int(again.get(), 11);
  parent.send(again.handle());
  parent.await();
  const Ints larger(1024);
  write_int(larger.get() + 512, 12);
  parent.send(larger.handle());
  parent.await();
}

TEST_CASE("hip ipc memory: freed memory is not opened, whatever lies beside it and in its place",
          "[results][ipc]") {
  Process child("hip ipc memory: \\[child] frees memory and allocates more in its place");
  const auto handle = child.channel.receive<hipIpcMemHandle_t>();
  const bool is_open = GENERATE(false, true);
  void *opened = nullptr;
  if (is_open)
    REQUIRE_HIP(hipIpcOpenMemHandle(&opened, handle, lazily));
  child.channel.tell();
  child.channel.await();
  void *late = nullptr;
  if (!is_open)
    CHECK(hipIpcOpenMemHandle(&late, handle, lazily) == hipErrorInvalidDevicePointer);
  child.channel.tell();
  (void)child.channel.receive<bool>();
  const auto others = child.channel.receive<hipIpcMemHandle_t>();
  CHECK(std::memcmp(&handle, &others, sizeof handle) != 0);
  CHECK(read_int(open_handle(others)) == 11);
  if (!is_open)
    CHECK(hipIpcOpenMemHandle(&late, handle, lazily) == hipErrorInvalidDevicePointer);
  child.channel.tell();
  CHECK(read_int(open_handle(child.channel.receive<hipIpcMemHandle_t>()) + 512) == 12);
  child.channel.tell();
  CHECK(child.passes());
}

TEST_CASE("hip ipc memory: [child] shrinks and grows what it exports", "[.]") {
  Channel parent = channel_to_parent();
  std::vector<std::unique_ptr<Ints>> small;
  for (int i = 0; i < 8; ++i)
    small.push_back(std::make_unique<Ints>(256));
  for (const auto &memory : small)
    parent.send(memory->handle());
  parent.await();
  small.clear();
  for (int i = 0; i < 8; ++i) {
    const Ints larger(2048);
    write_int(larger.get() + 2047, i);
    parent.send(larger.handle());
    parent.await();
  }
}

// As caches of handles keep them, which learn of the end of memory by the handle of what took its place.
TEST_CASE("hip ipc memory: what stays open of freed memory is in nobody's way", "[results][ipc]") {
  Process child("hip ipc memory: \\[child] shrinks and grows what it exports");
  std::vector<int *> stale;
  for (int i = 0; i < 8; ++i)
    stale.push_back(open_handle(child.channel.receive<hipIpcMemHandle_t>()));
  child.channel.tell();
  for (int i = 0; i < 8; ++i) {
    int *const memory = open_handle(child.channel.receive<hipIpcMemHandle_t>());
    CHECK(hipMemset(memory, 1, 2047 * sizeof(int)) == hipSuccess); // all of it is one
    CHECK(read_int(memory + 2047) == i);
    child.channel.tell();
  }
  for (int *memory : stale)
    CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  CHECK(child.passes());
}

TEST_CASE("hip ipc memory: [child] opens handles that no process has made", "[.]") {
  const auto real = channel_to_parent().receive<hipIpcMemHandle_t>();
  const auto try_to_open = [&](const hipIpcMemHandle_t &handle) {
    void *opened = nullptr;
    const hipError_t error = hipIpcOpenMemHandle(&opened, handle, lazily);
    if (error == hipSuccess) {
      REQUIRE_HIP(hipMemset(opened, 0, 1));
      REQUIRE_HIP(hipIpcCloseMemHandle(opened));
    }
    return error;
  };
  test::Random<char> random(1);
  for (int i = 0; i < 1000; ++i) {
    hipIpcMemHandle_t made_up;
    for (char &byte : made_up.reserved)
      byte = random.below(256);
    REQUIRE(try_to_open(made_up) == hipErrorInvalidValue);
  }
  int refused = 0;
  for (size_t i = 0; i < sizeof real.reserved; ++i)
    for (const int bit : {0, 3, 7}) {
      hipIpcMemHandle_t changed = real;
      changed.reserved[i] = char(changed.reserved[i] ^ (1 << bit));
      const hipError_t error = try_to_open(changed);
      CHECK(is_one_of(error, {hipSuccess, hipErrorInvalidValue, hipErrorInvalidDevicePointer,
                              hipErrorInvalidContext, hipErrorOutOfMemory}));
      refused += error != hipSuccess;
    }
  CHECK(refused > 100);
  CHECK(try_to_open(real) == hipSuccess);
}

TEST_CASE("hip ipc memory: handles that no process has made are refused", "[results][ipc]") {
  const Ints memory(1024);
  Process child("hip ipc memory: \\[child] opens handles that no process has made");
  child.channel.send(memory.handle());
  CHECK(child.passes());
}

TEST_CASE("hip ipc memory: [child] allocates memory and lives on", "[.]") {
  Channel parent = channel_to_parent();
  Ints memory(1024);
  write_int(memory.get(), 31);
  parent.send(memory.handle());
  parent.await();
  memory.free();
  parent.tell();
  parent.await();
}

TEST_CASE("hip ipc memory: what is open outlives the process that allocated it", "[results][ipc]") {
  Process child("hip ipc memory: \\[child] allocates memory and lives on");
  const auto handle = child.channel.receive<hipIpcMemHandle_t>();
  int *const memory = open_handle(handle);
  child.kill();
  CHECK(read_int(memory) == 31);
  REQUIRE_HIP(launch(function("add"), nullptr, 1, memory, 4));
  CHECK(read_int(memory) == 35);
  CHECK(open_handle(handle) == memory); // it is here already
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  void *opened = nullptr;
  CHECK(hipIpcOpenMemHandle(&opened, handle, lazily) == hipErrorInvalidDevicePointer);
}

TEST_CASE("hip ipc memory: freed memory stays where it is open, and is opened no more",
          "[results][ipc]") {
  Process child("hip ipc memory: \\[child] allocates memory and lives on");
  const auto handle = child.channel.receive<hipIpcMemHandle_t>();
  int *const memory = open_handle(handle);
  child.channel.tell();
  child.channel.await();
  CHECK(read_int(memory) == 31);
  CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
  void *opened = nullptr;
  CHECK(hipIpcOpenMemHandle(&opened, handle, lazily) == hipErrorInvalidDevicePointer);
  child.channel.tell();
  CHECK(child.passes());
}

TEST_CASE("hip ipc memory: closing waits for work that uses the memory", "[results][ipc]") {
  Process child("hip ipc memory: \\[child] allocates memory and lives on");
  const auto handle = child.channel.receive<hipIpcMemHandle_t>();
  const Streams streams(2, hipStreamNonBlocking);
  for (int round = 0; round < 10; ++round) {
    int *const memory = open_handle(handle);
    std::atomic<int> done = 0;
    const auto wait = [](void *data) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++*static_cast<std::atomic<int> *>(data);
    };
    for (const hipStream_t stream : streams) {
      REQUIRE_HIP(hipLaunchHostFunc(stream, wait, &done));
      REQUIRE_HIP(launch(function("add"), stream, 64, memory, 1));
    }
    CHECK(hipIpcCloseMemHandle(memory) == hipSuccess);
    CHECK(done == 2);
  }
  REQUIRE_HIP(hipDeviceSynchronize()); // nothing has faulted
}

TEST_CASE("hip ipc memory: [child] allocates and opens again and again", "[.]") {
  Channel parent = channel_to_parent();
  const auto handle = parent.receive<hipIpcMemHandle_t>();
  for (;;) {
    Ints own(4096);
    int *const memory = open_handle(handle);
    REQUIRE_HIP(launch(function("add"), nullptr, 1, own.get(), 1));
    REQUIRE_HIP(hipDeviceSynchronize());
    parent.send(own.handle());
    REQUIRE_HIP(hipMemcpy(memory + 64, own.get(), 256, hipMemcpyDeviceToDevice));
    REQUIRE_HIP(launch(function("add"), nullptr, 1, memory, 1));
    REQUIRE_HIP(hipIpcCloseMemHandle(memory));
    parent.tell();
  }
}

TEST_CASE("hip ipc memory: a process that is killed leaves the others what they have",
          "[results][ipc]") {
  test::Random<int> random(3);
  const Ints memory(4096);
  const hipIpcMemHandle_t handle = memory.handle();
  for (int round = 0; round < 8; ++round) {
    write_int(memory.get(), 0);
    Process child("hip ipc memory: \\[child] allocates and opens again and again");
    child.channel.send(handle);
    const int steps = random.below(10);
    for (int step = 0; step < steps; ++step) {
      child.channel.receive<hipIpcMemHandle_t>();
      child.channel.await();
    }
    const auto last = child.channel.receive<hipIpcMemHandle_t>();
    // The child frees it at any time, and is killed at any time.
    void *opened = nullptr;
    const bool before = random.one_in(2);
    if (before)
      child.kill();
    const hipError_t error = hipIpcOpenMemHandle(&opened, last, lazily);
    CHECK(is_one_of(error, {hipSuccess, hipErrorInvalidDevicePointer}));
    child.kill();
    if (error == hipSuccess) {
      CHECK(!before);
      CHECK(read_int(opened) == 1);
      CHECK(hipIpcCloseMemHandle(opened) == hipSuccess);
    }
    const int counted = read_int(memory.get());
    CHECK(counted >= steps);
    REQUIRE_HIP(launch(function("add"), nullptr, 1, memory.get(), 100));
    CHECK(read_int(memory.get()) == counted + 100);
  }
}
