// Who wrote and read memory last.
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
      : bits_(segment << segment_bit | uint64_t(lane_in_sub_group) << lane_bit |
              uint64_t(bytes) << bytes_bit | uint64_t(touch) << touch_bit | place) {}

  constexpr uint64_t bits() const { return bits_; }
  uint64_t segment() const { return bits_ >> segment_bit; } // 0: nobody
  uint32_t lane_in_sub_group() const { return bits_ >> lane_bit & 31; }
  uint32_t bytes() const { return bits_ >> bytes_bit & 15; } // a mask
  Touch touch() const { return Touch(bits_ >> touch_bit & 3); }
  uint32_t place() const { return bits_ & ((1u << touch_bit) - 1); }

  /// Where in the word its parts begin; that of the place does with the first bit.
  static constexpr unsigned touch_bit = 17, bytes_bit = 19, lane_bit = 23, segment_bit = 28;
  /// The marks of a segment are so many numbers side by side.
  static constexpr uint64_t of_segment = uint64_t(1) << segment_bit;

private:
  uint64_t bits_ = 0;
};

/// Of 4 bytes: the last write, and the first read since then that may meet a write. Those of neighbours stand side by side.
struct Cell {
  uint64_t *write = nullptr, *read = nullptr; // null: there is none

  Mark last_write() const { return get(write); }
  Mark a_read() const { return get(read); }
  void set_write(Mark mark) const { set(write, mark); }
  void set_read(Mark mark) const { set(read, mark); }
  explicit operator bool() const { return write != nullptr; }
  Cell operator+(size_t cells) const { return {write + cells, read + cells}; }

private:
  static Mark get(uint64_t *place) {
    return Mark(std::atomic_ref(*place).load(std::memory_order_relaxed));
  }
  static void set(uint64_t *place, Mark mark) {
    std::atomic_ref(*place).store(mark.bits(), std::memory_order_relaxed);
  }
};

inline constexpr uint32_t cell_bytes = 4;

} // namespace ze_cpu
