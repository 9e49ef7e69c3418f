// Accesses to what is not the kernel's, and to what is.
#include "kernels.h"

namespace {

constexpr int items = 64;

__global__ void write(int *out, int offset) { out[static_cast<int>(threadIdx.x) + offset] = 1; }
__global__ void read(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void shared(int *out, int offset) {
  __shared__ int values[items];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[static_cast<int>(threadIdx.x) + offset];
}

} // namespace

int main(int count, char **arguments) {
  int *const out = zeroes<int>(items);
  int own[items] = {};
  const auto freed = [] {
    int *const memory = zeroes<int>(items);
    check(hipFree(memory));
    return memory;
  };
  const auto launch = [](auto kernel, auto... operands) {
    kernel<<<1, items>>>(operands...);
    std::exit(hipDeviceSynchronize() == hipSuccess ? 1 : 0); // the fault is what is looked for
  };
  const Cases cases = {
      {"behind", [&] { launch(write, out, 1); }},
      {"before", [&] { launch(write, out, -1); }},
      {"freed", [&] { launch(read, freed(), out); }},
      {"freed-between",
       [&] {
         int *const memory = zeroes<int>(items);
         read<<<1, items>>>(memory, out);
         check(hipDeviceSynchronize());
         check(hipFree(memory));
         launch(read, memory, out);
       }},
      {"host", [&] { launch(read, own, out); }},
      {"shared", [&] { launch(shared, out, items); }},
      {"write-clean", [&] { write<<<1, items>>>(out, 0); }},
      {"shared-clean", [&] { shared<<<1, items>>>(out, 0); }},
  };
  return run(cases, count, arguments, {out});
}
