#include "vector_pieces.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace ze_cpu {
namespace {

constexpr uint64_t smallest_piece = 16; // bytes

struct VectorAccess {
  llvm::Instruction *instruction;
  const llvm::AllocaInst *variable;
  llvm::FixedVectorType *type;
  uint64_t bytes;
};

/// Of a vector, at a known place of a variable.
std::optional<VectorAccess> vector_access(llvm::Instruction &instruction,
                                          const llvm::DataLayout &layout) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (load ? !load->isSimple() : !store || !store->isSimple())
    return std::nullopt;
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(llvm::getLoadStoreType(&instruction));
  if (!type || type->getScalarSizeInBits() % 8 != 0)
    return std::nullopt;
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(
      pointer->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!variable)
    return std::nullopt;
  return VectorAccess{&instruction, variable, type, layout.getTypeStoreSize(type).getFixedValue()};
}

void split(const VectorAccess &access, uint64_t bytes) {
  llvm::IRBuilder<> b(access.instruction);
  const unsigned count =
      access.type->getNumElements() / static_cast<unsigned>(access.bytes / bytes);
  auto *piece_type = llvm::FixedVectorType::get(access.type->getElementType(), count);
  llvm::Value *const pointer = llvm::getLoadStorePointerOperand(access.instruction);
  const llvm::Align align = llvm::getLoadStoreAlignment(access.instruction);
  const auto place = [&](uint64_t offset) {
    return offset == 0 ? pointer : b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pointer, offset);
  };
  llvm::SmallVector<llvm::Value *> pieces;
  for (uint64_t offset = 0; offset < access.bytes; offset += bytes) {
    const llvm::Align here = llvm::commonAlignment(align, offset);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction)) {
      const auto first = static_cast<unsigned>(offset / bytes) * count;
      llvm::Value *const piece = b.CreateShuffleVector(store->getValueOperand(),
                                                       llvm::createSequentialMask(first, count, 0));
      b.CreateAlignedStore(piece, place(offset), here)->setAAMetadata(store->getAAMetadata());
    } else {
      llvm::LoadInst *const piece = b.CreateAlignedLoad(piece_type, place(offset), here);
      piece->setAAMetadata(access.instruction->getAAMetadata());
      pieces.push_back(piece);
    }
  }
  if (!pieces.empty())
    access.instruction->replaceAllUsesWith(llvm::concatenateVectors(b, pieces));
  access.instruction->eraseFromParent();
}

} // namespace

bool access_in_pieces(llvm::Function &function) {
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  llvm::SmallVector<VectorAccess> accesses;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> least;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto access = vector_access(instruction, layout);
        access && access->bytes >= smallest_piece) {
      accesses.push_back(*access);
      const auto [known, is_new] = least.try_emplace(access->variable, access->bytes);
      if (!is_new)
        known->second = std::min(known->second, access->bytes);
    }
  bool changed = false;
  for (const VectorAccess &access : accesses) {
    const uint64_t bytes = least[access.variable];
    if (access.bytes == bytes || access.bytes % bytes != 0 ||
        access.type->getNumElements() % (access.bytes / bytes) != 0)
      continue;
    split(access, bytes);
    changed = true;
  }
  return changed;
}

} // namespace ze_cpu
