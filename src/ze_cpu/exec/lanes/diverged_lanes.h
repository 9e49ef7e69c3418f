// Lanes of a team that diverged, until they are together again (region_table.h).
#pragma once

#include "../../contract/region_table.h"
#include "exchange.h"
#include "lane_scheduler.h"

#include <vector>

namespace ze_cpu {

/// One per thread. Lanes take turns by LaneScheduler's order; neighbouring lanes at the same cut run
/// through a region together.
class DivergedLanes {
public:
  /// Makes room for teams of `lanes` work-items. Throws std::bad_alloc.
  void reserve(uint32_t lanes);

  /// See ze_cpu_run_diverged.
  uint32_t run(const GroupContext &group, void *uniform, uint64_t group_x, uint64_t first,
               uint64_t last, const RegionTable &table);

private:
  friend LaneScheduler;

  void start(uint32_t lanes);
  void arrive(LaneScheduler::Neighbours lanes, uint32_t cut);
  void arrive_apart(LaneScheduler::Neighbours lanes);
  void run_ready(uint32_t sub_group);

  // What LaneScheduler asks for.
  bool stops_at(SyncScope scope) const;
  void exchange_sub_group(const LanePoint &point, uint32_t first_lane, uint32_t active);
  void exchange_work_group(const LanePoint &point);

  const GroupContext *group_ = nullptr;
  void *uniform_ = nullptr;
  uint64_t group_x_ = 0, first_ = 0;
  const RegionTable *table_ = nullptr;
  uint32_t lanes_ = 0;
  LaneScheduler scheduler_; // its points are cuts
  std::vector<LaneExchange> exchanges_;
};

} // namespace ze_cpu
