// Functions that stand for instructions of AMD's devices, loads with hints, and comparisons of <math.h>.
#include "../device_test.h"

#include <cmath>
#include <hip/hip_fp16.h>

using namespace device_test;

__global__ void lanes(bool *good) {
  const unsigned lane = threadIdx.x % 32;
  bool ok = __mbcnt_lo(~0u, 5) == lane + 5 && __mbcnt_hi(~0u, 7) == 7 && __mbcnt_lo(0x10, 0) == (lane > 4) &&
            __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)) == lane;
  ok &= __hip_ds_bpermute(int(lane ^ 3) * 4, lane) == (lane ^ 3) && __hip_ds_bpermutef(20, float(lane)) == 5;
  ok &= __hip_ds_permute(int((lane + 1) % 32) * 4, lane) == (lane + 31) % 32;
  ok &= __hip_ds_permutef(int(lane / 2) * 4, float(lane + 1)) == (lane < 16 ? 2 * lane + 2 : 0);
  ok &= __hip_ds_swizzle(lane, 0x041f) == (lane ^ 1) && __hip_ds_swizzle(lane, 0x001e) == (lane & 30);
  ok &= __hip_ds_swizzle(lane, 0x00ff) == (lane | 7) && __hip_ds_swizzlef(float(lane), 0x801b) == float(lane ^ 3);
  ok &= __hip_readfirstlane(lane) == 0 && __hip_readfirstlane(lane + 0.5) == 0.5;
  if (lane > 6) {
    ok &= __hip_readfirstlane(lane) == 7;
    ok &= __hip_ds_permute(int((lane - 7 + 1) % 25 + 7) * 4, lane) == (lane == 7 ? 31 : lane - 1);
  }
  __shared__ unsigned shared[64];
  shared[threadIdx.x] = threadIdx.x;
  __named_sync();
  ok &= shared[63 - threadIdx.x] == 63 - threadIdx.x;
  good[threadIdx.x] = ok;
}

__global__ void dots(bool *good, const uchar4 *bytes, const double *real) {
  bool ok = amd_mixed_dot(make_short2(-3, 4), make_short2(5, 6), 100, false) == 109;
  ok &= amd_mixed_dot(make_short2(32767, 32767), make_short2(32767, 32767), 2147483647, true) == 2147483647;
  ok &= amd_mixed_dot(make_short2(-32768, -32768), make_short2(32767, 32767), -2147483647, true) == -2147483647 - 1;
  ok &= amd_mixed_dot(make_ushort2(65535, 65535), make_ushort2(65535, 65535), 1u, true) == ~0u;
  ok &= amd_mixed_dot(make_char4(-1, 2, -3, 4), make_char4(1, 1, 2, 2), 10, false) == 10 - 1 + 2 - 6 + 8;
  ok &= amd_mixed_dot(make_uchar4(255, 2, 3, 4), make_uchar4(255, 1, 1, 1), 0u, false) == 65034;
  ok &= amd_mixed_dot(0x7000000f, 0x7000000f, 1, false) == 49 + 1 + 1;
  ok &= amd_mixed_dot(0x7000000fu, 0x7000000fu, 1u, false) == 49 + 225 + 1;
  ok &= amd_mixed_dot(__half2(0.5f, 2), __half2(4, 0.25f), 1.0f, false) == 3.5f;
  ok &= amd_mixed_dot(__half2(0.5f, 2), __half2(4, 0.25f), 1.0f, true) == 1.0f;
  const __half2_raw raw = __half2(0.5f, 2);
  ok &= raw.data.x == 0.5f && raw.data.y == 2 && raw.x.x == 0x3800 && float(__half2(raw).y) == 2;
  ok &= __ldg(bytes).w == 4 && __ldcg(&bytes->x) == 1 && __ldca(real) == 2.5 && __ldcs(real + 1) == -1;
  const double nan = real[2];
  const float nanf = float(nan);
  ok &= isless(1.0f, 2) && !isless(nan, 1.0) && !isgreater(1.0, nan) && isgreater(2.0f, 1.0f) && isunordered(nanf, 1.0f);
  ok &= !isunordered(1, 2.0) && islessgreater(1.0, 2.0) && !islessgreater(nan, nan) && islessequal(2.0, 2.0) && isgreaterequal(3, 3);
  ok &= std::isless(real[1], real[0]) && !std::isgreaterequal(nan, real[0]);
  ok &= fpclassify(nan) == FP_NAN && fpclassify(1 / (real[0] - 2.5)) == FP_INFINITE && fpclassify(0.0f) == FP_ZERO;
  ok &= fpclassify(real[0]) == FP_NORMAL && fpclassify(real[0] * 2e-309) == FP_SUBNORMAL && std::fpclassify(nanf) == FP_NAN;
  ok &= sizeof(uchar) == 1 && sizeof(ullong) == 8;
  const char four = char(bytes->w), high = char(bytes->w * 30); // 4 and 120
  ok &= __hip_hc_add8pk(make_char4(four, 1, 2, high), make_char4(1, -1, 2, 10)) == make_char4(5, 0, 4, -126);
  ok &= __hip_hc_sub8pk(make_char4(four, 1, 2, -high), make_char4(1, -1, 2, 10)) == make_char4(3, 2, 0, 126);
  ok &= __hip_hc_mul8pk(make_char4(four, 1, 2, high), make_char4(3, -1, 2, 10)) == make_char4(12, -1, 4, -80);
  good[0] = ok;
}

int main() {
  Array<bool> good(64);
  lanes<<<1, 64>>>(good.get());
  wait();
  bool all = true;
  for (size_t i = 0; i < 64; ++i)
    all &= good[i];
  CHECK(all);
  Array<uchar4> bytes(1);
  bytes[0] = make_uchar4(1, 2, 3, 4);
  Array<double> real(3);
  real[0] = 2.5;
  real[1] = -1;
  real[2] = NAN;
  good[0] = false;
  dots<<<1, 1>>>(good.get(), bytes.get(), real.get());
  wait();
  CHECK(good[0]);
  return result();
}
