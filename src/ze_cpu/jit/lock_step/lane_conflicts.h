// Whether lanes of a sub-group may meet in memory.
#pragma once

#include "lane_numbers.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace ze_cpu {

/// What symbols have in addition that stand for another number at the second of two accesses.
inline constexpr uint32_t is_renamed = 1u << 31;

/// An access of each lane that executes `block`.
struct LaneAccess {
  const llvm::BasicBlock *block;
  LaneNumbers::Address address;
  uint64_t bytes = 0; // 0: not known
  /// Uniform ones of the address, of the block's guards and of the masks in those.
  std::vector<uint32_t> symbols;
};

class LaneConflicts {
public:
  explicit LaneConflicts(LaneNumbers &numbers) : numbers_(numbers) {}

  LaneAccess describe(const llvm::Instruction &access, const llvm::Value *pointer, uint64_t bytes);

  /// Whether `first` of one lane and `second` of another may be of the same memory. `changes` are
  /// the symbols that may stand for another number at the second access than at the first.
  bool may_meet(const LaneAccess &first, const LaneAccess &second,
                const llvm::DenseMap<uint32_t, uint32_t> &changes);

private:
  struct Parts {
    Polynomial of_lane, uniform, unknown; // their sum is the offset
  };
  struct Side {
    Parts offset;
    uint64_t bytes;
    LaneNumbers::Guards guards;
    const llvm::DenseMap<uint32_t, uint32_t> *names; // of symbols
  };
  Parts split(const Polynomial &number) const;
  bool tells_lanes_apart(const Polynomial &of_lane, uint64_t bytes) const;
  std::optional<int64_t> single_stride(const Polynomial &of_lane) const;
  bool is_same_lane(const Side &a, const Side &b) const;
  bool are_apart_by_bounds(const Side &low, const Side &high) const;
  bool are_apart_by_remainder(const Side &a, const Side &b) const;
  uint64_t least_distance(const Side &a, const Side &b) const;
  bool are_own_slots(const Side &a, const Side &b);
  bool is_own_slot_of_known_lane(const Side &known, const Side &other);
  bool are_pairs(const LaneAccess &first, const LaneAccess &second,
                 const llvm::DenseMap<uint32_t, uint32_t> &changes);
  bool are_own_digits(const LaneAccess &first, const LaneAccess &second,
                      const llvm::DenseMap<uint32_t, uint32_t> &changes) const;
  std::vector<Polynomial> bounds(const Side &side, bool upper) const;
  bool is_natural(const Polynomial &number) const;

  LaneNumbers &numbers_;
};

} // namespace ze_cpu
