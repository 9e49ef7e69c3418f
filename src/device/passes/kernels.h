// What several passes need to know of kernels.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace chip {

/// Lanes of a warp: HIP's warpSize on every device of libCHIP.
inline constexpr unsigned warp_size = 32;

/// The kernel that sets global variables whose initial values contain addresses
/// (global_initializers.cpp). The runtime runs it once, with one work-item, after it has loaded a
/// module, and before anything else uses the module.
inline constexpr llvm::StringLiteral init_kernel_name = "__chip_init_globals";

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
