// Initial values that contain addresses are stored by a kernel, and padding is filled.
//
// `__device__ int *p = &x;`, tables of strings, virtual tables: the back end writes such values
// with identifiers that it never defines, or crashes. The kernel __chip_init_globals, which the
// runtime runs once per loaded module, stores them instead. Can go when the back end writes
// initialisers that refer to variables and functions.
//
// The kernel also reads each variable that nothing else uses: the back end of LLVM 22 writes variables
// along with the first function that has a body, and Intel's compiler drops those that no kernel uses,
// although the host asks for them.
#include "../kernels/kernels.h"
#include "../passes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace chip {
namespace {

// Constants share their operands, so the same table can be met on very many paths: each is looked
// at once.
class AddressFinder {
public:
  bool contains_address(const Constant *constant) {
    if (isa<GlobalValue>(constant))
      return true;
    if (constant->getNumOperands() == 0)
      return false;
    auto [known, unknown] = known_.try_emplace(constant, false);
    if (!unknown)
      return known->second;
    for (const Use &operand : constant->operands())
      if (contains_address(cast<Constant>(operand.get())))
        return known_[constant] = true;
    return false;
  }

private:
  DenseMap<const Constant *, bool> known_;
};

// Padding has no value, and the back end of LLVM 22 does not take that within a value. Can go when it
// does.
class Padding {
public:
  Constant *filled(Constant *value) {
    if (!isa<ConstantAggregate>(value))
      return value;
    if (Constant *known = known_.lookup(value))
      return known;
    SmallVector<Constant *> elements;
    for (const Use &operand : value->operands()) {
      auto *element = cast<Constant>(operand.get());
      elements.push_back(isa<UndefValue>(element) ? Constant::getNullValue(element->getType())
                                                  : filled(element));
    }
    Constant *result;
    if (auto *structure = dyn_cast<StructType>(value->getType()))
      result = ConstantStruct::get(structure, elements);
    else if (auto *array = dyn_cast<ArrayType>(value->getType()))
      result = ConstantArray::get(array, elements);
    else
      result = ConstantVector::get(elements);
    return known_[value] = result;
  }

private:
  DenseMap<const Constant *, Constant *> known_;
};

class InitKernel {
public:
  explicit InitKernel(Module &module) : module_(module), builder_(module.getContext()) {}

  // Takes the addresses out of the variable's initial value and stores them in the kernel.
  void move_from(GlobalVariable &variable) {
    if (!finder_.contains_address(variable.getInitializer()))
      return;
    require();
    variable_ = &variable;
    path_.assign(1, builder_.getInt32(0));
    variable.setInitializer(without_addresses(variable.getInitializer()));
    // Otherwise the optimiser would read the zeros.
    variable.setConstant(false);
  }

  // Makes the variable one that a kernel uses.
  void read(GlobalVariable &variable) {
    require();
    builder_.CreateLoad(builder_.getInt8Ty(), &variable, /*isVolatile=*/true);
  }

  void finish() {
    if (builder_.GetInsertBlock())
      builder_.CreateRetVoid();
  }

private:
  void require() {
    if (!builder_.GetInsertBlock())
      create();
  }

  void create() {
    auto *type = FunctionType::get(builder_.getVoidTy(), false);
    Function *kernel =
        Function::Create(type, GlobalValue::ExternalLinkage, device_contract::init_kernel, module_);
    kernel->setCallingConv(CallingConv::SPIR_KERNEL);
    builder_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "", kernel));
  }

  Constant *without_addresses(Constant *value) {
    if (!finder_.contains_address(value))
      return value;
    if (!isa<ConstantAggregate>(value)) {
      builder_.CreateStore(value,
                           builder_.CreateInBoundsGEP(variable_->getValueType(), variable_, path_));
      return Constant::getNullValue(value->getType());
    }
    SmallVector<Constant *> elements;
    for (unsigned i = 0; i < value->getNumOperands(); ++i) {
      path_.push_back(builder_.getInt32(i));
      elements.push_back(without_addresses(cast<Constant>(value->getOperand(i))));
      path_.pop_back();
    }
    if (auto *structure = dyn_cast<StructType>(value->getType()))
      return ConstantStruct::get(structure, elements);
    if (auto *array = dyn_cast<ArrayType>(value->getType()))
      return ConstantArray::get(array, elements);
    return ConstantVector::get(elements);
  }

  Module &module_;
  IRBuilder<> builder_;
  AddressFinder finder_;
  GlobalVariable *variable_ = nullptr;
  SmallVector<Value *> path_; // to the element at hand
};

bool is_for_host_only(GlobalVariable &variable) {
  variable.removeDeadConstantUsers();
  return variable.isExternallyInitialized() && variable.hasInitializer() && variable.use_empty() &&
         !variable.getValueType()->isEmptyTy();
}

} // namespace

PreservedAnalyses GlobalInitializers::run(Module &module, ModuleAnalysisManager &) {
  InitKernel kernel(module);
  Padding padding;
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer() && variable.getAddressSpace() != local_space) {
      variable.setInitializer(padding.filled(variable.getInitializer()));
      kernel.move_from(variable);
    }
  for (GlobalVariable &variable : module.globals())
    if (is_for_host_only(variable))
      kernel.read(variable);
  kernel.finish();
  return PreservedAnalyses::none();
}

} // namespace chip
