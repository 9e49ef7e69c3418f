#include "fiber_stacks.h"
#include "../../../common/align.h"

#include <sys/mman.h>
#include <unistd.h>

namespace ze_cpu {

namespace {

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

} // namespace

size_t FiberStacks::stride(size_t bytes, bool guarded) {
  const size_t page = page_bytes();
  return common::round_up(bytes + stagger_step * stagger_period, page) + (guarded ? page : 0);
}

bool FiberStacks::is_overflow(const FaultGuard &fault) const {
  if (!mapping_ || !fault.address_known)
    return false;
  // A frame that is larger than a guarded page may begin below it.
  constexpr uintptr_t largest_frame = 16 << 20;
  const uintptr_t address = fault.address, base = reinterpret_cast<uintptr_t>(base_);
  if (address < base)
    return base - address <= page_bytes() || // that page lies below all
           (fault.stack_pointer < base && base - fault.stack_pointer < largest_frame &&
            address + page_bytes() >= fault.stack_pointer);
  const uintptr_t offset = address - base;
  return offset < count_ * stride_ && offset % stride_ < guard_;
}

FiberStacks::~FiberStacks() { release(); }

void FiberStacks::release() {
  if (mapping_)
    munmap(mapping_, mapping_bytes_);
  mapping_ = nullptr;
  base_ = nullptr;
  mapping_bytes_ = count_ = stride_ = guard_ = 0;
}

bool FiberStacks::reserve(size_t count, size_t bytes, bool guarded) {
  const size_t page = page_bytes();
  const size_t guard = guarded ? page : 0;
  size_t stride = FiberStacks::stride(bytes, guarded);
  if (count <= count_ && stride <= stride_ && (!guarded || guard_))
    return true;
  count = count > count_ ? count : count_;
  stride = stride > stride_ ? stride : stride_;
  release();
  size_t total;
  if (__builtin_mul_overflow(count, stride, &total) || __builtin_add_overflow(total, page, &total))
    return false;
  // Pages cost nothing until a fiber touches them.
  void *memory = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  // Below the first stack lies foreign memory: that page is always guarded.
  mprotect(memory, page, PROT_NONE);
  mapping_ = memory;
  mapping_bytes_ = total;
  base_ = static_cast<std::byte *>(memory) + page;
  count_ = count;
  stride_ = stride;
  guard_ = guard;
  // Each protected page splits the mapping, and mappings are limited: without the page an overflow
  // corrupts a neighbour of the same group, which is what a GPU would do.
  for (size_t i = 0; guard && i < count; ++i)
    if (mprotect(base_ + i * stride, page, PROT_NONE) != 0)
      break;
  return true;
}

} // namespace ze_cpu
