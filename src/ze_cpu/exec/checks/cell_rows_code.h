// The code for rows of cells, for a file that is compiled for the processors that have it. Such a file includes nothing that has
// inline functions which the rest of the program might get from it.
#pragma once

#include "cell_rows.h"

#include <immintrin.h>

namespace ze_cpu {
namespace {

// Marks side by side, and for each of them all bits or none: what the vector instructions know. Others write single marks
// meanwhile, and find them whole, as the processors that have these instructions read and write aligned words of vectors.
#ifdef __AVX512F__
constexpr uint32_t width = 8;
using Marks [[gnu::vector_size(64)]] = uint64_t;
using Truth [[gnu::vector_size(64)]] = int64_t;
constexpr Marks counted = {0, 1, 2, 3, 4, 5, 6, 7};

bool is_any(Truth truth) {
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(truth),
                                reinterpret_cast<__m512i>(truth)) != 0;
}
Marks load(const uint64_t *from) { return reinterpret_cast<Marks>(_mm512_loadu_si512(from)); }
// Kernels have just stored them in halves: a processor waits until they are in memory when it finds a load in two stores.
Marks load_addresses(const uint64_t *from) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(from));
  __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(from + 4));
  asm("" : "+v"(high)); // or the compiler makes one load of the two
  return reinterpret_cast<Marks>(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}
void store(uint64_t *to, Marks marks) { _mm512_storeu_si512(to, reinterpret_cast<__m512i>(marks)); }
void store_where(uint64_t *to, Marks marks, Truth where) {
  _mm512_mask_storeu_epi64(to, _mm512_movepi64_mask(reinterpret_cast<__m512i>(where)),
                           reinterpret_cast<__m512i>(marks));
}
Truth truth_of(uint64_t bits) {
  return reinterpret_cast<Truth>(_mm512_movm_epi64(static_cast<__mmask8>(bits)));
}
__mmask8 bits_of(Truth truth) { return _mm512_movepi64_mask(reinterpret_cast<__m512i>(truth)); }
Marks load_where(const uint64_t *from, Truth where) {
  return reinterpret_cast<Marks>(_mm512_maskz_loadu_epi64(bits_of(where), from));
}
Marks gather(const uint64_t *from, Marks indices, Truth where) {
  return reinterpret_cast<Marks>(_mm512_mask_i64gather_epi64(
      __m512i{}, bits_of(where), reinterpret_cast<__m512i>(indices), from, sizeof(uint64_t)));
}
void scatter(uint64_t *to, Marks indices, Marks marks, Truth where) {
  if (is_any(where)) // else it is slow
    _mm512_mask_i64scatter_epi64(to, bits_of(where), reinterpret_cast<__m512i>(indices),
                                 reinterpret_cast<__m512i>(marks), sizeof(uint64_t));
}
#else
constexpr uint32_t width = 4;
using Marks [[gnu::vector_size(32)]] = uint64_t;
using Truth [[gnu::vector_size(32)]] = int64_t;
constexpr Marks counted = {0, 1, 2, 3};

bool is_any(Truth truth) { return _mm256_movemask_epi8(reinterpret_cast<__m256i>(truth)) != 0; }
Marks load(const uint64_t *from) {
  return reinterpret_cast<Marks>(_mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(from)));
}
Marks load_addresses(const uint64_t *from) { return load(from); }
void store(uint64_t *to, Marks marks) {
  _mm256_storeu_si256(reinterpret_cast<__m256i_u *>(to), reinterpret_cast<__m256i>(marks));
}
void store_where(uint64_t *to, Marks marks, Truth where) {
  if (is_any(where)) // else it is slow
    _mm256_maskstore_epi64(reinterpret_cast<long long *>(to), reinterpret_cast<__m256i>(where),
                           reinterpret_cast<__m256i>(marks));
}
Truth truth_of(uint64_t bits) { return (Marks{1, 2, 4, 8} & bits) != 0; }
Marks load_where(const uint64_t *from, Truth where) {
  return reinterpret_cast<Marks>(_mm256_maskload_epi64(reinterpret_cast<const long long *>(from),
                                                       reinterpret_cast<__m256i>(where)));
}
Marks gather(const uint64_t *from, Marks indices, Truth where) {
  return reinterpret_cast<Marks>(_mm256_mask_i64gather_epi64(
      __m256i{}, reinterpret_cast<const long long *>(from), reinterpret_cast<__m256i>(indices),
      reinterpret_cast<__m256i>(where), sizeof(uint64_t)));
}
void scatter(uint64_t *to, Marks indices, Marks marks, Truth where) {
  if (is_any(where))
    for (uint32_t i = 0; i < width; ++i)
      if (where[i])
        to[indices[i]] = marks[i];
}
#endif

// The last vector of a row begins where it ends with the row.
uint32_t next(uint32_t at, uint32_t count) {
  return at + 2 * width <= count ? at + width : at + width < count ? count - width : count;
}

bool is_run(const uint64_t *addresses, uint32_t count, uint64_t bytes) {
  Truth others = {};
  const Marks first = counted * bytes + addresses[0];
  for (uint32_t at = 0; at < count; at = next(at, count))
    others |= load_addresses(addresses + at) != first + at * bytes;
  return !is_any(others);
}

class Rules {
public:
  Rules(const Marking &marking, uint64_t mark) : marking_(marking), mark_(mark + all_bytes) {}

  Truth stand_against_read(Marks writes) const {
    // Atomic writes and flags have it, and the others do not.
    constexpr uint64_t orders = uint64_t(Touch::atomic) << Mark::touch_bit;
    const Marks limits =
        (writes & orders) != 0 ? Marks{} + marking_.stale : Marks{} + marking_.ordered;
    return ~are_own(writes) & (writes >= limits);
  }
  Truth stand_against_write(Marks marks) const {
    return ~are_own(marks) & (marks >= marking_.ordered);
  }
  /// Those of reads that another read takes the place of.
  Truth give_way(Marks reads) const {
    const Truth own = are_own(reads), whole = (reads & all_bytes) == all_bytes;
    return (own & ~whole) | (~own & (reads < marking_.kept));
  }
  /// What the access leaves in whole cells, of these lanes.
  Marks marks(Marks lanes) const { return (lanes << Mark::lane_bit) + mark_; }

private:
  static constexpr uint64_t all_bytes = uint64_t((1u << cell_bytes) - 1) << Mark::bytes_bit;
  Truth are_own(Marks marks) const { return marks - marking_.own < Mark::of_segment; }

  const Marking &marking_;
  const uint64_t mark_;
};

Marks lanes_of(const CellRow &row, uint32_t at) {
  return ((counted * cell_bytes + (row.offset + at * cell_bytes)) >> row.lane_bits) + row.lane;
}

bool read_short_row(const CellRow &row, const Rules &rules) {
  const Truth here = truth_of((1u << row.count) - 1);
  if (is_any(here & rules.stand_against_read(load_where(row.first.write, here))))
    return false;
  store_where(row.first.read, rules.marks(lanes_of(row, 0)),
              here & rules.give_way(load_where(row.first.read, here)));
  return true;
}

bool write_short_row(const CellRow &row, const Rules &rules) {
  const Truth here = truth_of((1u << row.count) - 1);
  if (is_any(here & (rules.stand_against_write(load_where(row.first.write, here)) |
                     rules.stand_against_write(load_where(row.first.read, here)))))
    return false;
  store_where(row.first.write, rules.marks(lanes_of(row, 0)), here);
  return true;
}

bool read_row(const CellRow &row, const Marking &marking) {
  const Rules rules(marking, row.mark);
  if (row.count < width)
    return read_short_row(row, rules);
  Truth against = {};
  for (uint32_t at = 0; at < row.count; at = next(at, row.count))
    against |= rules.stand_against_read(load(row.first.write + at));
  if (is_any(against))
    return false;
  for (uint32_t at = 0; at < row.count; at = next(at, row.count))
    store_where(row.first.read + at, rules.marks(lanes_of(row, at)),
                rules.give_way(load(row.first.read + at)));
  return true;
}

bool write_row(const CellRow &row, const Marking &marking) {
  const Rules rules(marking, row.mark);
  if (row.count < width)
    return write_short_row(row, rules);
  Truth against = {};
  for (uint32_t at = 0; at < row.count; at = next(at, row.count))
    against |= rules.stand_against_write(load(row.first.write + at)) |
               rules.stand_against_write(load(row.first.read + at));
  if (is_any(against))
    return false;
  for (uint32_t at = 0; at < row.count; at = next(at, row.count))
    store(row.first.write + at, rules.marks(lanes_of(row, at)));
  return true;
}

/// Up to `width` of the lanes, from the one of index `at` on.
class Part {
public:
  Part(const LaneCells &cells, uint32_t at)
      : cells_(cells), at_(at), here_(truth_of(cells.mask >> at & ((1u << width) - 1))) {
    const Marks offsets = load_addresses(cells.addresses + at) - cells.area;
    indices_ = offsets / cell_bytes;
    outside_ = here_ & ((offsets > cells.area_bytes - cell_bytes) | (offsets % cell_bytes != 0));
    const auto first = static_cast<uint32_t>(__builtin_ctzll(cells.mask >> at));
    const uint64_t begin = (cells.addresses[at + first] - cells.area) / cell_bytes - first;
    begin_ = static_cast<int64_t>(begin);
    are_side_by_side_ = !is_any(here_ & (indices_ != counted + begin));
  }

  bool are_inside() const { return !is_any(outside_); }
  Truth here() const { return here_; }
  Marks lanes() const { return (counted + at_) * cells_.step + cells_.lane; }
  Marks get(const uint64_t *marks) const {
    return are_side_by_side_ ? load_where(marks + begin_, here_) : gather(marks, indices_, here_);
  }
  void set(uint64_t *to, Marks marks, Truth where) const {
    if (are_side_by_side_)
      store_where(to + begin_, marks, where);
    else
      scatter(to, indices_, marks, where);
  }

private:
  const LaneCells &cells_;
  const uint32_t at_;
  Truth here_, outside_;
  Marks indices_;
  int64_t begin_;
  bool are_side_by_side_;
};

// access(part) says whether it is done, for each vector of lanes of which some access anything.
template <class Access> bool each_part(const LaneCells &cells, const Access &access) {
  for (uint32_t at = 0; at < 64 && cells.mask >> at != 0; at += width) {
    if ((cells.mask >> at & ((1u << width) - 1)) == 0)
      continue;
    const Part part(cells, at);
    if (!part.are_inside() || !access(part))
      return false;
  }
  return true;
}

bool read_lanes(const LaneCells &cells, const Marking &marking) {
  const Rules rules(marking, cells.mark);
  return each_part(cells, [&](const Part &part) {
    if (is_any(part.here() & rules.stand_against_read(part.get(cells.first.write))))
      return false;
    part.set(cells.first.read, rules.marks(part.lanes()),
             part.here() & rules.give_way(part.get(cells.first.read)));
    return true;
  });
}

bool write_lanes(const LaneCells &cells, const Marking &marking) {
  const Rules rules(marking, cells.mark);
  return each_part(cells, [&](const Part &part) {
    if (is_any(part.here() & (rules.stand_against_write(part.get(cells.first.write)) |
                              rules.stand_against_write(part.get(cells.first.read)))))
      return false;
    part.set(cells.first.write, rules.marks(part.lanes()), part.here());
    return true;
  });
}

} // namespace
} // namespace ze_cpu
