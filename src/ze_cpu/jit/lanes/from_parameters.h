// What a kernel computes from its parameters alone.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/IRBuilder.h>

#include <functional>

namespace ze_cpu {

/// Values that a kernel's parameters lead to, computed anew elsewhere.
class FromParameters {
public:
  /// `parameter` tells what a parameter is there; null: that is not known. `builder` adds code.
  FromParameters(const llvm::IRBuilder<> &builder,
                 std::function<llvm::Value *(llvm::Argument &)> parameter)
      : builder_(builder.GetInsertBlock(), builder.GetInsertPoint()),
        parameter_(std::move(parameter)) {}

  /// Null: not of parameters alone. Some code may have been added even then.
  llvm::Value *value(llvm::Value *of);

  /// The same with other operands, for which its promises need not hold.
  static llvm::Instruction *copy_with(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                                      llvm::ArrayRef<llvm::Value *> operands);

  /// Whether it may be computed wherever its operands are known.
  static bool may_move(const llvm::Instruction &instruction);

private:
  llvm::IRBuilder<> builder_;
  std::function<llvm::Value *(llvm::Argument &)> parameter_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> values_;
};

} // namespace ze_cpu
