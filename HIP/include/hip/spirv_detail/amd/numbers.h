/// clang's builtins for AMD's instructions on packed numbers and on bits. They name instructions of all of
/// AMD's devices, so that each means the same here, whichever device a program was written for.
#pragma once

#include <hip/spirv_detail/math/integer.h>

namespace chip_device {

/// One of the numbers of so many bits that a word holds.
CHIP_DEVICE long part(unsigned int word, int index, int bits, bool is_signed) {
  const unsigned int top = word << (32 - bits * (index + 1));
  return is_signed ? static_cast<int>(top) >> (32 - bits) : static_cast<long>(top >> (32 - bits));
}

CHIP_DEVICE int sum_of_products(long sum, int, bool saturate) {
  const long lowest = -2147483648l, highest = 2147483647;
  if (saturate)
    sum = sum < lowest ? lowest : sum > highest ? highest : sum;
  return static_cast<int>(sum);
}
CHIP_DEVICE unsigned int sum_of_products(long sum, unsigned int, bool saturate) {
  const long highest = 4294967295;
  return static_cast<unsigned int>(saturate && sum > highest ? highest : sum);
}

/// The products of the numbers of so many bits in two words, added to c; with `saturate`, what c's type has
/// that is nearest.
template <typename T>
CHIP_DEVICE T dot(int bits, bool a_is_signed, unsigned int a, bool b_is_signed, unsigned int b, T c,
                  bool saturate) {
  long sum = c;
  for (int i = 0; i < 32 / bits; ++i)
    sum += part(a, i, bits, a_is_signed) * part(b, i, bits, b_is_signed);
  return sum_of_products(sum, c, saturate);
}

typedef short __Short2 __attribute__((ext_vector_type(2)));
typedef unsigned short __UShort2 __attribute__((ext_vector_type(2)));
typedef _Float16 __Half2 __attribute__((ext_vector_type(2)));

} // namespace chip_device

#define CHIP_DOT(name, word, number, bits)                                                         \
  CHIP_DEVICE number __builtin_amdgcn_##name(word a, word b, number c, bool saturate) {            \
    constexpr bool is_signed = static_cast<number>(-1) < 0;                                        \
    return chip_device::dot(bits, is_signed, __builtin_bit_cast(unsigned int, a), is_signed,       \
                            __builtin_bit_cast(unsigned int, b), c, saturate);                     \
  }
CHIP_DOT(sdot2, chip_device::__Short2, int, 16)
CHIP_DOT(udot2, chip_device::__UShort2, unsigned int, 16)
CHIP_DOT(sdot4, int, int, 8)
CHIP_DOT(udot4, unsigned int, unsigned int, 8)
CHIP_DOT(sdot8, int, int, 4)
CHIP_DOT(udot8, unsigned int, unsigned int, 4)
#undef CHIP_DOT

CHIP_DEVICE int __builtin_amdgcn_sudot4(bool a_is_signed, int a, bool b_is_signed, int b, int c,
                                        bool saturate) {
  return chip_device::dot(8, a_is_signed, static_cast<unsigned int>(a), b_is_signed,
                          static_cast<unsigned int>(b), c, saturate);
}
CHIP_DEVICE int __builtin_amdgcn_sudot8(bool a_is_signed, int a, bool b_is_signed, int b, int c,
                                        bool saturate) {
  return chip_device::dot(4, a_is_signed, static_cast<unsigned int>(a), b_is_signed,
                          static_cast<unsigned int>(b), c, saturate);
}
/// Saturated, the result is between 0 and 1.
CHIP_DEVICE float __builtin_amdgcn_fdot2(chip_device::__Half2 a, chip_device::__Half2 b, float c,
                                         bool saturate) {
  const float sum = static_cast<float>(a.x) * static_cast<float>(b.x) +
                    static_cast<float>(a.y) * static_cast<float>(b.y) + c;
  return saturate ? __builtin_fminf(__builtin_fmaxf(sum, 0), 1) : sum;
}

// Bytes and bits

/// Four bytes of the eight that two words have, by four selectors: 0 to 3 are of `low`, 4 to 7 of `high`, 8 to
/// 11 the signs of the four halves, 12 no bit, and above that all bits.
CHIP_DEVICE unsigned int __builtin_amdgcn_perm(unsigned int high, unsigned int low,
                                               unsigned int selectors) {
  const unsigned long bytes = static_cast<unsigned long>(high) << 32 | low;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 32; i += 8) {
    const unsigned int selector = selectors >> i & 255;
    unsigned int byte = selector == 12 ? 0 : 255;
    if (selector < 8)
      byte = static_cast<unsigned int>(bytes >> 8 * selector) & 255;
    else if (selector < 12)
      byte = (bytes >> (16 * (selector - 8) + 15) & 1) != 0 ? 255 : 0;
    result |= byte << i;
  }
  return result;
}

/// The low word of both, shifted down by bits or bytes.
CHIP_DEVICE unsigned int __builtin_amdgcn_alignbit(unsigned int high, unsigned int low,
                                                   unsigned int bits) {
  return __funnelshift_r(low, high, bits);
}
CHIP_DEVICE unsigned int __builtin_amdgcn_alignbyte(unsigned int high, unsigned int low,
                                                    unsigned int bytes) {
  return __funnelshift_r(low, high, 8 * (bytes & 3));
}

/// A field of bits as a number. Only the low five bits of a place and a width count.
CHIP_DEVICE unsigned int __builtin_amdgcn_ubfe(unsigned int x, unsigned int place,
                                               unsigned int width) {
  return __bitextract_u32(x, place, width);
}
CHIP_DEVICE int __builtin_amdgcn_sbfe(int x, unsigned int place, unsigned int width) {
  const unsigned int first = place & 31, bits = width & 31;
  if (bits == 0)
    return 0;
  if (first + bits >= 32)
    return x >> first;
  return static_cast<int>(static_cast<unsigned int>(x) << (32 - first - bits)) >> (32 - bits);
}

/// The mean of each byte of a and b; where the lowest bit of c's byte is set, it is rounded up.
CHIP_DEVICE unsigned int __builtin_amdgcn_lerp(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int result = 0;
  for (unsigned int i = 0; i < 32; i += 8)
    result |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
  return result;
}

// Sums of absolute differences

namespace chip_device {

/// Of numbers of so many bits; with `masked`, where b's is not 0.
CHIP_DEVICE unsigned int differences(int bits, unsigned int a, unsigned int b, bool masked) {
  unsigned int sum = 0;
  for (int i = 0; i < 32 / bits; ++i) {
    const unsigned int x = static_cast<unsigned int>(part(a, i, bits, false)),
                       y = static_cast<unsigned int>(part(b, i, bits, false));
    if (!masked || y != 0)
      sum += x > y ? x - y : y - x;
  }
  return sum;
}

} // namespace chip_device

CHIP_DEVICE unsigned int __builtin_amdgcn_sad_u8(unsigned int a, unsigned int b, unsigned int c) {
  return chip_device::differences(8, a, b, false) + c;
}
/// The sum is added to the upper half of c.
CHIP_DEVICE unsigned int __builtin_amdgcn_sad_hi_u8(unsigned int a, unsigned int b,
                                                    unsigned int c) {
  return (chip_device::differences(8, a, b, false) << 16) + c;
}
CHIP_DEVICE unsigned int __builtin_amdgcn_sad_u16(unsigned int a, unsigned int b, unsigned int c) {
  return chip_device::differences(16, a, b, false) + c;
}
CHIP_DEVICE unsigned int __builtin_amdgcn_msad_u8(unsigned int a, unsigned int b, unsigned int c) {
  return chip_device::differences(8, a, b, true) + c;
}
