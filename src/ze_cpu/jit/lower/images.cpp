// Image instructions become calls of runtime/images.cpp. What an image is (dimensions, layers,
// format) is known at run time only, so that all kinds share the same functions.
#include "images.h"
#include "builtins.h"

#include "../../contract/image_data.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

llvm::StringRef opaque_name(const llvm::Type &type) {
  auto *opaque = llvm::dyn_cast<llvm::TargetExtType>(&type);
  return opaque ? opaque->getName() : llvm::StringRef();
}

llvm::StructType *sampled_image_type(llvm::LLVMContext &context) {
  return llvm::StructType::get(llvm::PointerType::get(context, 0), llvm::Type::getInt64Ty(context));
}

llvm::Type *replacement(llvm::Type *type) {
  llvm::StringRef name = opaque_name(*type);
  if (name == "spirv.Image")
    return llvm::PointerType::get(type->getContext(), 0);
  if (name == "spirv.Sampler")
    return llvm::Type::getInt64Ty(type->getContext());
  if (name == "spirv.SampledImage")
    return sampled_image_type(type->getContext());
  return type;
}

llvm::FunctionType *replacement(llvm::FunctionType *type) {
  llvm::SmallVector<llvm::Type *> parameters;
  for (llvm::Type *parameter : type->params())
    parameters.push_back(replacement(parameter));
  return llvm::FunctionType::get(replacement(type->getReturnType()), parameters, type->isVarArg());
}

void replace_in_signature(llvm::Function &old) {
  llvm::FunctionType *type = replacement(old.getFunctionType());
  if (type == old.getFunctionType())
    return;
  llvm::Function *function =
      llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  function->takeName(&old);
  function->copyAttributesFrom(&old);
  function->copyMetadata(&old, 0);
  function->splice(function->begin(), &old);
  for (llvm::Argument &argument : old.args()) {
    llvm::Argument *moved = function->getArg(argument.getArgNo());
    argument.mutateType(moved->getType());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  old.replaceAllUsesWith(function);
  old.eraseFromParent();
}

void replace_in(llvm::Instruction &instruction) {
  for (llvm::Use &use : instruction.operands())
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(use.get()))
      if (llvm::Type *type = replacement(constant->getType()); type != constant->getType())
        use.set(llvm::Constant::getNullValue(type));
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    call->mutateFunctionType(replacement(call->getFunctionType()));
  else if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    alloca->setAllocatedType(replacement(alloca->getAllocatedType()));
  else
    instruction.mutateType(replacement(instruction.getType()));
}

// Runtime functions take three coordinates of 32 bits and vectors of four.
constexpr unsigned coordinate_count = 3, channel_count = 4;

Value *convert(Builder &b, Value *value, llvm::Type *type) {
  return type->isFloatingPointTy() ? b.CreateFPCast(value, type) : b.CreateSExtOrTrunc(value, type);
}

llvm::Type *wide_type(Builder &b, llvm::Type *type) {
  return type->getScalarType()->isFloatingPointTy() ? b.getFloatTy()
                                                    : llvm::Type::getInt32Ty(b.getContext());
}

void add_coordinates(Builder &b, Value *coordinate, llvm::SmallVectorImpl<Value *> &arguments) {
  llvm::Type *type = wide_type(b, coordinate->getType());
  llvm::SmallVector<Value *, 4> given = elements(b, coordinate);
  for (unsigned i = 0; i < coordinate_count; ++i)
    arguments.push_back(i < given.size() ? convert(b, given[i], type)
                                         : llvm::Constant::getNullValue(type));
}

enum class Effect { none, reads, writes };

Value *call_runtime(Builtin &call, const llvm::Twine &name, llvm::Type *result,
                    llvm::ArrayRef<Value *> arguments, Effect effect) {
  llvm::SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee = call.call.getModule()->getOrInsertFunction(
      ("ze_cpu_image_" + name).str(), llvm::FunctionType::get(result, types, false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  if (effect == Effect::reads)
    function->setOnlyReadsMemory();
  return call.builder.CreateCall(callee, arguments);
}

// Images have one level, so that its choice means nothing; the others would mean something.
void check_operands(Builtin &call, unsigned index) {
  constexpr uint64_t lod = 0x2, gradient = 0x4, sign_extend = 0x1000, zero_extend = 0x2000,
                     nontemporal = 0x4000;
  if (call.arguments() > index &&
      call.constant(index) & ~(lod | gradient | sign_extend | zero_extend | nontemporal))
    call.unsupported("its image operands");
}

/// `operation` on floats or integers, as the type of the texel says; as many channels of the result
/// as it wants.
Value *load(Builtin &call, const llvm::Twine &operation, llvm::ArrayRef<Value *> arguments) {
  Builder &b = call.builder;
  llvm::Type *type = wide_type(b, call.type());
  Value *texel =
      call_runtime(call, operation + (type->isFloatTy() ? "_float" : "_integer"),
                   llvm::FixedVectorType::get(type, channel_count), arguments, Effect::reads);
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
  if (!vector)
    return convert(b, b.CreateExtractElement(texel, uint64_t{0}), call.type());
  Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < std::min(channel_count, vector->getNumElements()); ++i)
    result = b.CreateInsertElement(
        result, convert(b, b.CreateExtractElement(texel, i), vector->getElementType()), i);
  return result;
}

// (image, coordinate [, operands])
Value *read(Builtin &call) {
  check_operands(call, 2);
  llvm::SmallVector<Value *> arguments{call.argument(0)};
  add_coordinates(call.builder, call.argument(1), arguments);
  return load(call, "read", arguments);
}

// (sampled image, coordinate [, operands])
Value *sample(Builtin &call) {
  check_operands(call, 2);
  Builder &b = call.builder;
  llvm::SmallVector<Value *> arguments{b.CreateExtractValue(call.argument(0), 0),
                                       b.CreateExtractValue(call.argument(0), 1)};
  add_coordinates(b, call.argument(1), arguments);
  const bool whole = call.argument(1)->getType()->isIntOrIntVectorTy();
  return load(call, whole ? "fetch" : "sample", arguments);
}

// (image, coordinate, texel [, operands])
Value *write(Builtin &call) {
  check_operands(call, 3);
  Builder &b = call.builder;
  llvm::SmallVector<Value *> arguments{call.argument(0)};
  add_coordinates(b, call.argument(1), arguments);
  llvm::SmallVector<Value *, 4> given = elements(b, call.argument(2));
  llvm::Type *type = wide_type(b, call.argument(2)->getType());
  Value *texel = llvm::Constant::getNullValue(llvm::FixedVectorType::get(type, channel_count));
  for (unsigned i = 0; i < std::min<size_t>(channel_count, given.size()); ++i)
    texel = b.CreateInsertElement(texel, convert(b, given[i], type), i);
  arguments.push_back(texel);
  call_runtime(call, type->isFloatTy() ? "write_float" : "write_integer", b.getVoidTy(), arguments,
               Effect::writes);
  return nullptr;
}

Value *query(Builtin &call, uint32_t what) {
  Builder &b = call.builder;
  return call_runtime(call, "query", b.getInt32Ty(), {call.argument(0), b.getInt32(what)},
                      Effect::reads);
}

// Width, then what the image has of height, depth and layers.
Value *query_size(Builtin &call) {
  Builder &b = call.builder;
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
  if (!vector)
    return b.CreateZExtOrTrunc(query(call, image_query::size_x), call.type());
  Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < std::min(coordinate_count, vector->getNumElements()); ++i)
    result = b.CreateInsertElement(
        result, b.CreateZExtOrTrunc(query(call, image_query::size_x + i), vector->getElementType()),
        i);
  return result;
}

Value *combine(Builtin &call, Value *image, Value *sampler) {
  Builder &b = call.builder;
  Value *both = llvm::PoisonValue::get(sampled_image_type(b.getContext()));
  return b.CreateInsertValue(b.CreateInsertValue(both, image, 0), sampler, 1);
}

Value *image_of_handle(Builtin &call) {
  return call.builder.CreateIntToPtr(call.argument(0), call.builder.getPtrTy());
}

Value *sampled_image_of_handle(Builtin &call) {
  Value *image = image_of_handle(call);
  return combine(call, image,
                 call_runtime(call, "sampler", call.builder.getInt64Ty(), {image}, Effect::reads));
}

Value *constant_one(Builtin &call) { return llvm::ConstantInt::get(call.type(), 1); }

} // namespace

std::optional<ArgumentKind> opaque_argument(const llvm::Type &type) {
  llvm::StringRef name = opaque_name(type);
  if (name == "spirv.Image")
    return ArgumentKind::image;
  if (name == "spirv.Sampler")
    return ArgumentKind::sampler;
  return {};
}

void replace_opaque_types(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    functions.push_back(&function);
  for (llvm::Function *function : functions)
    replace_in_signature(*function);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      replace_in(instruction);
}

void add_images(BuiltinTable &table) {
  table["ImageRead"] = table["ImageFetch"] = read;
  table["ImageWrite"] = write;
  table["ImageSampleExplicitLod"] = sample;
  table["SampledImage"] = [](Builtin &call) {
    return combine(call, call.argument(0), call.argument(1));
  };
  table["Image"] = [](Builtin &call) {
    return call.builder.CreateExtractValue(call.argument(0), 0);
  };
  table["ConstantSampler"] = [](Builtin &call) -> Value * {
    return call.builder.getInt64(call.constant(0));
  };
  table["ImageQuerySize"] = table["ImageQuerySizeLod"] = query_size;
  table["ImageQueryFormat"] = [](Builtin &call) { return query(call, image_query::channel_type); };
  table["ImageQueryOrder"] = [](Builtin &call) { return query(call, image_query::channel_order); };
  table["ImageQueryLevels"] = table["ImageQuerySamples"] = constant_one;
  table["ConvertHandleToImageINTEL"] = image_of_handle;
  table["ConvertHandleToSamplerINTEL"] = [](Builtin &call) -> Value * { return call.argument(0); };
  table["ConvertHandleToSampledImageINTEL"] = sampled_image_of_handle;
}

} // namespace ze_cpu
