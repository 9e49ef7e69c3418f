// What tests of several drivers have on each device.
#pragma once

#include "../fixture.h"

#include <atomic>
#include <memory>
#include <vector>

namespace fixture {

/// Memory, kernels and streams of one device.
struct Side {
  static constexpr size_t count = 4096, bytes = count * sizeof(int);

  explicit Side(int device) : device(device), streams(make_streams(device)) {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data), bytes));
    REQUIRE_HIP(hipMemset(data, 0, bytes));
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
    REQUIRE_HIP(hipModuleGetFunction(&append_digit, module, "append_digit"));
    REQUIRE_HIP(hipModuleGetFunction(&wait_for_flag, module, "wait_for_flag"));
  }
  ~Side() {
    (void)hipSetDevice(device);
    (void)hipModuleUnload(module);
    (void)hipFree(data);
  }
  Side(const Side &) = delete;

  void select() const { REQUIRE_HIP(hipSetDevice(device)); }
  std::vector<int> values() const {
    std::vector<int> values(count);
    REQUIRE_HIP(hipMemcpy(values.data(), data, bytes, hipMemcpyDeviceToHost));
    return values;
  }

  int device;
  Streams streams;
  int *data = nullptr;
  hipModule_t module = nullptr;
  hipFunction_t add = nullptr, append_digit = nullptr, wait_for_flag = nullptr;

private:
  static Streams make_streams(int device) {
    REQUIRE_HIP(hipSetDevice(device));
    return Streams(2, hipStreamNonBlocking);
  }
};

inline std::vector<int> numbers(int first) {
  std::vector<int> values(Side::count);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = first + int(i);
  return values;
}

inline void open(const HostMemory<int> &gate) { std::atomic_ref(gate[0]).store(1); }

/// An object that is never destroyed, such as what is of lost devices, and that LeakSanitizer finds to be in use for ever.
template <class Object, class... Arguments> Object &kept(Arguments... arguments) {
  static auto &all = *new std::vector<std::unique_ptr<Object>>;
  return *all.emplace_back(std::make_unique<Object>(arguments...));
}

} // namespace fixture
