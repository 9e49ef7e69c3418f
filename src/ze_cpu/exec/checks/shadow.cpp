#include "shadow.h"

#include "../../../common/align.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace ze_cpu {

void *reserve_zeroes(size_t bytes) {
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return memory;
}

Shadow::Shadow() {
  constexpr size_t chunks = size_t(1) << (address_bits - chunk_bits);
  marks_ = static_cast<std::atomic<uint64_t *> *>(reserve_zeroes(chunks * sizeof *marks_));
  unwritten_ = static_cast<std::atomic<std::atomic<uint8_t> *> *>(
      reserve_zeroes(chunks * sizeof *unwritten_));
}

Shadow &Shadow::instance() {
  static auto *const all = new Shadow; // threads may outlive static objects
  return *all;
}

template <class T> T *Shadow::add(std::atomic<T *> &place, size_t bytes) {
  auto *const fresh = static_cast<T *>(reserve_zeroes(bytes));
  T *known = nullptr;
  if (place.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
    return fresh;
  munmap(fresh, bytes);
  return known;
}

uint64_t *Shadow::add_marks(uintptr_t chunk) try {
  return add(marks_[chunk], (reads_at + chunk_bytes / cell_bytes) * sizeof(uint64_t));
} catch (const std::bad_alloc &) {
  return nullptr;
}

// Whole pages only: what is beside them may be another's, and what stays is too old to matter.
static void give_back(uint64_t *begin, uint64_t *end) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = common::round_up(reinterpret_cast<uintptr_t>(begin), page),
             last = reinterpret_cast<uintptr_t>(end) / page * page;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
}

void Shadow::forget(uintptr_t address, size_t bytes) {
  while (bytes != 0 && !(address >> address_bits)) {
    const uintptr_t in_chunk = address & (chunk_bytes - 1);
    const size_t part = std::min<size_t>(bytes, chunk_bytes - in_chunk);
    if (uint64_t *const marks = marks_[address >> chunk_bits].load(std::memory_order_acquire))
      for (uint64_t *const kind : {marks, marks + reads_at})
        give_back(kind + in_chunk / cell_bytes, kind + (in_chunk + part) / cell_bytes);
    address += part;
    bytes -= part;
  }
}

namespace {

/// The bits of the bytes from `address` on that are in its byte of bits, at most `bytes` of them.
struct Bits {
  uint8_t mask;
  uint32_t count;
  Bits(uintptr_t address, size_t bytes) {
    const uint32_t first = address & 7;
    count = static_cast<uint32_t>(std::min<size_t>(bytes, 8 - first));
    mask = static_cast<uint8_t>(((1u << count) - 1) << first);
  }
};

} // namespace

void Shadow::set_unwritten(uintptr_t address, size_t bytes, bool are_unwritten) {
  while (bytes != 0 && !(address >> address_bits)) {
    const Bits bits(address, bytes);
    std::atomic<uint8_t> *place = unwritten(address);
    if (!place && are_unwritten)
      add(unwritten_[address >> chunk_bits], chunk_bytes / 8), place = unwritten(address);
    size_t done = bits.count;
    if (place && are_unwritten)
      place->fetch_or(bits.mask, std::memory_order_relaxed);
    else if (place && (place->load(std::memory_order_relaxed) & bits.mask) != 0)
      place->fetch_and(static_cast<uint8_t>(~bits.mask), std::memory_order_relaxed);
    else if (!place) // nothing of the chunk is
      done = std::min<size_t>(bytes, chunk_bytes - (address & (chunk_bytes - 1)));
    if (place && bits.count == 8) { // whole bytes of bits
      const size_t whole = std::min<size_t>(bytes, chunk_bytes - (address & (chunk_bytes - 1))) / 8;
      std::fill_n(reinterpret_cast<uint8_t *>(place), whole, uint8_t(are_unwritten ? 255 : 0));
      done = whole * 8;
    }
    address += done;
    bytes -= done;
  }
}

uintptr_t Shadow::first_unwritten(uintptr_t address, size_t bytes) {
  while (bytes != 0 && !(address >> address_bits)) {
    const Bits bits(address, bytes);
    size_t done = bits.count;
    if (const std::atomic<uint8_t> *place = unwritten(address)) {
      if (const unsigned found = place->load(std::memory_order_relaxed) & bits.mask)
        return (address & ~uintptr_t(7)) + static_cast<unsigned>(__builtin_ctz(found));
    } else {
      done = std::min<size_t>(bytes, chunk_bytes - (address & (chunk_bytes - 1)));
    }
    address += done;
    bytes -= done;
  }
  return 0;
}

void Shadow::copy_unwritten(uintptr_t destination, uintptr_t source, size_t bytes) {
  if (first_unwritten(source, bytes) == 0)
    return set_unwritten(destination, bytes, false);
  const auto copy_byte = [&](size_t i) {
    set_unwritten(destination + i, 1, first_unwritten(source + i, 1) != 0);
  };
  if (destination <= source)
    for (size_t i = 0; i < bytes; ++i)
      copy_byte(i);
  else
    for (size_t i = bytes; i-- != 0;)
      copy_byte(i);
}

} // namespace ze_cpu
