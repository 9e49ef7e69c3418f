// Lanes of a team that went separate ways, until they are together again (region_table.h).
#pragma once

#include "../../contract/region_table.h"
#include "exchange.h"

#include <vector>

namespace ze_cpu {

/// One per thread. Keeps to the order of GroupFibers: a sub-group's lanes run until each waits or
/// has ended; of the sub-group operations they wait at, the one that comes first in the program is
/// carried out for those that wait there; when no sub-group can go on, the work-group barrier is
/// complete. Neighbouring lanes at the same cut run through a region together.
class PartedLanes {
public:
  /// Makes room for teams of `lanes` work-items. Throws std::bad_alloc.
  void reserve(uint32_t lanes);

  /// See ze_cpu_run_parted.
  uint32_t run(const GroupContext &group, void *uniform, uint64_t group_x, uint64_t first,
               uint64_t last, const RegionTable &table);

private:
  struct SubGroup {
    uint32_t ready = 0;        // may run
    uint32_t at_operation = 0; // wait at a sub-group operation
    uint32_t at_barrier = 0;   // wait at an operation of the work-group
  };

  void start(uint32_t lanes);
  void arrive(uint32_t lane, uint32_t cut);
  void run_ready(uint32_t sub_group);
  void release_operation(uint32_t sub_group);
  bool release_work_group();
  bool all_together() const;

  const GroupContext *group_ = nullptr;
  void *uniform_ = nullptr;
  uint64_t group_x_ = 0, first_ = 0;
  const RegionTable *table_ = nullptr;
  uint32_t lanes_ = 0;
  std::vector<uint32_t> cuts_; // where each lane is
  std::vector<SubGroup> sub_groups_;
  std::vector<LaneExchange> exchanges_;
  std::vector<uint8_t> taking_part_;
};

} // namespace ze_cpu
