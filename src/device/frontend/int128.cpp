// Gives kernels __int128, as AMD's and NVIDIA's compilers do.
//
// clang's SPIR-V targets say of themselves that they lack the type, and no option changes that, though everything behind the
// front end can take it: our passes turn it into pairs of 64-bit integers (src/device/passes/integers/). Can go when clang
// lets SPIR-V targets have the type.
#include "target_functions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace chip {
namespace {

bool yes(const clang::TargetInfo *) { return true; }

// What prevents it, or null.
const char *give_int128(const clang::TargetInfo &target) {
  if (target.hasInt128Type())
    return nullptr;
  if (const char *obstacle =
          replace_target_function(target, &clang::TargetInfo::hasInt128Type, yes))
    return obstacle;
  if (!target.hasInt128Type())
    return "the target does not use its table of virtual functions";
  if (target.getInt128Align() != 128)
    return "the target does not align it to 16 bytes";
  return nullptr;
}

class Int128 : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice && compiler.getTarget().getTriple().isSPIRV())
      if (const char *obstacle = give_int128(compiler.getTarget())) {
        clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
        const unsigned id =
            diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                        "libCHIP's plugin cannot give device code __int128: %0");
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

const clang::FrontendPluginRegistry::Add<Int128> register_int128("chip-int128",
                                                                 "gives HIP device code __int128");

} // namespace
} // namespace chip
