#include "uniformity.h"

#include "../lower/work_item.h"
#include "lane_parameters.h"
#include "sync_points.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

// The lane's number without the bits that tell the lanes of a sub-group apart.
bool is_sub_group_number(const llvm::Instruction &instruction, uint32_t sub_group_size) {
  using namespace llvm::PatternMatch;
  const llvm::Value *lane = instruction.getFunction()->getArg(context_parameter::lane);
  const llvm::APInt *bits;
  auto source = m_CombineOr(m_Specific(lane), m_Trunc(m_Specific(lane)));
  if (match(&instruction, m_LShr(source, m_APInt(bits))))
    return bits->uge(llvm::Log2_32(sub_group_size));
  if (match(&instruction, m_And(source, m_APInt(bits))))
    return bits->countr_zero() >= llvm::Log2_32(sub_group_size);
  return false;
}

// To all that take part, if all do. A lane that names one that does not exist gets 0, and so do all that name it.
bool gives_all_the_same(const llvm::CallInst &marker) {
  switch (operation_of(marker).kind) {
  case SyncKind::ballot:
  case SyncKind::any:
  case SyncKind::all:
  case SyncKind::all_equal:
  case SyncKind::broadcast_first:
    return true;
  case SyncKind::shuffle:
  case SyncKind::broadcast:
    return llvm::isa<llvm::ConstantInt>(parameter_of(marker)) && !lane_parameters(marker);
  case SyncKind::reduce: // not of clusters
    return llvm::PatternMatch::match(parameter_of(marker), llvm::PatternMatch::m_Zero());
  default:
    return false;
  }
}

} // namespace

Uniformity::Uniformity(llvm::Function &body, Team team) : team_(team), post_dominators_(body) {
  for (unsigned parameter : {context_parameter::local_x, context_parameter::local_y,
                             context_parameter::local_z, context_parameter::lane})
    varying_.insert(body.getArg(parameter));
  if (!team.is_sub_group)
    find_apart(body);
  // Only ever from uniform to varying, until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction &instruction : llvm::instructions(body)) {
      if (varying_.contains(&instruction) || !varies(instruction))
        continue;
      varying_.insert(&instruction);
      changed = true;
    }
    for (llvm::BasicBlock &block : body) {
      if (block.getTerminator()->getNumSuccessors() < 2 || has_uniform_branch(block))
        continue;
      const size_t before = divergent_blocks_.size();
      mark_dependents(block);
      changed |= divergent_blocks_.size() != before;
    }
  }
}

// Follows the ways from each wait to where the work-group meets. On them, a plain load may see what was written since another
// sub-group came by, and the choices of a loop may be those of its next iteration.
void Uniformity::find_apart(llvm::Function &body) {
  const auto comes_apart = [](const llvm::Instruction &marker) {
    return operation_of(llvm::cast<llvm::CallInst>(marker)).kind == SyncKind::turn;
  };
  const auto meets = [](const llvm::Instruction &marker) {
    return operation_of(llvm::cast<llvm::CallInst>(marker)).scope != SyncScope::sub_group;
  };
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> begun_apart;
  llvm::SmallVector<llvm::BasicBlock *> pending;
  const auto go_through = [&](llvm::BasicBlock &block, bool is_apart) {
    for (const llvm::Instruction &instruction : block)
      if (is_sync_point(instruction))
        is_apart = comes_apart(instruction) || (is_apart && !meets(instruction));
      else if (is_apart && (llvm::isa<llvm::PHINode>(instruction) ||
                            (llvm::isa<llvm::LoadInst>(instruction) &&
                             !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load))))
        varying_.insert(&instruction);
    if (is_apart && apart_behind_.insert(&block).second)
      pending.push_back(&block);
  };
  for (llvm::BasicBlock &block : body)
    go_through(block, false);
  while (!pending.empty())
    for (llvm::BasicBlock *next : llvm::successors(pending.pop_back_val()))
      if (begun_apart.insert(next).second)
        go_through(*next, true);
}

bool Uniformity::has_varying_operand(const llvm::Instruction &instruction) const {
  return llvm::any_of(instruction.operands(),
                      [&](const llvm::Use &use) { return varying_.contains(use.get()); });
}

// Lanes that come by ways that not all of them take bring different values.
bool Uniformity::has_varying_choice(const llvm::PHINode &phi) const {
  const llvm::Value *brought = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::BasicBlock *from = phi.getIncomingBlock(i);
    if (has_uniform_branch(*from))
      continue;
    if (brought && brought != phi.getIncomingValue(i))
      return true;
    brought = phi.getIncomingValue(i);
  }
  return false;
}

bool Uniformity::varies(const llvm::Instruction &instruction) const {
  const llvm::BasicBlock *block = instruction.getParent();
  if (instruction.getType()->isVoidTy())
    return false;
  if (is_sync_point(instruction)) {
    auto &marker = llvm::cast<llvm::CallInst>(instruction);
    const SyncOperation operation = operation_of(marker);
    return !gives_all_the_same(marker) || !is_uniform(block) ||
           (operation.scope == SyncScope::sub_group && !team_.is_sub_group);
  }
  if (team_.is_sub_group && is_sub_group_number(instruction, team_.sub_group_size))
    return false;
  if (llvm::isa<llvm::AllocaInst>(instruction) || has_varying_operand(instruction))
    return true;
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return !is_uniform(block) || has_varying_choice(*phi);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isSimple() ||
           (!is_uniform(block) && !load->hasMetadata(llvm::LLVMContext::MD_invariant_load));
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return !call->doesNotAccessMemory() || !call->willReturn();
  return instruction.mayReadOrWriteMemory();
}

// Blocks that run or not depending on which way `branching` goes: those on the paths from its
// successors to where all paths have come together again.
void Uniformity::mark_dependents(const llvm::BasicBlock &branching) {
  auto *node = post_dominators_.getNode(&branching);
  const auto *meeting = node ? node->getIDom() : nullptr;
  for (const llvm::BasicBlock *successor : llvm::successors(&branching))
    for (auto *at = post_dominators_.getNode(successor); at && at != meeting && at->getBlock();
         at = at->getIDom())
      divergent_blocks_.insert(at->getBlock());
}

} // namespace ze_cpu
