#include "trap.h"

#include <atomic>
#include <sys/mman.h>

namespace ze_cpu {
namespace {

constexpr size_t page = 4096;
std::atomic<void *> known = nullptr; // read where a kernel has faulted: nothing may be made there

} // namespace

void *trap_address() {
  static void *const address = [] {
    void *memory =
        mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return static_cast<void *>(nullptr);
    known.store(memory, std::memory_order_release);
    return memory;
  }();
  return address;
}

bool is_trap(uintptr_t address) {
  const void *trap = known.load(std::memory_order_acquire);
  return trap && address - reinterpret_cast<uintptr_t>(trap) < page;
}

} // namespace ze_cpu
