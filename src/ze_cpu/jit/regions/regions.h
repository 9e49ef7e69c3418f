// A kernel body cut into regions: what all lanes of a team can run one after the other before they
// have to meet again.
#pragma once

#include "../lanes/group_indices.h"
#include "../lanes/lane_bits.h"
#include "sync_points.h"
#include "uniformity.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

namespace ze_cpu {

/// Where a region ends: at a synchronisation point; at a uniform branch, which the control
/// function (fission.h) takes for all lanes together, so that loops with barriers in them are loops
/// of its own; or at the end of the kernel.
struct Cut {
  enum class Kind { sync, branch, end } kind;
  llvm::BasicBlock *block = nullptr; // that ends there
  /// Of a synchronisation point: several if they are joined (joined_points.h).
  llvm::SmallVector<llvm::CallInst *, 1> markers = {};
  /// The regions behind it: one for each successor of a branch.
  llvm::SmallVector<unsigned, 2> next = {};
};

struct Region {
  llvm::BasicBlock *entry;
  std::vector<llvm::BasicBlock *> blocks; // reachable before the next cut
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> members;
  llvm::SmallVector<unsigned, 2> exits; // cuts at which it ends
  bool takes_one_way = false; // the lanes of a sub-group that has all of them end at the same one
  llvm::SetVector<llvm::Instruction *> live;          // values from before, still needed
  llvm::SetVector<llvm::Instruction *> stored;        // those of them that need a slot
  llvm::SmallVector<llvm::PHINode *, 4> entered_phis; // uniform ones that entering it sets
};

/// A place for a value that outlives a region.
struct Slot {
  bool uniform = false; // one for the team; else one per lane
  uint32_t offset = 0;  // uniform: in the team's memory. Else: an array begins at offset * lanes
  uint32_t bytes = 0;   // of each element
  llvm::Align align;
  /// Where the array begins in the stack memory of a sub-group that has all its lanes, divided by their number; none where lanes
  /// that diverged may need it (sections.cpp).
  std::optional<uint32_t> stack_offset = {};
};

/// What lies between two points where the whole work-group meets, and each sub-group that has all its lanes can go through by itself.
struct Section {
  llvm::SmallSetVector<unsigned, 8> cuts;    // where its lanes wait for each other
  llvm::SmallSetVector<unsigned, 8> regions; // behind these, or entered
  /// Where it begins: cuts to which the work-group comes together, or regions that lead to several.
  llvm::SmallSetVector<unsigned, 2> entered_cuts, entered_regions;
  llvm::SmallSetVector<unsigned, 2> exits; // the cuts at which it ends
  bool exchanges = false;                  // anything at its cuts
};

class RegionPlan {
public:
  /// Splits blocks of `body`; `body` stays a valid function. A body that does not synchronise is
  /// cut at loops (interchange.h).
  RegionPlan(llvm::Function &body, Team team);

  std::vector<Cut> cuts; // synchronisation points in program order, branches, and last the end
  std::vector<Region> regions;    // the first is the kernel's beginning
  std::vector<Section> sections;  // of work-groups that have several sub-groups
  uint32_t uniform_bytes = 0;     // of the uniform slots
  uint32_t lane_bytes = 0;        // of all others together, per lane
  uint32_t private_bytes = 0;     // of those, private variables
  uint32_t stack_bytes = 0;       // per lane, of sub-groups that have all their lanes
  Slot state;                     // cut numbers: where each lane is, if lanes may diverge
  bool lanes_may_diverge = false; // some region's lanes may end at different cuts

  /// Whether it takes long to compile more than is needed.
  bool is_large() const { return regions.size() > 24; }
  unsigned end_cut() const { return static_cast<unsigned>(cuts.size()) - 1; }
  const Cut *cut_at(const llvm::BasicBlock *block) const {
    auto found = cut_of_block_.find(block);
    return found == cut_of_block_.end() ? nullptr : &cuts[found->second];
  }
  unsigned cut_number(const llvm::BasicBlock *block) const { return cut_of_block_.lookup(block); }
  const Uniformity &uniformity() const { return uniformity_; }
  const LaneBits &lane_bits() const { return lane_bits_; }
  /// Sub-groups that have all their lanes go through the kernel only in work-groups where all of these are regular.
  llvm::ArrayRef<GroupIndex> group_indices() const { return group_indices_; }
  /// Whether the team may come through it several times.
  bool is_in_loop(const Region &region) const;
  /// The lengths of rows that tiles have and that are worth code of their own, where that is short: most of them if lanes of the kernel
  /// go different ways, or the team comes through the region several times.
  llvm::ArrayRef<uint64_t> usual_widths(const Region &region) const;

  /// Whether the value is computed anew where it is needed: it is cheap, and made from nothing but
  /// what is at hand or in slots.
  bool is_rematerialized(const llvm::Value *value) const { return rematerialized_.contains(value); }
  /// Uniform values that the control function keeps, as it takes the branches that decide them.
  bool is_control_phi(const llvm::Value *value) const { return control_phis_.contains(value); }

  const Slot &slot(const llvm::Instruction *value) const { return slots_.find(value)->second; }
  bool has_slot(const llvm::Instruction *value) const { return slots_.count(value) != 0; }
  /// The slot of a private variable.
  const Slot &variable(const llvm::AllocaInst *alloca) const {
    return variables_.find(alloca)->second;
  }
  /// What synchronisation points carry; absent when an operation has none.
  struct Operands {
    llvm::Type *type = nullptr; // of value and result in their slots
    bool is_signed = false;     // how they extend to 64 bits
    std::optional<Slot> value, parameter;
  };
  const Operands &operands(const llvm::CallInst *marker) const {
    return operands_.find(marker)->second;
  }
  /// The type of a value in its slot.
  llvm::Type *stored_type(const llvm::Instruction *value) const;

private:
  bool has_branches(const Region &region) const;
  void cut_at_markers();
  void cut_uniform_branches();
  void find_regions();
  void find_live_values();
  void find_rematerialized();
  void find_stored();
  void add_leaves(llvm::Value *value, llvm::SetVector<llvm::Instruction *> &leaves,
                  llvm::SmallPtrSetImpl<llvm::Value *> &seen) const;
  void choose_operands();
  void choose_operands(const llvm::CallInst &marker);
  void lay_out();
  void find_ways();
  void find_sections();
  void lay_out_stack();
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> uniform_branches() const;

  llvm::Function &body_;
  Team team_;
  Uniformity uniformity_;
  LaneBits lane_bits_;
  std::vector<GroupIndex> group_indices_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> cut_of_block_, region_of_entry_;
  llvm::DenseMap<const llvm::Value *, uint32_t> rematerialized_; // and what that costs
  llvm::SmallPtrSet<const llvm::Value *, 8> control_phis_;
  llvm::MapVector<const llvm::Instruction *, Slot> slots_;
  llvm::MapVector<const llvm::AllocaInst *, Slot> variables_;
  llvm::MapVector<const llvm::CallInst *, Operands> operands_;
};

/// Whether a kernel can be cut, and would not keep too much: not with markers outside of `body` or for the grid, or memory of a size not
/// known.
bool can_be_cut(llvm::Function &body);

} // namespace ze_cpu
