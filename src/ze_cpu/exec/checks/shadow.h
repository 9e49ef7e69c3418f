// What is remembered beside memory: who wrote and read it last, and what of it was never written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ze_cpu {

/// How memory was accessed.
enum class Touch : uint8_t {
  plain,
  repeated, // wrote the value that another had just written: whoever was first, the result is the same
  atomic,
  flag, // volatile, or behind a fence
};

/// One access of up to 4 bytes, in a word that is read and written whole.
class Mark {
public:
  Mark() = default;
  constexpr explicit Mark(uint64_t bits) : bits_(bits) {}
  constexpr Mark(uint64_t segment, uint32_t lane_in_sub_group, uint32_t bytes, Touch touch,
                 uint32_t place)
      : bits_(segment << 28 | uint64_t(lane_in_sub_group) << 23 | uint64_t(bytes) << 19 |
              uint64_t(touch) << 17 | place) {}

  constexpr uint64_t bits() const { return bits_; }
  uint64_t segment() const { return bits_ >> 28; } // 0: nobody
  uint32_t lane_in_sub_group() const { return bits_ >> 23 & 31; }
  uint32_t bytes() const { return bits_ >> 19 & 15; } // a mask
  Touch touch() const { return Touch(bits_ >> 17 & 3); }
  uint32_t place() const { return bits_ & ((1u << 17) - 1); }

private:
  uint64_t bits_ = 0;
};

/// Of 4 bytes: the last write, and the first read since then that may meet a write.
struct Cell {
  std::atomic<uint64_t> write, read;

  Mark last_write() const { return Mark(write.load(std::memory_order_relaxed)); }
  Mark a_read() const { return Mark(read.load(std::memory_order_relaxed)); }
  void set_write(Mark mark) { write.store(mark.bits(), std::memory_order_relaxed); }
  void set_read(Mark mark) { read.store(mark.bits(), std::memory_order_relaxed); }
};

inline constexpr uint32_t cell_bytes = 4;

/// Address space that is zero until it is written. Throws std::bad_alloc.
void *reserve_zeroes(size_t bytes);

/// Cells of all addresses of the process. Threads may use it at the same time.
class Shadow {
public:
  static Shadow &instance();

  static constexpr unsigned chunk_bits = 24;
  static constexpr uintptr_t chunk_bytes = uintptr_t(1) << chunk_bits;

  /// The cell of the address; those of the same chunk follow. Null: no program has such addresses,
  /// or there is no memory.
  Cell *cell(uintptr_t address) {
    if (address >> address_bits)
      return nullptr;
    Cell *cells = cells_[address >> chunk_bits].load(std::memory_order_acquire);
    if (!cells) [[unlikely]]
      cells = add_cells(address >> chunk_bits);
    return cells ? cells + (address & (chunk_bytes - 1)) / cell_bytes : nullptr;
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

  Shadow();
  Cell *add_cells(uintptr_t chunk);
  template <class T> static T *add(std::atomic<T *> &place, size_t bytes);

  std::atomic<Cell *> *cells_;
  std::atomic<std::atomic<uint8_t> *> *unwritten_;
};

} // namespace ze_cpu
