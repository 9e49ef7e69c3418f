// printf, as far as the C library's does what OpenCL's does: no vectors.
#include "builtins.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {
namespace {

using llvm::Value;

Value *print(Builtin &call) {
  llvm::IRBuilder<> &b = call.builder;
  llvm::StringRef format;
  if (llvm::getConstantStringInfo(call.argument(0)->stripPointerCasts(), format))
    for (size_t at = format.find('%'); at != llvm::StringRef::npos; at = format.find('%', at + 2))
      if (format.drop_front(at + 1).ltrim("-+ #0123456789.").starts_with("v"))
        call.unsupported("vectors in its format");
  llvm::SmallVector<Value *> arguments;
  for (Value *argument : call.call.args()) {
    llvm::Type *type = argument->getType();
    if (type->isVectorTy())
      call.unsupported("a vector argument");
    // What C does to arguments of variadic functions.
    if (type->isPointerTy())
      argument = b.CreateAddrSpaceCast(argument, b.getPtrTy());
    else if (type->isFloatingPointTy() && !type->isDoubleTy())
      argument = b.CreateFPExt(argument, b.getDoubleTy());
    else if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      argument = b.CreateSExt(argument, b.getInt32Ty());
    arguments.push_back(argument);
  }
  llvm::Module &module = *call.call.getModule();
  auto callee = module.getOrInsertFunction(
      "ze_cpu_printf", llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, true));
  return b.CreateCall(callee, arguments);
}

} // namespace

void add_printf(BuiltinTable &table) { table["ocl_printf"] = print; }

} // namespace ze_cpu
