#include "builtin_ranges.h"

#include "../../contract/program.h"
#include "../lower/builtins.h"

namespace ze_cpu {

void declare_builtin_ranges(llvm::Module &module, uint32_t sub_group_size) {
  struct Range {
    llvm::StringRef name;
    uint64_t first, last;
  };
  const uint64_t items = max_group_size, lanes = sub_group_size;
  const Range ranges[] = {
      {"BuiltInLocalInvocationId", 0, items - 1},
      {"BuiltInLocalInvocationIndex", 0, items - 1},
      {"BuiltInWorkgroupSize", 1, items},
      {"BuiltInEnqueuedWorkgroupSize", 1, items},
      {"BuiltInWorkgroupId", 0, UINT32_MAX - 1},
      {"BuiltInNumWorkgroups", 1, UINT32_MAX},
      {"BuiltInSubgroupLocalInvocationId", 0, lanes - 1},
      {"BuiltInSubgroupId", 0, items - 1},
      {"BuiltInSubgroupSize", 1, lanes},
      {"BuiltInNumSubgroups", 1, items},
  };
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || !function.getReturnType()->isIntOrIntVectorTy())
      continue;
    const llvm::StringRef name = builtin_name(function.getName());
    const unsigned bits = function.getReturnType()->getScalarSizeInBits();
    for (const Range &range : ranges)
      if (name == range.name && (bits > 32 || range.last < uint64_t(1) << (bits - 1)))
        function.addRangeRetAttr(
            llvm::ConstantRange(llvm::APInt(bits, range.first), llvm::APInt(bits, range.last + 1)));
  }
}

} // namespace ze_cpu
