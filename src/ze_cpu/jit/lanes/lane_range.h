// Numbers of lanes, and how far they may be from each other.
#pragma once

#include "../regions/uniformity.h"

#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace ze_cpu {

/// A number of each lane: one that all share and one from 0 to a limit.
class LaneRange {
public:
  explicit LaneRange(const Uniformity &uniformity) : uniformity_(uniformity) {}

  struct Parts {
    llvm::Value *shared = nullptr; // null: 0
    uint64_t largest = 0;          // of the other
  };
  /// What is shared is computed where the builder stands, behind `value`.
  std::optional<Parts> of(llvm::IRBuilder<> &b, llvm::Value *value) const;

  /// Where nothing is shared, and so nothing has to be computed.
  static std::optional<Parts> without_shared(llvm::Value *value);

  /// Of one that is from 0 to that.
  static std::optional<uint64_t> largest_of(llvm::Value *value);

private:
  const Uniformity &uniformity_;
};

} // namespace ze_cpu
