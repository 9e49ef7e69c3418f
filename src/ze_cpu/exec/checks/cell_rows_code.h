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
using Truth = __mmask8; // a bit for each mark
constexpr Marks counted = {0, 1, 2, 3, 4, 5, 6, 7};

using Few [[gnu::vector_size(32)]] = uint64_t; // half as many: enough for short rows

__m512i of(Marks marks) { return reinterpret_cast<__m512i>(marks); }
__m256i of(Few marks) { return reinterpret_cast<__m256i>(marks); }
bool is_any(Truth truth) { return truth != 0; }
Truth are_equal(Marks a, Marks b) { return _mm512_cmpeq_epu64_mask(of(a), of(b)); }
Truth are_less(Marks a, Marks b) { return _mm512_cmplt_epu64_mask(of(a), of(b)); }
Truth are_less(Few a, Few b) { return _mm256_cmplt_epu64_mask(of(a), of(b)); }
Truth have_bits(Marks marks, uint64_t bits) {
  return _mm512_test_epi64_mask(of(marks), of(Marks{} + bits));
}
Truth have_bits(Few marks, uint64_t bits) {
  return _mm256_test_epi64_mask(of(marks), of(Few{} + bits));
}
Truth none_of(Truth truth) { return static_cast<Truth>(~truth); }
Marks choose(Truth truth, Marks then, Marks otherwise) {
  return reinterpret_cast<Marks>(_mm512_mask_blend_epi64(truth, of(otherwise), of(then)));
}
Few choose(Truth truth, Few then, Few otherwise) {
  return reinterpret_cast<Few>(_mm256_mask_blend_epi64(truth, of(otherwise), of(then)));
}
Marks load(const uint64_t *from) { return reinterpret_cast<Marks>(_mm512_loadu_si512(from)); }
// Kernels have just stored them in halves: a processor waits until they are in memory when it finds a load in two stores.
Marks load_addresses(const uint64_t *from) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(from));
  __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i_u *>(from + 4));
  asm("" : "+v"(high)); // or the compiler makes one load of the two
  return reinterpret_cast<Marks>(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}
void store(uint64_t *to, Marks marks) { _mm512_storeu_si512(to, of(marks)); }
void store_where(uint64_t *to, Marks marks, Truth where) {
  _mm512_mask_storeu_epi64(to, where, of(marks));
}
void store_where(uint64_t *to, Few marks, Truth where) {
  _mm256_mask_storeu_epi64(to, where, of(marks));
}
Truth truth_of(uint64_t bits) { return static_cast<Truth>(bits); }
void load_where(const uint64_t *from, Truth where, Marks &marks) {
  marks = reinterpret_cast<Marks>(_mm512_maskz_loadu_epi64(where, from));
}
void load_where(const uint64_t *from, Truth where, Few &marks) {
  marks = reinterpret_cast<Few>(_mm256_maskz_loadu_epi64(where, from));
}
Marks gather(const uint64_t *from, Marks indices, Truth where) {
  return reinterpret_cast<Marks>(
      _mm512_mask_i64gather_epi64(__m512i{}, where, of(indices), from, sizeof(uint64_t)));
}
void scatter(uint64_t *to, Marks indices, Marks marks, Truth where) {
  if (is_any(where)) // else it is slow
    _mm512_mask_i64scatter_epi64(to, where, of(indices), of(marks), sizeof(uint64_t));
}
#else
constexpr uint32_t width = 4;
using Marks [[gnu::vector_size(32)]] = uint64_t;
using Few = Marks;
using Truth [[gnu::vector_size(32)]] = int64_t;
constexpr Marks counted = {0, 1, 2, 3};

bool is_any(Truth truth) { return _mm256_movemask_epi8(reinterpret_cast<__m256i>(truth)) != 0; }
Truth are_equal(Marks a, Marks b) { return a == b; }
Truth are_less(Marks a, Marks b) { return a < b; }
Truth have_bits(Marks marks, uint64_t bits) { return (marks & bits) != 0; }
Truth none_of(Truth truth) { return ~truth; }
Marks choose(Truth truth, Marks then, Marks otherwise) { return truth ? then : otherwise; }
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
void load_where(const uint64_t *from, Truth where, Marks &marks) {
  marks = reinterpret_cast<Marks>(_mm256_maskload_epi64(reinterpret_cast<const long long *>(from),
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
uint64_t next(uint64_t at, uint64_t count) {
  return at + 2 * width <= count ? at + width : at + width < count ? count - width : count;
}

bool is_run(const uint64_t *addresses, uint32_t count, uint64_t bytes) {
  Truth others = {};
  const Marks first = counted * bytes + addresses[0];
  for (uint64_t at = 0; at < count; at = next(at, count))
    others |= none_of(are_equal(load_addresses(addresses + at), first + at * bytes));
  return !is_any(others);
}

class Rules {
public:
  Rules(const Marking &marking, uint64_t mark) : marking_(marking), mark_(mark + all_bytes) {}

  template <class Vector> Truth stand_against_read(Vector writes) const {
    // Atomic writes and flags have it, and the others do not.
    constexpr uint64_t orders = uint64_t(Touch::atomic) << Mark::touch_bit;
    const Vector limits =
        choose(have_bits(writes, orders), Vector{} + marking_.stale, Vector{} + marking_.ordered);
    return none_of(are_own(writes) | are_less(writes, limits));
  }
  template <class Vector> Truth stand_against_write(Vector marks) const {
    return none_of(are_own(marks) | are_less(marks, Vector{} + marking_.ordered));
  }
  /// Those of reads that another read takes the place of.
  template <class Vector> Truth give_way(Vector reads) const {
    const Truth own = are_own(reads), partial = have_bits(~reads, all_bytes);
    return (own & partial) | (none_of(own) & are_less(reads, Vector{} + marking_.kept));
  }
  /// What the access leaves in whole cells, of these lanes.
  template <class Vector> Vector marks(Vector lanes) const {
    return (lanes << Mark::lane_bit) + mark_;
  }

private:
  static constexpr uint64_t all_bytes = uint64_t((1u << cell_bytes) - 1) << Mark::bytes_bit;
  template <class Vector> Truth are_own(Vector marks) const {
    return are_less(marks - marking_.own, Vector{} + Mark::of_segment);
  }

  const Marking &marking_;
  const uint64_t mark_;
};

/// Of the cells of a row from that of index `at` on, from the first lane on.
template <class Vector = Marks> Vector lanes_of(uint64_t lane_bits, uint64_t at) {
  Vector numbers;
  __builtin_memcpy(&numbers, &counted, sizeof(numbers));
  // The lane of a cell is the last one that accesses it.
  return (numbers * cell_bytes + (at * cell_bytes + cell_bytes - 1)) >> lane_bits;
}

/// Of no more cells than the vector has marks.
template <class Vector>
bool read_short_row(Cell first, uint64_t count, uint64_t lane_bits, const Rules &rules) {
  const Truth here = truth_of((1u << count) - 1);
  Vector writes, reads;
  load_where(first.write, here, writes);
  load_where(first.read, here, reads);
  if (is_any(here & rules.stand_against_read(writes)))
    return false;
  store_where(first.read, rules.marks(lanes_of<Vector>(lane_bits, 0)),
              here & rules.give_way(reads));
  return true;
}

template <class Vector>
bool write_short_row(Cell first, uint64_t count, uint64_t lane_bits, const Rules &rules) {
  const Truth here = truth_of((1u << count) - 1);
  Vector writes, reads;
  load_where(first.write, here, writes);
  load_where(first.read, here, reads);
  if (is_any(here & (rules.stand_against_write(writes) | rules.stand_against_write(reads))))
    return false;
  store_where(first.write, rules.marks(lanes_of<Vector>(lane_bits, 0)), here);
  return true;
}

bool read_row(Cell first, uint64_t count, uint64_t mark, uint64_t lane_bits,
              const Marking &marking) {
  const Rules rules(marking, mark);
  if (count <= sizeof(Few) / sizeof(uint64_t))
    return read_short_row<Few>(first, count, lane_bits, rules);
  if (count < width)
    return read_short_row<Marks>(first, count, lane_bits, rules);
  Truth against = {};
  for (uint64_t at = 0; at < count; at = next(at, count))
    against |= rules.stand_against_read(load(first.write + at));
  if (is_any(against))
    return false;
  for (uint64_t at = 0; at < count; at = next(at, count))
    store_where(first.read + at, rules.marks(lanes_of(lane_bits, at)),
                rules.give_way(load(first.read + at)));
  return true;
}

bool write_row(Cell first, uint64_t count, uint64_t mark, uint64_t lane_bits,
               const Marking &marking) {
  const Rules rules(marking, mark);
  if (count <= sizeof(Few) / sizeof(uint64_t))
    return write_short_row<Few>(first, count, lane_bits, rules);
  if (count < width)
    return write_short_row<Marks>(first, count, lane_bits, rules);
  Truth against = {};
  for (uint64_t at = 0; at < count; at = next(at, count))
    against |= rules.stand_against_write(load(first.write + at)) |
               rules.stand_against_write(load(first.read + at));
  if (is_any(against))
    return false;
  for (uint64_t at = 0; at < count; at = next(at, count))
    store(first.write + at, rules.marks(lanes_of(lane_bits, at)));
  return true;
}

/// Up to `width` of the lanes, from the one of index `at` on.
class Part {
public:
  Part(const LaneCells &cells, uint32_t at)
      : cells_(cells), at_(at), here_(truth_of(cells.mask >> at & ((1u << width) - 1))) {
    const Marks offsets = load_addresses(cells.addresses + at) - cells.area;
    indices_ = offsets / cell_bytes;
    outside_ = here_ & (are_less(Marks{} + (cells.area_bytes - cell_bytes), offsets) |
                        have_bits(offsets, cell_bytes - 1));
    const auto first = static_cast<uint32_t>(__builtin_ctzll(cells.mask >> at));
    const uint64_t begin = (cells.addresses[at + first] - cells.area) / cell_bytes - first;
    begin_ = static_cast<int64_t>(begin);
    are_side_by_side_ = !is_any(here_ & none_of(are_equal(indices_, counted + begin)));
  }

  bool are_inside() const { return !is_any(outside_); }
  Truth here() const { return here_; }
  Marks lanes() const { return (counted + at_) * cells_.step + cells_.lane; }
  Marks get(const uint64_t *marks) const {
    if (!are_side_by_side_)
      return gather(marks, indices_, here_);
    Marks result;
    load_where(marks + begin_, here_, result);
    return result;
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
