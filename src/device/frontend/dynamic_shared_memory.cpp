// Gives `extern __shared__` arrays a variable for each alignment that they are declared with.
//
// To clang, arrays of one name are one variable, aligned as the first function declares it that code
// is made of: with `extern __shared__ __align__(sizeof(T)) char data[]` in a template, all instances
// would get what the first of them needs. But all these arrays are the same memory, whatever they are
// called, and a kernel's is aligned for those that it uses
// (src/device/passes/variables/dynamic_shared_memory.cpp). So uses of an array become uses of a variable
// that has the alignment in its name, and linking does not mix them up either. Can go when clang tells
// local declarations of such arrays apart.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <llvm/ADT/DenseMap.h>

namespace chip {
namespace {

using namespace clang;

class Arrays : public DynamicRecursiveASTVisitor {
public:
  explicit Arrays(ASTContext &context) : context_(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    auto *array = dyn_cast<VarDecl>(use->getDecl());
    if (array && array->hasAttr<CUDASharedAttr>() && array->hasExternalStorage() &&
        array->getType()->isIncompleteArrayType() && !depends_on_template(*array))
      use->setDecl(&aligned_alike(*array));
    return true;
  }

private:
  static bool depends_on_template(const VarDecl &array) {
    return array.getDeclContext()->isDependentContext() || array.getType()->isDependentType();
  }

  /// In bytes. What a declaration inside a function says is for this function.
  unsigned alignment_of(const VarDecl &array) const {
    unsigned bits = context_.getTypeAlign(array.getType());
    for (const AlignedAttr *aligned : array.specific_attrs<AlignedAttr>())
      if (!aligned->isInherited() || !array.isLocalExternDecl())
        bits = std::max(bits, aligned->getAlignment(context_));
    return static_cast<unsigned>(context_.toCharUnitsFromBits(bits).getQuantity());
  }

  VarDecl &aligned_alike(const VarDecl &array) {
    const unsigned alignment = alignment_of(array);
    VarDecl *&variable = variables_[{array.getType(), alignment}];
    if (variable)
      return *variable;
    const std::string name = "__chip_dynamic_shared." + std::to_string(alignment);
    variable = VarDecl::Create(context_, context_.getTranslationUnitDecl(), {}, {},
                               &context_.Idents.get(name), array.getType(),
                               context_.getTrivialTypeSourceInfo(array.getType()), SC_Extern);
    variable->setImplicit();
    variable->addAttr(CUDASharedAttr::CreateImplicit(context_));
    Expr *bytes =
        IntegerLiteral::Create(context_, llvm::APInt(32, alignment), context_.UnsignedIntTy, {});
    variable->addAttr(AlignedAttr::CreateImplicit(context_, true, bytes));
    return *variable;
  }

  ASTContext &context_;
  llvm::DenseMap<std::pair<QualType, unsigned>, VarDecl *> variables_;
};

class Consumer : public ASTConsumer {
public:
  void Initialize(ASTContext &context) override { arrays_.emplace(context); }
  /// Comes before what makes code of the same declarations.
  bool HandleTopLevelDecl(DeclGroupRef declarations) override {
    for (Decl *declaration : declarations)
      arrays_->TraverseDecl(declaration);
    return true;
  }

private:
  std::optional<Arrays> arrays_;
};

class DynamicSharedMemory : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice && compiler.getTarget().getTriple().isSPIRV())
      return std::make_unique<Consumer>();
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<DynamicSharedMemory>
    register_dynamic_shared_memory("chip-dynamic-shared-memory",
                                   "tells alignments of dynamic shared memory apart");

} // namespace
} // namespace chip
