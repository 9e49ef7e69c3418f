// Strategy "regions" for kernels whose work-items wait for each other. The body is cut where they
// do (regions.h); each region becomes a loop over the lanes, which LLVM vectorises
// (region_code.h); what is needed later is kept in arrays with an element per lane. The control
// function, an ordinary function with the control flow that all lanes share, goes from region to
// region and carries out the operations between them (exchanges.h). Where lanes diverge,
// exec/lanes/diverged_lanes.h takes over until they are together again.
#pragma once

#include "../program/module_ir.h"
#include "regions.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace ze_cpu {

struct FissionResult {
  uint32_t lane_bytes = 0;
  uint32_t private_bytes = 0; // of those, variables
  bool by_sub_group = false;
  bool has_small_parts = false; // there would be other code with PartCode::fast

  /// For what goes by `plan` as well.
  void add(const RegionPlan &plan);
};

/// Of the code for sub-groups that are not whole, or do not lie in one row of work-items. Fast code takes as long to compile as that
/// for those which do.
enum class PartCode { small, fast };

/// Of loops that all work-items go through together (loops/interchange.h).
enum class LoopUse { as_they_are, interchanged_where_it_pays, interchanged };

/// Makes a LoopEntry for `body`, whose markers are numbered, and takes `body` away. Nothing is
/// changed and false returned if this kernel cannot be cut, or would keep too much: markers outside
/// of `body` or for the grid, memory of a size not known.
bool make_region_entry(llvm::Function &body, const KernelInfo &info, uint32_t sub_group_size,
                       llvm::TargetMachine &machine, LoopUse loops, PartCode part_code,
                       const std::string &symbol, FissionResult &result);

/// Makes a LoopEntry as make_region_entry() does for a `body` without markers that goes through
/// loops which pay to be run for all lanes of the work-group together (interchange.h), or for those of
/// a sub-group, or are `wanted` to be; returns false if it does not.
bool make_interchanged_entry(llvm::Function &body, const KernelInfo &info,
                             llvm::TargetMachine &machine, bool wanted, const std::string &symbol,
                             FissionResult &result);

} // namespace ze_cpu
