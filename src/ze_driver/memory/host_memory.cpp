#include "host_memory.h"
#include "../../common/align.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace ze_driver {

using common::round_up;

namespace {

constexpr int untouchable = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
int protection_of(PageAccess access) {
  switch (access) {
  case PageAccess::read_write:
    return PROT_READ | PROT_WRITE;
  case PageAccess::read_only:
    return PROT_READ;
  case PageAccess::none:
    break;
  }
  return PROT_NONE;
}

} // namespace

uint64_t HostMemory::total_bytes() const {
  static const uint64_t bytes = [] {
    uint64_t total = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * ze_driver::page_bytes();
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      total = std::min<uint64_t>(total, limit.rlim_cur);
    return total;
  }();
  return bytes;
}

Placement HostMemory::allocate(size_t size, size_t alignment, MemoryKind, DeviceBackend *, bool) {
  const size_t bytes = round_up(size, page_bytes());
  if (size >= huge_page_bytes)
    alignment = std::max(alignment, huge_page_bytes);
  void *pages = pages_.take(bytes, alignment, size);
  return {pages, pages, bytes};
}

void HostMemory::free(const Placement &placement) noexcept {
  pages_.give_back(placement.mapping, placement.mapped_bytes);
}

std::shared_ptr<SharedFile> HostMemory::create_file(size_t bytes) {
  return SharedFile::create(bytes);
}

void *HostMemory::map(const FileRange &range, size_t bytes, PageAccess access, void *at) {
  return range.file->map(range.offset, bytes, protection_of(access), at);
}

void HostMemory::unmap(void *pages, size_t bytes) noexcept { munmap(pages, bytes); }

void *HostMemory::reserve(const void *wanted, size_t bytes) {
  void *base = mmap(const_cast<void *>(wanted), bytes, PROT_NONE, untouchable, -1, 0);
  if (base == MAP_FAILED)
    throw std::bad_alloc();
  return base;
}

void HostMemory::unreserve(void *base, size_t bytes) noexcept { munmap(base, bytes); }

void HostMemory::clear(void *base, size_t bytes) noexcept {
  mmap(base, bytes, PROT_NONE, untouchable | MAP_FIXED, -1, 0);
}

bool HostMemory::protect(void *base, size_t bytes, PageAccess access) {
  return mprotect(base, bytes, protection_of(access)) == 0;
}

} // namespace ze_driver
