#include "group_rows.h"

#include "../../contract/kernel_code.h"
#include "../lower/work_item.h"
#include "strides.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;

// Follows the numbers from where they come from to where they are added up: group * size + local.
class GridNumber {
public:
  explicit GridNumber(llvm::Function &body) : body_(body) {}

  std::optional<GroupRows> find() {
    follow(*body_.getArg(context_parameter::group_x), Part::group);
    follow(*body_.getArg(context_parameter::local_x), Part::local);
    for (llvm::Instruction *sum : sums_)
      if (!is_number(*sum))
        return std::nullopt;
    if (!fits_ || sums_.empty())
      return std::nullopt;
    return GroupRows{size_.value_or(0)};
  }

private:
  enum class Part { group, first, local }; // first: of the group's work-items

  void follow(llvm::Value &value, Part part) {
    parts_[&value] = part;
    for (llvm::User *user : value.users()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction || !follow_to(*instruction, value, part))
        fits_ = false;
      if (!fits_)
        return;
    }
  }

  bool follow_to(llvm::Instruction &user, llvm::Value &value, Part part) {
    switch (user.getOpcode()) {
    case llvm::Instruction::Trunc:
      if (user.getType()->getIntegerBitWidth() < 32)
        return false;
      follow(user, part);
      return true;
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
      if (part == Part::first) // which may have wrapped around
        return false;
      follow(user, part);
      return true;
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      if (part != Part::group || !is_size(user, value))
        return false;
      follow(user, Part::first);
      return true;
    case llvm::Instruction::Add: {
      llvm::Value *other = user.getOperand(user.getOperand(0) == &value);
      if (part == Part::first && is_group_member(other)) { // the grid's offset
        follow(user, part);
        return true;
      }
      sums_.insert(&user);
      return part != Part::group;
    }
    default:
      return false;
    }
  }

  // Whether `product` is that of a group's number and the size that all products have.
  bool is_size(llvm::Instruction &product, llvm::Value &group) {
    uint64_t size = 0;
    if (product.getOpcode() == llvm::Instruction::Mul) {
      llvm::Value *factor = product.getOperand(product.getOperand(0) == &group);
      if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(factor))
        size = constant->getZExtValue();
      else if (!is_group_size(factor))
        return false;
    } else {
      const llvm::APInt *bits = nullptr;
      if (product.getOperand(0) != &group || !match(product.getOperand(1), m_APInt(bits)) ||
          bits->ugt(10))
        return false;
      size = uint64_t(1) << bits->getZExtValue();
    }
    if (size_ && *size_ != size)
      return false;
    size_ = size;
    return true;
  }

  static llvm::Value *without_casts(llvm::Value *value) {
    llvm::Value *from = nullptr;
    while (match(value, m_ZExtOrSExt(m_Value(from))) || match(value, m_Trunc(m_Value(from))))
      value = from;
    return value;
  }

  // Members do not change from one group to the next in x.
  static bool is_group_member(llvm::Value *value) { return is_member(without_casts(value)); }

  bool is_group_size(llvm::Value *value) const {
    if (!is_group_member(value))
      return false;
    auto *load = llvm::cast<llvm::LoadInst>(without_casts(value));
    llvm::APInt offset(64, 0);
    const llvm::Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
        body_.getParent()->getDataLayout(), offset, true);
    return base == body_.getArg(context_parameter::group) &&
           offset == offsetof(GroupContext, group_size);
  }

  bool is_number(llvm::Instruction &sum) const {
    const auto of = [&](unsigned i) {
      auto found = parts_.find(sum.getOperand(i));
      return found == parts_.end() ? std::nullopt : std::optional(found->second);
    };
    return (of(0) == Part::first && of(1) == Part::local) ||
           (of(0) == Part::local && of(1) == Part::first);
  }

  llvm::Function &body_;
  bool fits_ = true;
  std::optional<uint64_t> size_;
  llvm::DenseMap<llvm::Value *, Part> parts_;
  llvm::SmallSetVector<llvm::Instruction *, 4> sums_;
};

// Whether it accesses nothing but what lies side by side, or what neighbours share, in memory that the group does not have for
// itself.
bool accesses_neighbours(llvm::Function &body) {
  Strides strides(body, true);
  return llvm::all_of(llvm::instructions(body), [&](llvm::Instruction &instruction) {
    llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    if (!address) {
      auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      return !instruction.mayReadOrWriteMemory() ||
             (intrinsic && intrinsic->isAssumeLikeIntrinsic());
    }
    const std::optional<int64_t> stride = strides.of(address);
    return address->getType()->getPointerAddressSpace() != 3 && stride &&
           std::abs(*stride) <= 4 * static_cast<int64_t>(accessed_bytes(instruction));
  });
}

} // namespace

std::optional<GroupRows> group_rows(llvm::Function &body) {
  if (!body.getArg(context_parameter::lane)->use_empty() || !accesses_neighbours(body))
    return std::nullopt;
  return GridNumber(body).find();
}

} // namespace ze_cpu
