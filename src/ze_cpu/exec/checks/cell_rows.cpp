#include "cell_rows.h"

#include <bit>

namespace ze_cpu {
namespace {

bool is_run(const uint64_t *addresses, uint32_t count, uint64_t bytes) {
  for (uint32_t i = 1; i < count; ++i)
    if (addresses[i] - addresses[i - 1] != bytes)
      return false;
  return true;
}

template <bool (CellAccess::*access)(Cell) const>
bool access_row(Cell first, uint64_t count, uint64_t mark, uint64_t lane_bits,
                const Marking &marking) {
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t lane = (i * cell_bytes + cell_bytes - 1) >> lane_bits;
    const CellAccess one{marking, mark + (lane << Mark::lane_bit), 0, (1u << cell_bytes) - 1};
    if (!(one.*access)(first + i))
      return false;
  }
  return true;
}

template <bool (CellAccess::*access)(Cell) const>
bool access_lanes(const LaneCells &cells, const Marking &marking) {
  for (uint64_t mask = cells.mask; mask != 0; mask &= mask - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(mask));
    const uint64_t offset = cells.addresses[i] - cells.area;
    if (offset > cells.area_bytes - cell_bytes || offset % cell_bytes != 0)
      return false;
    const CellAccess one{marking, cells.mark, static_cast<uint32_t>(cells.lane + i * cells.step),
                         (1u << cell_bytes) - 1};
    if (!(one.*access)(cells.first + offset / cell_bytes))
      return false;
  }
  return true;
}

} // namespace

const RowCode row_code_any = {1,
                              is_run,
                              access_row<&CellAccess::read>,
                              access_row<&CellAccess::write>,
                              access_lanes<&CellAccess::read>,
                              access_lanes<&CellAccess::write>};

const RowCode &row_code() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4"))
    return row_code_v4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return row_code_v3;
#endif
  return row_code_any;
}

} // namespace ze_cpu
