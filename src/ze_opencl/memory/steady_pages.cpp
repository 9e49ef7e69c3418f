#include "steady_pages.h"

#include <sys/mman.h>

namespace ze_opencl {
namespace {

void *map_at(void *wanted, size_t bytes, int flags) noexcept {
  void *const pages = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

} // namespace

void *map_steady_pages(uint64_t key, size_t bytes) noexcept {
  // Far from where systems put programs, libraries and stacks: 8 TiB of the 128 that a process has on x86-64.
  constexpr uintptr_t begin = 0x2000'0000'0000, place_bytes = 1 << 21, places = 1 << 22;
  constexpr uint64_t attempts = 16; // the same code may be loaded several times
  for (uint64_t i = 0; i < attempts; ++i) {
    void *const wanted = reinterpret_cast<void *>(begin + (key + i) % places * place_bytes);
    void *const pages = map_at(wanted, bytes, MAP_FIXED_NOREPLACE);
    if (pages == wanted)
      return pages;
    if (pages) // old kernels and sanitizers take the address for a wish
      unmap_pages(pages, bytes);
  }
  return map_at(nullptr, bytes, 0);
}

void unmap_pages(void *pages, size_t bytes) noexcept { munmap(pages, bytes); }

} // namespace ze_opencl
