// Marks in device code where loops that have other ways out than their condition begin and end
// (src/common/marks/loop_marks.h says why), for src/device/passes/kernels/loop_exits.cpp. Marks are calls,
// put into the syntax tree before clang makes code of it. Constant evaluation, which comes at any time,
// sees none. Can go when clang writes convergence control tokens for HIP.
#include "../../common/marks/loop_marks.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <llvm/ADT/DenseSet.h>

namespace chip {
namespace {

using namespace clang;

class Marker {
public:
  explicit Marker(ASTContext &context) : context_(context) {}

  void mark(FunctionDecl &function) {
    if (!function.doesThisDeclarationHaveABody() || function.isDependentContext() ||
        !(function.hasAttr<CUDADeviceAttr>() || function.hasAttr<CUDAGlobalAttr>()) ||
        !seen_.insert(&function).second)
      return;
    if (Stmt *body = function.getBody())
      mark_below(*body);
  }

private:
  void mark_below(Stmt &statement) {
    for (Stmt *&child : statement.children())
      if (child && !isa<LambdaExpr>(child)) // which is a function of its own
        mark_statement(child);
  }

  void mark_statement(Stmt *&statement) {
    if (auto *label = dyn_cast<LabelStmt>(statement)) {
      mark_label(*label);
      return;
    }
    // Attributes are of the loop only if nothing is in between.
    Stmt *loop = statement;
    while (auto *attributed = dyn_cast<AttributedStmt>(loop))
      loop = attributed->getSubStmt();
    mark_below(*loop);
    if (!isa<WhileStmt, DoStmt, ForStmt, CXXForRangeStmt>(loop) || !is_left_inside(*loop) ||
        !seen_.insert(loop).second)
      return;
    const int number = ++loops_;
    auto mark_body = [&](auto *typed) {
      if (typed)
        typed->setBody(
            compound({call(loop_marks::body, number), typed->getBody()}, *typed->getBody()));
    };
    mark_body(dyn_cast<WhileStmt>(loop));
    mark_body(dyn_cast<DoStmt>(loop));
    mark_body(dyn_cast<ForStmt>(loop));
    mark_body(dyn_cast<CXXForRangeStmt>(loop));
    statement = compound(
        {call(loop_marks::before, number), statement, call(loop_marks::behind, number)}, *loop);
  }

  void mark_label(LabelStmt &label) {
    Stmt *statement = label.getSubStmt();
    if (isa<DeclStmt>(statement) || !seen_.insert(&label).second) // of the scope around it
      return;
    mark_statement(statement);
    label.setSubStmt(compound({call(loop_marks::label, 0), statement}, *statement));
  }

  static bool is_left_inside(const Stmt &statement) {
    return llvm::any_of(statement.children(), [](const Stmt *child) {
      return child && !isa<LambdaExpr>(child) &&
             (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(child) ||
              is_left_inside(*child));
    });
  }

  Stmt *compound(llvm::ArrayRef<Stmt *> statements, const Stmt &place) {
    return CompoundStmt::Create(context_, statements, FPOptionsOverride(), place.getBeginLoc(),
                                place.getEndLoc());
  }

  /// if !consteval { mark(kind, number); }
  Stmt *call(loop_marks::Kind kind, int number) {
    FunctionDecl &mark = function();
    Expr *reference = DeclRefExpr::Create(context_, {}, {}, &mark, false, SourceLocation(),
                                          mark.getType(), VK_LValue);
    Expr *callee =
        ImplicitCastExpr::Create(context_, context_.getPointerType(mark.getType()),
                                 CK_FunctionToPointerDecay, reference, nullptr, VK_PRValue, {});
    auto literal = [&](int value) -> Expr * {
      return IntegerLiteral::Create(context_, llvm::APInt(32, static_cast<uint64_t>(value)),
                                    context_.IntTy, {});
    };
    Stmt *call = CallExpr::Create(context_, callee, {literal(kind), literal(number)},
                                  context_.VoidTy, VK_PRValue, {}, {});
    call = CompoundStmt::Create(context_, {call}, FPOptionsOverride(), {}, {});
    return IfStmt::Create(context_, {}, IfStatementKind::ConstevalNegated, nullptr, nullptr,
                          nullptr, {}, {}, call);
  }

  FunctionDecl &function() {
    if (function_)
      return *function_;
    FunctionProtoType::ExtProtoInfo info;
    info.ExceptionSpec.Type = EST_BasicNoexcept;
    const QualType type =
        context_.getFunctionType(context_.VoidTy, {context_.IntTy, context_.IntTy}, info);
    DeclContext *scope = context_.getTranslationUnitDecl();
    function_ = FunctionDecl::Create(context_, scope, {}, {},
                                     DeclarationName(&context_.Idents.get(loop_marks::name)), type,
                                     nullptr, SC_None);
    llvm::SmallVector<ParmVarDecl *> parameters;
    for (int i = 0; i < 2; ++i)
      parameters.push_back(ParmVarDecl::Create(context_, function_, {}, {}, nullptr, context_.IntTy,
                                               nullptr, SC_None, nullptr));
    function_->setParams(parameters);
    return *function_;
  }

  ASTContext &context_;
  FunctionDecl *function_ = nullptr;
  llvm::DenseSet<const void *> seen_;
  int loops_ = 0;
};

class Visitor : public DynamicRecursiveASTVisitor {
public:
  explicit Visitor(Marker &marker) : marker_(marker) { ShouldVisitTemplateInstantiations = true; }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    marker_.mark(*function);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    if (CXXMethodDecl *function = lambda->getCallOperator())
      marker_.mark(*function);
    return true;
  }

private:
  Marker &marker_;
};

class MarkingConsumer : public ASTConsumer {
public:
  void Initialize(ASTContext &context) override { marker_.emplace(context); }
  /// Comes before what makes code of the same declarations.
  bool HandleTopLevelDecl(DeclGroupRef declarations) override {
    for (Decl *declaration : declarations)
      Visitor(*marker_).TraverseDecl(declaration);
    return true;
  }

private:
  std::optional<Marker> marker_;
};

class LoopMarks : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    if (compiler.getLangOpts().CUDAIsDevice && compiler.getTarget().getTriple().isSPIRV())
      return std::make_unique<MarkingConsumer>();
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<LoopMarks> register_loop_marks("chip-loop-marks",
                                                                 "marks loops in HIP device code");

} // namespace
} // namespace chip
