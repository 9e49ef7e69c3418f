#include "host_memory.h"
#include "../../common/align.h"

#include "../exec/frozen_pages.h"
#include "guarded.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace ze_cpu {

using common::round_up;

namespace {

constexpr int untouchable = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
int protection_of(ze_driver::PageAccess access) {
  switch (access) {
  case ze_driver::PageAccess::read_write:
    return PROT_READ | PROT_WRITE;
  case ze_driver::PageAccess::read_only:
    return PROT_READ;
  case ze_driver::PageAccess::none:
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

HostMemory::Placement HostMemory::allocate(size_t size, size_t alignment, ze_driver::MemoryKind,
                                           ze_driver::DeviceBackend *, bool guard) {
  if (guard) {
    const GuardedMemory memory = map_guarded(size, alignment);
    return {memory.base, memory.mapping, memory.mapping_bytes};
  }
  const size_t bytes = round_up(size, page_bytes());
  if (size >= huge_page_bytes)
    alignment = std::max(alignment, huge_page_bytes);
  void *pages = pages_.take(bytes, alignment, size);
  return {pages, pages, bytes};
}

void HostMemory::free(const Placement &placement) noexcept {
  if (guarded_)
    munmap(placement.mapping, placement.mapped_bytes);
  else
    pages_.give_back(placement.mapping, placement.mapped_bytes);
}

void HostMemory::hide(const Placement &placement) noexcept {
  make_inaccessible(placement.mapping, placement.mapped_bytes);
}

std::shared_ptr<ze_driver::SharedFile> HostMemory::create_file(size_t bytes) {
  return SharedFile::create(bytes);
}

void *HostMemory::map(const FileRange &range, size_t bytes, PageAccess access, void *at) {
  return range.file->map(range.offset, bytes, protection_of(access), at);
}

void HostMemory::unmap(void *pages, size_t bytes) noexcept { munmap(pages, bytes); }

std::shared_ptr<ze_driver::SharedFile> HostMemory::move_to_file(void *pages, size_t bytes) {
  auto file = SharedFile::create(bytes);
  const FrozenPages frozen(pages, bytes);
  file->replace(pages, bytes);
  return file;
}

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

} // namespace ze_cpu
