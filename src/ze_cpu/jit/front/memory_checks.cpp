#include "memory_checks.h"

#include "../../contract/kernel_code.h"
#include "../../contract/memory_access.h"
#include "../lower/work_item.h"
#include "check_calls.h"
#include "source_places.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <bit>
#include <cstddef>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char *check_name = "ze_cpu_check";

Access access_of(const llvm::CallInst &check) {
  const auto *packed = llvm::cast<llvm::ConstantInt>(check.getArgOperand(5));
  return Access::unpack(static_cast<uint32_t>(packed->getZExtValue()));
}

class Checker {
public:
  Checker(llvm::Function &function, SourcePlaces &places)
      : function_(function), layout_(function.getParent()->getDataLayout()), places_(places) {}

  void run() {
    llvm::SmallVector<llvm::Instruction *> all;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      all.push_back(&instruction);
    for (llvm::Instruction *instruction : all)
      visit(*instruction);
  }

private:
  void visit(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      check(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), false);
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      check(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
            store->getAlign(), true);
    else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      check(instruction, update->getPointerOperand(), update->getType(), update->getAlign(), true);
    else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      check(instruction, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(),
            exchange->getAlign(), true);
    else if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
      check(instruction, memory->getRawDest(), memory->getLength(),
            memory->getDestAlign().valueOrOne(), true);
      if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(memory))
        check(instruction, transfer->getRawSource(), transfer->getLength(),
              transfer->getSourceAlign().valueOrOne(), false);
    }
  }

  void check(llvm::Instruction &before, llvm::Value *pointer, llvm::Type *type, llvm::Align align,
             bool write) {
    check(before, pointer,
          llvm::ConstantInt::get(llvm::Type::getInt64Ty(before.getContext()),
                                 layout_.getTypeStoreSize(type).getFixedValue()),
          align, write);
  }

  void check(llvm::Instruction &before, llvm::Value *pointer, llvm::Value *bytes, llvm::Align align,
             bool write) {
    if (is_certain(pointer, bytes))
      return;
    Builder b(&before);
    const Access access{write, is_local(pointer), static_cast<uint32_t>(align.value())};
    // The address as a number: what is known of the pointer does not hold for the check.
    call_check(before, check_name, "uulvuuu",
               {function_.getArg(context_parameter::group),
                function_.getArg(context_parameter::group_x),
                function_.getArg(context_parameter::lane), pointer,
                b.CreateZExtOrTrunc(bytes, b.getInt64Ty()), b.getInt32(access.packed()),
                places_.of(before)});
  }

  // Also of pointers that were made of such ones: functions take those of any memory.
  static bool is_local(const llvm::Value *pointer) {
    constexpr unsigned local_address_space = 3;
    while (pointer->getType()->getPointerAddressSpace() != local_address_space) {
      const auto opcode = llvm::Operator::getOpcode(pointer);
      if (opcode != llvm::Instruction::AddrSpaceCast && opcode != llvm::Instruction::GetElementPtr)
        return false;
      pointer = llvm::cast<llvm::User>(pointer)->getOperand(0);
    }
    return true;
  }

  bool is_certain(llvm::Value *pointer, llvm::Value *bytes) const {
    const llvm::Value *object = llvm::getUnderlyingObject(pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(object) || object == function_.getArg(context_parameter::group))
      return true;
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    auto *count = llvm::dyn_cast<llvm::ConstantInt>(bytes);
    if (!variable || !count)
      return false;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const uint64_t size = layout_.getTypeAllocSize(variable->getValueType());
    return base == variable && offset.ule(size) &&
           count->getZExtValue() <= size - offset.getZExtValue();
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  SourcePlaces &places_;
};

/// Memory that may be accessed if `is_known`.
struct Allowed {
  llvm::Value *is_known, *begin, *size;
};

/// Work-group memory, or what has been allowed at this place before. What is loaded for it belongs to the same loop as the check.
Allowed allowed_at(Builder &b, const llvm::CallInst &check, bool is_local) {
  llvm::Type *i64 = b.getInt64Ty();
  llvm::Value *const group = b.CreateIntToPtr(check.getArgOperand(0), b.getPtrTy()),
                     *const place = b.CreateIntToPtr(check.getArgOperand(6), b.getPtrTy());
  const auto member = [&](llvm::Value *structure, size_t offset) {
    llvm::LoadInst *const value =
        b.CreateLoad(i64, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), structure, offset));
    value->setMetadata(llvm::LLVMContext::MD_access_group,
                       check.getMetadata(llvm::LLVMContext::MD_access_group));
    return value;
  };
  const auto of_group = [&](size_t offset) {
    llvm::LoadInst *const value = member(group, offset);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
    return value;
  };
  if (is_local) {
    llvm::Value *const begin = of_group(offsetof(GroupContext, local)), *const size = of_group(
                                                                            offsetof(GroupContext,
                                                                                     local_bytes));
    return {b.getTrue(), begin, size};
  }
  llvm::Value *const known = member(place, offsetof(SourcePlace, generation)),
                     *const is_known =
                         b.CreateICmpEQ(known, of_group(offsetof(GroupContext, memory_generation))),
                     *const begin = member(place, offsetof(SourcePlace, allowed)),
                     *const size = member(place, offsetof(SourcePlace, allowed_bytes));
  return {is_known, begin, size};
}

/// Of one lane no more than needed: what is the same for all comes first. Where memory begins as aligned as the access is to be, an
/// offset that is not gets too large when its lowest bits become its highest.
llvm::Value *is_allowed(llvm::CallInst &check, Access access, uint64_t bytes) {
  Builder b(&check);
  const auto [is_known, begin, size] = allowed_at(b, check, access.is_local);
  const unsigned bits = std::countr_zero(access.alignment);
  llvm::Value *const fits = b.CreateAnd(is_known, b.CreateICmpUGE(size, b.getInt64(bytes))),
                     *const last = b.CreateLShr(b.CreateSub(size, b.getInt64(bytes)), bits),
                     *const count =
                         b.CreateSelect(fits, b.CreateAdd(last, b.getInt64(1)), b.getInt64(0)),
                     *const offset = b.CreateSub(check.getArgOperand(3), begin);
  return b.CreateICmpULT(bits == 0 ? offset
                                   : b.CreateIntrinsic(llvm::Intrinsic::fshr, {b.getInt64Ty()},
                                                       {offset, offset, b.getInt64(bits)}),
                         count);
}

} // namespace

bool is_memory_check(const llvm::Instruction &instruction) {
  return is_check(instruction) &&
         llvm::cast<llvm::CallInst>(instruction).getCalledFunction()->getName() == check_name;
}

// A loop has fewer than 2^32 lanes: with a step of up to 31 bits nothing wraps around.
llvm::Value *is_row_allowed(Builder &b, const llvm::CallInst &check, const CheckedRow &row) {
  const Access access = access_of(check);
  const auto [is_known, begin, size] = allowed_at(b, check, access.is_local);
  llvm::Value *const is_short =
                         b.CreateICmpULT(b.CreateAdd(row.step, b.getInt64(uint64_t(1) << 31)),
                                         b.getInt64(uint64_t(1) << 32)),
                     *const extent = b.CreateMul(row.step, row.steps),
                     *const is_falling = b.CreateICmpSLT(row.step, b.getInt64(0)),
                     *const first =
                         b.CreateSelect(is_falling, b.CreateAdd(row.address, extent), row.address),
                     *const whole =
                         b.CreateAdd(b.CreateSelect(is_falling, b.CreateNeg(extent), extent),
                                     b.CreateZExtOrTrunc(check.getArgOperand(4), b.getInt64Ty())),
                     *const is_aligned =
                         b.CreateICmpEQ(b.CreateAnd(b.CreateOr(row.address, row.step),
                                                    b.getInt64(access.alignment - 1)),
                                        b.getInt64(0)),
                     *const fits = b.CreateICmpUGE(size, whole),
                     *const is_inside =
                         b.CreateICmpULE(b.CreateSub(first, begin), b.CreateSub(size, whole));
  return b.CreateAnd({is_known, is_short, is_aligned, fits, is_inside});
}

void check_memory_accesses(llvm::Module &module) {
  SourcePlaces places(module);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.removeFnAttr(llvm::Attribute::WillReturn); // not after a forbidden access
      Checker(function, places).run();
    }
}

llvm::PreservedAnalyses AskOnlyWhereNeeded::run(llvm::Function &function,
                                                llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<llvm::CallInst *> checks;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (is_memory_check(instruction) && !is_seldom(instruction))
      checks.push_back(llvm::cast<llvm::CallInst>(&instruction));
  llvm::MDNode *const weights =
      llvm::MDBuilder(function.getContext()).createUnlikelyBranchWeights();
  bool is_changed = false;
  for (llvm::CallInst *check : checks) {
    const auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(check->getArgOperand(4));
    const Access access = access_of(*check);
    if (!bytes || access.alignment > allowed_alignment)
      continue;
    llvm::Value *const allowed = is_allowed(*check, access, bytes->getZExtValue());
    llvm::Value *const asks = Builder(check).CreateNot(allowed);
    check->moveBefore(
        llvm::SplitBlockAndInsertIfThen(asks, check->getIterator(), false, weights)->getIterator());
    is_changed = true;
  }
  return is_changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace ze_cpu
