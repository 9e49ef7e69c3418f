#include "context_parameters.h"

#include "../lower/work_item.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

using llvm::AttributeList;
using llvm::AttributeSet;

AttributeList shifted(llvm::LLVMContext &context, const AttributeList &attributes,
                      unsigned parameters, bool keep_function) {
  llvm::SmallVector<AttributeSet> sets(context_parameter::count);
  for (unsigned i = 0; i < parameters;
       ++i) // a result through memory must be the first parameter, which it no longer is
    sets.push_back(
        attributes.getParamAttrs(i).removeAttribute(context, llvm::Attribute::StructRet));
  return AttributeList::get(context, keep_function ? attributes.getFnAttrs() : AttributeSet(),
                            attributes.getRetAttrs(), sets);
}

llvm::Function *rewrite_function(llvm::Function &old) {
  llvm::Module &module = *old.getParent();
  llvm::Function *function = llvm::Function::Create(
      with_context(old.getFunctionType()), old.getLinkage(), old.getAddressSpace(), "", &module);
  function->takeName(&old);
  function->setAttributes(shifted(module.getContext(), old.getAttributes(), old.arg_size(), true));
  // Reading coordinates reads memory now, and waiting for others does anything.
  function->removeFnAttr(llvm::Attribute::Memory);
  function->removeFnAttr(llvm::Attribute::Speculatable);
  function->setVisibility(old.getVisibility());
  function->setDSOLocal(old.isDSOLocal());
  function->setUnnamedAddr(old.getUnnamedAddr());
  function->setAlignment(old.getAlign());
  function->setSubprogram(old.getSubprogram());
  llvm::Argument *group = function->getArg(context_parameter::group);
  group->addAttr(llvm::Attribute::NonNull);
  group->addAttr(llvm::Attribute::NoUndef);
  function->splice(function->begin(), &old);
  for (llvm::Argument &argument : old.args()) {
    llvm::Argument *moved = function->getArg(argument.getArgNo() + context_parameter::count);
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  old.replaceAllUsesWith(function);
  old.eraseFromParent();
  return function;
}

void rewrite_call(llvm::CallInst &call) {
  llvm::Function &caller = *call.getFunction();
  llvm::SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0; i < context_parameter::count; ++i)
    arguments.push_back(caller.getArg(i));
  arguments.append(call.arg_begin(), call.arg_end());
  llvm::CallInst *replacement =
      llvm::CallInst::Create(with_context(call.getFunctionType()), call.getCalledOperand(),
                             arguments, "", call.getIterator());
  replacement->setAttributes(
      shifted(call.getContext(), call.getAttributes(), call.arg_size(), false));
  replacement->setCallingConv(call.getCallingConv());
  if (llvm::isa<llvm::FPMathOperator>(call))
    replacement->setFastMathFlags(call.getFastMathFlags());
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->takeName(&call);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

} // namespace

void add_context_parameters(llvm::Module &module,
                            const std::set<std::string, std::less<>> &shared) {
  llvm::SmallVector<llvm::Function *> old;
  for (llvm::Function &function : module)
    if (!function.isIntrinsic() &&
        (!function.isDeclaration() || shared.contains(function.getName().str())))
      old.push_back(&function);
  llvm::SmallPtrSet<llvm::Function *, 16> rewritten;
  for (llvm::Function *function : old)
    rewritten.insert(rewrite_function(*function));
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Function *function : rewritten)
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        auto *callee =
            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
        if (callee ? rewritten.contains(callee) : !call->isInlineAsm())
          calls.push_back(call);
      }
  for (llvm::CallInst *call : calls)
    rewrite_call(*call);
}

} // namespace ze_cpu
