/// Functions on integers and on the bits of numbers.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

__attribute__((const)) __device__ long __spirv_ocl_s_mul_hi(long, long) noexcept;
__attribute__((const)) __device__ unsigned long __spirv_ocl_u_mul_hi(unsigned long,
                                                                     unsigned long) noexcept;

// Bits

CHIP_DEVICE unsigned int __popc(unsigned int x) {
  return static_cast<unsigned int>(__builtin_popcount(x));
}
CHIP_DEVICE unsigned int __popcll(unsigned long long x) {
  return static_cast<unsigned int>(__builtin_popcountll(x));
}
CHIP_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
CHIP_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
/// The lowest bit that is set, counted from 1; 0 if none is.
#define CHIP_FIRST_BIT(name, type, builtin)                                                        \
  CHIP_DEVICE int name(type x) { return x == 0 ? 0 : builtin(static_cast<unsigned type>(x)) + 1; } \
  CHIP_DEVICE int name(unsigned type x) { return x == 0 ? 0 : builtin(x) + 1; }
CHIP_FIRST_BIT(__ffs, int, __builtin_ctz)
CHIP_FIRST_BIT(__ffsll, long, __builtin_ctzl)
CHIP_FIRST_BIT(__ffsll, long long, __builtin_ctzll)
#undef CHIP_FIRST_BIT
CHIP_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
CHIP_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

/// The lowest bit that is set, counted from 0; all ones if none is.
CHIP_DEVICE unsigned int __lastbit_u32_u64(unsigned long x) {
  return x == 0 ? ~0u : static_cast<unsigned int>(__builtin_ctzl(x));
}

namespace chip_device {

/// The place of the bit that has `n` set bits below it; `n` is less than the number of set bits.
template <typename __Bits> CHIP_DEVICE int nth_bit(__Bits bits, int n) {
  int place = 0;
  for (int width = sizeof(__Bits) * 4; width > 0; width /= 2) {
    const __Bits lower = bits >> place & ((static_cast<__Bits>(1) << width) - 1);
    const int count = __builtin_popcountl(lower);
    if (n >= count) {
      n -= count;
      place += width;
    }
  }
  return place;
}

template <typename __Bits>
CHIP_DEVICE int find_nth_set(__Bits mask, unsigned int base, int offset) {
  const __Bits all = ~static_cast<__Bits>(0);
  if (offset == 0)
    return (mask >> base & 1) != 0 ? static_cast<int>(base) : -1;
  const __Bits bits = mask & (offset > 0 ? all << base : all >> (sizeof(__Bits) * 8 - 1 - base));
  const int count = __builtin_popcountl(bits);
  const int n = offset > 0 ? offset - 1 : count + offset;
  return n >= 0 && n < count ? nth_bit(bits, n) : -1;
}

} // namespace chip_device

/// The offset-th set bit of the mask from `base` on: upwards, or downwards if the offset is
/// negative; -1 if there is none. The bit at `base` itself counts; the offset 0 asks for it alone.
CHIP_DEVICE int __fns32(unsigned int mask, unsigned int base, int offset) {
  return chip_device::find_nth_set(mask, base, offset);
}
CHIP_DEVICE int __fns64(unsigned long mask, unsigned int base, int offset) {
  return chip_device::find_nth_set(mask, base, offset);
}
CHIP_DEVICE int __fns(unsigned int mask, unsigned int base, int offset) {
  return __fns32(mask, base, offset);
}

/// Each nibble of `selector` names one of the eight bytes of x (the lower four) and y.
CHIP_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long bytes = static_cast<unsigned long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int from = selector >> 4 * i & 7;
    result |= static_cast<unsigned int>(bytes >> 8 * from & 0xff) << 8 * i;
  }
  return result;
}

/// The upper half of hi:lo shifted to the left; by the shift modulo 32, or at most 32.
CHIP_DEVICE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  const unsigned long both = static_cast<unsigned long>(hi) << 32 | lo;
  return static_cast<unsigned int>(both << (shift & 31) >> 32);
}
CHIP_DEVICE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
/// The lower half of hi:lo shifted to the right.
CHIP_DEVICE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  const unsigned long both = static_cast<unsigned long>(hi) << 32 | lo;
  return static_cast<unsigned int>(both >> (shift & 31));
}
CHIP_DEVICE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/// `width` bits from `offset` on; both are taken modulo the size.
CHIP_DEVICE unsigned int __bitextract_u32(unsigned int x, unsigned int offset, unsigned int width) {
  return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}
CHIP_DEVICE unsigned long __bitextract_u64(unsigned long x, unsigned int offset,
                                           unsigned int width) {
  return x >> (offset & 63) & ((1ul << (width & 63)) - 1);
}
CHIP_DEVICE unsigned int __bitinsert_u32(unsigned int x, unsigned int bits, unsigned int offset,
                                         unsigned int width) {
  const unsigned int mask = (1u << (width & 31)) - 1;
  return (x & ~(mask << (offset & 31))) | (bits & mask) << (offset & 31);
}
CHIP_DEVICE unsigned long __bitinsert_u64(unsigned long x, unsigned long bits, unsigned int offset,
                                          unsigned int width) {
  const unsigned long mask = (1ul << (width & 63)) - 1;
  return (x & ~(mask << (offset & 63))) | (bits & mask) << (offset & 63);
}

// Arithmetic

CHIP_DEVICE int __mul24(int x, int y) {
  const auto low = [](int v) { return static_cast<int>(static_cast<unsigned int>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned int>(low(x)) * static_cast<unsigned int>(low(y)));
}
CHIP_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
CHIP_DEVICE int __mulhi(int x, int y) { return static_cast<int>(static_cast<long>(x) * y >> 32); }
CHIP_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long>(x) * y >> 32);
}
CHIP_DEVICE long long __mul64hi(long long x, long long y) {
  return __spirv_ocl_s_mul_hi(static_cast<long>(x), static_cast<long>(y));
}
CHIP_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __spirv_ocl_u_mul_hi(static_cast<unsigned long>(x), static_cast<unsigned long>(y));
}

// The mean of two, rounded down or (__rhadd) up

CHIP_DEVICE int __hadd(int x, int y) { return static_cast<int>((static_cast<long>(x) + y) >> 1); }
CHIP_DEVICE int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long>(x) + y + 1) >> 1);
}
CHIP_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long>(x) + y) >> 1);
}
CHIP_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long>(x) + y + 1) >> 1);
}

// The distance of x and y, added to z

CHIP_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
CHIP_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
  const unsigned int distance = static_cast<unsigned int>(x) - static_cast<unsigned int>(y);
  return (x > y ? distance : 0u - distance) + z;
}

// The same bits as another type

#define CHIP_BITS_AS(name, to, from)                                                               \
  CHIP_DEVICE to name(from x) { return __builtin_bit_cast(to, x); }
CHIP_BITS_AS(__float_as_int, int, float)
CHIP_BITS_AS(__float_as_uint, unsigned int, float)
CHIP_BITS_AS(__int_as_float, float, int)
CHIP_BITS_AS(__uint_as_float, float, unsigned int)
CHIP_BITS_AS(__double_as_longlong, long long, double)
CHIP_BITS_AS(__longlong_as_double, double, long long)
#undef CHIP_BITS_AS

CHIP_DEVICE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
CHIP_DEVICE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
CHIP_DEVICE double __hiloint2double(int hi, int lo) {
  const unsigned long upper = static_cast<unsigned int>(hi);
  return __builtin_bit_cast(double, upper << 32 | static_cast<unsigned int>(lo));
}
