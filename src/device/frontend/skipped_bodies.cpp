// Passes over what the standard library's host functions do, where clang compiles for a device.
//
// Device code has no use for it, but clang parses it and instantiates the templates that it uses, for each source file: a
// quarter of what the front end takes for a file that includes HIP's headers. Kernels are instantiated by host code, so this is
// for bodies only that no code of a program can be reached from: those of functions that are no templates, and of templates
// for special functions of mathematics, which are given numbers. clang itself parses on where the type of a function depends on
// its body, and where the compiler may have to evaluate it. Can go when clang parses the bodies of host functions no more.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace chip {
namespace {

using namespace clang;

/// The namespace, of those that are in no other, that a function is in; null if none.
const NamespaceDecl *outermost_namespace(const FunctionDecl &function) {
  const NamespaceDecl *outermost = nullptr;
  for (const DeclContext *context = function.getDeclContext(); context;
       context = context->getParent())
    if (const auto *found = dyn_cast<NamespaceDecl>(context))
      outermost = found;
  return outermost;
}

bool is_of_standard_library(const FunctionDecl &function) {
  const NamespaceDecl *space = outermost_namespace(function);
  return space && (space->isStdNamespace() || space->getName() == "__gnu_cxx") &&
         function.getASTContext().getSourceManager().isInSystemHeader(function.getLocation());
}

/// libstdc++ has them in files of their own, and <cmath> includes these from C++17 on.
bool is_special_function(const FunctionDecl &function) {
  const PresumedLoc place =
      function.getASTContext().getSourceManager().getPresumedLoc(function.getLocation());
  return place.isValid() && llvm::StringRef(place.getFilename()).contains("/tr1/");
}

class Consumer : public ASTConsumer {
public:
  bool shouldSkipFunctionBody(Decl *declaration) override {
    const FunctionDecl *function = declaration->getAsFunction();
    return function && !function->hasAttr<CUDADeviceAttr>() &&
           !function->hasAttr<CUDAGlobalAttr>() && is_of_standard_library(*function) &&
           (!function->isTemplated() || is_special_function(*function));
  }
};

class SkippedBodies : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDAIsDevice || !compiler.getTarget().getTriple().isSPIRV())
      return std::make_unique<ASTConsumer>();
    // Else the parser asks nobody.
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<SkippedBodies>
    registration("chip-skipped-bodies", "passes over the standard library's host functions");

} // namespace
} // namespace chip
