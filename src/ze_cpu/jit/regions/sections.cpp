// Finds for a RegionPlan what sub-groups that have all their lanes go through by themselves, where a branch that all of their lanes
// take is one, whatever other sub-groups do; and which values they keep on the stack. LLVM turns these into vectors in registers once
// the loops over lanes are vectors themselves, which it cannot do with memory that others may see.
#include "../front/check_calls.h"
#include "exchanges.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

// Whole sub-groups have code of their own, for each section in one function: beyond that it takes long to compile.
constexpr size_t most_regions = 24, most_regions_of_all = 48;

/// Whether the lanes of a sub-group wait there, and for nobody else.
bool is_of_sub_groups(const Cut &cut) {
  return cut.kind == Cut::Kind::sync && llvm::all_of(cut.markers, [](llvm::CallInst *marker) {
           return operation_of(*marker).scope == SyncScope::sub_group;
         });
}

/// Whether it may be seen what other work-items write meanwhile.
bool may_see_others(const llvm::Instruction &instruction) {
  return instruction.isAtomic() || instruction.isVolatile() ||
         (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) &&
          !is_check(instruction));
}

/// Whether a sub-group may wait in the section for what another one does that has not entered it yet: in a loop that goes through
/// a point of the section, or sees what others write. Together, all would have come that far.
bool may_wait(const RegionPlan &plan, const Section &section, const llvm::LoopInfo &loops) {
  const auto waits = [&](const llvm::Loop *loop) {
    bool sees_others = false;
    for (const llvm::BasicBlock *block : loop->blocks()) {
      if (plan.cut_at(block)) {
        if (!section.cuts.contains(plan.cut_number(block)))
          return false; // a loop around the section
        sees_others = true;
      }
      sees_others |= llvm::any_of(*block, may_see_others);
    }
    return sees_others;
  };
  for (const unsigned region : section.regions)
    for (const llvm::BasicBlock *block : plan.regions[region].blocks)
      for (const llvm::Loop *loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop())
        if (waits(loop))
          return true;
  return false;
}

/// More would not fit registers anyway, and stacks are small.
constexpr uint32_t most_bytes = 512;

/// ze_cpu_exchange carries it out, which finds its operands in the lanes' memory.
bool is_called(const llvm::CallInst &marker) {
  const SyncKind kind = operation_of(marker).kind;
  return kind == SyncKind::rotate ||
         (kind == SyncKind::reduce &&
          !llvm::PatternMatch::match(parameter_of(marker), llvm::PatternMatch::m_Zero()));
}

/// The cuts at which lanes that once diverged may come together.
llvm::BitVector cuts_behind_divergence(const RegionPlan &plan) {
  llvm::BitVector found(static_cast<unsigned>(plan.cuts.size()));
  llvm::SmallVector<unsigned> pending;
  for (const Region &region : plan.regions)
    if (!region.takes_one_way)
      pending.append(region.exits.begin(), region.exits.end());
  while (!pending.empty()) {
    const unsigned cut = pending.pop_back_val();
    if (found.test(cut))
      continue;
    found.set(cut);
    for (unsigned next : plan.cuts[cut].next)
      pending.append(plan.regions[next].exits.begin(), plan.regions[next].exits.end());
  }
  return found;
}

/// The cuts to which no lane comes that has diverged.
llvm::BitVector cuts_of_whole_sub_groups(const RegionPlan &plan, Team team) {
  if (team.is_sub_group)
    return cuts_behind_divergence(plan).flip();
  // Lanes of a section that diverge do not come back to it.
  llvm::BitVector found(static_cast<unsigned>(plan.cuts.size()));
  for (const Section &section : plan.sections)
    for (unsigned cut : section.cuts)
      if (!section.entered_cuts.contains(cut))
        found.set(cut);
  for (const Region &region : plan.regions)
    if (!region.takes_one_way)
      for (unsigned exit : region.exits)
        found.reset(exit);
  return found;
}

} // namespace

void RegionPlan::find_ways() {
  const llvm::PostDominatorTree post_dominators(body_);
  const auto is_same = [&](const llvm::BasicBlock &block) {
    return llvm::all_of(block.getTerminator()->operands(), [&](const llvm::Use &operand) {
      return llvm::isa<llvm::BasicBlock>(operand) || lane_bits_.is_same(*operand);
    });
  };
  // Whether lanes that take different ways there are together again before any of them leaves the region.
  const auto is_inside = [&](const llvm::BasicBlock &block) {
    const auto *node = post_dominators.getNode(&block);
    const llvm::BasicBlock *meeting =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!meeting)
      return false;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen{meeting};
    llvm::SmallVector<const llvm::BasicBlock *> pending(llvm::successors(&block));
    while (!pending.empty())
      if (const llvm::BasicBlock *at = pending.pop_back_val(); seen.insert(at).second) {
        if (cut_at(at))
          return false;
        llvm::append_range(pending, llvm::successors(at));
      }
    return true;
  };
  for (Region &region : regions)
    region.takes_one_way =
        region.exits.size() <= 1 || llvm::all_of(region.blocks, [&](const llvm::BasicBlock *block) {
          return cut_at(block) || is_same(*block) || is_inside(*block);
        });
}

void RegionPlan::find_sections() {
  if (team_.is_sub_group)
    return;
  llvm::BitVector inner(static_cast<unsigned>(cuts.size()));
  std::vector<bool> is_inner(regions.size()); // entered from an inner cut
  for (unsigned i = 0; i < cuts.size(); ++i)
    if (is_of_sub_groups(cuts[i])) {
      inner.set(i);
      is_inner[cuts[i].next[0]] = true;
    }
  llvm::EquivalenceClasses<unsigned> classes;
  std::vector<std::optional<unsigned>> cut_of_region(regions.size()); // a cut of the same section
  for (unsigned cut : inner.set_bits()) {
    classes.insert(cut);
    cut_of_region[cuts[cut].next[0]] = cut;
  }
  for (unsigned i = 0; i < regions.size(); ++i) {
    const bool starts = !is_inner[i] && regions[i].entered_phis.empty();
    for (unsigned exit : regions[i].exits)
      if (inner.test(exit) && (is_inner[i] || starts)) {
        if (!cut_of_region[i])
          cut_of_region[i] = exit;
        classes.unionSets(*cut_of_region[i], exit);
      }
  }
  std::map<unsigned, Section> found;
  for (unsigned cut : inner.set_bits()) {
    Section &section = found[classes.getLeaderValue(cut)];
    section.cuts.insert(cut);
    section.exchanges |= exchanges_at(*this, cuts[cut]);
  }
  for (unsigned i = 0; i < regions.size(); ++i)
    if (cut_of_region[i]) {
      Section &section = found[classes.getLeaderValue(*cut_of_region[i])];
      section.regions.insert(i);
      if (!is_inner[i])
        section.entered_regions.insert(i);
      for (unsigned exit : regions[i].exits)
        if (!inner.test(exit))
          section.exits.insert(exit);
    } else {
      for (unsigned exit : regions[i].exits)
        if (inner.test(exit))
          found[classes.getLeaderValue(exit)].entered_cuts.insert(exit);
    }
  const llvm::DominatorTree dominators(body_);
  const llvm::LoopInfo loops(dominators);
  size_t left = most_regions_of_all;
  for (auto &[cut, section] : found) {
    const size_t size = section.regions.size();
    if (!section.exchanges || size > std::min(left, most_regions) ||
        may_wait(*this, section, loops))
      continue;
    left -= size;
    sections.push_back(std::move(section));
  }
}

void RegionPlan::lay_out_stack() {
  if (!team_.is_sub_group && sections.empty())
    return;
  const llvm::BitVector together = cuts_of_whole_sub_groups(*this, team_);
  llvm::SmallPtrSet<const llvm::Instruction *, 16> in_memory;
  llvm::SmallVector<Slot *> on_stack;
  for (const auto &[number, cut] : llvm::enumerate(cuts))
    if (!together.test(static_cast<unsigned>(number)))
      for (unsigned next : cut.next)
        for (const llvm::Instruction *value : regions[next].stored)
          if (!is_of_sub_groups(cut) ||
              !llvm::is_contained(cut.markers, value)) // which is made once all lanes are there
            in_memory.insert(value);
  for (const auto &[number, cut] : llvm::enumerate(cuts))
    for (const llvm::CallInst *marker : cut.markers) {
      if (is_called(*marker))
        in_memory.insert(marker);
      else if (together.test(static_cast<unsigned>(number)))
        for (std::optional<Slot> *carried :
             {&operands_[marker].value, &operands_[marker].parameter})
          if (*carried)
            on_stack.push_back(&**carried);
    }
  for (auto &[value, slot] : slots_)
    if (!slot.uniform && !in_memory.contains(value))
      on_stack.push_back(&slot);
  llvm::stable_sort(on_stack, [](const Slot *a, const Slot *b) { return a->offset < b->offset; });
  std::optional<uint32_t> offset; // of the array before
  uint32_t begin = 0;
  for (Slot *slot : on_stack) {
    if (offset != slot->offset) {
      offset = slot->offset;
      begin = std::exchange(stack_bytes, stack_bytes + slot->bytes);
    }
    slot->stack_offset = begin;
  }
  if (stack_bytes <= most_bytes)
    return;
  stack_bytes = 0;
  for (Slot *slot : on_stack)
    slot->stack_offset.reset();
}

} // namespace ze_cpu
