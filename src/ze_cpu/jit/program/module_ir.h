// A translated module made ready for compilation: bitcode that each kernel's compilation takes its
// part of.
#pragma once

#include "../../contract/program.h"
#include "options.h"

#include <expected>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ze_cpu {

struct ModuleIr {
  struct Kernel {
    KernelInfo info;
    uint32_t sub_group_size = 32;
  };
  struct Global {
    std::string symbol; // its name in compiled code
    size_t bytes;
  };

  llvm::SmallVector<char, 0> bitcode;
  std::vector<Kernel> kernels;
  std::map<std::string, Global, std::less<>> globals;
  std::map<std::string, std::string, std::less<>> exported_functions; // name: symbol
  /// Symbols of functions whose address is taken: compiled once, so that an address means the same
  /// in all kernels.
  std::set<std::string, std::less<>> shared_functions;
  std::vector<std::pair<std::string, Global>> variables; // all of them, with their names
  std::vector<std::string> imports; // functions and variables that are used, and another has
  bool contract = false;            // the module allows a * b + c to be fused
  BuildOptions options;
};

/// Finds the kernels and variables of a translated module, gives everything that is shared between
/// kernels a symbol, and refuses modules that call builtins nobody has.
std::expected<ModuleIr, std::string> make_module_ir(llvm::Module &module,
                                                    const llvm::TargetMachine &machine,
                                                    const BuildOptions &options);

/// Functions of a module, by symbol, whose address is taken.
std::set<std::string, std::less<>> address_taken_functions(const llvm::Module &module);

/// The symbol of the kernel's entry point.
std::string entry_symbol(const std::string &kernel);

} // namespace ze_cpu
