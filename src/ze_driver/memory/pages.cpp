#include "pages.h"
#include "../../common/align.h"

#include "../ipc/shared_file.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace ze_driver {

using common::round_up;

namespace {

/// Fresh zero pages, aligned as asked for; what the mapping has too much at its ends is given back.
void *map_pages(size_t bytes, size_t alignment) {
  const size_t slack = alignment > page_bytes() ? alignment : 0;
  if (bytes > SIZE_MAX - slack)
    throw std::bad_alloc();
  const size_t total = bytes + slack;
  void *mapping = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  if (slack == 0)
    return mapping;
  const auto start = reinterpret_cast<uintptr_t>(mapping);
  const uintptr_t base = round_up(start, alignment);
  if (base != start)
    munmap(mapping, base - start);
  if (const size_t tail = start + total - (base + bytes))
    munmap(reinterpret_cast<void *>(base + bytes), tail);
  return reinterpret_cast<void *>(base);
}

} // namespace

PageSupply::~PageSupply() {
  for (const auto &[bytes, blocks] : kept_)
    for (void *pages : blocks)
      munmap(pages, bytes);
}

void *PageSupply::take(size_t bytes, size_t alignment, size_t cleared) {
  void *used = nullptr;
  if (bytes < huge_page_bytes && alignment <= page_bytes()) {
    std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(bytes); found != kept_.end() && !found->second.empty()) {
      used = found->second.back();
      found->second.pop_back();
      kept_bytes_ -= bytes;
    }
  }
  if (used) {
    // The memory of GPUs comes in pages that were cleared, and programs have come to rely on it.
    std::memset(used, 0, cleared);
    return used;
  }
  void *fresh = map_pages(bytes, alignment);
  if (bytes >= huge_page_bytes) {
    madvise(fresh, bytes, MADV_HUGEPAGE); // only speed
  } else {
#ifdef MADV_POPULATE_WRITE
    madvise(fresh, bytes, MADV_POPULATE_WRITE); // at once is cheaper than one by one
#endif
  }
  return fresh;
}

void PageSupply::give_back(void *pages, size_t bytes) {
  if (bytes < huge_page_bytes) {
    std::lock_guard lock(mutex_);
    if (kept_bytes_ + bytes <= max_kept_bytes) {
      kept_[bytes].push_back(pages);
      kept_bytes_ += bytes;
      return;
    }
  }
  munmap(pages, bytes);
}

} // namespace ze_driver
