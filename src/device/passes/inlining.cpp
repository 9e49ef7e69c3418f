#include "inlining.h"
#include "kernels/kernels.h"

#include <llvm/IR/InstrTypes.h>

using namespace llvm;

namespace chip {

void add_callers(SetVector<Function *> &functions) {
  for (size_t i = 0; i < functions.size(); ++i)
    for (User *user : functions[i]->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == functions[i])
        functions.insert(call->getFunction());
}

void always_inline(Function &function) {
  if (is_kernel(function))
    return;
  function.removeFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::AlwaysInline);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::NoInline);
}

} // namespace chip
