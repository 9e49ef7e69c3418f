#include "row_widths.h"

#include "../lower/work_item.h"

#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

llvm::Function *choose_width(llvm::Function &any, llvm::ArrayRef<uint64_t> widths,
                             const std::function<llvm::Function *(uint64_t)> &make) {
  llvm::LLVMContext &context = any.getContext();
  auto *function = llvm::Function::Create(any.getFunctionType(), any.getLinkage(),
                                          any.getName() + ".rows", any.getParent());
  function->copyAttributesFrom(&any);
  llvm::SmallVector<llvm::Value *, 5> arguments;
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function));
  const auto call = [&](llvm::BasicBlock *block, llvm::Function *region) {
    llvm::IRBuilder<> c(block);
    c.CreateRet(c.CreateCall(region, arguments));
  };
  auto *otherwise = llvm::BasicBlock::Create(context, "any", function);
  call(otherwise, &any);
  // From the first lane on, and to the end of a row: that of lanes that diverged may be anywhere.
  llvm::Value *size = load_group_size(b, arguments[0], 0),
              *is_first = b.CreateICmpEQ(arguments[3], b.getInt64(0));
  llvm::SwitchInst *choice =
      b.CreateSwitch(b.CreateSelect(is_first, size, b.getInt64(0)), otherwise);
  for (const uint64_t width : widths) {
    auto *ends = llvm::BasicBlock::Create(context, "ends", function),
         *rows = llvm::BasicBlock::Create(context, "rows", function);
    choice->addCase(b.getInt64(width), ends);
    llvm::IRBuilder<> e(ends);
    llvm::Value *rest = e.CreateAnd(arguments[4], e.getInt64(width - 1));
    e.CreateCondBr(e.CreateICmpEQ(rest, e.getInt64(0)), rows, otherwise);
    call(rows, make(width));
  }
  return function;
}

} // namespace ze_cpu
