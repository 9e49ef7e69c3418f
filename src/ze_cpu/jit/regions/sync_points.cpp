#include "sync_points.h"
#include "lane_parameters.h"

#include "../../contract/kernel_code.h"
#include "../lower/work_item.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace ze_cpu {
namespace {

constexpr const char *marker_name = "ze_cpu.sync";
constexpr unsigned value_operand = 2, parameter_operand = 3, id_operand = 4, operation_operand = 5;

llvm::FunctionCallee marker(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto *i64 = llvm::Type::getInt64Ty(context), *i32 = llvm::Type::getInt32Ty(context);
  auto *type = llvm::FunctionType::get(
      i64, {llvm::PointerType::get(context, 0), i64, i64, i64, i32, i32}, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(marker_name, type);
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoMerge);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

uint32_t constant_operand(const llvm::CallInst &sync_point, unsigned operand) {
  return static_cast<uint32_t>(
      llvm::cast<llvm::ConstantInt>(sync_point.getArgOperand(operand))->getZExtValue());
}

bool contains_sync_point(const llvm::BasicBlock &block) {
  return llvm::any_of(block, is_sync_point);
}

bool contains_call(const llvm::BasicBlock &block, const SyncFunctions &others) {
  return llvm::any_of(block, [&](const llvm::Instruction &instruction) {
    return others.are_called_by(instruction);
  });
}

bool is_sub_group_operation(const llvm::Instruction &instruction) {
  return is_sync_point(instruction) &&
         operation_of(llvm::cast<llvm::CallInst>(instruction)).scope == SyncScope::sub_group;
}

bool contains_sub_group_operation(const llvm::BasicBlock &block) {
  return llvm::any_of(block, is_sub_group_operation);
}

// Nothing of the body comes between, whichever way a lane took through it. An operation in an inner
// loop or a function is none at which they meet: some lanes may carry it out more often.
bool meet_at_end(const llvm::Loop &loop, const SyncFunctions &others, const llvm::LoopInfo &loops) {
  for (llvm::BasicBlock *block = loop.getLoopLatch(); block && loops.getLoopFor(block) == &loop;
       block = block->getSinglePredecessor()) {
    for (const llvm::Instruction &instruction : llvm::reverse(*block)) {
      if (is_sub_group_operation(instruction))
        return true;
      if (others.are_called_by(instruction))
        return false;
    }
    if (block == loop.getHeader())
      return false;
  }
  return false;
}

// A lane that skips a sub-group operation inside a loop could come around to the next iteration's
// operations while others still wait in this one; hardware lets it wait at the end of the body.
// Needed only where an operation can be skipped, or an inner loop or a function may carry it out
// more often for some lanes, and lanes do not meet at the end of the body by themselves.
void insert_reconvergence(llvm::Function &function, const SyncFunctions &others,
                          llvm::LoopInfo &loops, llvm::DominatorTree &dominators) {
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock *latch = loop->getLoopLatch();
    if (!latch)
      continue;
    bool skippable = false;
    for (llvm::BasicBlock *block : loop->blocks())
      skippable |= contains_call(*block, others) ||
                   (contains_sub_group_operation(*block) &&
                    (loops.getLoopFor(block) != loop || !dominators.dominates(block, latch)));
    if (!skippable || meet_at_end(*loop, others, loops))
      continue;
    llvm::IRBuilder<> builder(latch->getTerminator());
    emit_sync_point(builder, function.getArg(context_parameter::group),
                    function.getArg(context_parameter::lane), {SyncKind::reconverge}, nullptr,
                    nullptr);
  }
}

// Lanes have a list of the calls that they are in (contract/sync.h): this one begins and ends around
// `call`.
void record_call(llvm::CallInst &call, llvm::AllocaInst &record, uint32_t id) {
  llvm::Function &function = *call.getFunction();
  llvm::IRBuilder<> builder(&call);
  auto member = [&](llvm::Value *of, size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), of, offset);
  };
  llvm::Value *innermost =
      builder.CreateInBoundsGEP(builder.getPtrTy(),
                                load_member(builder, function.getArg(context_parameter::group),
                                            offsetof(GroupContext, calls), builder.getPtrTy()),
                                function.getArg(context_parameter::lane));
  llvm::Value *caller = builder.CreateLoad(builder.getPtrTy(), innermost);
  llvm::Value *depth =
      builder.CreateLoad(builder.getInt32Ty(), member(caller, offsetof(SyncCall, depth)));
  builder.CreateStore(caller, member(&record, offsetof(SyncCall, caller)));
  builder.CreateStore(builder.getInt32(id), member(&record, offsetof(SyncCall, id)));
  builder.CreateStore(builder.CreateAdd(depth, builder.getInt32(1)),
                      member(&record, offsetof(SyncCall, depth)));
  builder.CreateStore(&record, innermost);
  builder.SetInsertPoint(call.getNextNode());
  builder.CreateStore(caller, innermost);
}

llvm::AllocaInst &make_call_record(llvm::Function &function) {
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  llvm::AllocaInst *record = builder.CreateAlloca(
      llvm::ArrayType::get(builder.getInt8Ty(), sizeof(SyncCall)), nullptr, "call");
  record->setAlignment(llvm::Align(alignof(SyncCall)));
  return *record;
}

// Blocks in an order in which a loop's blocks stay together and everything comes after what leads
// to it: reverse post-order of each nest, inner loops counting as one node.
class ProgramOrder {
public:
  ProgramOrder(llvm::Function &function, llvm::LoopInfo &loops) : loops_(loops) {
    visit(nullptr, &function.getEntryBlock());
  }
  std::vector<llvm::BasicBlock *> blocks;

private:
  // The loop directly inside `outer` that holds `block`, or null when `block` is directly in
  // `outer`.
  llvm::Loop *child(llvm::Loop *outer, llvm::BasicBlock *block) const {
    llvm::Loop *loop = loops_.getLoopFor(block);
    if (loop == outer)
      return nullptr;
    while (loop && loop->getParentLoop() != outer)
      loop = loop->getParentLoop();
    return loop;
  }

  void visit(llvm::Loop *region, llvm::BasicBlock *entry) {
    // Nodes stand for themselves or, as its header, for an inner loop.
    llvm::SmallVector<llvm::BasicBlock *> post_order;
    llvm::SmallPtrSet<llvm::BasicBlock *, 32> seen;
    struct Frame {
      llvm::BasicBlock *node;
      llvm::SmallVector<llvm::BasicBlock *> next;
    };
    std::vector<Frame> stack;
    auto enter = [&](llvm::BasicBlock *node) {
      if (!seen.insert(node).second)
        return;
      llvm::SmallVector<llvm::BasicBlock *> exits;
      if (llvm::Loop *inner = child(region, node))
        inner->getUniqueExitBlocks(exits);
      else
        exits.append(llvm::succ_begin(node), llvm::succ_end(node));
      llvm::SmallVector<llvm::BasicBlock *> next;
      for (llvm::BasicBlock *target : exits) {
        if (region && (!region->contains(target) || target == region->getHeader()))
          continue;
        llvm::Loop *inner = child(region, target);
        next.push_back(inner ? inner->getHeader() : target);
      }
      stack.push_back({node, std::move(next)});
    };
    enter(entry);
    while (!stack.empty()) {
      if (stack.back().next.empty()) {
        post_order.push_back(stack.back().node);
        stack.pop_back();
      } else {
        enter(stack.back().next.pop_back_val());
      }
    }
    for (llvm::BasicBlock *node : llvm::reverse(post_order)) {
      llvm::Loop *inner = child(region, node);
      if (inner)
        visit(inner, node);
      else
        blocks.push_back(node);
    }
  }

  llvm::LoopInfo &loops_;
};

} // namespace

llvm::CallInst *emit_sync_point(llvm::IRBuilder<> &builder, llvm::Value *context, llvm::Value *lane,
                                SyncOperation operation, llvm::Value *value,
                                llvm::Value *parameter) {
  llvm::Value *none = builder.getInt64(0);
  return builder.CreateCall(marker(*builder.GetInsertBlock()->getModule()),
                            {context, lane, value ? value : none, parameter ? parameter : none,
                             builder.getInt32(0), builder.getInt32(operation.packed())});
}

std::vector<llvm::CallInst *> sync_points(llvm::Function &function) {
  std::vector<llvm::CallInst *> found;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (is_sync_point(instruction))
      found.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return found;
}

SyncOperation operation_of(const llvm::CallInst &sync_point) {
  return SyncOperation::unpack(constant_operand(sync_point, operation_operand));
}

llvm::Value *value_of(const llvm::CallInst &sync_point) {
  return sync_point.getArgOperand(value_operand);
}

llvm::Value *parameter_of(const llvm::CallInst &sync_point) {
  return sync_point.getArgOperand(parameter_operand);
}

void set_value(llvm::CallInst &sync_point, llvm::Value *value) {
  sync_point.setArgOperand(value_operand, value);
}

void set_parameter(llvm::CallInst &sync_point, llvm::Value *parameter) {
  sync_point.setArgOperand(parameter_operand, parameter);
}

uint32_t id_of(const llvm::CallInst &sync_point) {
  return constant_operand(sync_point, id_operand);
}

bool is_sync_point(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == marker_name;
}

SyncFunctions::SyncFunctions(llvm::Module &module, bool through_pointers)
    : through_pointers_(through_pointers) {
  for (llvm::Function &function : module)
    if (llvm::any_of(llvm::instructions(function), is_sync_point))
      functions_.insert(&function);
  if (through_pointers)
    for (llvm::Function &function : module)
      if (llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
            return are_called_by(instruction);
          }))
        functions_.insert(&function);
  for (size_t i = 0; i < functions_.size(); ++i)
    for (const llvm::User *user : functions_[i]->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledFunction() == functions_[i])
        functions_.insert(call->getFunction());
}

bool SyncFunctions::are_called_by(const llvm::Instruction &instruction) const {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || call->isInlineAsm())
    return false;
  const llvm::Function *callee = call->getCalledFunction();
  return callee ? functions_.contains(callee) : through_pointers_;
}

uint32_t order_sync_points(llvm::Function &function, const SyncFunctions &others,
                           uint32_t first_id) {
  const bool calls = llvm::any_of(
      function, [&](const llvm::BasicBlock &block) { return contains_call(block, others); });
  if (!calls && llvm::none_of(function, contains_sync_point))
    return first_id;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : llvm::SmallVector<llvm::Loop *>(loops.begin(), loops.end()))
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  insert_reconvergence(function, others, loops, dominators);
  llvm::AllocaInst *record = calls ? &make_call_record(function) : nullptr;
  for (llvm::BasicBlock *block : ProgramOrder(function, loops).blocks)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
      if (others.are_called_by(instruction))
        record_call(llvm::cast<llvm::CallInst>(instruction), *record, first_id++);
      else if (is_sync_point(instruction))
        llvm::cast<llvm::CallInst>(instruction)
            .setArgOperand(
                id_operand,
                llvm::ConstantInt::get(llvm::Type::getInt32Ty(function.getContext()), first_id++));
  return first_id;
}

void sync_points_to_fiber_calls(llvm::Module &module) {
  for (llvm::Function &function : module)
    load_lane_parameters(function);
  // The scheduler's function takes what the marker takes.
  if (llvm::Function *marker = module.getFunction(marker_name))
    marker->setName("ze_cpu_sync");
}

llvm::DenseSet<const llvm::CallInst *> take_fences(llvm::Function &body) {
  llvm::DenseSet<const llvm::CallInst *> fenced;
  for (llvm::CallInst *marker : sync_points(body)) {
    llvm::SmallVector<llvm::FenceInst *> fences;
    auto look = [&](llvm::Instruction *at, auto next) {
      for (; at; at = next(at))
        if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(at))
          fences.push_back(fence);
        else if (at->mayReadOrWriteMemory())
          return;
    };
    look(marker->getPrevNode(), [](llvm::Instruction *at) { return at->getPrevNode(); });
    look(marker->getNextNode(), [](llvm::Instruction *at) { return at->getNextNode(); });
    for (llvm::FenceInst *fence : fences) {
      if (fence->getSyncScopeID() != llvm::SyncScope::SingleThread)
        fenced.insert(marker);
      fence->eraseFromParent();
    }
  }
  return fenced;
}

bool only_sub_group_operations(llvm::Function &body) {
  return llvm::all_of(sync_points(body), [](llvm::CallInst *marker) {
    const SyncOperation operation = operation_of(*marker);
    return operation.scope == SyncScope::sub_group && operation.kind != SyncKind::turn;
  });
}

} // namespace ze_cpu
