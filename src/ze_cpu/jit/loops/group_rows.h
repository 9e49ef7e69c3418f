// Work-groups next to each other as one row of work-items.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>

namespace ze_cpu {

/// Which neighbouring work-groups can be run as one that is as wide as all of them.
struct GroupRows {
  uint64_t size; // of those groups, in x; 0: whatever they have
};

/// For a kernel that does not synchronise: whether the numbers of its work-item and its work-group in x only matter as the
/// work-item's number in the grid, and what neighbours access lies side by side. None where that is not so: then a group is
/// best run by itself, as it may be a tile that the caches hold.
std::optional<GroupRows> group_rows(llvm::Function &body);

} // namespace ze_cpu
