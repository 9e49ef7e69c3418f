#include "private_cells.h"

#include "../regions/regions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <map>
#include <optional>

namespace ze_cpu {
namespace {

// A part of a private variable, and the region's accesses to it.
struct Cell {
  llvm::Type *type;
  bool is_stored = false;
  llvm::SmallVector<llvm::Instruction *, 8> accesses = {};
};

class CellFinder {
public:
  CellFinder(const Region &region, llvm::AllocaInst &variable)
      : region_(region), variable_(variable), layout_(variable.getDataLayout()) {
    const std::optional<llvm::TypeSize> size = variable_.getAllocationSize(layout_);
    are_apart_ =
        size && !size->isScalable() && follow(variable_, 0) && !overlap(size->getFixedValue());
  }

  // By offset; none where they cannot be values, or where that would neither save accesses nor keep them in order.
  std::map<uint64_t, Cell> take() {
    if (!are_apart_ || is_anywhere_)
      return {};
    size_t before = 0, after = 0;
    bool is_ordered = false;
    for (const auto &[offset, cell] : cells_) {
      before += cell.accesses.size();
      after += 1u + cell.is_stored;
      is_ordered |= cell.is_stored && cell.accesses.size() > 1;
    }
    return before > after || is_ordered ? std::move(cells_) : std::map<uint64_t, Cell>();
  }

  // Whether one access may be to what another one, not at the same place of the code, has stored or stores.
  bool may_meet() const { return !are_apart_ || (is_anywhere_ && is_stored_); }

  // Accesses of less than 32 bits.
  unsigned narrow() const { return narrow_; }

private:
  bool is_here(const llvm::Instruction &instruction) const {
    return region_.members.contains(instruction.getParent());
  }

  // Takes the accesses through `pointer`, which is at `offset` in the variable, or anywhere in it. False if the region may have others.
  bool follow(llvm::Value &pointer, std::optional<uint64_t> offset) {
    for (llvm::User *user : pointer.users()) {
      auto &instruction = llvm::cast<llvm::Instruction>(*user);
      if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
        llvm::APInt distance(layout_.getIndexTypeSizeInBits(gep->getType()), 0);
        const bool is_known = offset && gep->accumulateConstantOffset(layout_, distance);
        if (!follow(*gep,
                    is_known ? std::optional(*offset + distance.getZExtValue()) : std::nullopt))
          return false;
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(instruction)) {
        if (!follow(instruction, offset))
          return false;
      } else if (!instruction.isLifetimeStartOrEnd() && !take(instruction, pointer, offset)) {
        return false;
      }
    }
    return true;
  }

  bool take(llvm::Instruction &instruction, const llvm::Value &pointer,
            std::optional<uint64_t> offset) {
    if (llvm::getLoadStorePointerOperand(&instruction) != &pointer)
      return !is_here(instruction) && llvm::isa<llvm::MemIntrinsic>(instruction);
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store && store->getValueOperand() == &pointer)
      return false;
    if (!is_here(instruction))
      return true;
    llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const bool is_simple =
        store ? store->isSimple() : llvm::cast<llvm::LoadInst>(instruction).isSimple();
    if (!is_simple || !type->isSingleValueType())
      return false;
    is_stored_ |= store != nullptr;
    is_anywhere_ |= !offset;
    narrow_ += type->getScalarSizeInBits() < 32;
    if (!offset)
      return true;
    Cell &cell = cells_.try_emplace(*offset, Cell{.type = type}).first->second;
    cell.is_stored |= store != nullptr;
    cell.accesses.push_back(&instruction);
    return cell.type == type;
  }

  bool overlap(uint64_t variable_bytes) const {
    uint64_t end = 0;
    for (const auto &[offset, cell] : cells_) {
      const llvm::TypeSize bytes = layout_.getTypeStoreSize(cell.type);
      if (bytes.isScalable() || offset < end || offset > variable_bytes ||
          bytes.getFixedValue() > variable_bytes - offset)
        return true;
      end = offset + bytes.getFixedValue();
    }
    return false;
  }

  const Region &region_;
  llvm::AllocaInst &variable_;
  const llvm::DataLayout &layout_;
  std::map<uint64_t, Cell> cells_;
  bool are_apart_;           // all accesses are known, and those at known places are to whole cells
  bool is_anywhere_ = false; // some are at places that only execution knows
  bool is_stored_ = false;
  unsigned narrow_ = 0;
};

llvm::Value *address_of(llvm::IRBuilder<> &b, const LaneVariable &variable, uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), variable.address, offset);
}

} // namespace

std::optional<OrderedAccesses> needs_order(const Region &region, llvm::AllocaInst &variable) {
  const CellFinder found(region, variable);
  if (!found.may_meet())
    return std::nullopt;
  return OrderedAccesses{found.narrow()};
}

void keep_cells_in_values(const Region &region, llvm::AllocaInst &variable,
                          const LaneVariable &of_lane,
                          llvm::function_ref<llvm::Value *(llvm::Instruction *)> copy_of) {
  llvm::Function &function = *of_lane.begin->getParent();
  llvm::SmallVector<llvm::AllocaInst *, 16> values;
  for (const auto &[offset, cell] : CellFinder(region, variable).take()) {
    llvm::IRBuilder<> top(&*function.getEntryBlock().begin()),
        begin(of_lane.begin->getTerminator()), end(of_lane.end->getTerminator());
    llvm::AllocaInst *value = values.emplace_back(top.CreateAlloca(cell.type));
    const llvm::Align align = llvm::commonAlignment(of_lane.align, offset);
    const auto join = [&](llvm::Instruction *access) {
      access->setMetadata(llvm::LLVMContext::MD_access_group, of_lane.access_group);
      return access;
    };
    begin.CreateStore(
        join(begin.CreateAlignedLoad(cell.type, address_of(begin, of_lane, offset), align)), value);
    if (cell.is_stored)
      join(end.CreateAlignedStore(end.CreateLoad(cell.type, value),
                                  address_of(end, of_lane, offset), align));
    for (llvm::Instruction *access : cell.accesses) {
      auto *copy = llvm::cast<llvm::Instruction>(copy_of(access));
      copy->setOperand(llvm::isa<llvm::StoreInst>(copy) ? llvm::StoreInst::getPointerOperandIndex()
                                                        : llvm::LoadInst::getPointerOperandIndex(),
                       value);
      copy->dropUnknownNonDebugMetadata();
    }
  }
  if (values.empty())
    return;
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(values, dominators);
}

} // namespace ze_cpu
