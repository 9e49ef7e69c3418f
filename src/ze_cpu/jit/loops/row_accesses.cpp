#include "row_accesses.h"

#include "../lanes/adjacent_lanes.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace ze_cpu {
namespace {

using Vectors = llvm::SmallVector<llvm::Value *, 16>;

/// With fewer, transposing costs more than is gained.
constexpr size_t fewest_of_row = 4;

struct RowAccess {
  llvm::IntrinsicInst *call;
  llvm::Value *rows; // pointers, one for each lane
  int64_t offset;    // in bytes, from these
};

/// Accesses of the same rows without anything between them that could see or change their order.
struct RowGroup {
  bool loads;
  llvm::FixedVectorType *type;
  llvm::SmallVector<RowAccess, 16> accesses;
  int64_t first = 0, last = 0; // offsets

  unsigned lanes() const { return type->getNumElements(); }
  int64_t element_bytes() const { return type->getScalarSizeInBits() / 8; }
  /// Its place in a row that is one vector.
  unsigned place(const RowAccess &access) const {
    return static_cast<unsigned>((access.offset - first) / element_bytes());
  }
};

/// The vector that a gather gives or a scatter takes, if all lanes take part and rows of such elements may be vectors.
llvm::FixedVectorType *accessed_type(const llvm::IntrinsicInst &call) {
  const bool loads = call.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  if (!loads && call.getIntrinsicID() != llvm::Intrinsic::masked_scatter)
    return nullptr;
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(loads ? call.getType()
                                                           : call.getArgOperand(0)->getType());
  const llvm::Value *mask = call.getArgOperand(call.arg_size() - (loads ? 2 : 1));
  if (!type || !llvm::PatternMatch::match(mask, llvm::PatternMatch::m_AllOnes()))
    return nullptr;
  const unsigned lanes = type->getNumElements();
  return can_be_in_row(*type->getElementType()) && llvm::isPowerOf2_32(lanes) &&
                 lanes >= fewest_of_row && lanes <= 16
             ? type
             : nullptr;
}

RowAccess row_access_of(llvm::IntrinsicInst &call) {
  const bool loads = call.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  RowAccess access{&call, call.getArgOperand(loads ? 0 : 1), 0};
  const llvm::DataLayout &layout = call.getDataLayout();
  while (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(access.rows)) {
    if (address->getNumIndices() != 1 || !address->getPointerOperandType()->isVectorTy())
      break;
    const llvm::APInt *index = nullptr;
    if (!llvm::PatternMatch::match(address->getOperand(1), llvm::PatternMatch::m_APInt(index)))
      break;
    const uint64_t bytes = layout.getTypeAllocSize(address->getSourceElementType());
    access.offset += index->getSExtValue() * static_cast<int64_t>(bytes);
    access.rows = address->getPointerOperand();
  }
  return access;
}

bool takes(const RowGroup &group, llvm::FixedVectorType *type, const RowAccess &access) {
  const RowAccess &other = group.accesses.front();
  const int64_t first = std::min(group.first, access.offset),
                last = std::max(group.last, access.offset);
  return group.type == type && other.rows == access.rows &&
         (access.offset - group.first) % group.element_bytes() == 0 &&
         last - first < group.element_bytes() * int64_t(group.lanes()) &&
         // Lanes that do not depend on each other may store one after the other.
         (group.loads ||
          (other.call->getMetadata(llvm::LLVMContext::MD_access_group) ==
               access.call->getMetadata(llvm::LLVMContext::MD_access_group) &&
           llvm::none_of(
               group.accesses,
               [&](const RowAccess &before) { return before.offset == access.offset; })));
}

/// Rows become columns, of as many vectors as they have elements: blocks of half the size change places, then blocks within these.
void transpose_rows(llvm::IRBuilder<> &b, Vectors &rows) {
  const auto count = static_cast<int>(rows.size());
  for (int size = count / 2; size > 0; size /= 2) {
    llvm::SmallVector<int, 16> upper, lower;
    for (int i = 0; i < count; ++i) {
      upper.push_back(i & size ? count + i - size : i);
      lower.push_back(i & size ? count + i : i + size);
    }
    for (int i = 0; i < count; ++i)
      if (!(i & size)) {
        llvm::Value *const above = rows[i], *const below = rows[i + size];
        rows[i] = b.CreateShuffleVector(above, below, upper);
        rows[i + size] = b.CreateShuffleVector(above, below, lower);
      }
  }
}

void delete_unused(Vectors &vectors) {
  llvm::SmallVector<llvm::Instruction *> pending;
  for (llvm::Value *vector : vectors)
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(vector))
      pending.push_back(instruction);
  while (!pending.empty()) {
    llvm::Instruction *unused = pending.pop_back_val();
    if (!unused->use_empty() || !llvm::isa<llvm::ShuffleVectorInst>(unused))
      continue;
    for (llvm::Value *operand : unused->operands())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand))
        if (!llvm::is_contained(pending, instruction))
          pending.push_back(instruction);
    unused->eraseFromParent();
  }
}

void access_rows(const RowGroup &group) {
  const unsigned lanes = group.lanes();
  llvm::SmallVector<bool, 16> is_accessed(lanes);
  for (const RowAccess &access : group.accesses)
    is_accessed[group.place(access)] = true;
  // Loads come where the first was, stores where the last was.
  llvm::IRBuilder<> b(group.loads ? group.accesses.front().call : group.accesses.back().call);
  llvm::SmallVector<llvm::Constant *, 16> mask;
  for (const bool accessed : is_accessed)
    mask.push_back(b.getInt1(accessed));
  llvm::Constant *const accessed = llvm::ConstantVector::get(mask);
  const llvm::Align align(static_cast<uint64_t>(group.element_bytes()));
  const auto row = [&](unsigned lane) {
    llvm::Value *begin = b.CreateExtractElement(group.accesses.front().rows, uint64_t(lane));
    return b.CreateConstGEP1_64(b.getInt8Ty(), begin, static_cast<uint64_t>(group.first));
  };
  Vectors vectors;
  if (group.loads) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      vectors.push_back(b.CreateMaskedLoad(group.type, row(lane), align, accessed,
                                           llvm::PoisonValue::get(group.type)));
    transpose_rows(b, vectors);
    for (const RowAccess &access : group.accesses)
      access.call->replaceAllUsesWith(vectors[group.place(access)]);
  } else {
    vectors.assign(lanes, llvm::PoisonValue::get(group.type));
    for (const RowAccess &access : group.accesses)
      vectors[group.place(access)] = access.call->getArgOperand(0);
    transpose_rows(b, vectors);
    for (unsigned lane = 0; lane < lanes; ++lane)
      b.CreateMaskedStore(vectors[lane], row(lane), align, accessed);
  }
  for (const RowAccess &access : group.accesses)
    access.call->eraseFromParent();
  if (group.loads)
    delete_unused(vectors);
}

/// Whether the loads of a group that is too small for rows read all of what lies between the first and the last of them.
bool is_dense(const RowGroup &group) {
  const size_t count = group.accesses.size();
  llvm::SmallSet<int64_t, 4> offsets;
  for (const RowAccess &access : group.accesses)
    offsets.insert(access.offset);
  return group.loads && count > 1 && count < fewest_of_row && offsets.size() == count &&
         group.place({nullptr, nullptr, group.last}) + 1 == count;
}

/// Loads what lanes have one behind the other as one vector, where that is so: it cannot be seen of coordinates that come of
/// divisions, but for most lanes the next one is in the same row.
void load_if_adjacent(const RowGroup &group) {
  llvm::IntrinsicInst *const first = group.accesses.front().call;
  llvm::Value *const rows = group.accesses.front().rows;
  const auto count = static_cast<unsigned>(group.accesses.size());
  const unsigned lanes = group.lanes();
  llvm::IRBuilder<> b(first);
  llvm::Value *const places =
      b.CreatePtrToInt(rows, llvm::FixedVectorType::get(b.getInt64Ty(), lanes));
  llvm::Instruction *apart = nullptr, *together = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      are_apart(b, places, count * static_cast<uint64_t>(group.element_bytes())),
      first->getIterator(), &apart, &together);
  b.SetInsertPoint(together);
  llvm::Value *const begin = b.CreateExtractElement(rows, uint64_t(0));
  const llvm::Align align(static_cast<uint64_t>(group.element_bytes()));
  llvm::Value *const all = b.CreateAlignedLoad(
      llvm::FixedVectorType::get(group.type->getElementType(), lanes * count),
      b.CreateConstGEP1_64(b.getInt8Ty(), begin, static_cast<uint64_t>(group.first)), align);
  for (const RowAccess &access : group.accesses) {
    llvm::SmallVector<int, 16> elements;
    for (unsigned lane = 0; lane < lanes; ++lane)
      elements.push_back(static_cast<int>(lane * count + group.place(access)));
    b.SetInsertPoint(together);
    llvm::Value *const loaded = b.CreateShuffleVector(all, elements);
    b.SetInsertPoint(apart);
    llvm::Value *const gathered = b.CreateMaskedGather(
        group.type,
        b.CreateGEP(b.getInt8Ty(), rows, b.getInt64(static_cast<uint64_t>(access.offset))), align);
    b.SetInsertPoint(first->getParent(), first->getParent()->begin());
    llvm::PHINode *const value = b.CreatePHI(group.type, 2);
    value->addIncoming(loaded, together->getParent());
    value->addIncoming(gathered, apart->getParent());
    access.call->replaceAllUsesWith(value);
  }
  for (const RowAccess &access : group.accesses)
    access.call->eraseFromParent();
}

class RowGroups {
public:
  void visit(llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    llvm::FixedVectorType *const type = call ? accessed_type(*call) : nullptr;
    const bool loads = type && call->getIntrinsicID() == llvm::Intrinsic::masked_gather;
    const bool stores = type && !loads && call->hasMetadata(llvm::LLVMContext::MD_access_group);
    if (instruction.mayWriteToMemory())
      close(true);
    if (instruction.mayReadOrWriteMemory() && !stores)
      close(false);
    if (!loads && !stores)
      return;
    const RowAccess access = row_access_of(*call);
    const auto found = llvm::find_if(open_, [&](const RowGroup &group) {
      return group.loads == loads && takes(group, type, access);
    });
    if (found != open_.end()) {
      found->accesses.push_back(access);
      found->first = std::min(found->first, access.offset);
      found->last = std::max(found->last, access.offset);
      return;
    }
    if (stores) // which may overlap those before
      close(false);
    open_.push_back({loads, type, {access}, access.offset, access.offset});
  }
  /// Ends the groups of loads or of stores.
  void close(bool loads) {
    std::erase_if(open_, [&](RowGroup &group) {
      if (group.loads != loads)
        return false;
      if (group.accesses.size() >= fewest_of_row || is_dense(group))
        closed_.push_back(std::move(group));
      return true;
    });
  }
  std::vector<RowGroup> take() {
    close(true);
    close(false);
    return std::exchange(closed_, {});
  }

private:
  std::vector<RowGroup> open_, closed_;
};

} // namespace

bool can_be_in_row(const llvm::Type &type) {
  const unsigned bits = type.getPrimitiveSizeInBits().getFixedValue();
  return (bits == 32 || bits == 64) && !type.isVectorTy();
}

void access_rows(llvm::Function &function) {
  std::vector<RowGroup> found;
  for (llvm::BasicBlock &block : function) {
    RowGroups groups;
    for (llvm::Instruction &instruction : block)
      groups.visit(instruction);
    for (RowGroup &group : groups.take())
      found.push_back(std::move(group));
  }
  for (const RowGroup &group : found)
    if (group.accesses.size() >= fewest_of_row)
      access_rows(group);
    else
      load_if_adjacent(group);
}

} // namespace ze_cpu
