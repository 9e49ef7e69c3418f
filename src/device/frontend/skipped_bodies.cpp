// Passes over bodies of functions that the side at hand has no use for: when clang compiles for a device, those of the standard
// library's host functions, and when it compiles for the host, those of the device functions of HIP's headers.
//
// clang parses them, and instantiates the templates that they use, for each source file: an eighth of what the front end takes for
// one that includes HIP's headers. Kernels are instantiated by host code, so for devices this is for bodies only that no code of
// a program can be reached from: those of functions that are no templates, and of templates for special functions of
// mathematics, which are given numbers. clang itself parses on where the type of a function depends on its body, and where the
// compiler may have to evaluate it. Can go when clang parses no bodies of the other side.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
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

bool is_of_system_header(const FunctionDecl &function) {
  return function.getASTContext().getSourceManager().isInSystemHeader(function.getLocation());
}

bool is_in_file_below(const FunctionDecl &function, llvm::StringRef directory) {
  const SourceManager &sources = function.getASTContext().getSourceManager();
  const PresumedLoc place = sources.getPresumedLoc(function.getLocation());
  return place.isValid() && llvm::StringRef(place.getFilename()).contains(directory);
}

bool is_of_standard_library(const FunctionDecl &function) {
  const NamespaceDecl *space = outermost_namespace(function);
  return space && (space->isStdNamespace() || space->getName() == "__gnu_cxx") &&
         is_of_system_header(function);
}

/// libstdc++ has special functions in files of their own, and <cmath> includes these from C++17 on.
class ForDevice : public ASTConsumer {
public:
  bool shouldSkipFunctionBody(Decl *declaration) override {
    const FunctionDecl *function = declaration->getAsFunction();
    return function && !function->hasAttr<CUDADeviceAttr>() &&
           !function->hasAttr<CUDAGlobalAttr>() && is_of_standard_library(*function) &&
           (!function->isTemplated() || is_in_file_below(*function, "/tr1/"));
  }
};

class ForHost : public ASTConsumer {
public:
  bool shouldSkipFunctionBody(Decl *declaration) override {
    const FunctionDecl *function = declaration->getAsFunction();
    return function && function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>() &&
           is_of_system_header(*function) && is_in_file_below(*function, "/hip/spirv_detail/");
  }
};

class SkippedBodies : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    if (!compiler.getLangOpts().HIP)
      return std::make_unique<ASTConsumer>();
    // Else the parser asks nobody.
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    if (compiler.getLangOpts().CUDAIsDevice)
      return std::make_unique<ForDevice>();
    return std::make_unique<ForHost>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<SkippedBodies>
    register_skipped_bodies("chip-skipped-bodies",
                            "passes over bodies that only the other side has use for");

} // namespace
} // namespace chip
