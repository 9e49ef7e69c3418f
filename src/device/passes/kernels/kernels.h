// What several passes need to know of kernels.
#pragma once

#include "../../../common/device_contract.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace chip {

/// The variable of that name, made if the module has none.
llvm::GlobalVariable &service_variable(llvm::Module &module, llvm::StringRef name);

/// Address spaces of the SPIR targets.
enum AddressSpace : unsigned {
  private_space = 0,
  global_space = 1,
  constant_space = 2,
  local_space = 3,
  generic_space = 4,
};

inline bool is_kernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

} // namespace chip
