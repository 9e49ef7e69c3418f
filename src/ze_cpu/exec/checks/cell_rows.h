// Accesses that leave nothing but marks, as most do: to cells one by one, and to several at once that lanes of a sub-group access.
#pragma once

#include "marks.h"

#include <cstdint>

namespace ze_cpu {

/// What accesses of a sub-group have to do with marks that are there. Numbers called marks are those of segments, as a Mark has
/// them.
struct Marking {
  uint64_t own;     // marks of the sub-group's segment begin here
  uint64_t kept;    // reads from here on stay the ones that are remembered
  uint64_t stale;   // what is below was before, and orders nothing
  uint64_t ordered; // what is below is ordered before the access
};

/// All is as `read` and `write` of group_trace.cpp would do it.
struct CellAccess {
  const Marking &marking;
  uint64_t left;  // the mark that it leaves, but for the lane and the bytes
  uint32_t lane;  // in the sub-group
  uint32_t bytes; // a mask

  /// Whether it is done.
  [[gnu::always_inline]] bool read(Cell cell) const {
    const Mark write = cell.last_write(), before = cell.a_read();
    const bool orders = write.touch() == Touch::atomic || write.touch() == Touch::flag;
    if (!is_own(write) && write.bits() >= (orders ? marking.stale : marking.ordered))
      return false;
    uint32_t all = bytes;
    if (is_own(before) ? (before.bytes() & bytes) == bytes : before.bits() >= marking.kept)
      return true;
    if (is_own(before))
      all |= before.bytes();
    cell.set_read(mark(all));
    return true;
  }
  bool write(Cell cell) const {
    const Mark before = cell.last_write(), read = cell.a_read();
    if ((!is_own(before) && before.bits() >= marking.ordered) ||
        (!is_own(read) && read.bits() >= marking.ordered))
      return false;
    cell.set_write(
        mark(is_own(before) && before.touch() == Touch::plain ? bytes | before.bytes() : bytes));
    return true;
  }

private:
  bool is_own(Mark mark) const { return mark.bits() - marking.own < Mark::of_segment; }
  Mark mark(uint32_t all) const {
    return Mark(left | uint64_t(lane) << Mark::lane_bit | uint64_t(all) << Mark::bytes_bit);
  }
};

/// What lanes of a sub-group access, of each of them one cell. All must be in one area of memory.
struct LaneCells {
  Cell first;    // of the area
  uint64_t mark; // that is left, but for the lane and the bytes
  uintptr_t area;
  uint64_t area_bytes;       // no less than a cell
  const uint64_t *addresses; // a multiple of 8 can be read
  uint64_t mask;             // of those that there are
  uint64_t lane,
      step; // in the sub-group: of the first address (less than 0 if it is none of them), and from one to the next
};

/// Code for several cells at once. What accesses them does the same as CellAccess for one cell after the other, and says whether
/// all is done. If not, some may be; what is done can be done again.
struct RowCode {
  uint32_t least; // addresses in a run
  /// Whether each address is `bytes` behind the one before it.
  bool (*is_run)(const uint64_t *addresses, uint32_t count, uint64_t bytes);
  /// Of `count` cells from `first` on, all bytes of them. `mark` is what the lane of the first byte leaves, but for the bytes; a
  /// lane has 2 to the power of `lane_bits` bytes, or all of them if that is 32. In registers: what has just been written to memory
  /// in parts is waited for.
  bool (*read)(Cell first, uint64_t count, uint64_t mark, uint64_t lane_bits,
               const Marking &marking);
  bool (*write)(Cell first, uint64_t count, uint64_t mark, uint64_t lane_bits,
                const Marking &marking);
  bool (*read_lanes)(const LaneCells &cells, const Marking &marking);
  bool (*write_lanes)(const LaneCells &cells, const Marking &marking);
};

/// For processors of the level 3 or 4 of x86-64, and for any.
extern const RowCode row_code_v3, row_code_v4, row_code_any;
/// For this processor.
const RowCode &row_code();

} // namespace ze_cpu
