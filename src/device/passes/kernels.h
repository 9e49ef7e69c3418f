// What several passes need to know of kernels.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace chip {

/// Lanes of a warp: HIP's warpSize on every device of libCHIP.
inline constexpr unsigned warp_size = 32;

/// The kernel that sets global variables whose initial values contain addresses
/// (global_initializers.cpp). The runtime runs it once, with one work-item, after it has loaded a
/// module, and before anything else uses the module.
inline constexpr llvm::StringLiteral init_kernel_name = "__chip_init_globals";

/// The variables through which kernels reach what the runtime makes for them
/// (hip/spirv_detail/messages.h and heap.h). A module has those that it uses.
inline constexpr llvm::StringLiteral messages_name = "__chip_messages", heap_name = "__chip_heap";

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
