// Functions of the threads of a warp that a mask names, and of lane masks.
#include "device_test.h"

using namespace device_test;

constexpr unsigned threads = 64;

__global__ void votes(bool *good) {
  const unsigned lane = threadIdx.x % 32;
  // Both halves of the warp vote at the same time, each for itself.
  const unsigned long long half = lane < 16 ? 0xffffull : 0xffff0000ull;
  bool ok = __ballot_sync(half, lane % 4 == 0) == (0x11111111ull & half);
  ok &= __ballot_sync<unsigned long long>(~0ull, true) == 0xffffffffull && __ballot_sync(0xffffffffu, lane == 31) == 0x80000000ull;
  ok &= __any_sync(half, lane == 3) == (lane < 16) && __all_sync(half, lane < 16) == (lane < 16);
  ok &= __activemask() == 0xffffffffull;
  if (lane % 2) {
    ok &= __activemask() == 0xaaaaaaaaull && __all_sync(0xaaaaaaaaull, lane % 2) && !__any_sync(0xaaaaaaaaull, lane == 2);
    ok &= __shfl_sync(0xaaaaaaaaull, lane, 5) == 5;
  }
  ok &= __shfl_sync(half, lane, 3, 16) == (lane & 16) + 3 && __shfl_up_sync(~0ull, lane, 1) == (lane == 0 ? 0 : lane - 1);
  ok &= __shfl_down_sync(~0ull, lane + 0.5, 1) == (lane == 31 ? 31.5 : lane + 1.5);
  ok &= __shfl_xor_sync(~0ull, static_cast<float>(lane), 3) == static_cast<float>(lane ^ 3);
  ok &= __lanemask_eq() == 1ull << lane && __lanemask_lt() == (1ull << lane) - 1;
  ok &= (__lanemask_gt() | __lanemask_eq() | __lanemask_lt()) == 0xffffffffull && (__lanemask_gt() & __lanemask_lt()) == 0;
  good[threadIdx.x] = ok;
}

__global__ void matches(bool *good) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned long long fours = 0x11111111ull << lane % 4, half = lane < 16 ? 0xffffull : 0xffff0000ull;
  bool ok = __match_any(lane % 4) == fours && __match_any(static_cast<long>(lane % 4) << 40) == fours;
  ok &= __match_any(static_cast<float>(lane % 4)) == fours && __match_any(-0.25 * (lane % 4)) == fours;
  ok &= __match_any_sync(half, lane % 4) == (fours & half);
  ok &= __match_any(__builtin_nanf("")) == 1ull << lane;
  int same = -1;
  ok &= __match_all_sync(half, lane / 16, &same) == half && same == 1;
  ok &= __match_all_sync(~0ull, lane / 16, &same) == 0 && same == 0;
  ok &= __match_all(7.5, &same) == 0xffffffffull && same == 1;
  if (lane % 2) {
    ok &= __match_any(lane % 4) == fours && __match_all(lane % 2, &same) == 0xaaaaaaaaull && same == 1;
  }
  good[threadIdx.x] = ok;
}

__global__ void reductions(bool *good) {
  const int lane = int(threadIdx.x % 32);
  const unsigned long long half = lane < 16 ? 0xffffull : 0xffff0000ull;
  bool ok = __reduce_add_sync(~0ull, lane) == 496 && __reduce_add_sync(half, lane) == (lane < 16 ? 120 : 376);
  ok &= __reduce_min_sync(half, -lane) == (lane < 16 ? -15 : -31) && __reduce_max_sync(half, lane) == (lane < 16 ? 15 : 31);
  ok &= __reduce_or_sync(half, 1u << lane) == half && __reduce_xor_sync(~0ull, lane == 7 ? 5u : 0u) == 5;
  ok &= __reduce_and_sync(half, ~(1u << lane)) == static_cast<unsigned>(~half);
  ok &= __reduce_max_sync(~0ull, static_cast<unsigned>(lane - 3)) == ~0u;
  if (lane % 8 == 5)
    ok &= __reduce_add_sync(0x20202020ull, lane) == 5 + 13 + 21 + 29;
  good[threadIdx.x] = ok;
}

__global__ void nth(int *out) {
  out[0] = __fns(0x0000f0f0u, 0, 1);
  out[1] = __fns(0x0000f0f0u, 0, 6);
  out[2] = __fns(0x0000f0f0u, 0, 9);
  out[3] = __fns(0x0000f0f0u, 5, 0);
  out[4] = __fns(0x0000f0f0u, 8, 0);
  out[5] = __fns(0x0000f0f0u, 13, -1);
  out[6] = __fns(0x0000f0f0u, 13, -4);
  out[7] = __fns(0x0000f0f0u, 13, -7);
  out[8] = __fns32(0xffffffffu, 31, 1);
  out[9] = __fns32(0x80000001u, 31, -2);
  out[10] = __fns64(0x8000000000000001ul, 1, 1);
  out[11] = __fns64(0x8000000000000001ul, 62, -1);
  out[12] = __fns64(0x0000000100000000ul, 32, 0);
  out[13] = static_cast<int>(__lastbit_u32_u64(0x100000000ul));
  out[14] = static_cast<int>(__lastbit_u32_u64(0));
}

template <class Kernel> void launch(Kernel kernel, const char *what) {
  Array<bool> good(threads);
  kernel<<<1, threads>>>(good.get());
  wait();
  bool all = true;
  for (size_t i = 0; i < threads; ++i)
    all &= good[i];
  if (!all && !unchecked())
    std::printf("%s:\n", what);
  CHECK(all);
}

int main() {
  launch(votes, "votes");
  launch(matches, "matches");
  launch(reductions, "reductions");
  constexpr int expected[] = {4, 13, -1, 5, -1, 13, 6, -1, 31, 0, 63, 0, 32, 32, -1};
  constexpr size_t count = sizeof expected / sizeof *expected;
  Array<int> out(count);
  nth<<<1, 1>>>(out.get());
  wait();
  for (size_t i = 0; i < count; ++i)
    CHECK(out[i] == expected[i]);
  return result();
}
