/// malloc, free, new and delete in kernels: memory from a heap of fixed size
/// (hipLimitMallocHeapSize), which any kernel of the device may free.
///
/// No thread waits for another: threads of a block need not run at the same time.
#pragma once

#include <hip/spirv_detail/invocation.h>
#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/services/heap.h>

/// Defined by the device compiler.
extern "C" __device__ chip_device::Heap *__chip_heap_address();

namespace chip_device {

class HeapAllocator {
public:
  __device__ explicit HeapAllocator(Heap &heap) : heap_(heap) {}

  __device__ void *allocate(unsigned long bytes) {
    if (bytes <= heap_.page_bytes / 2)
      return allocate_slot(bytes);
    const unsigned long pages = (bytes - 1) / heap_.page_bytes + 1;
    if (pages > heap_.page_count)
      return nullptr;
    // Threads of a warp that do the same at the same time would only get into each other's way.
    void *result = nullptr;
    for (unsigned turn = 0; turn < warp_size; ++turn)
      if (turn == thread_index(0) % warp_size)
        result = allocate_pages(static_cast<unsigned>(pages));
    return result;
  }

  __device__ void free(void *pointer) {
    const unsigned long offset =
        static_cast<unsigned long>(static_cast<char *>(pointer) - heap_.pages);
    const unsigned long page = offset / heap_.page_bytes;
    if (page >= heap_.page_count) // null, or not of this heap
      return;
    const unsigned state = load(heap_.states[page]);
    const unsigned kind = state >> count_bits;
    if (kind == first_page) {
      for (unsigned i = state & count_mask; i-- > 0;)
        store(heap_.states[page + i], 0);
    } else if (kind != 0 && kind < claimed) {
      const unsigned long slot = offset % heap_.page_bytes / slot_bytes(kind);
      const unsigned bit = 1u << slot % 32;
      const unsigned before = __hip_atomic_fetch_and(taken(page) + slot / 32, ~bit,
                                                     __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
      if (before & bit) // else it is free already
        remove_slot(heap_.states[page]);
    }
  }

private:
  // What a page holds, besides slots of a size: those are numbered from 1.
  static constexpr unsigned claimed = 253, first_page = 254, later_page = 255;
  static constexpr unsigned count_bits = 24, count_mask = (1u << count_bits) - 1;

  // Four sizes from each power of two to the next: 16, 32, 48, 64, 80, 96, 112, 128, 160, ...
  static __device__ unsigned long slot_bytes(unsigned kind) {
    const unsigned group = (kind - 1) / 4;
    const unsigned long quarter = Heap::unit << (group > 0 ? group - 1 : 0);
    return quarter * ((kind - 1) % 4 + 1 + (group > 0 ? 4 : 0));
  }

  static __device__ unsigned load(unsigned &word) {
    return __hip_atomic_load(&word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  static __device__ void store(unsigned &word, unsigned value) {
    __hip_atomic_store(&word, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
  /// `expected` becomes what was there.
  static __device__ bool exchange(unsigned &word, unsigned &expected, unsigned value) {
    return __hip_atomic_compare_exchange_strong(&word, &expected, value, __ATOMIC_ACQ_REL,
                                                __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  }

  __device__ unsigned *taken(unsigned long page) {
    return heap_.taken + page * (heap_.page_bytes / Heap::unit / 32);
  }

  // The page is known to be of this kind as long as one of its slots is counted.
  static __device__ bool count_slot(unsigned &state, unsigned kind, unsigned capacity,
                                    bool also_free) {
    unsigned found = load(state);
    for (;;) {
      unsigned next = found + 1;
      if (found == 0 && also_free)
        next = kind << count_bits | 1;
      else if (found >> count_bits != kind || (found & count_mask) >= capacity)
        return false;
      if (exchange(state, found, next))
        return true;
    }
  }
  static __device__ void remove_slot(unsigned &state) {
    unsigned found = load(state);
    while (!exchange(state, found, (found & count_mask) > 1 ? found - 1 : 0)) {
    }
  }

  // There is one for each that counted itself.
  __device__ unsigned long take_slot(unsigned page, unsigned capacity) {
    const unsigned words = (capacity + 31) / 32;
    const unsigned last = capacity % 32 ? (1u << capacity % 32) - 1 : ~0u;
    unsigned word = (thread_index(0) + block_index(0) * 7) % words;
    for (;; word = word + 1 < words ? word + 1 : 0) {
      unsigned *bits = taken(page) + word;
      const unsigned usable = word + 1 < words ? ~0u : last;
      for (unsigned open = ~load(*bits) & usable; open != 0;) {
        const unsigned bit = open & -open;
        const unsigned before =
            __hip_atomic_fetch_or(bits, bit, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
        if (!(before & bit))
          return word * 32ul + static_cast<unsigned long>(__builtin_ctz(bit));
        open = ~before & usable & ~bit;
      }
    }
  }

  __device__ void *allocate_slot(unsigned long bytes) {
    unsigned kind = 1;
    while (slot_bytes(kind) < bytes)
      ++kind;
    const auto capacity = static_cast<unsigned>(heap_.page_bytes / slot_bytes(kind));
    for (int also_free = 0; also_free < 2; ++also_free)
      for (unsigned page = 0; page < heap_.page_count; ++page)
        if (count_slot(heap_.states[page], kind, capacity, also_free))
          return heap_.pages + page * heap_.page_bytes +
                 take_slot(page, capacity) * slot_bytes(kind);
    return nullptr;
  }

  // From the other end than slots, so that neighbours stay free.
  __device__ void *allocate_pages(unsigned count) {
    // Pages that another thread claims may come free again if it finds too few.
    constexpr int most_attempts = 64;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      bool met_claims = false;
      unsigned got = 0;
      for (unsigned page = heap_.page_count; page-- > 0;) {
        unsigned found = 0;
        if (exchange(heap_.states[page], found, claimed << count_bits)) {
          if (++got < count)
            continue;
          for (unsigned i = 1; i < count; ++i)
            store(heap_.states[page + i], later_page << count_bits);
          store(heap_.states[page], first_page << count_bits | count);
          return heap_.pages + page * heap_.page_bytes;
        }
        met_claims |= found >> count_bits == claimed;
        for (; got > 0; --got)
          store(heap_.states[page + got], 0);
      }
      for (; got > 0; --got)
        store(heap_.states[got - 1], 0);
      if (!met_claims)
        break;
    }
    return nullptr;
  }

  Heap &heap_;
};

__device__ inline void *allocate(unsigned long bytes) {
  Heap *heap = __chip_heap_address();
  return heap ? HeapAllocator(*heap).allocate(bytes) : nullptr;
}
__device__ inline void free(void *pointer) {
  Heap *heap = __chip_heap_address();
  if (heap && pointer)
    HeapAllocator(*heap).free(pointer);
}

/// Sizes that are powers of two begin at multiples of themselves, up to the start of a page.
CHIP_DEVICE void *allocate_aligned(unsigned long bytes, unsigned long alignment) {
  unsigned long size = alignment;
  while (size < bytes)
    size *= 2;
  return alignment <= Heap::page_multiple ? allocate(size) : nullptr;
}

} // namespace chip_device

/// Null if the heap is exhausted.
extern "C" __device__ inline void *malloc(__SIZE_TYPE__ bytes) {
  return chip_device::allocate(bytes);
}
extern "C" __device__ inline void free(void *pointer) { chip_device::free(pointer); }

// Kernels cannot catch, so new returns null where malloc does. clang's wrapper around <new> has the
// plain forms, made of malloc and free; hiprtc compiles without the standard headers.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
#if __has_include(<new>)
#include <new>
#if defined(__HIP_DEVICE_COMPILE__)
// For new (std::nothrow), whose functions never look at it.
namespace std {
extern __device__ const nothrow_t nothrow;
}
#endif
#else
namespace std {
enum class align_val_t : __SIZE_TYPE__ {};
}
#define CHIP_NEW(function)                                                                         \
  __device__ inline void *operator function(__SIZE_TYPE__ bytes) {                                 \
    return chip_device::allocate(bytes);                                                           \
  }                                                                                                \
  __device__ inline void *operator function(__SIZE_TYPE__, void *place) noexcept { return place; }
#define CHIP_DELETE(function)                                                                      \
  __device__ inline void operator function(void *pointer) noexcept { chip_device::free(pointer); } \
  __device__ inline void operator function(void *pointer, __SIZE_TYPE__) noexcept {                \
    chip_device::free(pointer);                                                                    \
  }                                                                                                \
  __device__ inline void operator function(void *, void *) noexcept {}
CHIP_NEW(new)
CHIP_NEW(new[])
CHIP_DELETE(delete)
CHIP_DELETE(delete[])
#undef CHIP_NEW
#undef CHIP_DELETE
#endif
#if __cpp_aligned_new
#define CHIP_NEW(function)                                                                         \
  __device__ inline void *operator function(__SIZE_TYPE__ bytes, std::align_val_t alignment) {     \
    return chip_device::allocate_aligned(bytes, static_cast<__SIZE_TYPE__>(alignment));            \
  }
#define CHIP_DELETE(function)                                                                      \
  __device__ inline void operator function(void *pointer, std::align_val_t) noexcept {             \
    chip_device::free(pointer);                                                                    \
  }                                                                                                \
  __device__ inline void operator function(void *pointer, __SIZE_TYPE__,                           \
                                           std::align_val_t) noexcept {                            \
    chip_device::free(pointer);                                                                    \
  }
CHIP_NEW(new)
CHIP_NEW(new[])
CHIP_DELETE(delete)
CHIP_DELETE(delete[])
#undef CHIP_NEW
#undef CHIP_DELETE
#endif
#pragma clang diagnostic pop
