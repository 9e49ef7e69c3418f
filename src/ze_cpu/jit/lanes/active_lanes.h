// Which lanes of a region do anything.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace ze_cpu {

class RegionPlan;
struct Region;

/// Those whose number in the work-group, or local id in x, is below a limit that all share: `if (threadIdx.x < 32)`, or
/// `if (i + threadIdx.x < n)` with a number i that all share.
struct ActiveLanes {
  llvm::BasicBlock *block; // whose branch sends all others to the region's end
  unsigned taken;          // which of its successors the lanes come to that do something
  llvm::Value *limit;      // null: only the first lane does
  llvm::Value *offset;     // added to the number before it is compared with the limit; or null
  bool is_signed, is_inclusive;
};

/// The number of lanes below `limit`, of 64 bits, if it is known, and so few that a work-group with less of them is a rare one.
std::optional<uint64_t> few_lanes(const llvm::Value &limit);

/// The number of active lanes, of 64 bits, and whether it is known.
struct LaneLimit {
  llvm::Value *lanes, *is_known;
};

/// Computes that where a region begins. `at_beginning` tells what a value is there that all lanes share, or null; `is_compared` whether
/// the block that compares is one whose values it knows.
LaneLimit lane_limit(llvm::IRBuilder<> &b, const ActiveLanes &active, bool is_compared,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> at_beginning);

/// None where it is not known that lanes do nothing, or where they lie in rows: it takes a kernel that never asks for y and z.
std::optional<ActiveLanes> active_lanes(const RegionPlan &plan, const Region &region,
                                        llvm::Function &body);

} // namespace ze_cpu
