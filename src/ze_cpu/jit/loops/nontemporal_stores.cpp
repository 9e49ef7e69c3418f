#include "nontemporal_stores.h"

#include "../../contract/kernel_code.h"
#include "../codegen/loop_analyses.h"
#include "../lower/work_item.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace ze_cpu {
namespace {

// A processor gathers lines in a few buffers before it writes them: with more sequences at a time
// it would write parts of lines.
constexpr size_t max_sequences = 4;

/// A store of a vector, or of those elements that a mask names.
struct VectorStore {
  llvm::Instruction *instruction;
  llvm::Value *pointer;
  llvm::Value *value;
  llvm::Value *mask; // null: all

  static std::optional<VectorStore> of(llvm::Instruction &instruction) {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return VectorStore{store, store->getPointerOperand(), store->getValueOperand(), nullptr};
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
      return VectorStore{call, call->getArgOperand(1), call->getArgOperand(0),
                         call->getArgOperand(call->arg_size() - 1)};
    return std::nullopt;
  }
};

/// Stores that together write all of the memory that one iteration after the other passes, unless
/// masks leave something out.
struct StoreSequence {
  std::vector<VectorStore> stores;
  const llvm::SCEV *start = nullptr; // the lowest address of the first iteration
  uint64_t alignment = 0;            // what it must be a multiple of: a store's size
};

/// The argument of the kernel that `pointer` is made of, if that is global memory; else null.
const llvm::Value *kernel_argument(const llvm::Value *pointer) {
  constexpr unsigned global = 1;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer, 0));
  return load && load->getType()->isPointerTy() && load->getPointerAddressSpace() == 0 &&
                 load->getType()->getPointerAddressSpace() == global
             ? load
             : nullptr;
}

/// What `entry` reads through; nothing if it may do with memory what asks for an order of stores.
std::optional<llvm::SmallPtrSet<const llvm::Value *, 8>> read_arguments(llvm::Function &entry) {
  llvm::SmallPtrSet<const llvm::Value *, 8> read;
  for (llvm::Instruction &instruction : llvm::instructions(entry)) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) {
      read.insert(kernel_argument(load->getPointerOperand()));
      continue;
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple())
      continue;
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
      continue;
    if (call && (call->isAssumeLikeIntrinsic() || !call->mayWriteToMemory())) {
      for (const llvm::Use &use : call->args()) // masked loads
        if (use->getType()->isPointerTy())
          read.insert(kernel_argument(use));
      continue;
    }
    if (instruction.mayReadOrWriteMemory())
      return std::nullopt;
  }
  return read;
}

/// Numbers that a loop counts in vectors, as where a kernel compares its index of 32 bits with a
/// length, and takes addresses from the first element of: counted as scalars instead, of which
/// scalar evolution knows more.
class FirstElements {
public:
  explicit FirstElements(llvm::Loop &loop) : loop_(loop) {}

  void replace() {
    llvm::SmallVector<llvm::ExtractElementInst *> extracts;
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block)
        if (auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction))
          if (auto *index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
              index && index->isZero() && extract->getType()->isIntegerTy())
            extracts.push_back(extract);
    for (llvm::ExtractElementInst *extract : extracts)
      if (llvm::Value *first = of(extract->getVectorOperand())) {
        extract->replaceAllUsesWith(first);
        extract->eraseFromParent();
      }
  }

private:
  /// The first element of `vector` as a scalar; null if it is not counted in such a way.
  llvm::Value *of(llvm::Value *vector) {
    if (llvm::Value *splat = llvm::getSplatValue(vector))
      return splat;
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(vector))
      return constant->getAggregateElement(0u);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(vector))
      return counter(*phi);
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(vector);
    if (!sum || sum->getOpcode() != llvm::Instruction::Add || !loop_.contains(sum))
      return nullptr;
    llvm::Value *left = of(sum->getOperand(0)), *right = left ? of(sum->getOperand(1)) : nullptr;
    return right ? llvm::IRBuilder<>(sum).CreateAdd(left, right) : nullptr;
  }

  /// A scalar that counts as the first element of `phi` does; null if its steps are not a splat.
  llvm::Value *counter(llvm::PHINode &phi) {
    if (llvm::Value *known = counters_.lookup(&phi))
      return known;
    if (phi.getParent() != loop_.getHeader())
      return nullptr;
    llvm::Value *start = phi.getIncomingValueForBlock(loop_.getLoopPreheader());
    auto *next =
        llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    if (!next || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != &phi)
      return nullptr;
    llvm::Value *step = llvm::getSplatValue(next->getOperand(1));
    if (!step)
      return nullptr;
    llvm::IRBuilder<> b(&phi);
    llvm::PHINode *counter = b.CreatePHI(phi.getType()->getScalarType(), 2);
    b.SetInsertPoint(loop_.getLoopPreheader()->getTerminator());
    counter->addIncoming(b.CreateExtractElement(start, uint64_t{0}), loop_.getLoopPreheader());
    b.SetInsertPoint(next);
    counter->addIncoming(b.CreateAdd(counter, step), loop_.getLoopLatch());
    counters_[&phi] = counter;
    return counter;
  }

  llvm::Loop &loop_;
  llvm::DenseMap<llvm::PHINode *, llvm::Value *> counters_;
};

bool is_masked(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::masked_store ||
                  call->getIntrinsicID() == llvm::Intrinsic::masked_load);
}

llvm::Value *mask_of(const llvm::CallInst &masked) {
  return masked.getIntrinsicID() == llvm::Intrinsic::masked_store
             ? masked.getArgOperand(masked.arg_size() - 1)
             : masked.getArgOperand(masked.arg_size() - 2);
}

/// The first access with a mask, if all masks are known before it.
llvm::Instruction *first_masked(llvm::BasicBlock &block) {
  auto first = llvm::find_if(block, is_masked);
  if (first == block.end())
    return nullptr;
  for (llvm::Instruction &instruction : llvm::make_range(first, block.end()))
    if (is_masked(instruction))
      if (auto *mask =
              llvm::dyn_cast<llvm::Instruction>(mask_of(llvm::cast<llvm::CallInst>(instruction)));
          mask && mask->getParent() == &block && !mask->comesBefore(&*first))
        return nullptr;
  return &*first;
}

class StoreSequences {
public:
  StoreSequences(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const llvm::DataLayout &layout)
      : loop_(loop), evolution_(evolution), layout_(layout), predicated_(evolution, loop) {}

  /// The sequences of stores that the loop can write past the caches. A loop with more of them than
  /// a processor has buffers for has none.
  std::vector<StoreSequence> find(const llvm::SmallPtrSet<const llvm::Value *, 8> &read) {
    llvm::MapVector<const llvm::Value *, std::vector<VectorStore>> by_argument;
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block)
        if (const auto store = VectorStore::of(instruction)) {
          const llvm::Value *argument = kernel_argument(store->pointer);
          // What is read too is in the cache already.
          if (argument && !read.contains(argument))
            by_argument[argument].push_back(*store);
        }
    std::vector<StoreSequence> found;
    for (auto &[argument, stores] : by_argument)
      if (std::optional<StoreSequence> sequence = whole(stores))
        found.push_back(std::move(*sequence));
    if (found.size() > max_sequences)
      found.clear();
    return found;
  }

private:
  std::optional<StoreSequence> whole(const std::vector<VectorStore> &stores) {
    struct Part {
      int64_t offset; // from the first store's address
      uint64_t bytes;
      const llvm::SCEV *start;
    };
    std::vector<Part> parts;
    StoreSequence sequence{.stores = stores};
    uint64_t step = 0;
    for (const VectorStore &store : stores) {
      // Indices of 32 bits may wrap, on the condition that they do not. Should they, then the
      // address jumps by a multiple of 2^32 elements, and is aligned as before.
      const llvm::SCEVAddRecExpr *address = predicated_.getAsAddRec(store.pointer);
      auto *type = llvm::dyn_cast<llvm::FixedVectorType>(store.value->getType());
      if (!type || !address || address->getLoop() != &loop_ || !address->isAffine() ||
          !only_wraps() || store.instruction->getParent() != loop_.getLoopLatch() ||
          (store.mask && (depends_on_memory(store.mask) || loop_.getNumBlocks() != 1 ||
                          !first_masked(*loop_.getHeader()))))
        return std::nullopt;
      auto *by = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution_));
      const uint64_t bytes = layout_.getTypeStoreSize(type);
      if (!by || by->getAPInt().isNonPositive() || (bytes != 16 && bytes != 32 && bytes != 64))
        return std::nullopt;
      const uint64_t this_step = by->getAPInt().getZExtValue();
      if (step != 0 && this_step != step)
        return std::nullopt;
      step = this_step;
      auto *offset = parts.empty()
                         ? llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getZero(by->getType()))
                         : llvm::dyn_cast<llvm::SCEVConstant>(
                               evolution_.getMinusSCEV(address->getStart(), parts.front().start));
      if (!offset)
        return std::nullopt;
      parts.push_back({offset->getAPInt().getSExtValue(), bytes, address->getStart()});
      sequence.alignment = std::max(sequence.alignment, bytes);
    }
    std::ranges::sort(parts, {}, &Part::offset);
    int64_t next = parts.front().offset;
    for (const Part &part : parts) {
      if (part.offset != next || (part.offset - parts.front().offset) % int64_t(part.bytes) != 0)
        return std::nullopt;
      next += int64_t(part.bytes);
    }
    if (uint64_t(next - parts.front().offset) != step || step % sequence.alignment != 0)
      return std::nullopt;
    sequence.start = parts.front().start;
    return sequence;
  }

  /// Whether a mask leaves elements out here and there, and not just at the end.
  bool depends_on_memory(const llvm::Value *mask) const {
    llvm::SmallVector<const llvm::Value *> open = {mask};
    llvm::SmallPtrSet<const llvm::Value *, 16> seen;
    while (!open.empty()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
      if (!instruction || !loop_.contains(instruction) || !seen.insert(instruction).second)
        continue;
      if (instruction->mayReadFromMemory())
        return true;
      open.append(instruction->op_begin(), instruction->op_end());
    }
    return false;
  }

  /// Whether what is assumed of addresses is that indices do not wrap, and nothing else.
  bool only_wraps() const {
    auto *all = llvm::dyn_cast<llvm::SCEVUnionPredicate>(&predicated_.getPredicate());
    return all && llvm::all_of(all->getPredicates(), [](const llvm::SCEVPredicate *predicate) {
             auto *wrap = llvm::dyn_cast<llvm::SCEVWrapPredicate>(predicate);
             return wrap && wrap->getExpr()->getType()->getIntegerBitWidth() >= 32;
           });
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  const llvm::DataLayout &layout_;
  llvm::PredicatedScalarEvolution predicated_;
};

/// Makes a store non-temporal. Its memory is aligned to its size.
void make_nontemporal(llvm::StoreInst &store, const llvm::DataLayout &layout) {
  store.setAlignment(llvm::Align(layout.getTypeStoreSize(store.getValueOperand()->getType())));
  llvm::Metadata *one = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(store.getContext()), 1));
  store.setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(store.getContext(), one));
}

/// No processor has stores past the caches with a mask. Where a kernel asks whether there is an
/// element, a mask has all of them but at the end: for that the rest of the loop's block, from
/// `first` on, exists a second time, without masks. `stores` become those of it.
void add_unmasked(llvm::Instruction *first, std::vector<llvm::Instruction *> &stores) {
  llvm::BasicBlock *head = first->getParent();
  llvm::BasicBlock *masked = head->splitBasicBlock(first, "masked");
  llvm::IRBuilder<> b(head->getTerminator());
  llvm::SmallSetVector<llvm::Value *, 4> masks;
  for (llvm::Instruction &instruction : *masked)
    if (is_masked(instruction))
      masks.insert(mask_of(llvm::cast<llvm::CallInst>(instruction)));
  llvm::Value *all = b.getTrue();
  for (llvm::Value *mask : masks) {
    auto *bits = b.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
    all = b.CreateAnd(
        all, b.CreateICmpEQ(b.CreateBitCast(mask, bits), llvm::Constant::getAllOnesValue(bits)));
  }
  llvm::ValueToValueMapTy copies;
  llvm::BasicBlock *whole = llvm::CloneBasicBlock(masked, copies, ".whole", head->getParent());
  for (llvm::Instruction &instruction : *whole)
    llvm::RemapInstruction(&instruction, copies,
                           llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  for (llvm::BasicBlock *successor : llvm::successors(masked))
    for (llvm::PHINode &phi : successor->phis()) {
      llvm::Value *value = phi.getIncomingValueForBlock(masked);
      llvm::Value *const copied = copies.lookup(value);
      phi.addIncoming(copied ? copied : value, whole);
    }
  head->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(whole, masked, all, head);
  for (llvm::Instruction *&store : stores)
    if (llvm::Value *const copied = copies.lookup(store)) // else it is before `first`
      store = llvm::cast<llvm::Instruction>(copied);
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(*whole)) {
    if (!is_masked(instruction))
      continue;
    auto &call = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> w(&call);
    const llvm::Align any;
    llvm::Instruction *plain;
    if (call.getIntrinsicID() == llvm::Intrinsic::masked_load)
      plain = w.CreateAlignedLoad(call.getType(), call.getArgOperand(0), any);
    else
      plain = w.CreateAlignedStore(call.getArgOperand(0), call.getArgOperand(1), any);
    llvm::replace(stores, &instruction, plain);
    call.replaceAllUsesWith(plain);
    call.eraseFromParent();
  }
}

/// A copy of `loop` before it, which runs instead of it if `condition` holds. The map leads to the
/// copies.
void copy_loop(llvm::Loop &loop, llvm::Value *condition, llvm::LoopInfo &loops,
               llvm::DominatorTree &dominators, llvm::ValueToValueMapTy &copies) {
  llvm::BasicBlock *before = loop.getLoopPreheader();
  llvm::BasicBlock *header = llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops);
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
  llvm::Loop *copy = llvm::cloneLoopWithPreheader(header, before, &loop, copies, ".nontemporal",
                                                  &loops, &dominators, blocks);
  llvm::remapInstructionsInBlocks(blocks, copies);
  before->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(copy->getLoopPreheader(), header, condition, before);
  llvm::BasicBlock *exit = loop.getExitBlock();
  llvm::BasicBlock *from = loop.getExitingBlock();
  for (llvm::PHINode &phi : exit->phis()) {
    llvm::Value *value = phi.getIncomingValueForBlock(from);
    llvm::Value *const copied = copies.lookup(value);
    phi.addIncoming(copied ? copied : value, llvm::cast<llvm::BasicBlock>(copies[from]));
  }
}

} // namespace

bool runs_straight(const llvm::Function &body) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
  llvm::FindFunctionBackedges(body, edges);
  return edges.empty();
}

uint32_t add_nontemporal_loops(llvm::Function &entry) {
  const auto read = read_arguments(entry);
  if (!read)
    return 0;
  const llvm::DataLayout &layout = entry.getDataLayout();
  LoopAnalyses analyses(entry);
  llvm::DominatorTree &dominators = analyses.dominators;
  llvm::LoopInfo &loops = analyses.loops;
  llvm::ScalarEvolution &evolution = analyses.evolution;

  struct Copied {
    std::vector<llvm::Instruction *> stores;
    llvm::Instruction *first_masked = nullptr;
  };
  std::vector<Copied> all_copied;
  uint32_t item_bytes = 0; // of one loop: a work-item goes through one of them, by its number
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &analyses.assumptions, nullptr,
                       false);
    if (!loop->isLoopSimplifyForm() || !loop->getExitBlock() || !loop->getExitingBlock())
      continue;
    llvm::formLCSSA(*loop, dominators, &loops, &evolution);
    FirstElements(*loop).replace();
    const std::vector<StoreSequence> sequences =
        StoreSequences(*loop, evolution, layout).find(*read);
    if (sequences.empty())
      continue;

    llvm::Instruction *end = loop->getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> b(end);
    llvm::SCEVExpander expander(evolution, layout, "nontemporal");
    llvm::Value *wanted =
        load_member(b, entry.getArg(0), offsetof(GroupContext, nontemporal_stores), b.getInt64Ty());
    llvm::Value *misaligned = b.getInt64(0);
    for (const StoreSequence &sequence : sequences) {
      llvm::Value *start = expander.expandCodeFor(sequence.start, sequence.start->getType(), end);
      misaligned = b.CreateOr(
          misaligned, b.CreateAnd(b.CreatePtrToInt(start, b.getInt64Ty()), sequence.alignment - 1));
    }
    llvm::Value *condition = b.CreateAnd(b.CreateICmpNE(wanted, b.getInt64(0)),
                                         b.CreateICmpEQ(misaligned, b.getInt64(0)));
    llvm::ValueToValueMapTy copies;
    copy_loop(*loop, condition, loops, dominators, copies);
    uint32_t bytes = 0;
    Copied &copied = all_copied.emplace_back();
    for (const StoreSequence &sequence : sequences) {
      bytes += static_cast<uint32_t>(
          layout.getTypeStoreSize(sequence.stores.front().value->getType()->getScalarType()));
      for (const VectorStore &store : sequence.stores)
        copied.stores.push_back(llvm::cast<llvm::Instruction>(copies[store.instruction]));
    }
    if (loop->getNumBlocks() == 1)
      copied.first_masked = first_masked(*llvm::cast<llvm::BasicBlock>(copies[loop->getHeader()]));
    item_bytes = std::max(item_bytes, bytes);
  }
  // Now that nobody asks for loops any more.
  for (Copied &copied : all_copied) {
    if (copied.first_masked)
      add_unmasked(copied.first_masked, copied.stores);
    for (llvm::Instruction *store : copied.stores)
      make_nontemporal(*llvm::cast<llvm::StoreInst>(store), layout);
  }
  return item_bytes;
}

} // namespace ze_cpu
