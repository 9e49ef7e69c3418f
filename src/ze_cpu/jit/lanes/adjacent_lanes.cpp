#include "adjacent_lanes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>
#include <optional>
#include <tuple>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;
using Builder = llvm::IRBuilder<>;

unsigned lanes_of(const llvm::Value &vector) {
  return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

/// Follows numbers to where they come from.
class Origin {
public:
  explicit Origin(unsigned lanes) : lanes_(lanes) {}

  /// Whether `numbers` are computed from lanes' numbers and from what all lanes share, so that they are likely to count the lanes
  /// even where some bits of them are taken, or a bound.
  bool may_count_lanes(llvm::Value &numbers) { return is_of_lanes(numbers) && takes_part_; }

private:
  bool is_of_lanes(llvm::Value &value) {
    constexpr size_t most = 128;
    if (!value.getType()->isVectorTy() || llvm::isa<llvm::Constant>(value) ||
        llvm::getSplatValue(&value))
      return true;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || seen_.size() == most)
      return false;
    if (!seen_.insert(instruction).second) // whatever it comes of is asked elsewhere
      return true;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return counts_lanes(*phi);
    return are_kept(*instruction) && llvm::all_of(instruction->operands(), [&](llvm::Use &operand) {
             return is_of_lanes(*operand);
           });
  }

  static bool counts_lanes(llvm::PHINode &phi) {
    return llvm::any_of(phi.incoming_values(), [&](llvm::Value *next) {
      llvm::Value *step;
      return match(next, m_c_Add(m_Specific(&phi), m_Value(step))) && llvm::getSplatValue(step);
    });
  }

  /// Whether neighbouring numbers may still be that after `instruction`.
  bool are_kept(llvm::Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
      takes_part_ = true;
      return !takes_few_bits(instruction);
    case llvm::Instruction::Xor:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
    case llvm::Instruction::Select:
      takes_part_ = true;
      return true;
    case llvm::Instruction::Call:
      takes_part_ |= llvm::isa<llvm::MinMaxIntrinsic>(instruction);
      return llvm::isa<llvm::IntrinsicInst>(instruction) && !instruction.mayReadOrWriteMemory() &&
             instruction.getType()->isVectorTy();
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                       llvm::FreezeInst>(instruction);
    }
  }

  /// Too few to count the lanes of a vector.
  bool takes_few_bits(llvm::Instruction &instruction) const {
    for (llvm::Value *operand : instruction.operands()) {
      llvm::Value *mask = llvm::getSplatValue(operand);
      const llvm::APInt *bits;
      if (mask && (match(mask, m_APInt(bits)) || match(mask, m_And(m_Value(), m_APInt(bits)))) &&
          bits->ult(lanes_ - 1))
        return true;
    }
    return false;
  }

  unsigned lanes_;
  bool takes_part_ = false;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen_;
};

/// Where lanes access something: numbers of elements behind a common place, or addresses.
struct Places {
  llvm::Value *base; // null: of addresses
  llvm::Type *element;
  int64_t offset; // in bytes, of all
  llvm::Value *numbers;
  llvm::CastInst *extension; // which widens these; or null
  uint64_t step;             // of the numbers from one lane to the next where they are adjacent

  /// None where that cannot be so.
  static std::optional<Places> of(llvm::Value *pointers, uint64_t bytes,
                                  const llvm::DataLayout &layout) {
    int64_t offset = 0;
    while (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointers)) {
      if (address->getNumIndices() != 1)
        return std::nullopt;
      llvm::Value *const base = address->getPointerOperand(), *const index = address->getOperand(1);
      llvm::Type *const element = address->getSourceElementType();
      const uint64_t size = layout.getTypeAllocSize(element);
      llvm::Value *const same = base->getType()->isVectorTy() ? llvm::getSplatValue(base) : base;
      const llvm::APInt *constant;
      if (!same && match(index, m_APInt(constant))) {
        offset += constant->getSExtValue() * static_cast<int64_t>(size);
        pointers = base;
      } else if (same && index->getType()->isVectorTy() &&
                 index->getType()->getScalarSizeInBits() == 64 && size != 0 && bytes % size == 0) {
        return with_extension({same, element, offset, index, nullptr, bytes / size});
      } else {
        return std::nullopt;
      }
    }
    auto *addresses = llvm::dyn_cast<llvm::IntToPtrInst>(pointers);
    if (!addresses || addresses->getSrcTy()->getScalarSizeInBits() != 64)
      return std::nullopt;
    return with_extension({nullptr, nullptr, offset, addresses->getOperand(0), nullptr, bytes});
  }

  static Places with_extension(Places places) {
    auto *cast = llvm::dyn_cast<llvm::CastInst>(places.numbers);
    const unsigned bits = cast ? cast->getSrcTy()->getScalarSizeInBits() : 0;
    if (llvm::isa_and_present<llvm::SExtInst, llvm::ZExtInst>(cast) && bits >= 16 && bits <= 32 &&
        places.step <= 16) {
      places.extension = cast;
      places.numbers = cast->getOperand(0);
    }
    return places;
  }

  llvm::Value *are_apart(Builder &b, llvm::Value *known) const {
    llvm::Value *const apart = ze_cpu::are_apart(b, known, step);
    if (!extension)
      return apart;
    // Numbers that are adjacent before they are widened are that behind it unless they wrap around.
    const unsigned bits = known->getType()->getScalarSizeInBits();
    const bool is_signed = llvm::isa<llvm::SExtInst>(extension);
    const llvm::APInt largest =
        is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    llvm::Value *const wraps = b.CreateICmp(
        is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT, first_of(b, known),
        llvm::ConstantInt::get(b.getContext(), largest - step * (lanes_of(*known) - 1)));
    return b.CreateOr(apart, wraps);
  }

  llvm::Value *first_place(Builder &b, llvm::Value *known, llvm::Type *pointer) const {
    llvm::Value *number = first_of(b, known);
    if (extension)
      number = b.CreateCast(extension->getOpcode(), number, b.getInt64Ty());
    llvm::Value *const place =
        base ? b.CreateGEP(element, base, number) : b.CreateIntToPtr(number, pointer);
    return offset ? b.CreateGEP(b.getInt8Ty(), place, b.getInt64(static_cast<uint64_t>(offset)))
                  : place;
  }

  static llvm::Value *first_of(Builder &b, llvm::Value *numbers) {
    return b.CreateExtractElement(numbers, uint64_t{0});
  }
};

/// A gather or scatter.
struct Access {
  llvm::IntrinsicInst *call;
  bool stores;
  llvm::FixedVectorType *type; // of what is accessed
  Places places;

  static std::optional<Access> of(llvm::Instruction &instruction) {
    constexpr unsigned fewest_lanes = 4;
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const bool stores = call && call->getIntrinsicID() == llvm::Intrinsic::masked_scatter;
    if (!call || (!stores && call->getIntrinsicID() != llvm::Intrinsic::masked_gather))
      return std::nullopt;
    auto *type = llvm::dyn_cast<llvm::FixedVectorType>(stores ? call->getArgOperand(0)->getType()
                                                              : call->getType());
    const llvm::DataLayout &layout = call->getDataLayout();
    if (!type || type->getNumElements() < fewest_lanes ||
        type->getScalarSizeInBits() != 8 * layout.getTypeAllocSize(type->getElementType()))
      return std::nullopt;
    const auto places = Places::of(call->getArgOperand(stores ? 1 : 0),
                                   layout.getTypeAllocSize(type->getElementType()), layout);
    if (!places || !Origin(type->getNumElements()).may_count_lanes(*places->numbers))
      return std::nullopt;
    return Access{call, stores, type, *places};
  }

  llvm::Value *pointers() const { return call->getArgOperand(stores ? 1 : 0); }
  llvm::Value *mask() const { return call->getArgOperand(call->arg_size() - (stores ? 1 : 2)); }
  llvm::Align align() const {
    return llvm::cast<llvm::ConstantInt>(call->getArgOperand(stores ? 2 : 1))
        ->getMaybeAlignValue()
        .valueOrOne();
  }

  /// As one vector; null if it stores.
  llvm::Value *together(Builder &b, llvm::Value *place) const {
    const bool all = match(mask(), m_AllOnes());
    if (stores) {
      if (all)
        b.CreateAlignedStore(call->getArgOperand(0), place, align());
      else
        b.CreateMaskedStore(call->getArgOperand(0), place, align(), mask());
      return nullptr;
    }
    if (all)
      return b.CreateAlignedLoad(type, place, align());
    return b.CreateMaskedLoad(type, place, align(), mask(), call->getArgOperand(3));
  }
};

/// Brings what only `user` needs to where that is now.
void sink_operands(llvm::Instruction &user, const llvm::BasicBlock &from) {
  for (llvm::Value *operand : user.operands())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
        llvm::isa_and_present<llvm::GetElementPtrInst, llvm::CastInst>(instruction) &&
        instruction->hasOneUse() && instruction->getParent() == &from) {
      instruction->moveBefore(user.getIterator());
      sink_operands(*instruction, from);
    }
}

/// The accesses of a block, one after the other: it ends before each of them.
class Block {
public:
  void look_at(const Access &access) {
    const Places &places = access.places;
    Builder b(access.call);
    Numbers &numbers = numbers_[{
        places.numbers, places.extension ? places.extension->getOpcode() : 0, places.step}];
    if (!numbers.apart) {
      // What lanes outside of the mask have may be poison.
      numbers.known = b.CreateFreeze(places.numbers);
      numbers.apart = places.are_apart(b, numbers.known);
    }
    llvm::BasicBlock &before = *access.call->getParent();
    llvm::Instruction *apart = nullptr, *together = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        numbers.apart, access.call->getIterator(), &apart, &together,
        llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
    llvm::BasicBlock &after = *access.call->getParent();
    b.SetInsertPoint(together);
    llvm::Type *const pointer = access.pointers()->getType()->getScalarType();
    llvm::Value *const loaded = access.together(b, places.first_place(b, numbers.known, pointer));
    access.call->moveBefore(apart->getIterator());
    sink_operands(*access.call, before);
    if (access.stores)
      return;
    b.SetInsertPoint(&after, after.begin());
    llvm::PHINode *const value = b.CreatePHI(access.type, 2);
    access.call->replaceAllUsesWith(value);
    value->addIncoming(loaded, together->getParent());
    value->addIncoming(access.call, apart->getParent());
  }

private:
  struct Numbers {
    llvm::Value *known = nullptr, *apart = nullptr;
  };
  std::map<std::tuple<llvm::Value *, unsigned, uint64_t>, Numbers> numbers_;
};

} // namespace

llvm::Value *are_apart(Builder &b, llvm::Value *numbers, uint64_t step) {
  const unsigned lanes = lanes_of(*numbers);
  const unsigned bits = numbers->getType()->getScalarSizeInBits();
  llvm::SmallVector<llvm::Constant *, 16> distances;
  for (unsigned lane = 0; lane < lanes; ++lane)
    distances.push_back(llvm::ConstantInt::get(b.getContext(), llvm::APInt(bits, lane * step)));
  llvm::Value *const adjacent =
      b.CreateAdd(b.CreateVectorSplat(lanes, b.CreateExtractElement(numbers, uint64_t{0})),
                  llvm::ConstantVector::get(distances));
  llvm::Value *const differ =
      b.CreateBitCast(b.CreateICmpNE(numbers, adjacent), b.getIntNTy(lanes));
  return b.CreateICmpNE(differ, b.getIntN(lanes, 0));
}

void access_adjacent_lanes(llvm::Function &function) {
  constexpr size_t most_of_function = 256; // each is there twice then
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<Access, 4>> found;
  size_t count = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto access = Access::of(instruction)) {
      found[instruction.getParent()].push_back(*access);
      ++count;
    }
  if (count > most_of_function)
    return;
  for (auto &[first, accesses] : found) {
    Block block;
    for (const Access &access : accesses)
      block.look_at(access);
  }
}

} // namespace ze_cpu
