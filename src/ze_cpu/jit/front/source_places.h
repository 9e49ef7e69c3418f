// Where in the source instructions are, as data of the object code (contract/memory_access.h).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ze_cpu {

class SourcePlaces {
public:
  explicit SourcePlaces(llvm::Module &module) : module_(module) {}

  /// A SourcePlace of the instruction's own.
  llvm::Constant *of(const llvm::Instruction &instruction);

  /// Whether it is one that some SourcePlaces has made.
  static bool is_place(const llvm::GlobalVariable &variable) {
    return variable.hasInternalLinkage() && variable.getName().starts_with("zecpu.place");
  }

private:
  llvm::Constant *text(llvm::StringRef text);

  llvm::Module &module_;
  llvm::StringMap<llvm::Constant *> texts_;
  llvm::DenseMap<const llvm::Instruction *, llvm::Constant *> places_;
};

} // namespace ze_cpu
