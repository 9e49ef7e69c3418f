// Keeps LLVM from changing the order in which a lane accesses memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ze_cpu {

/// Before vectorisation. The vectoriser loads and stores together what each lane of a loop accesses side by side: stores move to the
/// last of them, loads to the first. In loops of independent lanes it takes all accesses for independent that it would move past,
/// those of the same lane, too. Where one of these may be to the same memory, it is kept from knowing that the others are side by side,
/// by a distance that is 0 in execution only.
/// Different pointers that all lanes share are taken for the same, or for such to other memory: not for some that are a part of a lane's
/// structure apart.
struct KeepAccessOrder : llvm::PassInfoMixin<KeepAccessOrder> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace ze_cpu
