// Work-group variables: fixed places in the memory that the executing thread provides.
#pragma once

#include "../../program/units.h"

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Replaces the work-group variables that the unit uses by their addresses. Those that `shared`
/// places stay where it says, the others follow. Throws LoweringError.
LocalLayout place_local_variables(llvm::Module &module, const LocalLayout &shared);

} // namespace ze_cpu
