// AMD's instructions on packed numbers and bits, next to what the host computes of the same words.
#include "../device_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

using namespace device_test;

struct Words {
  unsigned a, b, c;
};
constexpr int results = 25;

__global__ void compute(const Words *words, unsigned *out, int count) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count)
    return;
  const unsigned a = words[i].a, b = words[i].b, c = words[i].c;
  typedef short Short2 __attribute__((ext_vector_type(2)));
  typedef unsigned short UShort2 __attribute__((ext_vector_type(2)));
  const auto shorts = [](unsigned x) { return __builtin_bit_cast(Short2, x); };
  const auto ushorts = [](unsigned x) { return __builtin_bit_cast(UShort2, x); };
  const auto s = [](unsigned x) { return int(x); };
  unsigned *o = out + i * results;
  *o++ = unsigned(__builtin_amdgcn_sdot2(shorts(a), shorts(b), s(c), false));
  *o++ = unsigned(__builtin_amdgcn_sdot2(shorts(a), shorts(b), s(c), true));
  *o++ = __builtin_amdgcn_udot2(ushorts(a), ushorts(b), c, false);
  *o++ = __builtin_amdgcn_udot2(ushorts(a), ushorts(b), c, true);
  *o++ = unsigned(__builtin_amdgcn_sdot4(s(a), s(b), s(c), false));
  *o++ = unsigned(__builtin_amdgcn_sdot4(s(a), s(b), s(c), true));
  *o++ = __builtin_amdgcn_udot4(a, b, c, false);
  *o++ = __builtin_amdgcn_udot4(a, b, c, true);
  *o++ = unsigned(__builtin_amdgcn_sdot8(s(a), s(b), s(c), false));
  *o++ = __builtin_amdgcn_udot8(a, b, c, true);
  *o++ = unsigned(__builtin_amdgcn_sudot4(true, s(a), false, s(b), s(c), false));
  *o++ = unsigned(__builtin_amdgcn_sudot4(false, s(a), true, s(b), s(c), true));
  *o++ = unsigned(__builtin_amdgcn_sudot4(true, s(a), true, s(b), s(c), true));
  *o++ = unsigned(__builtin_amdgcn_sudot8(true, s(a), false, s(b), s(c), true));
  *o++ = __builtin_amdgcn_perm(a, b, c);
  *o++ = __builtin_amdgcn_perm(a, b, 0x0c0d0b08 | (c & 0x02000302));
  *o++ = __builtin_amdgcn_alignbit(a, b, c);
  *o++ = __builtin_amdgcn_alignbyte(a, b, c);
  *o++ = __builtin_amdgcn_ubfe(a, b, c);
  *o++ = unsigned(__builtin_amdgcn_sbfe(s(a), b, c));
  *o++ = __builtin_amdgcn_lerp(a, b, c);
  *o++ = __builtin_amdgcn_sad_u8(a, b, c);
  *o++ = __builtin_amdgcn_sad_hi_u8(a, b, c);
  *o++ = __builtin_amdgcn_sad_u16(a, b, c);
  *o++ = __builtin_amdgcn_msad_u8(a, b, c);
}

/// The numbers in a word, as 64-bit integers.
std::vector<int64_t> numbers_in(unsigned word, int bits, bool is_signed) {
  std::vector<int64_t> numbers;
  for (int at = 0; at < 32; at += bits) {
    int64_t number = word >> at & ((1u << bits) - 1);
    if (is_signed && number >= int64_t(1) << (bits - 1))
      number -= int64_t(1) << bits;
    numbers.push_back(number);
  }
  return numbers;
}

unsigned dot(unsigned a, unsigned b, int bits, bool a_signed, bool b_signed, int64_t c, bool saturate, bool is_signed) {
  const auto x = numbers_in(a, bits, a_signed), y = numbers_in(b, bits, b_signed);
  for (size_t i = 0; i < x.size(); ++i)
    c += x[i] * y[i];
  if (saturate && is_signed)
    c = std::clamp<int64_t>(c, INT32_MIN, INT32_MAX);
  else if (saturate)
    c = std::min<int64_t>(c, UINT32_MAX);
  return unsigned(c);
}

unsigned perm(unsigned a, unsigned b, unsigned selectors) {
  unsigned result = 0;
  for (int i = 3; i >= 0; --i) {
    const unsigned selector = selectors >> 8 * i & 255;
    const unsigned word = selector % 8 < 4 ? b : a; // for bytes
    unsigned byte = 0xff;
    if (selector < 8)
      byte = word >> 8 * (selector % 4) & 255;
    else if (selector < 12)
      byte = ((selector < 10 ? b : a) >> (selector % 2 ? 31 : 15) & 1) ? 0xff : 0;
    else if (selector == 12)
      byte = 0;
    result = result << 8 | byte;
  }
  return result;
}

unsigned absolute_differences(unsigned a, unsigned b, int bits, bool masked) {
  const auto x = numbers_in(a, bits, false), y = numbers_in(b, bits, false);
  int64_t sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (!masked || y[i] != 0)
      sum += std::abs(x[i] - y[i]);
  return unsigned(sum);
}

unsigned field(unsigned x, unsigned place, unsigned width, bool is_signed) {
  unsigned result = 0;
  const unsigned first = place % 32, bits = width % 32;
  for (unsigned i = 0; i < bits; ++i)
    if (first + i < 32)
      result |= (x >> (first + i) & 1) << i;
  if (is_signed && bits > 0) {
    const unsigned sign = x >> std::min(31u, first + bits - 1) & 1;
    for (unsigned i = std::min(bits, 32 - first); i < 32; ++i)
      result |= sign << i;
  }
  return result;
}

unsigned means(unsigned a, unsigned b, unsigned c) {
  const auto x = numbers_in(a, 8, false), y = numbers_in(b, 8, false), up = numbers_in(c, 8, false);
  unsigned result = 0;
  for (size_t i = 0; i < 4; ++i)
    result |= unsigned((x[i] + y[i] + up[i] % 2) / 2) << 8 * i;
  return result;
}

std::vector<unsigned> expected(Words w) {
  const auto [a, b, c] = w;
  const int64_t s = int(c);
  const uint64_t both = uint64_t(a) << 32 | b;
  return {dot(a, b, 16, true, true, s, false, true),
          dot(a, b, 16, true, true, s, true, true),
          dot(a, b, 16, false, false, c, false, false),
          dot(a, b, 16, false, false, c, true, false),
          dot(a, b, 8, true, true, s, false, true),
          dot(a, b, 8, true, true, s, true, true),
          dot(a, b, 8, false, false, c, false, false),
          dot(a, b, 8, false, false, c, true, false),
          dot(a, b, 4, true, true, s, false, true),
          dot(a, b, 4, false, false, c, true, false),
          dot(a, b, 8, true, false, s, false, true),
          dot(a, b, 8, false, true, s, true, true),
          dot(a, b, 8, true, true, s, true, true),
          dot(a, b, 4, true, false, s, true, true),
          perm(a, b, c),
          perm(a, b, 0x0c0d0b08 | (c & 0x02000302)),
          unsigned(both >> c % 32),
          unsigned(both >> 8 * (c % 4)),
          field(a, b, c, false),
          field(a, b, c, true),
          means(a, b, c),
          absolute_differences(a, b, 8, false) + c,
          (absolute_differences(a, b, 8, false) << 16) + c,
          absolute_differences(a, b, 16, false) + c,
          absolute_differences(a, b, 8, true) + c};
}

__global__ void half_dots(float *out) {
  typedef _Float16 Half2 __attribute__((ext_vector_type(2)));
  const _Float16 x = _Float16(threadIdx.x);
  out[2 * threadIdx.x] = __builtin_amdgcn_fdot2(Half2{x, 0.5}, Half2{3, -4}, 0.25f, false);
  out[2 * threadIdx.x + 1] = __builtin_amdgcn_fdot2(Half2{x, 0.5}, Half2{0.25, -1}, 0.25f, true);
}

int main() {
  std::vector<Words> all;
  const unsigned corners[] = {0, 1, 0x80808080, 0x7f7f7f7f, 0x80000000, 0x7fffffff, 0xffffffff, 0x00ff8001, 0x0c0b0a08, 0x0d0c0907};
  for (unsigned a : corners)
    for (unsigned b : corners)
      for (unsigned c : corners)
        all.push_back({a, b, c});
  unsigned state = 1;
  const auto next = [&] { return state = state * 1664525 + 1013904223, state ^ state >> 15; };
  for (int i = 0; i < 3000; ++i)
    all.push_back({next(), next(), i % 3 == 0 ? next() & 0x0f0f0f0f : next()});
  const int count = int(all.size());
  Array<Words> words(all.size());
  std::copy(all.begin(), all.end(), words.get());
  Array<unsigned> out(all.size() * results);
  compute<<<(count + 127) / 128, 128>>>(words.get(), out.get(), count);
  wait();
  std::vector<int> wrong(results);
  for (size_t i = 0; i < all.size(); ++i) {
    const std::vector<unsigned> right = expected(all[i]);
    for (size_t k = 0; k < results; ++k)
      wrong[k] += out[i * results + k] != right[k];
  }
  for (size_t k = 0; k < results; ++k)
    check(wrong[k] == 0, ("result " + std::to_string(k)).c_str(), __LINE__);

  Array<float> halves(64);
  half_dots<<<1, 32>>>(halves.get());
  wait();
  for (int i = 0; i < 32; ++i) {
    CHECK(halves[size_t(2 * i)] == 3.0f * float(i) - 1.75f);
    CHECK(halves[size_t(2 * i + 1)] == std::clamp(0.25f * float(i) - 0.25f, 0.0f, 1.0f));
  }
  return result();
}
