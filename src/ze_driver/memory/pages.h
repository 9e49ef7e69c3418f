// Whole pages of the process.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace ze_driver {

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

} // namespace ze_driver
