// printf of the HIP headers, as OpenCL's printf.
//
// A device prints from a table of strings: the format is a literal in the constant address space,
// and so are the strings that %s prints, where the compiler knows them.
#include "error.h"
#include "kernels.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

using namespace llvm;

namespace chip {
namespace {

constexpr StringLiteral hip_name = "__chip_printf"; // hip/spirv_detail/printf.h
constexpr StringLiteral spirv_name = "_Z18__spirv_ocl_printfPU3AS2Kcz";

std::optional<StringRef> literal(const Value *value) {
  StringRef text;
  if (value->getType()->isPointerTy() && getConstantStringInfo(value->stripPointerCasts(), text))
    return text;
  return std::nullopt;
}

// OpenCL C specification, 6.15.14.1: `l` is 64 bits wide and stands before integers only, and it is
// the longest length there is.
std::string opencl_format(StringRef format) {
  std::string result;
  while (!format.empty()) {
    size_t start = format.find('%');
    result += format.substr(0, start);
    format = format.substr(start);
    if (format.empty())
      break;
    StringRef rest = format.drop_front(1).ltrim("-+ #0123456789.*");
    result += format.take_front(format.size() - rest.size());
    StringRef length = rest.take_while([](char c) { return StringRef("hljztLq").contains(c); });
    rest = rest.drop_front(length.size());
    bool is_integer = !rest.empty() && StringRef("diouxX").contains(rest.front());
    if (length.starts_with("h"))
      result += length;
    else if (!length.empty() && is_integer)
      result += 'l';
    result += rest.take_front(1);
    format = rest.drop_front(rest.empty() ? 0 : 1);
  }
  return result;
}

// A choice between two literals becomes two calls, each with its own.
bool split_at_choice(CallInst &call, SmallVectorImpl<CallInst *> &calls) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    auto *choice = dyn_cast<SelectInst>(call.getArgOperand(i)->stripPointerCasts());
    if (!choice || !literal(choice->getTrueValue()) || !literal(choice->getFalseValue()))
      continue;
    Instruction *then_end, *else_end;
    SplitBlockAndInsertIfThenElse(choice->getCondition(), &call, &then_end, &else_end);
    auto *then_call = cast<CallInst>(call.clone()), *else_call = cast<CallInst>(call.clone());
    then_call->setArgOperand(i, choice->getTrueValue());
    else_call->setArgOperand(i, choice->getFalseValue());
    then_call->insertBefore(then_end->getIterator());
    else_call->insertBefore(else_end->getIterator());
    if (!call.use_empty()) {
      IRBuilder<> builder(&call);
      PHINode *result = builder.CreatePHI(call.getType(), 2);
      result->addIncoming(then_call, then_call->getParent());
      result->addIncoming(else_call, else_call->getParent());
      call.replaceAllUsesWith(result);
    }
    call.eraseFromParent();
    calls.append({then_call, else_call});
    return true;
  }
  return false;
}

class Lowering {
public:
  explicit Lowering(Module &module) : module_(module), errors_(module) {}

  void lower(CallInst &call) {
    std::optional<StringRef> format = literal(call.getArgOperand(0));
    if (!format) {
      errors_.add("'" + readable_name(*call.getFunction()) +
                  "' calls printf with a format that is not a string literal");
      return;
    }
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments{constant_string(opencl_format(*format))};
    for (Value *argument : drop_begin(call.args())) {
      std::optional<StringRef> text = literal(argument);
      arguments.push_back(text ? constant_string(*text) : argument);
    }
    FunctionCallee callee = module_.getOrInsertFunction(
        spirv_name, FunctionType::get(builder.getInt32Ty(), builder.getPtrTy(constant_space), true));
    cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
    CallInst *instead = builder.CreateCall(callee, arguments);
    instead->setCallingConv(CallingConv::SPIR_FUNC);
    call.replaceAllUsesWith(instead);
    call.eraseFromParent();
  }

private:
  Constant *constant_string(StringRef text) {
    GlobalVariable *&string = strings_[text];
    if (!string) {
      Constant *bytes = ConstantDataArray::getString(module_.getContext(), text);
      string = new GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, bytes, ".printf", nullptr,
                                  GlobalValue::NotThreadLocal, constant_space);
      string->setAlignment(Align(1));
      string->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    }
    return string;
  }

  Module &module_;
  Errors errors_;
  StringMap<GlobalVariable *> strings_;
};

} // namespace

PreservedAnalyses Printf::run(Module &module, ModuleAnalysisManager &) {
  Function *function = module.getFunction(hip_name);
  if (!function)
    return PreservedAnalyses::all();
  SmallVector<CallInst *> calls;
  for (User *user : function->users())
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == function)
      calls.push_back(call);
  Lowering lowering(module);
  while (!calls.empty()) {
    CallInst *call = calls.pop_back_val();
    if (!split_at_choice(*call, calls))
      lowering.lower(*call);
  }
  return PreservedAnalyses::none();
}

} // namespace chip
