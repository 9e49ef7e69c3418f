// Whole pages of the process, and pages that lie in a file of the kernel's, so that other processes
// can have them too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ze_cpu {

/// The unit in which the machine maps memory.
size_t page_bytes();

/// Rounds up to a multiple of `to`. Throws std::bad_alloc where there is none.
size_t round_up(size_t bytes, size_t to);

/// Pages of 2 MB, where the machine has them: allocations from here on are aligned for them.
inline constexpr size_t huge_page_bytes = size_t{2} << 20;

/// Pages for allocations. Small blocks that were given back are kept and used again: fresh pages
/// cost the kernel more than clearing used ones.
class PageSupply {
public:
  PageSupply() = default;
  PageSupply(const PageSupply &) = delete;
  PageSupply &operator=(const PageSupply &) = delete;
  ~PageSupply();

  /// `bytes` (whole pages) whose first `cleared` bytes are zero. Throws std::bad_alloc.
  void *take(size_t bytes, size_t alignment, size_t cleared);
  /// Takes back what take() gave, unless something else is mapped there by now.
  void give_back(void *pages, size_t bytes);

private:
  static constexpr size_t max_kept_bytes = size_t{32} << 20;

  std::mutex mutex_;
  std::map<size_t, std::vector<void *>> kept_; // by size
  size_t kept_bytes_ = 0;
};

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
  /// is in them stays, if nobody writes meanwhile. Throws std::bad_alloc.
  void replace(void *pages, size_t bytes) const;

private:
  const int descriptor_;
};

} // namespace ze_cpu
