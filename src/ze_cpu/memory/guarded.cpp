#include "guarded.h"
#include "../../common/align.h"

#include "../../ze_driver/ipc/shared_file.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace ze_cpu {

using ze_driver::page_bytes;

namespace {

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

} // namespace

GuardedMemory map_guarded(size_t size, size_t alignment) {
  const size_t page = page_bytes();
  if (size > SIZE_MAX / 4 || alignment > SIZE_MAX / 4)
    throw std::bad_alloc();
  const size_t pages = common::round_up(size, page);
  const size_t slack = alignment > page ? alignment : 0; // to find an aligned place in
  const size_t total = page + slack + pages + page;
  void *mapping = mmap(nullptr, total, PROT_NONE, reserved, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  const uintptr_t start = reinterpret_cast<uintptr_t>(mapping) + page;
  const uintptr_t base =
      slack ? common::round_up(start, alignment) : (start + pages - size) / alignment * alignment;
  const uintptr_t first = base / page * page;
  const uintptr_t end = common::round_up(base + size, page);
  if (mprotect(reinterpret_cast<void *>(first), end - first, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, total);
    throw std::bad_alloc();
  }
  return {reinterpret_cast<void *>(base), mapping, total};
}

void make_inaccessible(void *mapping, size_t bytes) {
  // One call for both: nothing else can be mapped there meanwhile.
  if (mmap(mapping, bytes, PROT_NONE, reserved | MAP_FIXED, -1, 0) == MAP_FAILED)
    mprotect(mapping, bytes, PROT_NONE);
}

} // namespace ze_cpu
