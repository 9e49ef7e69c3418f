#include "regions.h"

#include "../../contract/kernel_code.h"
#include "../loops/interchange.h"
#include "../rows/tile_loops.h"
#include "joined_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ze_cpu {
namespace {

// Each point becomes the end of a block, joined ones that of one block.
llvm::Function &split_at_markers(llvm::Function &body) {
  for (llvm::CallInst *marker : sync_points(body))
    if (!is_joined_with_next(*marker))
      marker->getParent()->splitBasicBlock(std::next(marker->getIterator()), "resume");
  return body;
}

// A block of its own for each edge out of `from`: a region begins there.
std::vector<llvm::BasicBlock *> split_edges(llvm::BasicBlock &from) {
  std::vector<llvm::BasicBlock *> edges;
  llvm::Instruction *end = from.getTerminator();
  for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
    llvm::BasicBlock *to = end->getSuccessor(i);
    auto *edge = llvm::BasicBlock::Create(from.getContext(), "edge", from.getParent(), to);
    llvm::BranchInst::Create(to, edge);
    end->setSuccessor(i, edge);
    for (llvm::PHINode &phi : to->phis())
      phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(&from)), edge);
    edges.push_back(edge);
  }
  return edges;
}

} // namespace

RegionPlan::RegionPlan(llvm::Function &body, Team team)
    : body_(body), team_(team), uniformity_(split_at_markers(body), team),
      lane_bits_(body, uniformity_, team.sub_group_size),
      group_indices_(ze_cpu::group_indices(body, team.sub_group_size)) {
  cut_at_markers();
  cut_uniform_branches();
  cuts.push_back({Cut::Kind::end});
  find_regions();
  find_live_values();
  find_rematerialized();
  find_stored();
  choose_operands();
  lay_out();
  find_ways();
  find_sections();
  lay_out_stack();
}

void RegionPlan::cut_at_markers() {
  std::vector<llvm::CallInst *> markers = sync_points(body_);
  llvm::sort(markers, [](auto *a, auto *b) { return id_of(*a) < id_of(*b); });
  for (llvm::CallInst *marker : markers) {
    auto [cut, is_new] =
        cut_of_block_.try_emplace(marker->getParent(), static_cast<unsigned>(cuts.size()));
    if (is_new)
      cuts.push_back({Cut::Kind::sync, marker->getParent()});
    cuts[cut->second].markers.push_back(marker);
  }
}

// The branches that decide which synchronisation point comes next, or whether any; and all branches
// that make up a loop around a cut. Loops to be interchanged count as cuts. And those behind which the work-group has to come together.
llvm::SmallPtrSet<llvm::BasicBlock *, 16> RegionPlan::uniform_branches() const {
  llvm::PostDominatorTree post_dominators(body_);
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>> deciders;
  for (llvm::BasicBlock &block : body_) {
    if (block.getTerminator()->getNumSuccessors() < 2)
      continue;
    auto *node = post_dominators.getNode(&block);
    auto *meeting = node ? node->getIDom() : nullptr;
    for (llvm::BasicBlock *successor : llvm::successors(&block))
      for (auto *at = post_dominators.getNode(successor); at && at != meeting && at->getBlock();
           at = at->getIDom())
        deciders[at->getBlock()].push_back(&block);
  }
  llvm::SmallVector<llvm::BasicBlock *> pending;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen, chosen;
  for (const Cut &cut : cuts)
    pending.push_back(cut.block);
  const llvm::SmallPtrSet<llvm::BasicBlock *, 4> interchanged =
      interchanged_loops(body_, uniformity_);
  pending.append(interchanged.begin(), interchanged.end());
  while (!pending.empty())
    for (llvm::BasicBlock *decider : deciders[pending.pop_back_val()])
      if (seen.insert(decider).second) {
        pending.push_back(decider);
        if (uniformity_.has_uniform_branch(*decider))
          chosen.insert(decider);
      }
  for (llvm::BasicBlock &block : body_)
    if (meets_behind(block))
      chosen.insert(&block);
  llvm::DominatorTree dominators(body_);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Loop *, 4> inner_first = loops.getLoopsInPreorder();
  for (llvm::Loop *loop : llvm::reverse(inner_first)) {
    const bool has_cut = llvm::any_of(loop->blocks(), [&](llvm::BasicBlock *block) {
      return chosen.contains(block) || cut_of_block_.contains(block) ||
             interchanged.contains(block);
    });
    // A uniform header means that all ways out are uniform branches.
    if (!has_cut || !uniformity_.is_uniform(loop->getHeader()) || !loop->getLoopPreheader() ||
        !loop->getLoopLatch())
      continue;
    llvm::SmallVector<llvm::BasicBlock *> branches;
    loop->getExitingBlocks(branches);
    branches.push_back(loop->getLoopPreheader());
    branches.push_back(loop->getLoopLatch());
    for (llvm::BasicBlock *branch : branches)
      if (!uniformity_.is_apart_behind(*branch))
        chosen.insert(branch);
  }
  return chosen;
}

void RegionPlan::cut_uniform_branches() {
  const llvm::SmallPtrSet<llvm::BasicBlock *, 16> chosen = uniform_branches();
  llvm::SmallVector<llvm::BasicBlock *> in_order;
  for (llvm::BasicBlock &block : body_)
    if (chosen.contains(&block) && !cut_of_block_.contains(&block))
      in_order.push_back(&block);
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> edges;
  for (llvm::BasicBlock *block : in_order) {
    cut_of_block_[block] = static_cast<unsigned>(cuts.size());
    cuts.push_back({Cut::Kind::branch, block});
    for (llvm::BasicBlock *edge : split_edges(*block))
      edges.insert(edge);
  }
  for (llvm::BasicBlock &block : body_)
    for (llvm::PHINode &phi : block.phis())
      if (uniformity_.is_uniform(&phi) &&
          llvm::all_of(phi.blocks(), [&](llvm::BasicBlock *from) { return edges.contains(from); }))
        control_phis_.insert(&phi);
}

void RegionPlan::find_regions() {
  auto begin = [&](llvm::BasicBlock *entry) {
    region_of_entry_[entry] = static_cast<unsigned>(regions.size());
    regions.emplace_back().entry = entry;
    return static_cast<unsigned>(regions.size()) - 1;
  };
  begin(&body_.getEntryBlock());
  for (Cut &cut : cuts)
    if (cut.block)
      for (llvm::BasicBlock *next : llvm::successors(cut.block))
        cut.next.push_back(begin(next));
  for (Region &region : regions) {
    llvm::SmallVector<llvm::BasicBlock *> pending{region.entry};
    llvm::SetVector<unsigned> exits;
    while (!pending.empty()) {
      llvm::BasicBlock *block = pending.pop_back_val();
      if (!region.members.insert(block).second)
        continue;
      region.blocks.push_back(block);
      if (auto cut = cut_of_block_.find(block); cut != cut_of_block_.end())
        exits.insert(cut->second);
      else if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
        exits.insert(end_cut());
      else
        pending.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    region.exits.append(exits.begin(), exits.end());
    lanes_may_diverge |= region.exits.size() > 1;
    llvm::BasicBlock *first = region.entry->getSingleSuccessor();
    if (first && !cut_of_block_.contains(region.entry))
      for (llvm::PHINode &phi : first->phis())
        if (is_control_phi(&phi) && phi.getBasicBlockIndex(region.entry) >= 0)
          region.entered_phis.push_back(&phi);
  }
}

bool RegionPlan::is_in_loop(const Region &region) const {
  llvm::SmallVector<const Region *> pending{&region};
  llvm::SmallPtrSet<const Region *, 16> seen;
  while (!pending.empty())
    for (unsigned exit : pending.pop_back_val()->exits)
      for (unsigned next : cuts[exit].next) {
        if (&regions[next] == &region)
          return true;
        if (seen.insert(&regions[next]).second)
          pending.push_back(&regions[next]);
      }
  return false;
}

bool RegionPlan::has_branches(const Region &region) const {
  return llvm::any_of(region.blocks, [&](const llvm::BasicBlock *block) {
    return !cut_at(block) && block->getTerminator()->getNumSuccessors() > 1;
  });
}

llvm::ArrayRef<uint64_t> RegionPlan::usual_widths(const Region &region) const {
  static constexpr uint64_t widths[] = {8, 16, 32};
  constexpr size_t most_regions = 8, most_instructions = 160;
  constexpr size_t few_regions = 3, few_instructions = 32;
  const llvm::DominatorTree dominators(body_);
  const llvm::LoopInfo loops(dominators);
  size_t size = 0;
  for (const llvm::BasicBlock *block : region.blocks) {
    size += block->size();
    const llvm::Loop *loop = loops.getLoopFor(block);
    if (loop && llvm::none_of(loop->blocks(), [&](auto *other) { return cut_at(other); }))
      return {}; // beside which what a row needs is little
  }
  if (regions.size() > most_regions || size > most_instructions)
    return {};
  // Longer loops are not unrolled, and have masks for the first and the last lane, which only some processors store by.
  const llvm::StringRef features = body_.getFnAttribute("target-features").getValueAsString();
  const auto all = llvm::ArrayRef(widths).take_while([&](uint64_t width) {
    return width <= 8 || (width <= 16 && features.contains("+avx2")) ||
           features.contains("+avx512vl");
  });
  if (llvm::any_of(regions, [&](const Region &other) { return has_branches(other); }))
    return all;
  if (is_in_loop(region))
    return all.take_front(2);
  return regions.size() <= few_regions && size <= few_instructions && all.size() > 1
             ? all.slice(1, 1)
             : all.take_front(0);
}

// Walks back from each use to the definition.
void RegionPlan::find_live_values() {
  for (llvm::Instruction &value : llvm::instructions(body_)) {
    llvm::BasicBlock *home = value.getParent();
    llvm::SmallVector<llvm::BasicBlock *> pending;
    for (llvm::Use &use : value.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *place = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (place != home)
        pending.push_back(place);
    }
    llvm::SmallPtrSet<llvm::BasicBlock *, 8> seen;
    while (!pending.empty()) {
      llvm::BasicBlock *block = pending.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      if (auto region = region_of_entry_.find(block); region != region_of_entry_.end())
        regions[region->second].live.insert(&value);
      for (llvm::BasicBlock *from : llvm::predecessors(block))
        if (from != home)
          pending.push_back(from);
    }
  }
}

// Everything after a value that needs it finds its rematerialized leaves alive.
void RegionPlan::add_leaves(llvm::Value *value, llvm::SetVector<llvm::Instruction *> &leaves,
                            llvm::SmallPtrSetImpl<llvm::Value *> &seen) const {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !seen.insert(instruction).second)
    return;
  if (!is_rematerialized(instruction)) {
    leaves.insert(instruction);
    return;
  }
  if (!llvm::isa<llvm::AllocaInst>(instruction))
    for (llvm::Value *operand : instruction->operands())
      add_leaves(operand, leaves, seen);
}

void RegionPlan::find_stored() {
  for (Region &region : regions) {
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    for (llvm::Instruction *value : region.live)
      add_leaves(value, region.stored, seen);
  }
  // The control function decides with what the regions left behind.
  for (const Cut &cut : cuts)
    if (cut.kind == Cut::Kind::branch && cut.next.size() > 1)
      for (unsigned next : cut.next) {
        llvm::SmallPtrSet<llvm::Value *, 16> seen;
        add_leaves(cut.block->getTerminator()->getOperand(0), regions[next].stored, seen);
      }
  for (const Region &region : regions)
    for (llvm::Instruction *value : region.stored)
      slots_[value].uniform = uniformity_.is_uniform(value);
  // Lanes run one after the other: none may find a value that another has replaced already.
  for (const Region &region : regions)
    for (llvm::Instruction *value : region.stored)
      if (!is_sync_point(*value) && !is_control_phi(value) &&
          region.members.contains(value->getParent()))
        slots_[value].uniform = false;
}

llvm::Type *RegionPlan::stored_type(const llvm::Instruction *value) const {
  if (is_sync_point(*value))
    return operands(llvm::cast<llvm::CallInst>(value)).type;
  llvm::Type *type = value->getType();
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

void RegionPlan::lay_out() {
  const llvm::DataLayout &layout = body_.getParent()->getDataLayout();
  struct Array {
    llvm::SmallVector<Slot *> slots;
    llvm::BitVector cuts; // at which it is in use
    uint64_t bytes;
    llvm::Align align;
  };
  std::vector<Array> arrays;
  // Values that are never alive at the same time share an array. At a branch that means alive on
  // any way out: lanes store for all of them.
  auto place = [&](Slot &slot, uint64_t bytes, llvm::Align align, const llvm::BitVector &in_use) {
    slot.bytes = static_cast<uint32_t>(bytes);
    slot.align = align;
    for (Array &array : arrays)
      if (array.bytes == bytes && array.align == align && !array.cuts.anyCommon(in_use)) {
        array.cuts |= in_use;
        array.slots.push_back(&slot);
        return;
      }
    arrays.push_back({{&slot}, in_use, bytes, align});
  };
  auto place_type = [&](Slot &slot, llvm::Type *type, const llvm::BitVector &in_use) {
    place(slot, layout.getTypeAllocSize(type), layout.getABITypeAlign(type), in_use);
  };
  llvm::DenseMap<const llvm::Instruction *, llvm::BitVector> in_use;
  const auto count = static_cast<unsigned>(cuts.size());
  for (unsigned i = 0; i < count; ++i)
    for (unsigned next : cuts[i].next)
      for (llvm::Instruction *value : regions[next].stored) {
        llvm::BitVector &bits = in_use[value];
        bits.resize(count);
        bits.set(i);
      }
  for (auto &[value, slot] : slots_) {
    llvm::Type *type = stored_type(value);
    if (slot.uniform) {
      slot.align = layout.getABITypeAlign(type);
      slot.bytes = static_cast<uint32_t>(layout.getTypeAllocSize(type));
      slot.offset = static_cast<uint32_t>(llvm::alignTo(uniform_bytes, slot.align));
      uniform_bytes = slot.offset + slot.bytes;
    } else {
      place_type(slot, type, in_use[value]);
    }
  }
  const llvm::BitVector always(count, true);
  for (unsigned i = 0; i < count; ++i) {
    const Cut &cut = cuts[i];
    if (cut.kind != Cut::Kind::sync)
      continue;
    llvm::BitVector here(count);
    here.set(i);
    for (const llvm::CallInst *marker : cut.markers) {
      Operands &carried = operands_[marker];
      if (carried.value)
        place_type(*carried.value, carried.type, here);
      if (carried.parameter)
        place_type(*carried.parameter, parameter_of(*marker)->getType(), here);
    }
  }
  if (lanes_may_diverge)
    place(state, sizeof(uint32_t), llvm::Align(4), always);
  for (llvm::Instruction &instruction : llvm::instructions(body_))
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      variables_[alloca] = {};
  for (auto &[alloca, slot] : variables_) { // which stay where they are from here on
    const uint64_t bytes = alloca->getAllocationSize(layout)->getFixedValue();
    place(slot, llvm::alignTo(std::max<uint64_t>(bytes, 1), alloca->getAlign()), alloca->getAlign(),
          always);
    private_bytes += slot.bytes;
  }
  llvm::stable_sort(arrays, [](const Array &a, const Array &b) { return a.align > b.align; });
  for (const Array &array : arrays) {
    for (Slot *slot : array.slots)
      slot->offset = lane_bytes;
    lane_bytes += static_cast<uint32_t>(array.bytes);
  }
}

bool can_be_cut(llvm::Function &body) {
  const llvm::DataLayout &layout = body.getParent()->getDataLayout();
  for (llvm::Function &function : *body.getParent())
    if (&function != &body && !function.isDeclaration() && !sync_points(function).empty())
      return false;
  for (llvm::CallInst *marker : sync_points(body))
    if (operation_of(*marker).scope == SyncScope::grid)
      return false;
  // Times 1024 work-items this is what a thread keeps.
  constexpr uint64_t max_variable_bytes = 256 * 1024;
  uint64_t bytes = 0;
  for (llvm::Argument &parameter : body.args())
    if (parameter.hasByValAttr())
      bytes += layout.getTypeAllocSize(parameter.getParamByValType());
  for (llvm::Instruction &instruction : llvm::instructions(body))
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      auto size = alloca->getAllocationSize(layout);
      if (!alloca->isStaticAlloca() || !size || size->isScalable() ||
          alloca->getAlign().value() > local_alignment)
        return false;
      bytes += size->getFixedValue();
    }
  return bytes <= max_variable_bytes;
}

} // namespace ze_cpu
