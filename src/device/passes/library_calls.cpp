// The C library's mathematics where a program reaches it past the headers: clang turns builtins that are no LLVM intrinsic
// (__builtin_scalbn, __builtin_erf) into calls of the library's functions by name. OpenCL has each of them.
#include "builtins.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {
namespace {

// By the library's name for double; with an f it is for float.
constexpr std::pair<StringLiteral, StringLiteral> functions[] = {
    {"acosh", "acosh"},
    {"asinh", "asinh"},
    {"atanh", "atanh"},
    {"cbrt", "cbrt"},
    {"erf", "erf"},
    {"erfc", "erfc"},
    {"expm1", "expm1"},
    {"fdim", "fdim"},
    {"fmod", "fmod"},
    {"hypot", "hypot"},
    {"ilogb", "ilogb"},
    {"lgamma", "lgamma"},
    {"log1p", "log1p"},
    {"logb", "logb"},
    {"nextafter", "nextafter"},
    {"pow", "pow"},
    {"remainder", "remainder"},
    {"scalbln", "ldexp"},
    {"scalbn", "ldexp"},
    {"tgamma", "tgamma"},
};

// Empty when `function` is none of them.
StringRef opencl_name(const Function &function) {
  if (!function.isDeclaration() || function.isVarArg() || function.arg_empty())
    return {};
  Type *type = function.getArg(0)->getType();
  StringRef name = function.getName();
  if (type->isFloatTy() ? !name.consume_back("f") : !type->isDoubleTy())
    return {};
  for (auto [known, opencl] : functions)
    if (name == known)
      return opencl;
  return {};
}

// ldexp takes an int; what a long holds beyond that is far more than any number can be scaled by.
Value *as_int(IRBuilder<> &builder, Value *value) {
  if (!value->getType()->isIntegerTy(64))
    return value;
  const int64_t limit = 1 << 16;
  value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt64(-limit));
  value = builder.CreateBinaryIntrinsic(Intrinsic::smin, value, builder.getInt64(limit));
  return builder.CreateTrunc(value, builder.getInt32Ty());
}

} // namespace

PreservedAnalyses LibraryCalls::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : make_early_inc_range(module)) {
    const StringRef name = opencl_name(function);
    if (name.empty())
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      IRBuilder<> builder(call);
      SmallVector<Value *, 2> arguments;
      for (Value *argument : call->args())
        arguments.push_back(as_int(builder, argument));
      call->replaceAllUsesWith(
          call_builtin(builder, ("__spirv_ocl_" + name).str(), call->getType(), arguments));
      call->eraseFromParent();
      changed = true;
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
