// What collective operations compute, on the bits of the operands of the lanes that take part.
#pragma once

#include "../../contract/sync.h"

#include <cstdint>
#include <span>

namespace ze_cpu {

/// A lane's operands and result of the operation at which it waits.
struct LaneExchange {
  uint64_t value;
  uint64_t parameter;
  uint64_t result; // written for lanes that take part
};

/// Carries out a sub-group operation for the lanes in `active`; `lanes[0]` is the sub-group's
/// first. Reading from a lane that does not take part gives 0.
void exchange_sub_group(SyncOperation operation, LaneExchange *lanes, uint32_t active);

/// Carries out an operation of a work-group: `active[i]` tells whether lane i takes part.
void exchange_work_group(SyncOperation operation, std::span<LaneExchange> lanes,
                         std::span<const uint8_t> active);

} // namespace ze_cpu
