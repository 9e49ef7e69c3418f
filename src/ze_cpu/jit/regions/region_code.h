// Code for the regions of a kernel: each becomes a function that runs a range of lanes
// (contract/region_table.h, RegionEntry).
#pragma once

#include "../program/module_ir.h"
#include "regions.h"

namespace ze_cpu {

/// For which lanes code is made.
enum class Lanes {
  any,   // a range of the work-group's
  part,  // a range of a sub-group that is not `whole`
  rare,  // a range of the team's, small and slow
  whole, // a sub-group that has all its lanes, in one row of work-items
};

/// The function of region `index` of `body`: a RegionEntry, or for whole sub-groups one that is
/// given the local id of the first lane instead of `last`.
llvm::Function *make_region(const RegionPlan &plan, Team team, llvm::Function &body,
                            const KernelInfo &info, unsigned index, Lanes lanes);

/// What LLVM is to do with a function for such lanes.
void set_attributes(const RegionPlan &plan, llvm::Function &function, Lanes lanes);

} // namespace ze_cpu
