#include "interchange.h"

#include "../codegen/codegen.h"
#include "../codegen/loop_analyses.h"
#include "../front/check_calls.h"
#include "../lower/work_item.h"
#include "../regions/sync_points.h"
#include "../rows/tile_loops.h"
#include "grid_stride.h"
#include "private_arrays.h"
#include "row_accesses.h"
#include "strides.h"
#include "unroll.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace ze_cpu {
namespace {

constexpr const char *wanted_name = "interchange-wanted";

// A loop that LLVM unrolls is none: so many instructions it may come to.
constexpr unsigned unrolled_limit = 400;
// With more, bodies are not there once more without their bounds.
constexpr unsigned most_instructions_behind_bounds = 3000;
// Larger loops take long to compile twice and keep much.
constexpr unsigned body_limit = 400, kept_limit = 24;

bool is_small(const llvm::AllocaInst &alloca) {
  constexpr uint64_t most_bytes = 64;
  const auto size = alloca.getAllocationSize(alloca.getModule()->getDataLayout());
  return size && !size->isScalable() && size->getFixedValue() <= most_bytes;
}

class CostModel {
public:
  CostModel(llvm::Function &body, const Uniformity &uniformity)
      : uniformity_(uniformity),
        strides_(body, false,
                 uniformity.team().is_sub_group ? uniformity.team().sub_group_size : 0),
        analyses_(body), is_checked_(llvm::any_of(llvm::instructions(body), is_check)),
        is_traced_(llvm::any_of(llvm::instructions(body), is_trace)) {}

  llvm::SmallPtrSet<llvm::BasicBlock *, 4> headers() {
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> found;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (pays(*loop))
        found.insert(loop->getHeader());
    return found;
  }

  // With checks they are larger than what LLVM unrolls without being told to.
  void keep_unrolled() {
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (is_traced_ && is_unrolled(*loop))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
  }

  // Loops with branches inside are left alone: work-items go by large steps there (grid_stride.h), or do different things, and
  // iterations are few or long.
  llvm::SmallVector<UnrolledLoop, 4> unrolled() {
    llvm::SmallVector<UnrolledLoop, 4> found;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (loop->getNumBlocks() == 1 && !is_unrolled(*loop) && !synchronises(*loop) && pays(*loop)) {
        llvm::SmallVector<llvm::LoadInst *, 2> read = rows(*loop);
        const unsigned factor = unroll_factor(size(*loop), !read.empty());
        found.push_back({loop->getHeader(), factor, std::move(read)});
      }
    return found;
  }

private:
  // Without checks that take longer than all else, and what is there for them alone.
  unsigned size(const llvm::Loop &loop) const {
    const auto is_checking = [](const llvm::Instruction &each) {
      return is_check(each) ||
             (!each.use_empty() && llvm::all_of(each.users(), [](const llvm::User *user) {
               return is_check(*llvm::cast<llvm::Instruction>(user));
             }));
    };
    unsigned count = 0;
    for (llvm::BasicBlock *block : loop.blocks())
      count += static_cast<unsigned>(block->size()) -
               (is_traced_ ? static_cast<unsigned>(llvm::count_if(*block, is_checking)) : 0);
    return count;
  }

  bool is_unrolled(llvm::Loop &loop) {
    const unsigned trips = evolution_.getSmallConstantMaxTripCount(&loop);
    return trips && uint64_t(trips) * size(loop) <= unrolled_limit;
  }

  static bool synchronises(const llvm::Loop &loop) {
    return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [](auto &instruction) { return is_sync_point(instruction); });
    });
  }

  bool is_kept(const llvm::Value *value) const {
    return !uniformity_.is_uniform(value) && llvm::isa<llvm::Instruction>(value) &&
           !llvm::isa<llvm::AllocaInst>(value);
  }

  bool pays(llvm::Loop &loop) {
    if (!uniformity_.is_uniform(loop.getHeader()) || !loop.getLoopPreheader() ||
        !loop.getLoopLatch())
      return false;
    if (is_interchange_wanted(*loop.getHeader()->getParent()) || was_unrolled(*loop.getHeader()))
      return true;
    if (size(loop) > body_limit)
      return false;
    const llvm::SmallVector<llvm::LoadInst *, 2> read = rows(loop);
    for (llvm::Loop *inner : loop.getSubLoops())
      if (!is_unrolled(*inner))
        return false;
    unsigned work = 0;
    bool goes_far = false, updates = false;
    llvm::SmallPtrSet<const llvm::Value *, 16> kept;
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block) {
        goes_far |= goes_far_each_time(instruction, loop);
        updates |= is_update(instruction);
        if (!fits(instruction) && !is_update(instruction) &&
            !llvm::is_contained(read, &instruction))
          return false;
        const bool varies = !uniformity_.is_uniform(&instruction);
        if (varies && (instruction.getType()->isFPOrFPVectorTy() ||
                       llvm::isa<llvm::LoadInst, llvm::BinaryOperator>(instruction)))
          ++work;
        if (block == loop.getHeader() && llvm::isa<llvm::PHINode>(instruction)) {
          if (varies)
            kept.insert(&instruction);
          continue;
        }
        for (const llvm::Value *operand : instruction.operands())
          if (is_kept(operand) && !loop.contains(llvm::cast<llvm::Instruction>(operand)))
            kept.insert(operand);
      }
    // No vectors are made of updates, but of what lies side by side the next is at hand.
    if (updates ? !goes_far : is_unrolled(loop))
      return false;
    return work >= 2 && kept.size() <= std::max(kept_limit, work / 2) && !is_vectorised(loop);
  }

  // Atomic, and in no order with other accesses: a load and a store where memory is the work-group's (lower/atomics.cpp).
  static bool is_update(const llvm::Instruction &instruction) {
    const auto is_unordered = [](llvm::AtomicOrdering ordering) {
      return ordering == llvm::AtomicOrdering::Unordered ||
             ordering == llvm::AtomicOrdering::Monotonic;
    };
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return !update->isVolatile() && is_unordered(update->getOrdering());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return !store->isVolatile() && is_unordered(store->getOrdering());
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && !load->isVolatile() && is_unordered(load->getOrdering());
  }

  // Whether neighbours load what lies side by side, and each of them something far away the next time.
  bool goes_far_each_time(llvm::Instruction &instruction, llvm::Loop &loop) {
    constexpr uint64_t far = 64;
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() ||
        strides_.of(load->getPointerOperand()) != accessed_bytes(*load))
      return false;
    const llvm::SCEV *address = evolution_.getSCEV(load->getPointerOperand());
    if (evolution_.isLoopInvariant(address, &loop))
      return false;
    auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    auto *step = course ? llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_))
                        : nullptr;
    return !step || step->getAPInt().abs().uge(far);
  }

  // Whether LLVM vectorises it as it is: sums that it may take in any order, of what lies side by
  // side. That needs no place for each lane's sum.
  bool is_vectorised(llvm::Loop &loop) {
    if (!loop.isInnermost())
      return false;
    for (llvm::PHINode &phi : loop.getHeader()->phis()) {
      llvm::RecurrenceDescriptor reduction;
      if (!uniformity_.is_uniform(&phi) &&
          (!llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop, reduction) ||
           reduction.hasExactFPMath()))
        return false;
    }
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block) {
        llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
        if (!address || loop.isLoopInvariant(address))
          continue;
        auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(address));
        auto *step = course
                         ? llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_))
                         : nullptr;
        if (!step || step->getAPInt().abs() != accessed_bytes(instruction))
          return false;
      }
    return true;
  }

  // Whether a load takes the next element in each iteration. Of what lanes have far from each other, rows are loaded then.
  bool is_row(llvm::Instruction &instruction, llvm::Loop &loop) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || !can_be_in_row(*load->getType()))
      return false;
    auto *course =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(load->getPointerOperand()));
    auto *step = course && course->getLoop() == &loop
                     ? llvm::dyn_cast<llvm::SCEVConstant>(course->getStepRecurrence(evolution_))
                     : nullptr;
    return step && step->getAPInt().abs() == accessed_bytes(*load);
  }

  // The loads of rows that unroll_loops() brings together: none where stores would come between them.
  llvm::SmallVector<llvm::LoadInst *, 2> rows(llvm::Loop &loop) {
    llvm::SmallVector<llvm::LoadInst *, 2> found;
    if (!loop.isInnermost() || loop.getNumBlocks() != 1 || unroll_factor(size(loop), true) == 1 ||
        llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop)))
      return found;
    for (llvm::Instruction &instruction : *loop.getHeader()) {
      if (instruction.mayWriteToMemory())
        return {};
      if (!fits(instruction) && is_row(instruction, loop))
        found.push_back(llvm::cast<llvm::LoadInst>(&instruction));
    }
    return found;
  }

  // Whether LLVM makes a vector instruction of it, and no gathering of elements.
  bool fits(llvm::Instruction &instruction) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      const llvm::Function *callee = call->getCalledFunction();
      if (!callee)
        return false;
      if (is_check(instruction))
        return true;
      if (uniformity_.is_uniform(call) && call->doesNotAccessMemory())
        return true;
      if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
        return llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) ||
               intrinsic->isAssumeLikeIntrinsic();
      return false;
    }
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    if (!address)
      return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load ? !load->isSimple() : !llvm::cast<llvm::StoreInst>(instruction).isSimple())
      return false;
    if (load && uniformity_.is_uniform(load))
      return true;
    // One by one, as they would be in a loop of each lane, which has not the other loads side by side.
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(address->stripInBoundsOffsets()))
      return is_small(*own);
    const std::optional<int64_t> stride = strides_.of(const_cast<llvm::Value *>(address));
    const llvm::Type *type = llvm::getLoadStoreType(&instruction)->getScalarType();
    const int64_t bytes = std::max(1u, static_cast<unsigned>(type->getPrimitiveSizeInBits()) / 8);
    if (is_checked_ && !type->isPointerTy())
      return true; // which takes longer than to gather elements, and less for many lanes at once
    if (!stride || type->isPointerTy())
      return false;
    // Shared in a row, one after the other, or parts of small structs.
    return *stride == 0 ? load != nullptr : std::abs(*stride) <= 4 * bytes;
  }

  const Uniformity &uniformity_;
  Strides strides_;
  LoopAnalyses analyses_;
  llvm::LoopInfo &loops_ = analyses_.loops;
  llvm::ScalarEvolution &evolution_ = analyses_.evolution;
  const bool is_checked_, is_traced_; // calls checks of what it accesses, tells of it
};

bool may_have_loops(const llvm::Function &body) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
  llvm::FindFunctionBackedges(body, edges);
  return !edges.empty();
}

// Large private arrays of many lanes are more than caches hold.
bool keeps_only_values(llvm::Function &body, bool wanted) {
  if (llvm::any_of(body.args(), [](auto &parameter) { return parameter.hasByValAttr(); }))
    return false;
  return wanted || llvm::all_of(llvm::instructions(body), [](llvm::Instruction &instruction) {
           auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
           return !alloca || is_small(*alloca);
         });
}

// What each lane counts on its own by steps that all share becomes where it began plus a count that
// all share: that need not be kept for each, and LLVM sees how neighbours' addresses differ.
void separate_counts(llvm::Function &body, Team team) {
  const Uniformity uniformity(body, team);
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch(),
                     *header = loop->getHeader();
    if (!before || !latch || !uniformity.is_uniform(header))
      continue;
    for (llvm::PHINode &phi : llvm::make_early_inc_range(header->phis())) {
      auto *step = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch));
      if (uniformity.is_uniform(&phi) || !step || step->getOperand(0) != &phi ||
          !(llvm::isa<llvm::GetElementPtrInst>(step) ||
            step->getOpcode() == llvm::Instruction::Add) ||
          phi.getType()->isVectorTy() ||
          !llvm::all_of(llvm::drop_begin(step->operands()), [&](llvm::Use &use) {
            return use.get() != &phi && uniformity.is_uniform(use.get());
          }))
        continue;
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(step);
      llvm::IRBuilder<> s(step);
      llvm::Value *size = address
                              ? llvm::emitGEPOffset(&s, body.getParent()->getDataLayout(), address)
                              : step->getOperand(1);
      llvm::IRBuilder<> b(&phi);
      llvm::PHINode *count = b.CreatePHI(size->getType(), 2);
      count->addIncoming(llvm::Constant::getNullValue(size->getType()), before);
      count->addIncoming(s.CreateAdd(count, size), latch);
      llvm::Value *begin = phi.getIncomingValueForBlock(before);
      b.SetInsertPoint(header->getFirstInsertionPt());
      phi.replaceAllUsesWith(address ? b.CreatePtrAdd(begin, count) : b.CreateAdd(begin, count));
      phi.eraseFromParent();
    }
  }
}

// A block that does nothing but to go on or not to: the way on, if the other returns at once.
llvm::BasicBlock *behind_bounds(llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() ||
      llvm::any_of(block, [](llvm::Instruction &instruction) {
        return llvm::isa<llvm::PHINode>(instruction) || instruction.mayHaveSideEffects() ||
               (instruction.mayReadFromMemory() &&
                !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load));
      }))
    return nullptr;
  for (unsigned i = 0; i < 2; ++i)
    if (llvm::isa<llvm::ReturnInst>(&branch->getSuccessor(i)->front()) &&
        branch->getSuccessor(1 - i)->getSinglePredecessor() == &block)
      return branch->getSuccessor(1 - i);
  return nullptr;
}

// Makes `body` one for work-items inside of its bounds, and a function that tells which are: for
// bounds that were taken before, `earlier` tells. That is what is returned when there are no more.
llvm::Function *take_bounds(llvm::Function &body, llvm::Function *earlier) {
  llvm::SmallVector<llvm::BasicBlock *> checks;
  for (llvm::BasicBlock *at = &body.getEntryBlock(), *next; (next = behind_bounds(*at)); at = next)
    checks.push_back(at);
  if (checks.empty())
    return earlier;
  llvm::LLVMContext &context = body.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getInt1Ty(context),
                                       body.getFunctionType()->params(), false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                          body.getName() + ".inside", body.getParent());
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::ValueToValueMapTy copies;
  for (unsigned i = 0; i < body.arg_size(); ++i)
    copies[body.getArg(i)] = function->getArg(i);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function));
  auto *outside = llvm::BasicBlock::Create(context, "outside", function);
  if (earlier) {
    llvm::SmallVector<llvm::Value *> same;
    for (llvm::Argument &argument : function->args())
      same.push_back(&argument);
    auto *inside = llvm::BasicBlock::Create(context, "inside", function);
    b.CreateCondBr(b.CreateCall(earlier, same), inside, outside);
    b.SetInsertPoint(inside);
  }
  for (llvm::BasicBlock *check : checks) {
    auto *branch = llvm::cast<llvm::BranchInst>(check->getTerminator());
    llvm::BasicBlock *next = behind_bounds(*check);
    const bool inside_if = branch->getSuccessor(0) == next;
    for (llvm::Instruction &instruction : *check) {
      llvm::Instruction *copy = instruction.clone();
      if (!instruction.isTerminator())
        copies[&instruction] = b.Insert(copy);
      else
        b.Insert(copy);
      llvm::RemapInstruction(copy, copies,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
    auto *copied = llvm::cast<llvm::BranchInst>(b.GetInsertBlock()->getTerminator());
    auto *inside = llvm::BasicBlock::Create(context, "inside", function);
    copied->setSuccessor(inside_if ? 0 : 1, inside);
    copied->setSuccessor(inside_if ? 1 : 0, outside);
    b.SetInsertPoint(inside);
    branch->getSuccessor(inside_if ? 1 : 0)->removePredecessor(check);
    branch->eraseFromParent();
    llvm::BranchInst::Create(next, check);
  }
  b.CreateRet(b.getTrue());
  b.SetInsertPoint(outside);
  b.CreateRet(b.getFalse());
  return function;
}

// A function that tells who is inside, with those that it asks.
void remove(llvm::Function *is_inside) {
  while (is_inside) {
    llvm::Function *earlier = nullptr;
    for (llvm::Instruction &instruction : llvm::instructions(is_inside))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
        earlier = call->getCalledFunction();
    is_inside->eraseFromParent();
    is_inside = earlier;
  }
}

void unroll_interchanged(llvm::Function &body, Team team, llvm::TargetMachine &machine) {
  const Uniformity uniformity(body, team);
  CostModel(body, uniformity).keep_unrolled();
  unroll_loops(body, CostModel(body, uniformity).unrolled(), machine);
}

} // namespace

llvm::SmallPtrSet<llvm::BasicBlock *, 4> interchanged_loops(llvm::Function &body,
                                                            const Uniformity &uniformity) {
  return CostModel(body, uniformity).headers();
}

bool is_interchange_wanted(const llvm::Function &body) { return body.hasFnAttribute(wanted_name); }

Interchange prepare_interchange(llvm::Function &body, llvm::TargetMachine &machine, bool wanted) {
  if (body.getSubprogram() || !may_have_loops(body))
    return {};
  take_arrays_apart(body, machine);
  if (!may_have_loops(body) || !keeps_only_values(body, wanted))
    return {};
  llvm::ValueToValueMapTy copies;
  Interchange made;
  made.body = llvm::CloneFunction(&body, copies);
  made.body->setName(body.getName() + ".inner");
  if (wanted)
    made.body->addFnAttr(wanted_name);
  made.body->setLinkage(llvm::GlobalValue::InternalLinkage);
  made.is_inside = take_bounds(*made.body, nullptr);
  bring_into_shape(*made.body, machine, "loop-simplify,loop(loop-rotate)");
  if (share_ends(*made.body)) {
    made.is_inside = take_bounds(*made.body, made.is_inside);
    bring_into_shape(*made.body, machine, "loop-simplify");
  }
  separate_counts(*made.body, {});
  if (interchanged_loops(*made.body, Uniformity(*made.body, {})).empty()) {
    remove(made.is_inside);
    made.body->eraseFromParent();
    return {};
  }
  bring_into_shape(*made.body, machine, "scalarizer<load-store>");
  unroll_interchanged(*made.body, {}, machine);
  return made;
}

Interchange take_bounds_apart(llvm::Function &body) {
  if (body.getSubprogram() || !keeps_only_values(body, false) ||
      !behind_bounds(body.getEntryBlock()) ||
      body.getInstructionCount() > most_instructions_behind_bounds)
    return {};
  // With a mask, these are done one by one.
  Strides strides(body);
  if (llvm::none_of(llvm::instructions(body), [&](llvm::Instruction &instruction) {
        if (instruction.isIntDivRem())
          return true;
        llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
        if (!address)
          return false;
        const std::optional<int64_t> stride = strides.of(address);
        const auto bytes = static_cast<int64_t>(accessed_bytes(instruction));
        return bytes < 4 || !stride || (*stride != 0 && *stride != bytes);
      }))
    return {};
  llvm::ValueToValueMapTy copies;
  Interchange made;
  made.body = llvm::CloneFunction(&body, copies);
  made.body->setName(body.getName() + ".inner");
  made.body->setLinkage(llvm::GlobalValue::InternalLinkage);
  made.body->addFnAttr(llvm::Attribute::AlwaysInline);
  made.is_inside = take_bounds(*made.body, nullptr);
  return made;
}

void prepare_loops(llvm::Function &body, Team team, llvm::TargetMachine &machine, bool wanted) {
  if (body.getSubprogram() || !may_have_loops(body))
    return;
  if (wanted)
    body.addFnAttr(wanted_name);
  take_arrays_apart(body, machine);
  bring_into_shape(body, machine, "loop-simplify");
  if (!wanted && go_by_rows(body, team))
    bring_into_shape(body, machine, "loop-simplify");
  // Tried on a copy: only loops that are then interchanged are better off.
  llvm::ValueToValueMapTy copies;
  llvm::Function *trial = llvm::CloneFunction(&body, copies);
  const std::vector<llvm::BasicBlock *> headers =
      share_ends_beside(*trial, team, [](size_t) { return true; });
  std::vector<bool> pays(headers.size());
  if (!headers.empty()) {
    bring_into_shape(*trial, machine, "loop-simplify");
    separate_counts(*trial, team);
    const auto chosen = interchanged_loops(*trial, Uniformity(*trial, team));
    for (size_t i = 0; i < headers.size(); ++i)
      pays[i] = headers[i] && chosen.contains(headers[i]);
  }
  trial->eraseFromParent();
  if (llvm::is_contained(pays, true)) {
    share_ends_beside(body, team, [&](size_t i) { return pays[i]; });
    bring_into_shape(body, machine, "loop-simplify");
  }
  separate_counts(body, team);
  unroll_interchanged(body, team, machine);
}

} // namespace ze_cpu
