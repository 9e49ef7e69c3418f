#include "private_arrays.h"

#include "../codegen/codegen.h"
#include "../regions/sync_points.h"
#include "unroll.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ze_cpu {
namespace {

// More values are not worth the loads and stores between regions.
constexpr uint64_t most_elements = 128;
// Instructions that a loop may come to.
constexpr uint64_t unrolled_array_loop = 512;

class ArrayLoops {
public:
  ArrayLoops(llvm::Function &body, llvm::TargetMachine &machine)
      : analyses_(body), machine_(machine) {}

  /// Finds the loops around the accesses of an array. False: not all places are known when they are unrolled.
  bool take(llvm::AllocaInst &array) {
    llvm::SmallSetVector<llvm::Loop *, 4> around;
    llvm::SmallVector<llvm::Value *> pending{&array};
    while (!pending.empty()) {
      llvm::Value *address = pending.pop_back_val();
      for (llvm::Use &use : address->uses()) {
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        if (llvm::isa<llvm::GetElementPtrInst>(user)) {
          if (!find_loops(
                  evolution_.getMinusSCEV(evolution_.getSCEV(user), evolution_.getSCEV(&array)),
                  around))
            return false;
          pending.push_back(user);
        } else if (!is_access(use)) {
          return false;
        }
      }
    }
    found_.insert(around.begin(), around.end());
    return true;
  }

  /// The inner ones first.
  void unroll() {
    llvm::SmallVector<llvm::Loop *, 4> preorder = loops_.getLoopsInPreorder();
    for (llvm::Loop *loop : llvm::reverse(preorder))
      if (found_.contains(loop))
        unroll(*loop);
  }

private:
  static bool is_access(llvm::Use &use) {
    auto *user = use.getUser();
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user))
      return load->isSimple();
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->isSimple() && use.getOperandNo() == store->getPointerOperandIndex();
    if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(user))
      return !memory->isVolatile() && llvm::isa<llvm::ConstantInt>(memory->getLength());
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
  }

  bool find_loops(const llvm::SCEV *offset, llvm::SmallSetVector<llvm::Loop *, 4> &around) {
    return !llvm::SCEVExprContains(offset, [&](const llvm::SCEV *part) {
      if (auto *course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) {
        auto *loop = const_cast<llvm::Loop *>(course->getLoop());
        around.insert(loop);
        return !is_short(*loop);
      }
      return llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part);
    });
  }

  // Whether it has few iterations and does not synchronise.
  bool is_short(llvm::Loop &loop) {
    const uint64_t count = evolution_.getSmallConstantTripCount(&loop);
    return count && loop.isLoopSimplifyForm() && loop.isSafeToClone() &&
           count * size(loop) <= unrolled_array_loop;
  }

  // Of the loop once those inside are unrolled; too much if it has a synchronisation point.
  uint64_t size(llvm::Loop &loop) {
    uint64_t total = 0;
    for (llvm::BasicBlock *block : loop.blocks()) {
      if (llvm::any_of(*block, [](auto &instruction) { return is_sync_point(instruction); }))
        return unrolled_array_loop + 1;
      uint64_t times = 1;
      for (llvm::Loop *inner = loops_.getLoopFor(block); inner && inner != &loop;
           inner = inner->getParentLoop())
        times *= std::max(1u, evolution_.getSmallConstantTripCount(inner));
      total += times * block->size();
    }
    return total;
  }

  void unroll(llvm::Loop &loop) {
    if (const unsigned count = evolution_.getSmallConstantTripCount(&loop))
      unroll_loop(loop, count, analyses_, machine_);
  }

  LoopAnalyses analyses_;
  llvm::LoopInfo &loops_ = analyses_.loops;
  llvm::ScalarEvolution &evolution_ = analyses_.evolution;
  llvm::TargetMachine &machine_;
  llvm::SmallPtrSet<llvm::Loop *, 4> found_;
};

// How many elements it has; 0: it is no array of simple ones.
uint64_t elements_of(const llvm::AllocaInst &array) {
  uint64_t count = 1;
  llvm::Type *type = array.getAllocatedType();
  for (; type->isArrayTy(); type = type->getArrayElementType())
    count *= type->getArrayNumElements();
  return array.isStaticAlloca() && !array.isArrayAllocation() && type->isSingleValueType() ? count
                                                                                           : 0;
}

} // namespace

bool take_arrays_apart(llvm::Function &body, llvm::TargetMachine &machine) {
  llvm::SmallVector<llvm::AllocaInst *> arrays;
  uint64_t elements = 0;
  for (llvm::Instruction &instruction : body.getEntryBlock())
    if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const uint64_t count = elements_of(*array); count && elements + count <= most_elements) {
        arrays.push_back(array);
        elements += count;
      }
  if (arrays.empty())
    return false;
  bring_into_shape(body, machine, "loop-simplify,lcssa");
  {
    ArrayLoops loops(body, machine);
    bool any = false;
    for (llvm::AllocaInst *array : arrays)
      any |= loops.take(*array);
    if (!any)
      return false;
    loops.unroll();
  }
  bring_into_shape(body, machine, "sroa,early-cse");
  return true;
}

} // namespace ze_cpu
