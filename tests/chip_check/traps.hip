// Kernels that give up, and one that might.
#include "kernels.h"

namespace {

constexpr int items = 64;

__global__ void aborts(int *out, int who) {
  if (static_cast<int>(threadIdx.x) == who)
    abort();
  out[threadIdx.x] = 1;
}

__global__ void traps(int *out, int who) {
  if (static_cast<int>(threadIdx.x) == who)
    __builtin_trap();
  out[threadIdx.x] = 1;
}

__global__ void traps_behind_barrier(int *out, int who) {
  out[threadIdx.x] = 1;
  __syncthreads();
  if (static_cast<int>(threadIdx.x) == who)
    __builtin_trap();
}

} // namespace

int main(int count, char **arguments) {
  int *const out = zeroes<int>(items);
  const auto launch = [out](auto kernel) {
    kernel<<<1, items>>>(out, 5);
    std::exit(hipDeviceSynchronize() == hipSuccess ? 1 : 0); // the end of the kernel is what is looked for
  };
  const Cases cases = {
      {"aborts", [&] { launch(aborts); }},
      {"traps", [&] { launch(traps); }},
      {"traps-behind-barrier", [&] { launch(traps_behind_barrier); }},
      {"traps-clean", [&] { traps<<<1, items>>>(out, items); }},
  };
  return run(cases, count, arguments, {out});
}
