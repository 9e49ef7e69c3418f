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

/// Whether the access is to work-group memory, or to what has been allowed at this place before.
llvm::Value *is_allowed(llvm::CallInst &check, Access access, uint64_t bytes) {
  Builder b(&check);
  llvm::Type *i64 = b.getInt64Ty();
  llvm::Value *const group = b.CreateIntToPtr(check.getArgOperand(0), b.getPtrTy()),
                     *const address = check.getArgOperand(3),
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
  // For each lane no more than needed: what is the same for all comes first. Where memory begins as aligned as the access is to be,
  // an offset that is not gets too large when its lowest bits become its highest.
  const unsigned bits = std::countr_zero(access.alignment);
  const auto is_within = [&](llvm::Value *begin, llvm::Value *size, llvm::Value *if_true) {
    llvm::Value *const fits = b.CreateAnd(if_true, b.CreateICmpUGE(size, b.getInt64(bytes))),
                       *const last = b.CreateLShr(b.CreateSub(size, b.getInt64(bytes)), bits),
                       *const count =
                           b.CreateSelect(fits, b.CreateAdd(last, b.getInt64(1)), b.getInt64(0)),
                       *const offset = b.CreateSub(address, begin);
    return b.CreateICmpULT(bits == 0 ? offset
                                     : b.CreateIntrinsic(llvm::Intrinsic::fshr, {i64},
                                                         {offset, offset, b.getInt64(bits)}),
                           count);
  };
  if (access.is_local) {
    llvm::Value *const begin = of_group(offsetof(GroupContext, local)), *const size = of_group(
                                                                            offsetof(GroupContext,
                                                                                     local_bytes));
    return is_within(begin, size, b.getTrue());
  }
  llvm::Value *const known = member(place, offsetof(SourcePlace, generation)),
                     *const is_known =
                         b.CreateICmpEQ(known, of_group(offsetof(GroupContext, memory_generation))),
                     *const begin = member(place, offsetof(SourcePlace, allowed)),
                     *const size = member(place, offsetof(SourcePlace, allowed_bytes));
  return is_within(begin, size, is_known);
}

} // namespace

void check_memory_accesses(llvm::Module &module) {
  SourcePlaces places(module);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.removeFnAttr(llvm::Attribute::WillReturn); // not after a forbidden access
      Checker(function, places).run();
    }
}

void ask_only_where_needed(llvm::Module &module) {
  llvm::Function *const function = module.getFunction(check_name);
  if (!function)
    return;
  llvm::MDNode *const weights = llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights();
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *check = llvm::dyn_cast<llvm::CallInst>(user);
    auto *bytes = check ? llvm::dyn_cast<llvm::ConstantInt>(check->getArgOperand(4)) : nullptr;
    if (!bytes)
      continue;
    const auto *packed = llvm::cast<llvm::ConstantInt>(check->getArgOperand(5));
    const Access access = Access::unpack(static_cast<uint32_t>(packed->getZExtValue()));
    if (access.alignment > allowed_alignment)
      continue;
    llvm::Value *const allowed = is_allowed(*check, access, bytes->getZExtValue());
    llvm::Value *const asks = Builder(check).CreateNot(allowed);
    check->moveBefore(
        llvm::SplitBlockAndInsertIfThen(asks, check->getIterator(), false, weights)->getIterator());
  }
}

} // namespace ze_cpu
