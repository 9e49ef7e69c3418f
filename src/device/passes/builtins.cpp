#include "builtins.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>

#include <vector>

using namespace llvm;

namespace chip {
namespace {

// Itanium C++ ABI, 5.1.5: the builtin types. A vector is a compound type, so its second use is a
// substitution.
std::string mangled(StringRef name, ArrayRef<Value *> arguments) {
  std::string result = ("_Z" + Twine(name.size()) + name).str();
  std::vector<Type *> seen;
  auto scalar = [](Type *type) -> StringRef {
    if (type->isHalfTy())
      return "Dh";
    if (type->isFloatTy())
      return "f";
    if (type->isDoubleTy())
      return "d";
    switch (type->getIntegerBitWidth()) {
    case 8:
      return "c";
    case 16:
      return "s";
    case 32:
      return "i";
    case 64:
      return "l";
    }
    llvm_unreachable("no builtin takes this type");
  };
  for (Value *argument : arguments) {
    auto *vector = dyn_cast<FixedVectorType>(argument->getType());
    if (!vector) {
      result += scalar(argument->getType());
      continue;
    }
    auto known = llvm::find(seen, vector);
    if (known == seen.end()) {
      seen.push_back(vector);
      result += ("Dv" + Twine(vector->getNumElements()) + "_").str();
      result += scalar(vector->getElementType());
    } else {
      size_t index = known - seen.begin();
      result += index == 0 ? std::string("S_") : ("S" + Twine(index - 1) + "_").str();
    }
  }
  return result;
}

} // namespace

Value *call_builtin(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments,
                    bool pure) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  Module *module = builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module->getOrInsertFunction(mangled(name, arguments),
                                                      FunctionType::get(result, types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  if (pure)
    function->setDoesNotAccessMemory();
  CallInst *call = builder.CreateCall(callee, arguments);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}

void replace_pair(Instruction &call, Value *first, Value *second) {
  for (User *user : to_vector(call.users()))
    if (auto *member = dyn_cast<ExtractValueInst>(user)) {
      member->replaceAllUsesWith(member->getIndices()[0] == 0 ? first : second);
      member->eraseFromParent();
    }
  if (!call.use_empty()) {
    IRBuilder<> builder(&call);
    Value *both = builder.CreateInsertValue(PoisonValue::get(call.getType()), first, 0);
    call.replaceAllUsesWith(builder.CreateInsertValue(both, second, 1));
  }
  call.eraseFromParent();
}

} // namespace chip
