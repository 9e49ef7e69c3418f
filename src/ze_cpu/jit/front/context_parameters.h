// Gives every function of a unit the parameters that tell it where its work-item is.
#pragma once

#include <llvm/IR/Module.h>
#include <set>
#include <string>

namespace ze_cpu {

/// Rewrites all functions that the unit defines, the declarations named in `shared`, and every call
/// of them or through a pointer: a pointer to a function means one with the parameters.
void add_context_parameters(llvm::Module &module, const std::set<std::string, std::less<>> &shared);

} // namespace ze_cpu
