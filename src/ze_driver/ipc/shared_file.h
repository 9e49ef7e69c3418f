// Memory that lies in a file of the kernel's, so that other processes can have it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ze_driver {

/// The unit in which the host maps memory.
size_t page_bytes();

/// Memory with a file descriptor. The memory exists until the last process has unmapped and closed
/// it.
class SharedFile {
public:
  /// `bytes` of zeroes (whole pages). Throws std::bad_alloc.
  static std::shared_ptr<SharedFile> create(size_t bytes);
  /// Takes over a descriptor of such a file.
  static std::shared_ptr<SharedFile> adopt(int descriptor);

  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
  SharedFile(const SharedFile &) = delete;
  SharedFile &operator=(const SharedFile &) = delete;
  ~SharedFile();

  int descriptor() const { return descriptor_; }
  /// 0: not known.
  uint64_t bytes() const;

  /// Maps pages of the file: anywhere, or, where pages of the process are to be replaced, at `at`.
  /// Throws std::bad_alloc.
  void *map(size_t offset, size_t bytes, int protection, void *at = nullptr) const;
  /// Puts the pages at `pages` into the file, from its beginning, and the file in their place. What
  /// is in them stays, if nothing writes meanwhile. Throws std::bad_alloc.
  void replace(void *pages, size_t bytes) const;

private:
  const int descriptor_;
};

} // namespace ze_driver
