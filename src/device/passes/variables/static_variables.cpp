// Static variables of relocatable device code that the host uses.
//
// With -fgpu-rdc clang gives such a variable a name that no other file has, ".static." and the
// file's identifier behind its own, so that the host can look it up. It knows that the host does
// only when it has come that far in the file: kernels before refer to the variable by its plain
// name, which nothing defines. Both are one variable here. This is for each file, before they are
// linked: two files may have variables of the same plain name. The same goes for kernels and
// ".intern.". Can go when clang names both alike.
#include "../passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {
namespace {

// The plain name of what the host sees under `name`; `name` itself for anything else.
StringRef plain_name(StringRef name) {
  for (StringRef mark : {".static.", ".intern."})
    if (size_t at = name.rfind(mark); at != StringRef::npos)
      return name.take_front(at);
  return name;
}

} // namespace

PreservedAnalyses StaticVariables::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (GlobalValue &definition : module.global_values()) {
    const StringRef plain = plain_name(definition.getName());
    if (definition.isDeclaration() || plain.size() == definition.getName().size())
      continue;
    GlobalValue *reference = module.getNamedValue(plain);
    if (!reference || !reference->isDeclaration())
      continue;
    reference->replaceAllUsesWith(
        ConstantExpr::getPointerBitCastOrAddrSpaceCast(&definition, reference->getType()));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
