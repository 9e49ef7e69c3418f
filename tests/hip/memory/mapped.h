// Memory that is created and mapped, for tests.
#pragma once

#include "fixture.h"

#include <cstdint>
#include <vector>

namespace fixture {

/// How memory is given to other processes.
inline constexpr auto as_descriptor = hipMemHandleTypePosixFileDescriptor;

inline hipMemAllocationProp
properties_of_memory(hipMemAllocationHandleType type = hipMemHandleTypeNone, int device = 0) {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = type;
  properties.location = {hipMemLocationTypeDevice, device};
  return properties;
}

inline size_t granularity() {
  const hipMemAllocationProp properties = properties_of_memory();
  size_t bytes = 0;
  REQUIRE_HIP(
      hipMemGetAllocationGranularity(&bytes, &properties, hipMemAllocationGranularityMinimum));
  return bytes;
}

/// Of so many units of the granularity.
inline hipMemGenericAllocationHandle_t
create_memory(size_t units = 1, hipMemAllocationHandleType type = hipMemHandleTypeNone) {
  const hipMemAllocationProp properties = properties_of_memory(type);
  hipMemGenericAllocationHandle_t handle = nullptr;
  REQUIRE_HIP(hipMemCreate(&handle, units * granularity(), &properties, 0));
  return handle;
}

inline hipError_t set_access(void *address, size_t bytes,
                             hipMemAccessFlags flags = hipMemAccessFlagsProtReadWrite) {
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, flags};
  return hipMemSetAccess(address, bytes, &access, 1);
}

/// Reserved addresses of so many units of the granularity. What is mapped to them is unmapped at the end.
class Addresses {
public:
  explicit Addresses(size_t units, size_t alignment = 0) : units_(units) {
    REQUIRE_HIP(hipMemAddressReserve(&base_, bytes(), alignment, nullptr, 0));
  }
  ~Addresses() {
    for (size_t i = 0; i < mapped_.size(); ++i)
      (void)hipMemUnmap(at(mapped_[i].first), mapped_[i].second * unit);
    (void)hipMemAddressFree(base_, bytes());
  }
  Addresses(const Addresses &) = delete;

  size_t bytes() const { return units_ * unit; }
  char *at(size_t first_unit) const { return static_cast<char *>(base_) + first_unit * unit; }
  int *ints(size_t first_unit = 0) const { return reinterpret_cast<int *>(at(first_unit)); }
  /// Maps the first units of the memory, to be used.
  void map(size_t first_unit, size_t units, hipMemGenericAllocationHandle_t handle) {
    REQUIRE_HIP(hipMemMap(at(first_unit), units * unit, 0, handle, 0));
    mapped_.emplace_back(first_unit, units);
    REQUIRE_HIP(set_access(at(first_unit), units * unit));
  }
  void unmap(size_t first_unit, size_t units) {
    REQUIRE_HIP(hipMemUnmap(at(first_unit), units * unit));
    std::erase(mapped_, std::pair(first_unit, units));
  }

  const size_t unit = granularity();

private:
  const size_t units_;
  void *base_ = nullptr;
  std::vector<std::pair<size_t, size_t>> mapped_;
};

inline int read_int(const void *address) {
  int value = -1;
  REQUIRE_HIP(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
  return value;
}

inline void write_int(void *address, int value) {
  REQUIRE_HIP(hipMemcpy(address, &value, sizeof value, hipMemcpyHostToDevice));
}

} // namespace fixture
