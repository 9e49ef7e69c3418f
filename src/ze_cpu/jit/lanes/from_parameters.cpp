#include "from_parameters.h"

#include <llvm/IR/IntrinsicInst.h>

namespace ze_cpu {

llvm::Value *FromParameters::value(llvm::Value *of) {
  if (llvm::isa<llvm::Constant>(of))
    return of;
  if (auto *parameter = llvm::dyn_cast<llvm::Argument>(of))
    return parameter_(*parameter);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(of);
  if (!instruction || !may_move(*instruction))
    return nullptr;
  if (llvm::Value *known = values_.lookup(of))
    return known;
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction->operands()) {
    operands.push_back(value(operand));
    if (!operands.back())
      return nullptr;
  }
  return values_[of] = copy_with(builder_, *instruction, operands);
}

llvm::Instruction *FromParameters::copy_with(llvm::IRBuilder<> &b,
                                             const llvm::Instruction &instruction,
                                             llvm::ArrayRef<llvm::Value *> operands) {
  llvm::Instruction *copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i)
    copy->setOperand(i, operands[i]);
  copy->dropPoisonGeneratingFlags();
  copy->setDebugLoc({});
  return b.Insert(copy);
}

bool FromParameters::may_move(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  if (instruction.isIntDivRem() || llvm::isa<llvm::PHINode>(instruction))
    return false;
  if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                llvm::GetElementPtrInst, llvm::FreezeInst>(instruction))
    return true;
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->doesNotAccessMemory() && !call->isConvergent() &&
         llvm::isa<llvm::MinMaxIntrinsic>(call);
}

} // namespace ze_cpu
