// __builtin_trap, which is also abort() and the end of an assertion that failed, ends the thread.
//
// SPIR-V has no instruction for it: the back end drops the call, and what follows is undefined. So
// the thread tells the runtime (hip/spirv_detail/services/messages.h) and writes to the address that the
// runtime has chosen for that. Devices that have such an address end the kernel there, as for any
// fault. On others the thread goes on: it returns from the kernel, and the runtime reports it from
// the next call that waits. Functions in which that happens are inlined first; where that is not
// possible, in recursive functions and those called through a pointer, only the function returns.
// Can go when the back end writes OpAbortKHR and devices know it.
#include "inlining.h"
#include "kernels/kernels.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace chip {
namespace {

constexpr unsigned failure_aborted = 1; // Messages::aborted

SmallVector<CallInst *> traps(Module &module) {
  SmallVector<CallInst *> found;
  for (Function &function : module)
    if (Intrinsic::ID id = function.getIntrinsicID();
        id == Intrinsic::trap || id == Intrinsic::ubsantrap)
      for (User *user : function.users())
        found.push_back(cast<CallInst>(user));
  return found;
}

// The call does not return, so that what follows was not translated.
bool ends_thread(const Instruction *instruction) {
  auto *call = dyn_cast_or_null<CallInst>(instruction);
  return call && call->doesNotReturn();
}

void report_failure(CallInst &trap) {
  IRBuilder<> builder(&trap);
  GlobalVariable &variable =
      service_variable(*trap.getModule(), device_contract::messages_variable);
  Value *failures = builder.CreateLoad(variable.getValueType(), &variable);
  builder.CreateAtomicRMW(AtomicRMWInst::Or, failures, builder.getInt32(failure_aborted), Align(4),
                          AtomicOrdering::Monotonic);
  Value *place = builder.CreateConstGEP1_32(builder.getInt8Ty(), failures,
                                            device_contract::messages_trap_offset);
  Value *address = builder.CreateAlignedLoad(variable.getValueType(), place, Align(8));
  builder.CreateAlignedStore(builder.getInt32(1), address, Align(4), /*isVolatile=*/true);
}

void return_instead(UnreachableInst &end) {
  IRBuilder<> builder(&end);
  Type *type = end.getFunction()->getReturnType();
  if (type->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(Constant::getNullValue(type));
  end.eraseFromParent();
}

// What virtual tables have in place of functions that no class defines.
void define_pure_virtual(Module &module) {
  Function *function = module.getFunction("__cxa_pure_virtual");
  if (!function || !function->isDeclaration())
    return;
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
  builder.CreateIntrinsic(Intrinsic::trap, {});
  builder.CreateUnreachable();
  function->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace

PreservedAnalyses InlineTraps::run(Module &module, ModuleAnalysisManager &) {
  define_pure_virtual(module);
  SetVector<Function *> functions;
  for (CallInst *trap : traps(module))
    functions.insert(trap->getFunction());
  if (functions.empty())
    return PreservedAnalyses::all();
  add_callers(functions);
  for (Function *function : functions)
    always_inline(*function);
  return PreservedAnalyses::none();
}

PreservedAnalyses Traps::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<CallInst *> calls = traps(module);
  if (calls.empty())
    return PreservedAnalyses::all();
  SmallVector<UnreachableInst *> ends;
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (auto *end = dyn_cast_or_null<UnreachableInst>(block.getTerminator());
          end && ends_thread(end->getPrevNode()))
        ends.push_back(end);
  for (UnreachableInst *end : ends)
    return_instead(*end);
  for (Function &function : module) {
    if (!function.isDeclaration())
      function.removeFnAttr(Attribute::NoReturn);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        call->removeFnAttr(Attribute::NoReturn);
  }
  for (CallInst *trap : calls) {
    report_failure(*trap);
    trap->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace chip
