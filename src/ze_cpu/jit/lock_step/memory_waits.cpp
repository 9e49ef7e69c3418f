#include "memory_waits.h"
#include "../front/source_places.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ze_cpu {
namespace {

bool is_of_others(const llvm::LoadInst &load) {
  return !llvm::isa<llvm::AllocaInst>(load.getPointerOperand()->stripInBoundsOffsets());
}

bool is_of_sub_group(const llvm::Instruction &instruction) {
  return is_sync_point(instruction) &&
         operation_of(llvm::cast<llvm::CallInst>(instruction)).scope == SyncScope::sub_group;
}

// Whether it is the second half of such an operation on work-group memory, which is a load and a store there (lower/atomics.cpp).
bool writes_again(const llvm::StoreInst &store, const llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  if (store.getOrdering() != llvm::AtomicOrdering::Unordered ||
      !loop.isLoopInvariant(store.getPointerOperand()))
    return false;
  const llvm::Value *value = store.getValueOperand();
  if (loop.isLoopInvariant(value))
    return true;
  const llvm::Value *read = value;
  if (const auto *choice = llvm::dyn_cast<llvm::SelectInst>(value)) {
    read = choice->getFalseValue();
    const llvm::Value *free = nullptr;
    if (!match(choice->getCondition(),
               m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Specific(read), m_Value(free))) ||
        !loop.isLoopInvariant(free) || !loop.isLoopInvariant(choice->getTrueValue()))
      return false;
  } else if (const auto *unchanged = llvm::dyn_cast<llvm::BinaryOperator>(value);
             unchanged && match(unchanged->getOperand(1), m_Zero()))
    switch (unchanged->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      read = unchanged->getOperand(0);
      break;
    default:
      break;
    }
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(read);
  return load && load->getOrdering() == llvm::AtomicOrdering::Unordered &&
         load->getPointerOperand() == store.getPointerOperand();
}

// Whether it does the same again, round after round, until another work-item has written: takes a lock, or reads with an
// operation that changes nothing. Loops around a compare-and-swap of what they have read before wait for nobody.
bool tries_again(const llvm::Instruction &instruction, const llvm::Loop &loop) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return writes_again(*store, loop);
  if (!llvm::all_of(instruction.operands(),
                    [&](const llvm::Value *operand) { return loop.isLoopInvariant(operand); }))
    return false;
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
    return true;
  const auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!change)
    return false;
  switch (change->getOperation()) {
  case llvm::AtomicRMWInst::Xchg:
    return true;
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
  case llvm::AtomicRMWInst::Or:
  case llvm::AtomicRMWInst::Xor:
    return llvm::PatternMatch::match(change->getValOperand(), llvm::PatternMatch::m_Zero());
  default:
    return false;
  }
}

// What a loop reads again and again that does nothing else, or null. Ordinary loads are read again where there is a fence between.
const llvm::Instruction *waits_for(const llvm::Loop &loop) {
  const llvm::Instruction *read = nullptr, *read_again = nullptr;
  bool has_fence = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (is_of_others(*load))
          (load->isSimple() ? read : read_again) = load;
      } else if (tries_again(instruction, loop)) {
        read_again = &instruction;
      } else if (llvm::isa<llvm::FenceInst>(instruction)) {
        has_fence = true;
      } else if (instruction.mayWriteToMemory() && !is_of_sub_group(instruction)) {
        return nullptr;
      }
  return read_again ? read_again : has_fence ? read : nullptr;
}

} // namespace

const llvm::Value *lock_taken_by(const llvm::Loop &loop) {
  const llvm::Instruction *const last = waits_for(loop);
  const llvm::Value *lock = nullptr;
  if (const auto *exchange = llvm::dyn_cast_or_null<llvm::AtomicCmpXchgInst>(last)) {
    if (exchange->getCompareOperand() != exchange->getNewValOperand())
      lock = exchange->getPointerOperand();
  } else if (const auto *update = llvm::dyn_cast_or_null<llvm::AtomicRMWInst>(last)) {
    if (update->getOperation() == llvm::AtomicRMWInst::Xchg)
      lock = update->getPointerOperand();
  } else if (const auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(last)) {
    const llvm::Value *value = store->getValueOperand();
    if (loop.isLoopInvariant(value) || llvm::isa<llvm::SelectInst>(value))
      lock = store->getPointerOperand();
  }
  // Who leaves must do so for what the lock was.
  const llvm::BasicBlock *const exiting = loop.getExitingBlock();
  const auto *end = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  if (!lock || !end || !end->isConditional())
    return nullptr;
  const llvm::Value *read = end->getCondition();
  if (const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(read))
    read = comparison->getOperand(loop.isLoopInvariant(comparison->getOperand(0)) ? 1 : 0);
  if (const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(read))
    read = part->getAggregateOperand();
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(read);
  return read == last || (load && load->getOrdering() == llvm::AtomicOrdering::Unordered &&
                          load->getPointerOperand() == lock)
             ? lock
             : nullptr;
}

bool mark_memory_waits(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  struct Round {
    llvm::BasicBlock *end, *begin;
    const llvm::Instruction *read;
  };
  llvm::SmallVector<Round> rounds;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    const llvm::Instruction *const read = waits_for(*loop);
    if (!read)
      continue;
    llvm::SmallVector<llvm::BasicBlock *, 2> ends;
    loop->getLoopLatches(ends);
    for (llvm::BasicBlock *end : ends)
      rounds.push_back({end, loop->getHeader(), read});
  }
  SourcePlaces places(*function.getParent());
  for (const auto &[end, begin, read] : rounds) {
    // Who finds what it looks for does not come by.
    llvm::BasicBlock *const again = llvm::SplitEdge(end, begin, &dominators, &loops);
    llvm::IRBuilder<> b(again->getTerminator());
    llvm::FunctionCallee wait =
        function.getParent()->getOrInsertFunction("ze_cpu_wait", b.getVoidTy(), b.getPtrTy());
    auto *callee = llvm::cast<llvm::Function>(wait.getCallee());
    callee->setDoesNotThrow();
    callee->setOnlyAccessesInaccessibleMemory();
    b.CreateCall(wait, read->getDebugLoc() ? places.of(*read)
                                           : llvm::ConstantPointerNull::get(b.getPtrTy()));
    emit_sync_point(b, function.getArg(context_parameter::group),
                    function.getArg(context_parameter::lane), {SyncKind::turn}, nullptr, nullptr);
  }
  return !rounds.empty();
}

} // namespace ze_cpu
