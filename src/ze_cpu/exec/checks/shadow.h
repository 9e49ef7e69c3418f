// What is remembered beside memory: who wrote and read it last, and what of it was never written.
#pragma once

#include "marks.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ze_cpu {

/// Address space that is zero until it is written. Throws std::bad_alloc.
void *reserve_zeroes(size_t bytes);

/// Cells of all addresses of the process. Threads may use it at the same time.
class Shadow {
public:
  static Shadow &instance();

  static constexpr unsigned chunk_bits = 24;
  static constexpr uintptr_t chunk_bytes = uintptr_t(1) << chunk_bits;

  /// The cell of the address; those of the same chunk follow. None: no program has such addresses,
  /// or there is no memory.
  Cell cell(uintptr_t address) {
    if (address >> address_bits)
      return {};
    uint64_t *marks = marks_[address >> chunk_bits].load(std::memory_order_acquire);
    if (!marks) [[unlikely]]
      marks = add_marks(address >> chunk_bits);
    return marks ? Cell{marks, marks + reads_at} + (address & (chunk_bytes - 1)) / cell_bytes
                 : Cell();
  }
  /// Forgets who touched the bytes, and gives the memory back.
  void forget(uintptr_t address, size_t bytes);

  /// Bits of bytes that were never written, 8 of them in a byte; null: all of the chunk's are.
  std::atomic<uint8_t> *unwritten(uintptr_t address) {
    if (address >> address_bits)
      return nullptr;
    std::atomic<uint8_t> *const bits =
        unwritten_[address >> chunk_bits].load(std::memory_order_acquire);
    return bits ? bits + (address & (chunk_bytes - 1)) / 8 : nullptr;
  }
  /// What is known of the bytes from now on. Throws std::bad_alloc if it is that they are unwritten.
  void set_unwritten(uintptr_t address, size_t bytes, bool are_unwritten);
  /// Of `source`, which may overlap.
  void copy_unwritten(uintptr_t destination, uintptr_t source, size_t bytes);
  /// The first of the bytes that was never written; 0: none.
  uintptr_t first_unwritten(uintptr_t address, size_t bytes);

private:
  static constexpr unsigned address_bits = 47;
  /// Of a chunk's marks, those of reads come behind those of writes: not at the same place of pages, which processors confuse.
  static constexpr size_t reads_at = chunk_bytes / cell_bytes + 264;

  Shadow();
  uint64_t *add_marks(uintptr_t chunk);
  template <class T> static T *add(std::atomic<T *> &place, size_t bytes);

  std::atomic<uint64_t *> *marks_;
  std::atomic<std::atomic<uint8_t> *> *unwritten_;
};

} // namespace ze_cpu
