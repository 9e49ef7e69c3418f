// HIP API reference: Memory management. Copies from and to memory of the program that is not there, or may not be touched so.
#include "fixture.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace fixture;

namespace {

constexpr size_t page = 4096, largest = 4 << 20;

/// Address space of the program: inaccessible pages, with read-only ones before them.
struct Pages {
  std::byte *none, *read_only;

  Pages() {
    auto *all = static_cast<std::byte *>(
        mmap(nullptr, 2 * largest, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    REQUIRE(all != MAP_FAILED);
    REQUIRE(mprotect(all, largest, PROT_READ) == 0);
    read_only = all;
    none = all + largest;
  }
  ~Pages() { munmap(read_only, 2 * largest); }
};

struct DeviceMemory {
  void *data = nullptr;
  DeviceMemory() { REQUIRE_HIP(hipMalloc(&data, largest)); }
  ~DeviceMemory() { (void)hipFree(data); }
};

/// Copies whose source, or destination, is memory of the program.
using Copy = std::function<hipError_t(void *host, void *device, size_t bytes)>;

const std::vector<Copy> reads = {
    [](void *h, void *d, size_t n) { return hipMemcpy(d, h, n, hipMemcpyHostToDevice); },
    [](void *h, void *d, size_t n) { return hipMemcpy(d, h, n, hipMemcpyDefault); },
    [](void *h, void *d, size_t n) {
      return hipMemcpyAsync(d, h, n, hipMemcpyHostToDevice, nullptr);
    },
    [](void *h, void *d, size_t n) { return hipMemcpyHtoD(d, h, n); },
    [](void *h, void *d, size_t n) { return hipMemcpyHtoDAsync(d, h, n, nullptr); },
    [](void *h, void *d, size_t n) {
      return hipMemcpyWithStream(d, h, n, hipMemcpyHostToDevice, nullptr);
    },
    [](void *h, void *d, size_t n) {
      return hipMemcpy2D(d, n / 2, h, n / 2, n / 4, 2, hipMemcpyHostToDevice);
    },
    [](void *h, void *d, size_t n) {
      return hipMemcpy2DAsync(d, n / 2, h, n / 2, n / 4, 2, hipMemcpyHostToDevice, nullptr);
    },
    [](void *h, void *, size_t n) {
      std::vector<std::byte> other(n);
      return hipMemcpy(other.data(), h, n, hipMemcpyHostToHost);
    },
};

const std::vector<Copy> writes = {
    [](void *h, void *d, size_t n) { return hipMemcpy(h, d, n, hipMemcpyDeviceToHost); },
    [](void *h, void *d, size_t n) { return hipMemcpy(h, d, n, hipMemcpyDefault); },
    [](void *h, void *d, size_t n) {
      return hipMemcpyAsync(h, d, n, hipMemcpyDeviceToHost, nullptr);
    },
    [](void *h, void *d, size_t n) { return hipMemcpyDtoH(h, d, n); },
    [](void *h, void *d, size_t n) { return hipMemcpyDtoHAsync(h, d, n, nullptr); },
    [](void *h, void *d, size_t n) {
      return hipMemcpy2D(h, n / 2, d, n / 2, n / 4, 2, hipMemcpyDeviceToHost);
    },
    [](void *h, void *d, size_t n) {
      return hipMemcpy2DAsync(h, n / 2, d, n / 2, n / 4, 2, hipMemcpyDeviceToHost, nullptr);
    },
    [](void *h, void *, size_t n) {
      std::vector<std::byte> other(n);
      return hipMemcpy(h, other.data(), n, hipMemcpyHostToHost);
    },
};

void require_alive(void *device) {
  int value = 41, back = 0;
  REQUIRE_HIP(hipMemcpy(device, &value, sizeof value, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipMemcpy(&back, device, sizeof back, hipMemcpyDeviceToHost));
  REQUIRE_HIP(hipDeviceSynchronize());
}

} // namespace

TEST_CASE("hip bad address: copies from memory that is not there are refused") {
  DeviceMemory device;
  Pages pages;
  for (const Copy &copy : reads)
    for (size_t bytes : {size_t(4), size_t(64), page, size_t(100'000), size_t(1) << 20, largest}) {
      INFO("copy " << &copy - reads.data() << ", " << bytes << " bytes");
      REQUIRE(copy(pages.none, device.data, bytes) == hipErrorInvalidValue);
      REQUIRE(hipGetLastError() == hipErrorInvalidValue);
      REQUIRE(copy(reinterpret_cast<void *>(64), device.data, bytes) == hipErrorInvalidValue);
      REQUIRE(copy(reinterpret_cast<void *>(0x7234'5678'9abc'def0), device.data, bytes) ==
              hipErrorInvalidValue);
      // The last byte is beyond the end.
      REQUIRE(copy(pages.none - bytes / 4 + 1, device.data, bytes) == hipErrorInvalidValue);
      REQUIRE_HIP(copy(pages.none - bytes, device.data, bytes));
    }
  require_alive(device.data);
}

TEST_CASE(
    "hip bad address: copies to memory that is not there or must not be written are refused") {
  DeviceMemory device;
  Pages pages;
  for (const Copy &copy : writes)
    for (size_t bytes : {size_t(4), size_t(64), page, size_t(100'000), size_t(1) << 20, largest}) {
      INFO("copy " << &copy - writes.data() << ", " << bytes << " bytes");
      REQUIRE(copy(pages.none, device.data, bytes) == hipErrorInvalidValue);
      REQUIRE(copy(pages.read_only, device.data, bytes) == hipErrorInvalidValue);
      REQUIRE(copy(reinterpret_cast<void *>(64), device.data, bytes) == hipErrorInvalidValue);
      REQUIRE(copy(reinterpret_cast<void *>(0x7234'5678'9abc'def0), device.data, bytes) ==
              hipErrorInvalidValue);
    }
  require_alive(device.data);
}

TEST_CASE("hip bad address: rows of a copy may have pages that are not there between them") {
  DeviceMemory device;
  Pages pages;
  REQUIRE(mprotect(pages.none, page, PROT_READ | PROT_WRITE) == 0);
  REQUIRE(mprotect(pages.none + 4 * page, page, PROT_READ | PROT_WRITE) == 0);
  REQUIRE_HIP(hipMemcpy2D(pages.none, 4 * page, device.data, page, page, 2, hipMemcpyDeviceToHost));
  REQUIRE_HIP(hipMemcpy2D(device.data, page, pages.none, 4 * page, page, 2, hipMemcpyHostToDevice));
  REQUIRE(hipMemcpy2D(device.data, page, pages.none, 4 * page, page, 3, hipMemcpyHostToDevice) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemcpy2D(pages.none, 4 * page, device.data, page, page, 3, hipMemcpyDeviceToHost) ==
          hipErrorInvalidValue);
  require_alive(device.data);
}

TEST_CASE("hip bad address: memory that was freed is not there") {
  DeviceMemory device;
  void *memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  REQUIRE_HIP(hipMemcpyAsync(device.data, memory, 64, hipMemcpyHostToDevice, nullptr));
  munmap(memory, page);
  REQUIRE(hipMemcpyAsync(device.data, memory, 64, hipMemcpyHostToDevice, nullptr) ==
          hipErrorInvalidValue);
  require_alive(device.data);
}

TEST_CASE("hip bad address: memory that is not there is not registered") {
  Pages pages;
  for (void *address : {static_cast<void *>(pages.none), reinterpret_cast<void *>(64),
                        static_cast<void *>(pages.none - page)})
    REQUIRE(hipHostRegister(address, 2 * page, 0) == hipErrorInvalidValue);
  REQUIRE(hipHostRegister(pages.none - page, largest, 0) == hipErrorInvalidValue);
}

namespace {
volatile sig_atomic_t handled = 0;
void *allowed = nullptr;
void allow(int, siginfo_t *, void *) {
  handled = handled + 1;
  mprotect(allowed, page, PROT_READ | PROT_WRITE);
}
} // namespace

/// While it lives, the program has a handler of its own, which makes the page at `allowed` one that may be written.
struct OwnHandler {
  struct sigaction before = {};

  explicit OwnHandler(void *page) {
    allowed = page;
    handled = 0;
    struct sigaction action = {};
    action.sa_sigaction = allow;
    action.sa_flags = SA_SIGINFO;
    REQUIRE(sigaction(SIGSEGV, &action, &before) == 0);
  }
  ~OwnHandler() { sigaction(SIGSEGV, &before, nullptr); }
};

TEST_CASE(
    "hip bad address: faults of the program reach its own handler, and those of copies do not") {
  DeviceMemory device;
  Pages pages;
  REQUIRE(hipMemcpyHtoD(device.data, pages.none, 64) == hipErrorInvalidValue);
  const OwnHandler handler(pages.none);
  REQUIRE(hipMemcpyHtoDAsync(device.data, pages.none, 64, nullptr) == hipErrorInvalidValue);
  REQUIRE(handled == 0);
  *reinterpret_cast<volatile int *>(pages.none) = 1;
  REQUIRE(handled == 1);
  REQUIRE_HIP(hipMemcpyHtoDAsync(device.data, pages.none, 64, nullptr));
}

TEST_CASE("hip bad address: a handler of the program may be installed right before a bad copy") {
  DeviceMemory device;
  Pages pages;
  for (int round = 0; round < 20; ++round) {
    int value = round;
    REQUIRE_HIP(hipMemcpyHtoD(device.data, &value, sizeof value));
    const OwnHandler handler(pages.none);
    REQUIRE(hipMemcpyHtoD(device.data, pages.none, 64) == hipErrorInvalidValue);
    REQUIRE(handled == 0);
  }
}

TEST_CASE("hip bad address: a handler of the program is found behind those of several libraries") {
  DeviceMemory device;
  Pages pages;
  const OwnHandler handler(pages.none);
  HostMemory<float> values(4, 1.f);
  std::vector<std::byte> own(4 * page);
  for (int round = 0; round < 4; ++round) {
    // Kernels and copies each see to the handlers that they need, unless they did so right before.
    REQUIRE_HIP(launch(function("scale"), nullptr, 4, values.get()));
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE_HIP(hipMemcpyHtoD(device.data, &own[round * page], page));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  *reinterpret_cast<volatile int *>(pages.none) = 1;
  REQUIRE(handled == 1);
}
