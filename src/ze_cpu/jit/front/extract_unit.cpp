#include "extract_unit.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MemoryBuffer.h>

namespace ze_cpu {
namespace {

// Reads the bodies of the roots and of what they call; deletes all others.
llvm::Error read_bodies(llvm::Module &module, const UnitContents &contents) {
  llvm::SmallVector<llvm::Function *> pending;
  llvm::SmallPtrSet<llvm::Function *, 16> wanted;
  auto want = [&](llvm::Function *function) {
    if (function && !function->isDeclaration() && wanted.insert(function).second)
      pending.push_back(function);
  };
  for (const std::string &root : contents.roots)
    want(module.getFunction(root));
  while (!pending.empty()) {
    llvm::Function *function = pending.pop_back_val();
    if (llvm::Error error = function->materialize())
      return error;
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        want(call->getCalledFunction());
  }
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !wanted.contains(&function)) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  return module.materializeAll();
}

void declare_variables(llvm::Module &module) {
  for (llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() == 3 || global.isDeclaration())
      continue;
    // What nobody can write may still be folded.
    if (global.isConstant() && global.hasLocalLinkage()) {
      global.setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
    } else {
      global.setInitializer(nullptr);
      global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    global.setDSOLocal(false);
  }
}

void define_variables(llvm::Module &module) {
  for (llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() == 3 || global.isDeclaration())
      continue;
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    global.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    // Variables of different threads' atomics should not share a line with anything; and hosts copy
    // in vectors.
    global.setAlignment(std::max(global.getAlign().valueOrOne(), llvm::Align(16)));
  }
}

// A body that was read only to be called directly becomes private; its address is that of the
// shared unit's copy.
void separate_shared(llvm::Module &module, const ModuleIr &ir) {
  for (const std::string &symbol : ir.shared_functions) {
    llvm::Function *body = module.getFunction(symbol);
    if (!body || body->isDeclaration())
      continue;
    auto *address =
        llvm::Function::Create(body->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                               body->getAddressSpace(), "", &module);
    body->replaceAllUsesWith(address);
    address->takeName(body);
    body->setName(symbol + ".called");
    body->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (llvm::Use &use : llvm::make_early_inc_range(address->uses()))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser()); call && call->isCallee(&use))
        use.set(body);
  }
}

} // namespace

std::expected<std::unique_ptr<llvm::Module>, std::string>
extract_unit(const ModuleIr &ir, llvm::LLVMContext &context, const UnitContents &contents) {
  llvm::StringRef bytes(ir.bitcode.data(), ir.bitcode.size());
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "module"), context);
  if (!module)
    return std::unexpected(llvm::toString(module.takeError()));
  if (llvm::Error error = read_bodies(**module, contents))
    return std::unexpected(llvm::toString(std::move(error)));
  if (contents.variables)
    define_variables(**module);
  else
    declare_variables(**module);
  for (llvm::Function &function : **module) {
    if (function.isIntrinsic())
      continue;
    bool root = llvm::is_contained(contents.roots, function.getName().str());
    function.setCallingConv(llvm::CallingConv::C);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setDSOLocal(false);
    if (!function.isDeclaration())
      function.setLinkage(root ? llvm::GlobalValue::ExternalLinkage
                               : llvm::GlobalValue::InternalLinkage);
  }
  if (!contents.variables)
    separate_shared(**module, ir);
  return std::move(*module);
}

} // namespace ze_cpu
