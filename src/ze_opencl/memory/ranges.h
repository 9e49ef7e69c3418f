// What OpenCL has allocated.
#pragma once

#include <cstddef>
#include <flat_map>
#include <functional>
#include <span>

namespace ze_opencl {

class Ranges {
public:
  /// Throws std::bad_alloc.
  void add(void *begin, size_t bytes) { bytes_.insert_or_assign(begin, bytes); }
  void remove(void *begin) { bytes_.erase(begin); }

  std::span<void *const> begins() const { return bytes_.keys(); }
  bool contains(const void *pointer) const {
    const auto behind = bytes_.upper_bound(const_cast<void *>(pointer));
    if (behind == bytes_.begin())
      return false;
    const auto [begin, bytes] = *std::prev(behind);
    return static_cast<size_t>(static_cast<const std::byte *>(pointer) -
                               static_cast<const std::byte *>(begin)) < bytes;
  }

private:
  std::flat_map<void *, size_t, std::less<>> bytes_;
};

} // namespace ze_opencl
