#include "link_ir.h"
#include "module_ir.h"

#include "../front/diagnostics.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

namespace ze_cpu {
namespace {

// What imports can name: functions and variables under the names that they are exported by.
using Exports = std::map<std::string, const llvm::GlobalValue *, std::less<>>;

class IrLinker {
public:
  IrLinker() { context_.setDiagnosticHandler(silent_diagnostics(diagnostics_)); }

  std::expected<LinkedIr, std::string> link(std::span<const ModuleIr> members,
                                            std::span<const ModuleIr> providers) {
    for (const ModuleIr &member : members)
      add_member(member);
    for (uint32_t i = 0; i < providers.size(); ++i)
      add_provider(providers[i], i);
    if (error_.empty())
      resolve_imports(members);
    if (error_.empty())
      join(members.size());
    if (error_.empty())
      finish();
    if (!error_.empty())
      return std::unexpected(error_);
    return std::move(linked_);
  }

private:
  // A member's kernels keep their names. Everything else that a part has gets a name that no other
  // part has; the first part's names stay as they are.
  std::string name_in_part(llvm::StringRef symbol) const {
    return parts_.size() == 1
               ? symbol.str()
               : "ze_cpu.part" + std::to_string(parts_.size() - 1) + "." + symbol.str();
  }

  llvm::Module *read(const ModuleIr &ir) {
    llvm::StringRef bytes(ir.bitcode.data(), ir.bitcode.size());
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "module"), context_);
    if (!module) {
      error_ += llvm::toString(module.takeError()) + "\n";
      return nullptr;
    }
    return parts_.emplace_back(std::move(*module)).get();
  }

  void rename_functions(llvm::Module &module, bool kernels_too) {
    for (llvm::Function &function : module)
      if (!function.isDeclaration() &&
          (kernels_too || function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL))
        function.setName(name_in_part(function.getName()));
  }

  void add_export(const llvm::Module &module, const std::string &name, const std::string &symbol,
                  bool unique) {
    const llvm::GlobalValue *value = module.getNamedValue(name_in_part(symbol));
    if (!value || value->hasLocalLinkage())
      return;
    if (!exports_.try_emplace(name, value).second && unique)
      error_ += name + " is defined by two modules that import from each other\n";
  }

  void add_exports(const llvm::Module &module, const ModuleIr &ir, bool unique) {
    for (const auto &[name, symbol] : ir.exported_functions)
      add_export(module, name, symbol, unique);
    for (const auto &[name, variable] : ir.globals)
      add_export(module, name, variable.symbol, unique);
  }

  void add_member(const ModuleIr &ir) {
    llvm::Module *module = read(ir);
    if (!module)
      return;
    rename_functions(*module, false);
    for (llvm::GlobalVariable &global : module->globals())
      if (!global.isDeclaration())
        global.setName(name_in_part(global.getName()));
    add_exports(*module, ir, true);

    ModuleIr &all = linked_.ir;
    if (parts_.size() == 1)
      all.options = ir.options;
    all.contract = ir.contract && (parts_.size() == 1 || all.contract);
    for (const ModuleIr::Kernel &kernel : ir.kernels) {
      if (!kernels_.insert(kernel.info.name).second)
        error_ += "kernel " + kernel.info.name + " is in two modules that import from each other\n";
      all.kernels.push_back(kernel);
    }
    for (const auto &[name, symbol] : ir.exported_functions)
      all.exported_functions[name] = name_in_part(symbol);
    for (const auto &[name, variable] : ir.globals)
      all.globals[name] = {name_in_part(variable.symbol), variable.bytes};
    for (const auto &[name, variable] : ir.variables)
      all.variables.push_back({name, {name_in_part(variable.symbol), variable.bytes}});
  }

  void add_provider(const ModuleIr &provider, uint32_t number) {
    llvm::Module *module = read(provider);
    if (!module)
      return;
    linked_.ir.contract &= provider.contract;
    rename_functions(*module, true);
    std::map<llvm::GlobalVariable *, std::string> symbols;
    for (llvm::GlobalVariable &global : module->globals()) {
      symbols[&global] = global.getName().str();
      global.setName(name_in_part(global.getName()));
    }
    add_exports(*module, provider, false);
    for (const auto &[global, symbol] : symbols)
      if (global->getAddressSpace() != 3)
        leave_in_place(*global, symbol, number);
  }

  void leave_in_place(llvm::GlobalVariable &global, const std::string &symbol, uint32_t provider) {
    // What nobody can write may be there more than once, and is folded then.
    if (!global.isDeclaration() && global.isConstant() && global.hasLocalLinkage()) {
      copied_constants_.emplace_back(symbol, global.getName().str());
      return;
    }
    global.setInitializer(nullptr);
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    linked_.borrowed.push_back({global.getName().str(), provider, symbol});
  }

  void resolve_imports(std::span<const ModuleIr> members) {
    for (size_t i = 0; i < members.size(); ++i)
      for (const std::string &name : members[i].imports) {
        llvm::GlobalValue *import = parts_[i]->getNamedValue(name);
        const auto found = exports_.find(name);
        if (!import)
          continue;
        if (found == exports_.end())
          error_ += "unresolved import " + name + "\n";
        else if (llvm::isa<llvm::Function>(import) != llvm::isa<llvm::Function>(found->second) ||
                 import->getAddressSpace() != found->second->getAddressSpace())
          error_ += "import " + name + " is exported as something else\n";
        else
          import->setName(found->second->getName());
      }
  }

  // Joins all members, and of the providers what is needed.
  void join(size_t members) {
    llvm::Linker linker(*parts_.front());
    for (size_t i = 1; i < parts_.size(); ++i)
      if (linker.linkInModule(std::move(parts_[i]), i < members ? llvm::Linker::Flags::None
                                                                : llvm::Linker::LinkOnlyNeeded)) {
        error_ += "the modules cannot be linked: " + diagnostics_;
        return;
      }
  }

  void finish() {
    llvm::Module &module = *parts_.front();
    for (const llvm::Function &function : module)
      for (const llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (!call->getCalledFunction() &&
              llvm::isa<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
            error_ += "a function is called with another type than it has in " +
                      function.getName().str() + "\n";
    std::string problems;
    llvm::raw_string_ostream out(problems);
    if (llvm::verifyModule(module, &out))
      error_ += "linking gave invalid code: " + problems;
    ModuleIr &ir = linked_.ir;
    for (const auto &[name, symbol] : copied_constants_)
      if (const llvm::GlobalVariable *constant = module.getGlobalVariable(symbol, true))
        ir.variables.push_back(
            {name, {symbol, module.getDataLayout().getTypeAllocSize(constant->getValueType())}});
    ir.shared_functions = address_taken_functions(module);
    llvm::raw_string_ostream bitcode(ir.bitcode);
    llvm::WriteBitcodeToFile(module, bitcode);
  }

  std::string error_, diagnostics_;
  llvm::LLVMContext context_;
  std::vector<std::unique_ptr<llvm::Module>> parts_;
  Exports exports_;
  std::set<std::string, std::less<>> kernels_;
  std::vector<std::pair<std::string, std::string>> copied_constants_; // name, symbol
  LinkedIr linked_;
};

} // namespace

std::expected<LinkedIr, std::string> link_ir(std::span<const ModuleIr> members,
                                             std::span<const ModuleIr> providers) {
  return IrLinker().link(members, providers);
}

} // namespace ze_cpu
