// Where kernels find what the runtime makes for them: the buffer that printf writes to, the heap of
// malloc.
//
// The headers declare a function for each address. Here it gets a body, which reads a variable that
// the runtime sets when it loads the module. A variable of the headers would be in every module, and
// registered by every host program; so only modules have it whose kernels call the function.
#include "../passes.h"
#include "kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace chip {

GlobalVariable &service_variable(Module &module, StringRef name) {
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return *known;
  auto *type = PointerType::get(module.getContext(), global_space);
  auto *variable = new GlobalVariable(module, type, /*isConstant=*/false,
                                      GlobalValue::ExternalLinkage, Constant::getNullValue(type),
                                      name, nullptr, GlobalValue::NotThreadLocal, global_space);
  variable->setExternallyInitialized(true);
  variable->setAlignment(Align(8));
  return *variable;
}

PreservedAnalyses ServiceAddresses::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (StringRef name : {device_contract::messages_variable, device_contract::heap_variable}) {
    Function *function = module.getFunction((name + "_address").str());
    if (!function || function->use_empty())
      continue;
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
    GlobalVariable &variable = service_variable(module, name);
    Value *address = builder.CreateLoad(variable.getValueType(), &variable);
    builder.CreateRet(builder.CreateAddrSpaceCast(address, function->getReturnType()));
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setVisibility(GlobalValue::DefaultVisibility);
    function->setDSOLocal(true);
    function->addFnAttr(Attribute::AlwaysInline);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
