#include "lane_parameters.h"
#include "sync_points.h"

#include "../lower/work_item.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace ze_cpu {
namespace {

constexpr const char *metadata_name = "ze_cpu.lane_parameters";

/// What values are in one lane of a sub-group.
class Lane {
public:
  Lane(const llvm::Function &function, uint32_t sub_group_size, uint32_t number)
      : layout_(function.getDataLayout()), lane_(function.getArg(context_parameter::lane)),
        sub_group_size_(sub_group_size), number_(number) {}

  /// Null if the value depends on something else.
  llvm::Constant *value_of(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
      return constant;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction)
      return nullptr;
    if (auto [known, is_new] = values_.try_emplace(instruction); !is_new)
      return known->second;
    llvm::Constant *result = evaluate(*instruction);
    values_[instruction] = result;
    return result;
  }

private:
  // Longer ones are no computations of a lane's number.
  static constexpr size_t most_instructions = 64;

  llvm::Constant *evaluate(llvm::Instruction &instruction) {
    if (values_.size() > most_instructions)
      return nullptr;
    if (is_number_in_sub_group(instruction))
      return llvm::ConstantInt::get(instruction.getType(), number_);
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && (!llvm::isa<llvm::IntrinsicInst>(call) || !call->doesNotAccessMemory()))
      return nullptr;
    if (!call && !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst,
                            llvm::FreezeInst>(instruction))
      return nullptr;
    llvm::SmallVector<llvm::Constant *, 4> operands;
    for (llvm::Value *operand : instruction.operands()) {
      operands.push_back(value_of(operand));
      if (!operands.back())
        return nullptr;
    }
    return llvm::ConstantFoldInstOperands(&instruction, operands, layout_);
  }

  bool is_number_in_sub_group(llvm::Instruction &instruction) const {
    using namespace llvm::PatternMatch;
    return match(&instruction, m_And(m_CombineOr(m_Specific(lane_), m_Trunc(m_Specific(lane_))),
                                     m_SpecificInt(sub_group_size_ - 1)));
  }

  const llvm::DataLayout &layout_;
  llvm::Value *lane_;
  uint32_t sub_group_size_, number_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Constant *> values_;
};

bool moves_values(const llvm::CallInst &marker) {
  const SyncOperation operation = operation_of(marker);
  switch (operation.kind) {
  case SyncKind::shuffle:
  case SyncKind::shuffle_xor:
  case SyncKind::shuffle_up:
  case SyncKind::shuffle_down:
    return operation.scope == SyncScope::sub_group;
  default:
    return false;
  }
}

/// Empty if they are not known.
llvm::SmallVector<uint8_t, max_sub_group_size> parameters_of(const llvm::CallInst &marker,
                                                             uint32_t sub_group_size) {
  llvm::SmallVector<uint8_t, max_sub_group_size> parameters;
  for (uint32_t number = 0; number < sub_group_size; ++number) {
    auto *parameter = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        Lane(*marker.getFunction(), sub_group_size, number).value_of(parameter_of(marker)));
    if (!parameter)
      return {};
    parameters.push_back(static_cast<uint8_t>(std::min<uint64_t>(parameter->getZExtValue(), 255)));
  }
  return parameters;
}

} // namespace

void find_lane_parameters(llvm::Function &function, uint32_t sub_group_size) {
  llvm::LLVMContext &context = function.getContext();
  for (llvm::CallInst *marker : sync_points(function)) {
    if (!moves_values(*marker) || llvm::isa<llvm::Constant>(parameter_of(*marker)))
      continue;
    const auto parameters = parameters_of(*marker, sub_group_size);
    if (parameters.empty())
      continue;
    const bool same = llvm::all_equal(parameters);
    set_parameter(*marker, llvm::ConstantInt::get(llvm::Type::getInt64Ty(context),
                                                  same ? parameters.front() : 0));
    if (!same)
      marker->setMetadata(
          metadata_name,
          llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(llvm::ConstantDataArray::get(
                                         context, llvm::ArrayRef(parameters)))));
  }
}

llvm::ConstantDataArray *lane_parameters(const llvm::CallInst &marker) {
  const llvm::MDNode *node = marker.getMetadata(metadata_name);
  return node ? llvm::cast<llvm::ConstantDataArray>(
                    llvm::cast<llvm::ConstantAsMetadata>(node->getOperand(0))->getValue())
              : nullptr;
}

void load_lane_parameters(llvm::Function &function) {
  for (llvm::CallInst *marker : sync_points(function)) {
    llvm::ConstantDataArray *parameters = lane_parameters(*marker);
    if (!parameters)
      continue;
    llvm::IRBuilder<> b(marker);
    auto *array = new llvm::GlobalVariable(*function.getParent(), parameters->getType(), true,
                                           llvm::GlobalValue::PrivateLinkage, parameters);
    llvm::Value *number =
        b.CreateAnd(function.getArg(context_parameter::lane), parameters->getNumElements() - 1);
    llvm::Value *loaded =
        b.CreateLoad(b.getInt8Ty(), b.CreateInBoundsGEP(b.getInt8Ty(), array, number));
    set_parameter(*marker, b.CreateZExt(loaded, b.getInt64Ty()));
    marker->setMetadata(metadata_name, nullptr);
  }
}

} // namespace ze_cpu
