#include "parts.h"

#include "../run/device_test.h"

using namespace device_test;

__device__ int counter = 100;
__constant__ int factors[4] = {1, 2, 3, 4};

__device__ int from_one(int x) { return x + factors[x & 3]; }
__global__ void kernel_one(Seen *seen) { look(seen, from_two(1) + from_three(2), 0); }

namespace {

void expect(const Array<Seen> &seen, const Seen &wanted) {
  wait();
  CHECK(seen[0].called == wanted.called);
  CHECK(seen[0].counted == wanted.counted);
  CHECK(seen[0].constants == wanted.constants);
  CHECK(seen[0].inline_counted == wanted.inline_counted);
  CHECK(seen[0].managed == wanted.managed);
  CHECK(seen[0].warp == wanted.warp);
}

} // namespace

int main() {
  constexpr unsigned int all = ~0u;
  Array<Seen> seen(1);
  managed = 7;
  CHECK(managed_of_two() == &managed);
  kernel_one<<<1, 32>>>(seen.get());
  expect(seen, {10 * (1 + 2) + 1000 * 2 + (2 + 3), 100, 11, 6, 7, all});
  launch_two(seen.get());
  expect(seen, {10 * (1 + 2), 101, 22, 7, 7, all});
  launch_three(seen.get());
  expect(seen, {1000 * 1 + (1 + 2) + 10 * (1 + 2), 102, 33, 8, 7, all});

  // What the host writes by a symbol of this file, all see.
  const int nines[4] = {9, 9, 9, 9}, start = 500;
  CALL(hipMemcpyToSymbol(factors, nines, sizeof nines));
  CALL(hipMemcpyToSymbol(counter, &start, sizeof start));
  CALL(hipMemcpyToSymbol(inline_counter, &start, sizeof start));
  managed = 70;
  kernel_two<<<1, 32>>>(seen.get());
  expect(seen, {10 * (1 + 9), 500, 29, 501, 70, all});
  int value = 0;
  CALL(hipMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK(value == 501);
  return result();
}
