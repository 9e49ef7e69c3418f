#include "memory_checks.h"

#include "../../contract/kernel_code.h"
#include "../../contract/memory_access.h"
#include "../lower/work_item.h"
#include "source_places.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;

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
    llvm::Type *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
    auto *type = llvm::FunctionType::get(
        b.getVoidTy(), {b.getPtrTy(), i64, i64, i64, i64, i32, b.getPtrTy()}, false);
    llvm::FunctionCallee callee = function_.getParent()->getOrInsertFunction("ze_cpu_check", type);
    const Access access{write, static_cast<uint32_t>(align.value())};
    // The address as a number: what is known of the pointer does not hold for the check.
    llvm::Value *const address = b.CreatePtrToInt(pointer, i64);
    llvm::Constant *const place = places_.of(before);
    if (auto *count = llvm::dyn_cast<llvm::ConstantInt>(bytes)) {
      llvm::Value *const asks =
          b.CreateNot(is_allowed(b, pointer, address, count->getZExtValue(), align, place));
      llvm::MDNode *const weights =
          llvm::MDBuilder(before.getContext()).createUnlikelyBranchWeights();
      b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(asks, &before, false, weights));
    }
    b.CreateCall(callee, {function_.getArg(context_parameter::group),
                          function_.getArg(context_parameter::group_x),
                          function_.getArg(context_parameter::lane), address,
                          b.CreateZExtOrTrunc(bytes, i64), b.getInt32(access.packed()), place});
  }

  /// Whether the access is to work-group memory, or to what has been allowed at this place before.
  llvm::Value *is_allowed(Builder &b, const llvm::Value *pointer, llvm::Value *address,
                          uint64_t bytes, llvm::Align align, llvm::Constant *place) {
    llvm::Type *i64 = b.getInt64Ty();
    llvm::Value *const group = function_.getArg(context_parameter::group);
    const auto member = [&](llvm::Value *structure, size_t offset) -> llvm::Value * {
      return b.CreateLoad(i64, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), structure, offset));
    };
    const auto is_within = [&](llvm::Value *begin, llvm::Value *size) {
      llvm::Value *const fits =
          b.CreateICmpULE(b.CreateSub(address, begin), b.CreateSub(size, b.getInt64(bytes)));
      return b.CreateAnd(fits, b.CreateICmpUGE(size, b.getInt64(bytes)));
    };
    llvm::Value *allowed;
    if (is_local(pointer)) {
      allowed = is_within(member(group, offsetof(GroupContext, local)),
                          member(group, offsetof(GroupContext, local_bytes)));
    } else {
      llvm::Value *const is_known =
          b.CreateICmpEQ(member(place, offsetof(SourcePlace, generation)),
                         member(group, offsetof(GroupContext, memory_generation)));
      allowed =
          b.CreateAnd(is_known, is_within(member(place, offsetof(SourcePlace, allowed)),
                                          member(place, offsetof(SourcePlace, allowed_bytes))));
    }
    if (align.value() == 1)
      return allowed;
    return b.CreateAnd(allowed,
                       b.CreateICmpEQ(b.CreateAnd(address, align.value() - 1), b.getInt64(0)));
  }

  static bool is_local(const llvm::Value *pointer) {
    constexpr unsigned local_address_space = 3;
    return pointer->getType()->getPointerAddressSpace() == local_address_space;
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

} // namespace

void check_memory_accesses(llvm::Module &module) {
  SourcePlaces places(module);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.removeFnAttr(llvm::Attribute::WillReturn); // not after a forbidden access
      Checker(function, places).run();
    }
}

} // namespace ze_cpu
