// What the back end could not translate, said in terms of the program.
//
// It would end with an internal error and a stack dump, or write a module that the driver rejects
// with less to go by. Runs last.
#include "error.h"
#include "kernels/kernels.h"
#include "passes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace chip {
namespace {

constexpr StringLiteral unsupported = "which libCHIP's device compiler does not support yet";

// SPIR-V instructions by their names, mangled or not, and the OpenCL C functions about work-items
// that the back end knows.
bool is_builtin(StringRef name) {
  if (name.consume_front("_Z"))
    name = name.drop_while(isDigit);
  if (name.starts_with("__spirv_"))
    return true;
  // The back end has no instruction for this one.
  if (name.starts_with("sub_group_barrier"))
    return false;
  static constexpr StringLiteral prefixes[] = {
      "get_work_dim",           "get_global_",   "get_local_",      "get_group_id",
      "get_num_groups",         "get_enqueued_", "get_sub_group_",  "get_num_sub_groups",
      "get_max_sub_group_size", "sub_group_",    "intel_sub_group_"};
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

// What is the matter with a function that has no body.
std::string explain(const Function &callee) {
  StringRef symbol = callee.getName();
  std::string name = demangle(symbol);
  StringRef hint =
      StringSwitch<StringRef>(symbol)
          .Cases({"vprintf", "puts", "putchar", "fprintf", "calloc", "realloc"}, unsupported)
          .Default("");
  if (hint.empty() && symbol.starts_with("__cxa_"))
    hint = StringSwitch<StringRef>(symbol)
               .StartsWith("__cxa_guard",
                           "but a static local variable of device code cannot have a constructor")
               .StartsWith("__cxa_atexit", "but a variable of device code cannot have a destructor")
               .Default("but device code cannot handle exceptions");
  if (hint.empty())
    hint = "which has no definition in device code";
  return "uses '" + name + "', " + hint.str();
}

std::string explain(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::debugtrap:
    return ("uses '__builtin_debugtrap', " + unsupported).str();
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::vacopy:
    return ("uses variable arguments, " + unsupported).str();
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::sshl_sat:
  case Intrinsic::ushl_sat:
  case Intrinsic::returnaddress:
  case Intrinsic::frameaddress:
  case Intrinsic::eh_typeid_for:
  case Intrinsic::vscale:
    return ("uses '" + call.getCalledFunction()->getName() + "', " + unsupported).str();
  default:
    return {};
  }
}

// SPIR-V specification, 2.16.1 with capability Vector16.
bool has_no_vector_of(const Type &type) {
  auto *vector = dyn_cast<FixedVectorType>(&type);
  return vector && !is_contained({2, 3, 4, 8, 16}, vector->getNumElements());
}

// Empty if there is nothing to say.
std::string explain(const Instruction &instruction) {
  const Type *type = instruction.getType();
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    type = store->getValueOperand()->getType();
  if (has_no_vector_of(*type))
    return "uses a vector of " + std::to_string(cast<FixedVectorType>(type)->getNumElements()) +
           " elements; devices have vectors of 2, 3, 4, 8 and 16";
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return {};
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand())) {
    // An empty one is a barrier for the optimiser.
    if (assembly->getAsmString().empty())
      return {};
    return "contains inline assembly for another processor (\"" +
           StringRef(assembly->getAsmString()).split('\n').first.str() + "\")";
  }
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(call))
    return explain(*intrinsic);
  const Function *callee = call->getCalledFunction();
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || is_builtin(callee->getName()))
    return {};
  return explain(*callee);
}

using Functions = SetVector<const Function *>;

// The function and everything that it calls, or whose address it or what it calls takes.
Functions reachable_from(const Function &kernel) {
  Functions found;
  found.insert(&kernel);
  for (size_t i = 0; i < found.size(); ++i)
    for (const Instruction &instruction : instructions(*found[i]))
      for (const Use &operand : instruction.operands())
        if (auto *function = dyn_cast<Function>(operand->stripPointerCasts()))
          found.insert(function);
  return found;
}

std::string location(const Instruction &instruction) {
  const DebugLoc &place = instruction.getDebugLoc();
  if (!place)
    return {};
  return (" (" + place->getFilename() + ":" + Twine(place->getLine()) + ")").str();
}

void report(Errors &errors, const std::string &who, const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (std::string what = explain(instruction); !what.empty())
      errors.add(who + " " + what + location(instruction));
}

} // namespace

PreservedAnalyses Diagnose::run(Module &module, ModuleAnalysisManager &) {
  Errors errors(module);
  Functions named;
  for (const Function &kernel : module) {
    // The kernel is ours, and what it takes the address of runs elsewhere.
    if (!is_kernel(kernel) || kernel.isDeclaration() ||
        kernel.getName() == device_contract::init_kernel)
      continue;
    Functions reachable = reachable_from(kernel);
    for (const Function *function : reachable)
      report(errors, "kernel '" + readable_name(kernel) + "'", *function);
    named.insert_range(reachable);
  }
  for (const Function &function : module)
    if (!function.isDeclaration() && !named.contains(&function))
      report(errors, "device function '" + readable_name(function) + "'", function);
  return PreservedAnalyses::all();
}

} // namespace chip
