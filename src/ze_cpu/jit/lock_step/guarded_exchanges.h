// Exchanges behind conditions that not all lanes of a sub-group meet:
//
//   if (threadIdx.x < 8) { x = s[threadIdx.x]; x += __shfl_down(x, 4, 8); ... }
//   if (i < n) sum += __shfl_xor(sum, 1);
//   if (found) { if (is_first) at = atomicAdd(p, count); at = __shfl(at, first); if (more) ... }
//
// and points at which lanes only meet to keep in step:
//
//   if (threadIdx.x != k) s[threadIdx.x] -= s[k];
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace ze_cpu {

/// Lets the other lanes come to them as well, with 0, which is what is read of lanes that do not take part, or with what makes no
/// difference: lanes that go the same way are vectors, others go one by one. What lies between the exchanges stays behind the condition.
/// `body` has context parameters; those of a `kernel` behind them are the same for all.
bool widen_guarded_exchanges(llvm::Function &body, uint32_t sub_group_size, bool is_kernel);

} // namespace ze_cpu
