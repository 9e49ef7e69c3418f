#include "builtins.h"

#include "../../../common/marks/mask_marks.h"

#include <llvm/IR/InstIterator.h>

namespace ze_cpu {
namespace {

const BuiltinTable &table() {
  static const BuiltinTable all = [] {
    BuiltinTable table;
    add_coordinates(table);
    add_atomics(table);
    add_groups(table);
    add_integers(table);
    add_conversions(table);
    add_math(table);
    add_vectors(table);
    add_images(table);
    add_printf(table);
    return table;
  }();
  return all;
}

// "_Z32__spirv_ConvertFToS_Rint_sat_rtef" has the name "ConvertFToS" and the suffix "int_sat_rte".
struct Name {
  llvm::StringRef name, suffix;
};
Name parse(llvm::StringRef mangled) {
  if (mangled == "__translate_sampler_initializer") // the translator's name for OpConstantSampler
    return {"ConstantSampler", {}};
  if (mangled == chip::mask_marks::name)
    return {"ChipNamedLanes", {}};
  llvm::StringRef name = mangled;
  if (name.consume_front("_Z")) {
    unsigned length = 0;
    if (name.consumeInteger(10, length) || length > name.size())
      return {};
    name = name.take_front(length);
  }
  if (!name.consume_front("__spirv_"))
    return {};
  size_t at = name.find("_R");
  if (at == llvm::StringRef::npos)
    return {name, {}};
  return {name.take_front(at), name.drop_front(at + 2)};
}

} // namespace

llvm::Value *Builtin::argument(unsigned index) const {
  if (index >= call.arg_size())
    unsupported("too few arguments");
  return call.getArgOperand(index);
}

uint64_t Builtin::constant(unsigned index) const {
  auto *value = llvm::dyn_cast<llvm::ConstantInt>(argument(index));
  if (!value)
    unsupported("argument " + std::to_string(index) + " is not a constant");
  return value->getZExtValue();
}

void Builtin::unsupported(const std::string &why) const {
  throw LoweringError("unsupported use of " + call.getCalledFunction()->getName().str() + ": " +
                      why);
}

llvm::StringRef builtin_name(llvm::StringRef function) { return parse(function).name; }

bool is_builtin(llvm::StringRef function) { return table().contains(builtin_name(function)); }

void lower_builtins(llvm::Function &function, LoweringUnit &unit) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (call->getCalledFunction() && call->getCalledFunction()->isDeclaration() &&
          !call->getCalledFunction()->isIntrinsic())
        calls.push_back(call);
  WorkItem item(function, unit.of_columns);
  for (llvm::CallInst *call : calls) {
    Name name = parse(call->getCalledFunction()->getName());
    auto entry = table().find(name.name);
    if (name.name.empty() || entry == table().end())
      continue; // a function of another unit
    llvm::IRBuilder<> builder(call);
    if (auto *math = llvm::dyn_cast<llvm::FPMathOperator>(call))
      builder.setFastMathFlags(math->getFastMathFlags());
    Builtin builtin{*call, builder, item, unit, name.name, name.suffix};
    llvm::Value *result = entry->second(builtin);
    if (!call->getType()->isVoidTy()) {
      if (!result || result->getType() != call->getType())
        builtin.unsupported("its type");
      result->takeName(call);
      call->replaceAllUsesWith(result);
    }
    call->eraseFromParent();
  }
}

llvm::SmallVector<llvm::Value *, 4> elements(llvm::IRBuilder<> &builder, llvm::Value *value) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector)
    return {value};
  llvm::SmallVector<llvm::Value *, 4> result;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result.push_back(builder.CreateExtractElement(value, i));
  return result;
}

llvm::Value *
for_each_element(Builtin &builtin,
                 const std::function<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> &scalar) {
  llvm::IRBuilder<> &b = builtin.builder;
  llvm::SmallVector<llvm::Value *, 4> arguments(builtin.call.args());
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(builtin.type());
  if (!vector)
    return scalar(arguments);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value *, 4> elements;
    for (llvm::Value *argument : arguments)
      elements.push_back(argument->getType()->isVectorTy() ? b.CreateExtractElement(argument, i)
                                                           : argument);
    result = b.CreateInsertElement(result, scalar(elements), i);
  }
  return result;
}

} // namespace ze_cpu
