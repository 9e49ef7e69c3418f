// Kernels that synchronise their whole grid, in a cooperative launch.
#include "device_test.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;
using namespace device_test;

constexpr unsigned blocks = 8, threads = 64, all = blocks * threads;

// Each round, a thread adds what the thread before it had in the round before; blocks depend on each other in every round.
__global__ void shift(unsigned *a, unsigned *b, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned self = grid.thread_rank(), before = (self + grid.size() - 1) % grid.size();
  for (int i = 0; i < rounds; ++i) {
    b[self] = a[self] + a[before];
    grid.sync();
    unsigned *swapped = a;
    a = b;
    b = swapped;
  }
}

// The barrier is one for shared memory as well, also when it is reached by way of the base class.
__global__ void sum(unsigned *partial, unsigned *total) {
  __shared__ unsigned shared[threads];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_group &group = grid;
  shared[threadIdx.x] = grid.thread_rank();
  group.sync();
  if (threadIdx.x == 0) {
    unsigned value = 0;
    for (unsigned i = 0; i < threads; ++i)
      value += shared[i];
    partial[blockIdx.x] = value;
  }
  cg::sync(grid);
  if (grid.thread_rank() == all - 1)
    for (unsigned i = 0; i < gridDim.x; ++i)
      *total += partial[i];
}

// All blocks exist at once, each with its own shared memory.
__global__ void address(uintptr_t *out) {
  __shared__ alignas(1024) unsigned value;
  value = blockIdx.x;
  cg::this_grid().sync();
  out[blockIdx.x] = value == blockIdx.x ? reinterpret_cast<uintptr_t>(&value) : 1;
}

int main() {
  constexpr int rounds = 20;
  Array<unsigned> a(all), b(all), partial(blocks), total(1);
  std::vector<unsigned> expected(all), next(all);
  for (unsigned i = 0; i < all; ++i)
    a[i] = expected[i] = i * i + 1;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < all; ++i)
      next[i] = expected[i] + expected[(i + all - 1) % all];
    expected = next;
  }
  unsigned *first = a.get(), *second = b.get();
  int count = rounds;
  void *arguments[] = {&first, &second, &count};
  CALL(hipLaunchCooperativeKernel(shift, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  wait();
  bool good = true;
  for (unsigned i = 0; i < all; ++i)
    good &= a[i] == expected[i]; // an even number of rounds ends where it began
  CHECK(good);

  unsigned *parts = partial.get(), *result_of_sum = total.get();
  void *sum_arguments[] = {&parts, &result_of_sum};
  CALL(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(sum), dim3(blocks), dim3(threads), sum_arguments, 0,
                                  nullptr));
  wait();
  CHECK(total[0] == all * (all - 1) / 2);

  Array<uintptr_t> places(blocks);
  uintptr_t *first_place = places.get();
  void *place_arguments[] = {&first_place};
  CALL(hipLaunchCooperativeKernel(address, dim3(blocks), dim3(threads), place_arguments, 0, nullptr));
  wait();
  for (size_t block = 0; block < blocks; ++block)
    CHECK(places[block] % 1024 == 0);
  return result();
}
