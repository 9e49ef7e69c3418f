// Lets headers that are written for AMD's devices have inline assembly in functions that nobody calls.
//
// Such functions are no templates, so that clang checks their operands wherever the header is included, and to its SPIR-V
// targets no register can be an operand's place: the file would not compile. Here the registers of AMD's devices can: vector ("v"),
// accumulation ("a") and scalar ("s") ones. Where a kernel calls such a function, the last of our passes says so
// (src/device/passes/diagnose.cpp). Can go when clang checks constraints of device code as late as other errors.
#include "target_functions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace chip {
namespace {

using Constraint = clang::TargetInfo::ConstraintInfo;

/// As the targets themselves, takes every letter, but knows what these mean.
bool check_constraint(const clang::TargetInfo *, const char *&name, Constraint &constraint) {
  if (llvm::StringRef("asv").contains(*name))
    constraint.setAllowsRegister();
  return true;
}

bool has_amd_registers(const clang::TargetInfo &target) {
  Constraint constraint("=v", "");
  return target.validateOutputConstraint(constraint);
}

// What prevents it, or null.
const char *give_amd_registers(const clang::TargetInfo &target) {
  if (has_amd_registers(target))
    return nullptr;
  if (const char *obstacle = replace_target_function(
          target, &clang::TargetInfo::validateAsmConstraint, check_constraint))
    return obstacle;
  return has_amd_registers(target) ? nullptr
                                   : "the target does not use its table of virtual functions";
}

class Assembly : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice && compiler.getTarget().getTriple().isSPIRV())
      if (const char *obstacle = give_amd_registers(compiler.getTarget())) {
        clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
        const unsigned id = diagnostics.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "libCHIP's plugin cannot pass over inline assembly for AMD's devices: %0");
        diagnostics.Report(id) << obstacle;
      }
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  // Before what parses the file.
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Assembly>
    register_assembly("chip-assembly",
                      "takes inline assembly for AMD's devices where nobody calls it");

} // namespace
} // namespace chip
