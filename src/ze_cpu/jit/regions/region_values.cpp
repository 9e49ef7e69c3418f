// Decides for a RegionPlan which values are rematerialized instead of being kept, and what
// synchronisation points carry.
#include "regions.h"

#include "../lower/work_item.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ze_cpu {
namespace {

// Operations that the control function may repeat for the whole team, or each lane for itself.
constexpr uint32_t uniform_limit = 40, varying_limit = 16;

bool is_cheap_intrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    return true;
  default:
    return false;
  }
}

bool is_group_member(const llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
         llvm::getUnderlyingObject(load->getPointerOperand()) ==
             instruction.getFunction()->getArg(context_parameter::group);
}

bool is_cheap(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return is_cheap_intrinsic(call->getIntrinsicID());
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)) &&
           llvm::isSafeToSpeculativelyExecute(&instruction);
  case llvm::Instruction::Load:
    return is_group_member(instruction);
  default:
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst,
                     llvm::SelectInst, llvm::ExtractElementInst, llvm::InsertElementInst>(
        instruction);
  }
}

// The identity that an exclusive scan begins with.
bool parameter_fits(const llvm::CallInst &marker, unsigned bits, bool is_signed) {
  if (operation_of(marker).kind != SyncKind::exclusive_scan)
    return true;
  auto *parameter = llvm::dyn_cast<llvm::ConstantInt>(parameter_of(marker));
  return parameter && (is_signed ? parameter->getValue().isSignedIntN(bits)
                                 : parameter->getValue().isIntN(bits));
}

bool only_truncated_to(const llvm::CallInst &marker, unsigned bits) {
  return llvm::all_of(marker.users(), [&](const llvm::User *user) {
    return llvm::isa<llvm::TruncInst>(user) && user->getType()->getIntegerBitWidth() <= bits;
  });
}

} // namespace

void RegionPlan::find_rematerialized() {
  llvm::DenseMap<const llvm::Value *, uint32_t> varying_leaves;
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&body_))
    for (llvm::Instruction &instruction : *block) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) {
        rematerialized_[&instruction] = 2;
        continue;
      }
      if (!is_cheap(instruction))
        continue;
      const bool uniform = uniformity_.is_uniform(&instruction);
      uint32_t cost = 1, leaves = 0;
      for (const llvm::Value *operand : instruction.operands()) {
        if (!llvm::isa<llvm::Instruction>(operand))
          continue;
        if (uniform || !uniformity_.is_uniform(operand)) // else it is computed once for all lanes
          cost += rematerialized_.lookup(operand);
        if (is_rematerialized(operand))
          leaves += varying_leaves.lookup(operand);
        else
          leaves += !uniformity_.is_uniform(operand);
      }
      // More than one value to keep instead of this one would be a bad bargain.
      if (cost <= (uniform ? uniform_limit : varying_limit) && leaves <= 1) {
        rematerialized_[&instruction] = cost;
        varying_leaves[&instruction] = leaves;
      }
    }
}

// Values are kept in the width that they had before they were extended to 64 bits, if the operation
// allows it.
void RegionPlan::choose_operands(const llvm::CallInst &marker) {
  llvm::LLVMContext &context = body_.getContext();
  Operands &carried = operands_[&marker];
  const SyncOperation operation = operation_of(marker);
  carried.type = llvm::Type::getInt64Ty(context);
  if (marker.use_empty() || !has_result(operation.kind))
    return;
  auto *extension = llvm::dyn_cast<llvm::CastInst>(value_of(marker));
  const bool zero = extension && llvm::isa<llvm::ZExtInst>(extension),
             sign = extension && llvm::isa<llvm::SExtInst>(extension);
  if (zero || sign) {
    const unsigned bits = std::max(8u, extension->getSrcTy()->getIntegerBitWidth());
    bool fits = llvm::isPowerOf2_32(bits) && (zero || extension->getSrcTy()->isIntegerTy(bits));
    switch (operation.combine) {
    case Combine::add:
    case Combine::multiply:
      fits &= only_truncated_to(marker, bits);
      break;
    case Combine::signed_min:
    case Combine::signed_max:
      fits &= sign && parameter_fits(marker, bits, true);
      break;
    case Combine::unsigned_min:
    case Combine::unsigned_max:
      fits &= zero && parameter_fits(marker, bits, false);
      break;
    case Combine::double_add:
    case Combine::double_multiply:
    case Combine::double_min:
    case Combine::double_max:
      fits = false;
      break;
    case Combine::float_add:
    case Combine::float_multiply:
    case Combine::float_min:
    case Combine::float_max:
      fits &= zero && bits == 32;
      break;
    default:
      fits &= parameter_fits(marker, bits, sign);
      break;
    }
    if (fits) {
      carried.type = llvm::IntegerType::get(context, bits);
      carried.is_signed = sign;
    }
  }
  // Their results are numbers of another kind.
  switch (operation.kind) {
  case SyncKind::ballot:
  case SyncKind::any:
  case SyncKind::all:
  case SyncKind::all_equal:
  case SyncKind::elect:
    if (carried.type->getIntegerBitWidth() < 32)
      carried.type = llvm::Type::getInt32Ty(context);
    carried.is_signed = false;
    break;
  default:
    break;
  }
  if (operation.kind != SyncKind::elect)
    carried.value.emplace();
  if (!llvm::isa<llvm::Constant>(parameter_of(marker)))
    carried.parameter.emplace();
}

void RegionPlan::choose_operands() {
  for (const Cut &cut : cuts)
    for (const llvm::CallInst *marker : cut.markers)
      choose_operands(*marker);
}

} // namespace ze_cpu
