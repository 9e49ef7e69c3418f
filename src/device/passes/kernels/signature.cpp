#include "signature.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {

Function &with_parameters(Function &kernel, ArrayRef<Type *> parameters,
                          function_ref<void(Argument &before, Argument &after)> convert) {
  auto *type = FunctionType::get(kernel.getReturnType(), parameters, false);
  Function *changed = Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), changed);
  changed->takeName(&kernel);
  changed->copyAttributesFrom(&kernel);
  // OpenCL's descriptions of the parameters have one operand per parameter and would no longer fit.
  changed->copyMetadata(&kernel, 0);
  for (const char *kind : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                           "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name"})
    changed->setMetadata(kind, nullptr);
  // An instance of debug information describes one function.
  kernel.setSubprogram(nullptr);

  const AttributeList old = kernel.getAttributes();
  SmallVector<AttributeSet> kept(parameters.size());
  for (Argument &argument : kernel.args())
    if (parameters[argument.getArgNo()] == argument.getType())
      kept[argument.getArgNo()] = old.getParamAttrs(argument.getArgNo());
  changed->setAttributes(
      AttributeList::get(kernel.getContext(), old.getFnAttrs(), old.getRetAttrs(), kept));
  // What was known of the memory that it touches is not true of memory that comes as an argument
  // now.
  changed->removeFnAttr(Attribute::Memory);

  changed->splice(changed->begin(), &kernel);
  for (Argument &before : kernel.args()) {
    Argument &after = *changed->getArg(before.getArgNo());
    if (before.getType() == after.getType()) {
      after.takeName(&before);
      before.replaceAllUsesWith(&after);
    } else {
      convert(before, after);
    }
  }
  kernel.eraseFromParent();
  return *changed;
}

} // namespace chip
