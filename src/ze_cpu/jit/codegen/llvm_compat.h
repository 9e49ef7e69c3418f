// Where LLVM's versions differ. Written for 21; other files of this directory use only what 19 to
// 22 have in common.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace ze_cpu::compat {

inline void set_target(llvm::Module &module, const llvm::TargetMachine &machine) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(machine.getTargetTriple());
#else
  module.setTargetTriple(machine.getTargetTriple().str());
#endif
  module.setDataLayout(machine.createDataLayout());
}

/// Takes attributes away that parameters of their type cannot have.
inline void remove_incompatible_attributes(llvm::Function &function) {
  for (llvm::Argument &parameter : function.args()) {
#if LLVM_VERSION_MAJOR >= 20
    parameter.removeAttrs(llvm::AttributeFuncs::typeIncompatible(
        parameter.getType(), function.getAttributes().getParamAttrs(parameter.getArgNo())));
#else
    parameter.removeAttrs(llvm::AttributeFuncs::typeIncompatible(parameter.getType()));
#endif
  }
}

/// `vector` does what `scalar` does for so many elements. All names must live as long as LLVM does.
inline llvm::VecDesc vector_function(llvm::StringRef scalar, llvm::StringRef vector, unsigned lanes,
                                     llvm::StringRef abi_prefix) {
#if LLVM_VERSION_MAJOR >= 21
  return {scalar, vector, llvm::ElementCount::getFixed(lanes), false, abi_prefix, std::nullopt};
#else
  return {scalar, vector, llvm::ElementCount::getFixed(lanes), false, abi_prefix};
#endif
}

/// What debug information calls a language of DWARF.
inline auto source_language(unsigned language) {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::DISourceLanguageName(static_cast<uint16_t>(language));
#else
  return language;
#endif
}

/// Makes one iteration of `count`, whatever it takes to compute how many there are.
inline llvm::UnrollLoopOptions unroll_by(unsigned count) {
  llvm::UnrollLoopOptions options{};
  options.Count = count;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
#if LLVM_VERSION_MAJOR >= 21
  options.SCEVExpansionBudget = 64;
#endif
  return options;
}

inline llvm::SCEVExpander make_expander(llvm::ScalarEvolution &evolution, const char *name) {
#if LLVM_VERSION_MAJOR >= 22
  return llvm::SCEVExpander(evolution, name);
#else
  return llvm::SCEVExpander(evolution, evolution.getDataLayout(), name);
#endif
}

/// Is asked before passes that may be left out, by their names and a description of what they would run on.
class PassGate : public llvm::OptPassGate {
  virtual bool is_wanted(llvm::StringRef pass, llvm::StringRef description) const = 0;
#if LLVM_VERSION_MAJOR >= 21
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef description) const override{
#else
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef description) override {
#endif
      return is_wanted(pass, description);
}
}; // namespace ze_cpu::compat

} // namespace ze_cpu::compat
