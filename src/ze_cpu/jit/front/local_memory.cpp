#include "local_memory.h"

#include "../lower/builtins.h"

#include <llvm/IR/ReplaceConstant.h>

namespace ze_cpu {
namespace {

// One address per function that uses the variable, computed at its beginning.
void replace_in_functions(llvm::GlobalVariable &variable, uint32_t offset) {
  llvm::DenseMap<llvm::Function *, llvm::Value *> addresses;
  for (llvm::Use &use : llvm::make_early_inc_range(variable.uses())) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction)
      throw LoweringError("the address of work-group variable " + variable.getName().str() +
                          " is in the initial value of another variable");
    llvm::Function &function = *instruction->getFunction();
    llvm::Value *&address = addresses[&function];
    if (!address) {
      llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
      llvm::Value *memory = WorkItem(function).local_memory(builder);
      llvm::Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, offset);
      address = builder.CreateAddrSpaceCast(place, variable.getType());
    }
    use.set(address);
  }
}

} // namespace

LocalLayout place_local_variables(llvm::Module &module, const LocalLayout &shared) {
  LocalLayout layout = shared;
  llvm::SmallVector<llvm::Constant *> variables;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == 3)
      variables.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(variables);
  for (llvm::Constant *constant : variables) {
    auto *variable = llvm::cast<llvm::GlobalVariable>(constant);
    variable->removeDeadConstantUsers();
    if (!variable->use_empty()) {
      std::string name = variable->getName().str();
      auto known = layout.offsets.find(name);
      if (known == layout.offsets.end()) {
        uint64_t align = std::max<uint64_t>(16, variable->getAlign().valueOrOne().value());
        uint64_t offset = llvm::alignTo(layout.bytes, align);
        uint64_t end = offset + module.getDataLayout().getTypeAllocSize(variable->getValueType());
        if (end > UINT32_MAX / 2)
          throw LoweringError("work-group variable " + name + " is too large");
        known = layout.offsets.emplace(name, static_cast<uint32_t>(offset)).first;
        layout.bytes = static_cast<uint32_t>(end);
        layout.alignment = std::max(layout.alignment, static_cast<uint32_t>(align));
      }
      replace_in_functions(*variable, known->second);
    }
    variable->eraseFromParent();
  }
  return layout;
}

} // namespace ze_cpu
