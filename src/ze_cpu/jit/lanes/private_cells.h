// Private variables that a region uses at known places only.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace ze_cpu {

struct Region;

/// Where a region's code has a private variable of the lane: its address, known where lanes begin.
struct LaneVariable {
  llvm::Value *address;
  llvm::Align align;
  llvm::BasicBlock *begin, *end;
  llvm::MDNode *access_group; // which accesses to it join
};

struct OrderedAccesses {
  unsigned narrow; // of less than 32 bits, which no processor gathers or scatters
};

/// Whether accesses of `region` to `variable` may be to the same of its parts, and one of them stores, without it being known: an index
/// that only execution knows, parts that overlap, an address that goes elsewhere. LLVM's vectoriser must not take such for neighbours
/// then, which it loads and stores together: in loops whose turns are independent it takes the accesses of one turn for that, too.
std::optional<OrderedAccesses> needs_order(const Region &region, llvm::AllocaInst &variable);

/// Makes values of the parts of `variable` that `region` loads and stores: they are loaded where a lane begins and stored where it ends.
/// Sorts of a few elements by each lane are hundreds of accesses under conditions else, to addresses that lie apart for vectors of lanes.
/// `copy_of` tells what became of the region's instructions. Does nothing where the region uses the variable in another way, its parts
/// overlap, or nothing is gained.
void keep_cells_in_values(const Region &region, llvm::AllocaInst &variable,
                          const LaneVariable &of_lane,
                          llvm::function_ref<llvm::Value *(llvm::Instruction *)> copy_of);

} // namespace ze_cpu
