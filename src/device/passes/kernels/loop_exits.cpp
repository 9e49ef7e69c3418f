// Operations of the threads of a warp stay in the iteration of the loop that they are made in.
//
// In `for (;;) { if (mine) { peers = __ballot(1); break; } }`, a GPU executes the ballot with those
// threads that leave the loop together. But what does not lead back is no part of the loop in LLVM's
// control flow: there, as for `while (!mine) {} peers = __ballot(1);`, all threads come through the
// same block, in whichever iteration they left, and drivers let them wait for each other. So where
// such an operation lies on a way out, or may come to lie there as values are propagated
// (`while (active) if (mine) { ...; active = false; }`), all ways from it out of the loop go through
// the loop's end, where threads that leave and threads that stay meet: an operation that nothing may
// copy and that comes in front of the branch that tells them apart keeps the loop as it is. Where
// the source says that the loop ends, the front end has marked (loop_marks.h). Can go when clang
// writes convergence control tokens for HIP, and SPIR-V's consumers honour what they say.
// Where a loop was unrolled or runs once, nobody has to be kept in an iteration any more: LoopEnds takes such operations out
// when all is optimised.
#include "../../../common/marks/loop_marks.h"
#include "../passes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace chip {
namespace {

/// Nobody votes for anything in it: __syncwarp() is a vote, too, which stays.
constexpr const char *wait_function = "_Z29__spirv_GroupNonUniformBallotib";
constexpr unsigned warp_scope = 3;

/// Which functions contain operations of warps, by themselves or by what they call.
class WarpOperations {
public:
  explicit WarpOperations(Module &module) {
    for (Function &function : module)
      if (function.isDeclaration() && function.isConvergent() &&
          function.getName().contains("__spirv_GroupNonUniform"))
        functions_.insert(&function);
    add_callers(functions_);
    for (Function *function : functions_)
      if (function->size() > 1)
        branching_.insert(function);
    add_callers(branching_);
  }

  bool contains(Function &function) const { return functions_.contains(&function); }
  bool are_in(const BasicBlock &block) const { return calls_any(block, functions_); }
  /// All threads that come through make the same ones.
  bool are_always_in(const BasicBlock &block) const {
    return are_in(block) && !calls_any(block, branching_);
  }

private:
  using Functions = SetVector<Function *>;

  static void add_callers(Functions &functions) {
    for (size_t i = 0; i < functions.size(); ++i)
      for (User *user : functions[i]->users())
        if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == functions[i])
          functions.insert(call->getFunction());
  }

  static bool calls_any(const BasicBlock &block, const Functions &functions) {
    return any_of(block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && call->getCalledFunction() && functions.contains(call->getCalledFunction());
    });
  }

  Functions functions_, branching_; // the latter are those that make some behind branches
};

using Blocks = SmallSetVector<BasicBlock *, 8>;

class LoopExitsOf {
public:
  LoopExitsOf(Function &function, const WarpOperations &operations)
      : function_(function), operations_(operations) {}

  void run() {
    analyse();
    if (loops_.empty())
      return;
    find_marks();
    split_returns();
    analyse();
    SmallVector<BasicBlock *> headers; // of inner loops first
    for (Loop *loop : reverse(loops_.getLoopsInPreorder()))
      headers.push_back(loop->getHeader());
    for (BasicBlock *header : headers)
      if (keep_in(*loops_.getLoopFor(header)))
        analyse();
  }

private:
  struct Marks {
    CallInst *before = nullptr, *body = nullptr, *behind = nullptr;
  };

  void find_marks() {
    SmallVector<CallInst *> starts; // of what no loop's iterations contain
    for (Instruction &instruction : instructions(function_)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !call->getCalledFunction() ||
          call->getCalledFunction()->getName() != loop_marks::mangled_name)
        continue;
      auto argument = [&](unsigned i) {
        return cast<ConstantInt>(call->getArgOperand(i))->getZExtValue();
      };
      Marks &marks = marks_[argument(1)];
      switch (argument(0)) {
      case loop_marks::before:
        marks.before = call;
        break;
      case loop_marks::body:
        marks.body = call;
        break;
      case loop_marks::behind:
        marks.behind = call;
        starts.push_back(call);
        break;
      default:
        labels_.push_back(call);
        starts.push_back(call);
      }
    }
    for (CallInst *start : starts)
      if (start != &start->getParent()->front())
        start->getParent()->splitBasicBlock(start->getIterator());
  }

  void split_returns() {
    for (BasicBlock &block : make_early_inc_range(function_))
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()); end && operations_.are_in(block))
        block.splitBasicBlock(end->getIterator());
  }

  void analyse() {
    dominators_.recalculate(function_);
    loops_.releaseMemory();
    loops_.analyze(dominators_);
  }

  const Marks *marks_of(const Loop &loop) const {
    for (const auto &[number, marks] : marks_)
      if (marks.before && marks.body && loops_.getLoopFor(marks.body->getParent()) == &loop &&
          !loop.contains(marks.before->getParent()))
        return &marks;
    return nullptr;
  }

  /// The blocks of the loop, and what the source has in it of the ways out, up to the last operation.
  Blocks iteration_of(const Loop &loop) const {
    Blocks blocks(loop.block_begin(), loop.block_end());
    const Marks *marks = marks_of(loop);
    if (!marks)
      return blocks;
    SmallVector<BasicBlock *> ends, ways;
    if (marks->behind)
      ends.push_back(marks->behind->getParent());
    for (CallInst *label : labels_)
      if (!loop.contains(label->getParent()))
        ends.push_back(label->getParent());
    // Where variables end, ways out and what is behind the loop may join.
    const Blocks behind = reached(std::move(ends), loop, [](BasicBlock *) { return true; });
    auto is_in = [&](BasicBlock *block) {
      return !behind.contains(block) && !isa<ReturnInst>(block->getTerminator()) &&
             dominators_.dominates(loop.getHeader(), block);
    };
    loop.getExitBlocks(ways);
    erase_if(ways, [&](BasicBlock *block) { return !is_in(block); });
    const Blocks outside = reached(std::move(ways), loop, is_in);
    SmallVector<BasicBlock *> pending;
    copy_if(outside, std::back_inserter(pending),
            [&](BasicBlock *block) { return operations_.are_in(*block); });
    while (!pending.empty()) {
      BasicBlock *block = pending.pop_back_val();
      if (outside.contains(block) && blocks.insert(block))
        append_range(pending, predecessors(block));
    }
    return blocks;
  }

  /// Blocks with operations that may come to lie, or lie, on a way out: of those that stay in the
  /// loop, threads may come past them.
  SmallVector<BasicBlock *> passed_by(const Loop &loop, const Blocks &iteration,
                                      ArrayRef<BasicBlock *> latches) const {
    SmallVector<BasicBlock *> found;
    for (BasicBlock *block : iteration)
      if (operations_.are_in(*block) &&
          !(loop.contains(block) && operations_.are_always_in(*block) &&
            all_of(latches,
                   [&](BasicBlock *latch) { return dominators_.dominates(block, latch); })))
        found.push_back(block);
    return found;
  }

  /// From `from` on, through blocks that `allows` says, without another iteration.
  template <typename Allows>
  static Blocks reached(SmallVector<BasicBlock *> from, const Loop &loop, Allows allows) {
    Blocks found;
    while (!from.empty()) {
      BasicBlock *block = from.pop_back_val();
      if (found.insert(block))
        for (BasicBlock *next : successors(block))
          if (next != loop.getHeader() && allows(next))
            from.push_back(next);
    }
    return found;
  }

  bool keep_in(Loop &loop) {
    const Blocks iteration = iteration_of(loop);
    SmallVector<BasicBlock *> latches;
    loop.getLoopLatches(latches);
    const SmallVector<BasicBlock *> passed = passed_by(loop, iteration, latches);
    if (passed.empty())
      return false;
    MapVector<BasicBlock *, Blocks> ways; // out of the loop, and whence
    for (BasicBlock *block :
         reached(passed, loop, [&](BasicBlock *next) { return iteration.contains(next); }))
      for (BasicBlock *next : successors(block))
        if (!iteration.contains(next))
          ways[next].insert(block);
    if (ways.empty() && operations_.are_always_in(*loop.getHeader()))
      return false; // all meet there anyway, before any leave
    for (auto &[to, from] : ways)
      demote_phis(*to);
    join(loop, latches, ways);
    demote_values(iteration);
    return true;
  }

  static void demote_phis(BasicBlock &block) {
    while (auto *phi = dyn_cast<PHINode>(&block.front()))
      DemotePHIToStack(phi);
  }

  /// Makes one end of the loop's body, through which all ways go, also those out of it.
  void join(const Loop &loop, ArrayRef<BasicBlock *> latches,
            const MapVector<BasicBlock *, Blocks> &ways) {
    BasicBlock *on = next_iteration(loop, latches);
    demote_phis(*on);
    IRBuilder<> builder(BasicBlock::Create(function_.getContext(), "loop.end", &function_, on));
    PHINode *way = builder.CreatePHI(builder.getInt32Ty(), 2);
    MDNode *properties = nullptr;
    if (on == loop.getHeader()) {
      for (BasicBlock *latch : latches) {
        Instruction *branch = latch->getTerminator();
        if (MDNode *node = branch->getMetadata(LLVMContext::MD_loop))
          properties = node;
        branch->setMetadata(LLVMContext::MD_loop, nullptr);
        lead(*latch, *on, *way, 0);
      }
    } else {
      const Blocks before(pred_begin(on), pred_end(on));
      for (BasicBlock *block : before)
        lead(*block, *on, *way, 0);
    }
    uint32_t number = 0;
    for (const auto &[to, from] : ways) {
      ++number;
      for (BasicBlock *block : from)
        lead(*block, *to, *way, number);
    }
    wait(builder);
    Instruction *branch;
    if (number == 0) {
      branch = builder.CreateBr(on);
    } else if (number == 1) {
      branch = builder.CreateCondBr(builder.CreateICmpEQ(way, builder.getInt32(0)), on,
                                    ways.front().first);
    } else {
      SwitchInst *choice = builder.CreateSwitch(way, on, number);
      number = 0;
      for (const auto &[to, from] : ways)
        choice->addCase(builder.getInt32(++number), to);
      branch = choice;
    }
    branch->setMetadata(LLVMContext::MD_loop, properties);
  }

  /// The block that threads go to that do not leave. What comes last of each iteration, the
  /// increment of a `for`, stays apart, so that the loop's count is seen.
  BasicBlock *next_iteration(const Loop &loop, ArrayRef<BasicBlock *> latches) const {
    BasicBlock *latch = latches.front();
    const bool is_apart = latches.size() == 1 && latch != loop.getHeader() &&
                          latch->getSingleSuccessor() && !operations_.are_in(*latch);
    return is_apart ? latch : loop.getHeader();
  }

  /// Turns the way from `from` to `to` into one to the end of the loop's body.
  static void lead(BasicBlock &from, BasicBlock &to, PHINode &way, uint32_t number) {
    BasicBlock *end = way.getParent();
    BasicBlock *between = BasicBlock::Create(from.getContext(), "leave", from.getParent(), end);
    BranchInst::Create(end, between)->setDebugLoc(from.getTerminator()->getDebugLoc());
    from.getTerminator()->replaceSuccessorWith(&to, between);
    way.addIncoming(ConstantInt::get(way.getType(), number), between);
  }

  void wait(IRBuilder<> &builder) const {
    Module &module = *function_.getParent();
    auto *type = FunctionType::get(FixedVectorType::get(builder.getInt32Ty(), 4),
                                   {builder.getInt32Ty(), builder.getInt1Ty()}, false);
    auto *callee = cast<Function>(module.getOrInsertFunction(wait_function, type).getCallee());
    if (callee->use_empty())
      callee->setCallingConv(CallingConv::SPIR_FUNC);
    callee->setConvergent();
    callee->setDoesNotThrow();
    CallInst *call = builder.CreateCall(callee, {builder.getInt32(warp_scope), builder.getFalse()});
    call->setCallingConv(callee->getCallingConv());
    call->setConvergent();
    call->setDoesNotThrow();
  }

  /// Those that a way no longer shows where they come from.
  void demote_values(const Blocks &blocks) {
    dominators_.recalculate(function_);
    SmallVector<Instruction *> values;
    for (BasicBlock *block : blocks)
      for (Instruction &value : *block)
        if (any_of(value.uses(), [&](const Use &use) {
              return dominators_.isReachableFromEntry(use) && !dominators_.dominates(&value, use);
            }))
          values.push_back(&value);
    for (Instruction *value : values)
      DemoteRegToStack(*value);
  }

  Function &function_;
  const WarpOperations &operations_;
  MapVector<uint64_t, Marks> marks_;
  SmallVector<CallInst *> labels_;
  DominatorTree dominators_;
  LoopInfo loops_;
};

/// A function that ends by calling itself would become a loop of which all threads come out together,
/// from whatever depth.
void keep_recursion(Module &module, const WarpOperations &operations) {
  CallGraph graph(module);
  for (auto cycle = scc_begin(&graph); !cycle.isAtEnd(); ++cycle)
    if (cycle.hasCycle())
      for (const CallGraphNode *node : *cycle)
        if (Function *function = node->getFunction(); function && operations.contains(*function))
          function->addFnAttr("disable-tail-calls", "true");
}

} // namespace

PreservedAnalyses LoopExits::run(Module &module, ModuleAnalysisManager &) {
  const WarpOperations operations(module);
  keep_recursion(module, operations);
  for (Function &function : module)
    if (!function.isDeclaration() && operations.contains(function)) {
      removeUnreachableBlocks(function);
      LoopExitsOf(function, operations).run();
    }
  if (Function *mark = module.getFunction(loop_marks::mangled_name)) {
    while (!mark->use_empty())
      cast<CallInst>(mark->user_back())->eraseFromParent();
    mark->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses LoopEnds::run(Module &module, ModuleAnalysisManager &) {
  Function *wait = module.getFunction(wait_function);
  if (!wait)
    return PreservedAnalyses::all();
  MapVector<Function *, SmallVector<CallInst *>> waits;
  for (User *user : wait->users())
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() == wait && call->use_empty() &&
        match(call->getArgOperand(1), PatternMatch::m_Zero()))
      waits[call->getFunction()].push_back(call);
  for (auto &[function, calls] : waits) {
    const DominatorTree dominators(*function);
    const LoopInfo loops(dominators);
    for (CallInst *call : calls)
      if (!loops.getLoopFor(call->getParent()))
        call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace chip
