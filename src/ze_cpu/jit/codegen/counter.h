// The counter that is the clock of kernels: it advances steadily, and programs may read it. read_counter of facts.cpp is the same.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Reads it where the builder is.
inline llvm::Value *read_counter(llvm::IRBuilder<> &builder) {
  const llvm::Module &module = *builder.GetInsertBlock()->getModule();
  if (!llvm::Triple(module.getTargetTriple()).isAArch64())
    return builder.CreateIntrinsic(builder.getInt64Ty(), llvm::Intrinsic::readcyclecounter, {});
  // The cycle counter is the system's own, and what LLVM calls a steady counter is 0 there.
  llvm::LLVMContext &context = builder.getContext();
  auto *name = llvm::MDNode::get(context, llvm::MDString::get(context, "cntvct_el0"));
  llvm::CallInst *read =
      builder.CreateIntrinsic(builder.getInt64Ty(), llvm::Intrinsic::read_volatile_register,
                              {llvm::MetadataAsValue::get(context, name)});
  read->setOnlyAccessesInaccessibleMemory();
  return read;
}

/// Whether an instruction does so.
inline bool reads_counter(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->getIntrinsicID() == llvm::Intrinsic::readcyclecounter ||
                       intrinsic->getIntrinsicID() == llvm::Intrinsic::read_volatile_register);
}

} // namespace ze_cpu
