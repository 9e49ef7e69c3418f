// __int128 in kernels: its operators and conversions for thousands of pairs of values, and every way for it to get into a kernel
// and out, against the same on the host.
#include "../device_test.h"

#include <cstddef>
#include <cstring>

using namespace device_test;
typedef __int128 Signed;
typedef unsigned __int128 Unsigned;

static __host__ __device__ Unsigned make(unsigned long high, unsigned long low) { return Unsigned(high) << 64 | low; }

// --- Operators and conversions --------------------------------------------------------------------------------------------------

struct Results {
  Unsigned sums[8], products[4], quotients[4], shifts[10], bits[9], choices[8], overflows[7], saturated[4], integers[12],
      loops[4], from_floats[6];
  double doubles[2];
  float floats[2];
  unsigned short halves[2];
  unsigned comparisons, counts[5];
  int three_way[2], cases;
};

template <class T> __host__ __device__ unsigned compared(T a, T b) {
  return (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
}

__host__ __device__ unsigned short bits_of(_Float16 x) { return __builtin_bit_cast(unsigned short, x); }

__host__ __device__ int case_of(Signed x) {
  switch (x) {
  case 0:
    return 1;
  case -1:
    return 2;
  case Signed(1) << 64:
    return 3;
  case (Signed(5) << 70) + 1:
    return 4;
  default:
    return 5;
  }
}

__host__ __device__ Unsigned divisor(Unsigned a, Unsigned b) {
  while (b != 0) {
    const Unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__host__ __device__ Unsigned power(Unsigned base, unsigned exponent) {
  Unsigned result = 1;
  for (; exponent; exponent /= 2, base *= base)
    if (exponent % 2)
      result *= base;
  return result;
}

__host__ __device__ unsigned decimal_digits(Unsigned x) {
  unsigned sum = 0;
  do
    sum = sum * 31 + unsigned(x % 10);
  while ((x /= 10) != 0);
  return sum;
}

__host__ __device__ void compute(Results &r, Unsigned a, Unsigned b) {
  const Signed sa = Signed(a), sb = Signed(b);
  const unsigned n = unsigned(b) % 128;
  const Unsigned by = b ? b : 3;
  const bool divides_signed = !(b == ~Unsigned(0) && a == Unsigned(1) << 127);
  const Signed sby = divides_signed ? Signed(by) : 7;

  Unsigned counter = a, before = counter++;
  r.sums[0] = a + b;
  r.sums[1] = a - b;
  r.sums[2] = -a;
  r.sums[3] = a + 1;
  r.sums[4] = a - make(3, 0);
  r.sums[5] = before ^ counter--;
  r.sums[6] = a + (b & 0xffffffff);
  r.sums[7] = a - Unsigned(sb >> 127);
  r.products[0] = a * b;
  r.products[1] = Unsigned((unsigned long)a) * (unsigned long)b;
  r.products[2] = Unsigned(Signed((long)a) * (long)b);
  r.products[3] = a * 10 + b * make(1, 7);
  r.quotients[0] = a / by;
  r.quotients[1] = a % by;
  r.quotients[2] = Unsigned(sa / sby);
  r.quotients[3] = Unsigned(sa % sby);
  r.shifts[0] = a << n;
  r.shifts[1] = a >> n;
  r.shifts[2] = Unsigned(sa >> n);
  r.shifts[3] = a << 1 ^ a << 63 ^ a << 64 ^ a << 65 ^ a << 127;
  r.shifts[4] = a >> 1 ^ a >> 63 ^ a >> 64 ^ a >> 65 ^ a >> 127;
  r.shifts[5] = Unsigned(sa >> 1 ^ sa >> 63 ^ sa >> 64 ^ sa >> 65 ^ sa >> 127);
  r.shifts[6] = a << n | a >> (-n & 127);
  r.shifts[7] = a >> n | a << (-n & 127);
  r.shifts[8] = a << 40 | b >> 88;
  r.shifts[9] = Unsigned(Signed(a << 28) >> 28) + (a >> 28 << 28); // parts of 100 bits
  r.bits[0] = a & b;
  r.bits[1] = a | b;
  r.bits[2] = a ^ b;
  r.bits[3] = ~a;
  r.bits[4] = a & ~b;
  r.bits[5] = make(__builtin_bswap64((unsigned long)a), __builtin_bswap64((unsigned long)(a >> 64)));
  r.bits[6] = a & (a - 1);
  r.bits[7] = !a;
  r.bits[8] = a && b;
  r.choices[0] = a < b ? a : b;
  r.choices[1] = a > b ? a : b;
  r.choices[2] = Unsigned(sa < sb ? sa : sb);
  r.choices[3] = Unsigned(sa > sb ? sa : sb);
  r.choices[4] = sa < 0 ? -a : a;
  r.choices[5] = n & 1 ? a : b;
  r.choices[6] = a > b ? a - b : 0;
  r.choices[7] = a >= make(7, 9) ? a : make(7, 9);

  Unsigned u;
  Signed s;
  unsigned overflow = __builtin_add_overflow(a, b, &u);
  r.overflows[0] = u;
  overflow |= __builtin_sub_overflow(a, b, &u) << 1;
  r.overflows[1] = u;
  overflow |= __builtin_mul_overflow(a, b, &u) << 2;
  r.overflows[2] = u;
  overflow |= __builtin_add_overflow(sa, sb, &s) << 3;
  r.overflows[3] = Unsigned(s);
  overflow |= __builtin_sub_overflow(sa, sb, &s) << 4;
  r.overflows[4] = Unsigned(s);
  overflow |= __builtin_mul_overflow(sa, sb, &s) << 5;
  r.overflows[5] = Unsigned(s);
  overflow |= __builtin_mul_overflow(Unsigned((unsigned long)a), Unsigned((unsigned)b), &u) << 6;
  r.overflows[6] = overflow;
  r.saturated[0] = __builtin_elementwise_add_sat(a, b);
  r.saturated[1] = __builtin_elementwise_sub_sat(a, b);
  r.saturated[2] = Unsigned(__builtin_elementwise_add_sat(sa, sb));
  r.saturated[3] = Unsigned(__builtin_elementwise_sub_sat(sa, sb));

  r.integers[0] = (unsigned char)a;
  r.integers[1] = Unsigned((signed char)a);
  r.integers[2] = (unsigned short)a;
  r.integers[3] = Unsigned((short)a);
  r.integers[4] = (unsigned)a;
  r.integers[5] = Unsigned((int)a);
  r.integers[6] = (unsigned long)a;
  r.integers[7] = Unsigned((long)a);
  r.integers[8] = bool(a);
  r.integers[9] = Unsigned(Signed(__builtin_bit_cast(ulonglong2, a).y));
  r.integers[10] = Unsigned(-Signed(bool(b)));
  r.integers[11] = __builtin_bit_cast(Unsigned, make_ulonglong2((unsigned long)b, (unsigned long)a));
  r.doubles[0] = double(a);
  r.doubles[1] = double(sa);
  r.floats[0] = float(a);
  r.floats[1] = float(sa);
  r.halves[0] = bits_of(_Float16(a));
  r.halves[1] = bits_of(_Float16(sa));
  // In range: the last rounds to no more than 2 to the power of 126.
  const Unsigned quarter = a >> 2;
  const Signed signed_quarter = sa >> 2;
  r.from_floats[0] = Unsigned(double(quarter) * 1.75);
  r.from_floats[1] = Unsigned(float(quarter) * 1.75f);
  r.from_floats[2] = Unsigned(Signed(double(signed_quarter) * 1.75));
  r.from_floats[3] = Unsigned(Signed(float(signed_quarter) * 1.75f));
  r.from_floats[4] = Unsigned(Signed(_Float16(short(a)) / _Float16(3)));
  r.from_floats[5] = Unsigned(double(unsigned(a)) / 7) + Unsigned(Signed(float(int(a)) / 65537));

  r.comparisons = compared(a, b) | compared(sa, sb) << 6 | compared(a, make(1, 0)) << 12 | compared(sa, Signed(-3)) << 18;
  r.three_way[0] = (a > b) - (a < b);
  r.three_way[1] = (sa > sb) - (sa < sb);
  r.counts[0] = __builtin_popcountg(a);
  r.counts[1] = __builtin_clzg(a, 128);
  r.counts[2] = __builtin_ctzg(a, 128);
  r.counts[3] = decimal_digits(a);
  r.counts[4] = __builtin_parityl((unsigned long)(a >> 64) ^ (unsigned long)a);
  r.cases = case_of(sa);
  r.loops[0] = divisor(a, b);
  r.loops[1] = power(a, n);
  r.loops[2] = 0;
  for (Unsigned i = a; i != a + 5; ++i)
    r.loops[2] = r.loops[2] * 3 + i;
  r.loops[3] = a;
  for (unsigned i = 0; i < n % 7; ++i)
    r.loops[3] = r.loops[3] & 1 ? r.loops[3] * 3 + 1 : r.loops[3] / 2;
}

__global__ void compute_all(const Unsigned *values, Results *results, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    compute(results[i], values[2 * i], values[2 * i + 1]);
}

static std::vector<Unsigned> edges() {
  std::vector<Unsigned> result;
  for (unsigned bit : {0u, 1u, 10u, 24u, 31u, 32u, 53u, 62u, 63u, 64u, 65u, 95u, 96u, 126u, 127u})
    for (int offset : {-1, 0, 1}) {
      result.push_back((Unsigned(1) << bit) + offset);
      result.push_back(-(Unsigned(1) << bit) + offset);
    }
  for (Unsigned more : {make(5, 1) << 6, make(10, 0), make(0xffffff8000000000, 0), make(0xffffff7fffffffff, ~0ul),
                        make(0xfffffffffffffc00, 0), make(0xfffffffffffffbff, ~0ul), make(0x8000000000000400, 0),
                        make(0x8000000000000400, 1), make(0, 65519), make(0, 65520), make(0, 65535), make(0, 2049)})
    result.push_back(more);
  return result;
}

static unsigned long random_bits() {
  static unsigned long state = 0x9e3779b97f4a7c15;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// Of any number of bits.
static Unsigned random_value() {
  const Unsigned all = make(random_bits(), random_bits());
  const Unsigned value = all >> random_bits() % 128;
  return random_bits() % 2 ? value : ~value;
}

#define SAME(member) CHECK(std::memcmp(&r.member, &expected.member, sizeof r.member) == 0)

static void test_operators() {
  std::vector<Unsigned> pairs;
  for (Unsigned a : edges())
    for (Unsigned b : edges())
      pairs.insert(pairs.end(), {a, b});
  for (unsigned i = 0; i < 3000; ++i)
    pairs.insert(pairs.end(), {random_value(), random_value()});

  const unsigned count = pairs.size() / 2;
  Array<Unsigned> values(pairs.size());
  std::memcpy(values.get(), pairs.data(), pairs.size() * sizeof(Unsigned));
  Array<Results> results(count);
  compute_all<<<(count + 63) / 64, 64>>>(values.get(), results.get(), count);
  wait();
  for (unsigned i = 0; i < count; ++i) {
    Results expected;
    std::memset(&expected, 0, sizeof expected);
    compute(expected, pairs[2 * i], pairs[2 * i + 1]);
    const Results &r = results[i];
    const int failed = failures;
    SAME(sums);
    SAME(products);
    SAME(quotients);
    SAME(shifts);
    SAME(bits);
    SAME(choices);
    SAME(overflows);
    SAME(saturated);
    SAME(integers);
    SAME(loops);
    SAME(from_floats);
    SAME(doubles);
    SAME(floats);
    SAME(halves);
    SAME(comparisons);
    SAME(counts);
    SAME(three_way);
    SAME(cases);
    if (failures != failed)
      std::printf("  for %016lx%016lx and %016lx%016lx\n", (unsigned long)(pairs[2 * i] >> 64), (unsigned long)pairs[2 * i],
                  (unsigned long)(pairs[2 * i + 1] >> 64), (unsigned long)pairs[2 * i + 1]);
  }
}

// --- Parameters, memory, functions ----------------------------------------------------------------------------------------------

struct Members {
  char c;
  Signed value;
  short s;
  Unsigned array[2];
};
struct Inner {
  Members members[2];
  int last;
};
struct __attribute__((packed)) Packed {
  char c;
  Unsigned value;
  int last;
};
union Either {
  Unsigned value;
  unsigned words[4];
};

constexpr Unsigned large = Unsigned(0x0123456789abcdef) << 64 | 0xfedcba9876543210;

__device__ Unsigned numbers[4] = {1, large, ~Unsigned(0), Unsigned(1) << 127};
__device__ Members variable = {'v', -2, 3, {large, 4}};
__constant__ Signed fixed = -Signed(large);
__device__ Signed zero;
__device__ Packed packed_variable = {'p', large, 5};

__device__ __noinline__ Signed product(Signed a, Unsigned b) { return a * Signed(b); }
__device__ __noinline__ Signed difference(Signed a, Unsigned b) { return a - Signed(b); }
__device__ __noinline__ Members changed(Members members, Signed by) {
  members.value += by;
  members.array[1] = members.array[0] >> 3;
  return members;
}
__device__ __noinline__ Unsigned factorial(Unsigned n) { return n < 2 ? Unsigned(1) : n * factorial(n - 1); }
__device__ Signed (*const functions[2])(Signed, Unsigned) = {product, difference};

struct Layout {
  size_t size, alignment, member, inner, packed;
};

__host__ __device__ Layout layout() {
  return {sizeof(Members), alignof(Members), offsetof(Members, array), offsetof(Inner, members[1].value),
          offsetof(Packed, value)};
}

struct Output {
  Layout layout;
  Unsigned parameters[8], memory[12], calls[8];
  Members members;
  Packed packed;
};

template <class T>
__global__ void pass(char c, T value, int i, Inner inner, const Unsigned single, Packed packed, Either either, Output *out) {
  __shared__ T shared[64];
  const unsigned t = threadIdx.x;
  shared[t] = value + T(t);
  __syncthreads();
  T local[5];
  for (unsigned k = 0; k < 5; ++k)
    local[k] = shared[(t + k) % 64] * T(k);

  Output &o = out[t];
  o.layout = layout();
  o.parameters[0] = Unsigned(value);
  o.parameters[1] = single;
  o.parameters[2] = Unsigned(inner.members[1].value);
  o.parameters[3] = inner.members[0].array[t % 2];
  o.parameters[4] = packed.value + unsigned(packed.last);
  o.parameters[5] = either.value;
  o.parameters[6] = Unsigned(c) + unsigned(i) + unsigned(inner.last);
  o.parameters[7] = either.words[2];
  o.memory[0] = Unsigned(shared[63 - t]);
  o.memory[1] = Unsigned(local[t % 5]);
  o.memory[2] = numbers[t % 4];
  o.memory[3] = Unsigned(variable.value);
  o.memory[4] = variable.array[t % 2];
  o.memory[5] = Unsigned(fixed);
  o.memory[6] = Unsigned(zero);
  o.memory[7] = packed_variable.value;
  volatile T kept = value;
  kept = kept + 1;
  o.memory[8] = Unsigned(kept);
  Either other;
  other.value = single;
  other.words[1] = t;
  o.memory[9] = other.value;
  o.memory[10] = variable.c + variable.s + packed_variable.c + packed_variable.last;
  const Unsigned *pointer = &numbers[1];
  o.memory[11] = pointer[Unsigned(t % 2)];
  o.calls[0] = Unsigned(product(Signed(value), single));
  o.calls[1] = Unsigned(functions[t % 2](Signed(value), single));
  o.calls[2] = factorial(t % 34);
  o.members = changed(inner.members[0], Signed(value));
  o.packed = packed;
  o.packed.value ^= single;
}

template <class T> static void test_passing(T value) {
  Inner inner = {{{'a', -5, 6, {large, 8}}, {'b', -Signed(large), 10, {11, 12}}}, 13};
  Packed packed = {'q', large + 1, 14};
  Either either;
  either.value = large + 2;
  const Unsigned single = large * 3;
  Array<Output> outputs(64);
  pass<T><<<1, 64>>>('c', value, 15, inner, single, packed, either, outputs.get());
  wait();
  const Unsigned numbers_expected[4] = {1, large, ~Unsigned(0), Unsigned(1) << 127};
  for (unsigned t = 0; t < 64; ++t) {
    const Output &o = outputs[t];
    const Layout expected = layout();
    CHECK(std::memcmp(&o.layout, &expected, sizeof expected) == 0);
    CHECK(o.parameters[0] == Unsigned(value));
    CHECK(o.parameters[1] == single);
    CHECK(o.parameters[2] == -large);
    CHECK(o.parameters[3] == (t % 2 ? Unsigned(8) : large));
    CHECK(o.parameters[4] == large + 15);
    CHECK(o.parameters[5] == large + 2);
    CHECK(o.parameters[6] == 'c' + 28u);
    CHECK(o.parameters[7] == unsigned(large >> 64));
    CHECK(o.memory[0] == Unsigned(value) + 63 - t);
    CHECK(o.memory[1] == (Unsigned(value) + (t + t % 5) % 64) * (t % 5));
    CHECK(o.memory[2] == numbers_expected[t % 4]);
    CHECK(o.memory[3] == Unsigned(-2));
    CHECK(o.memory[4] == (t % 2 ? Unsigned(4) : large));
    CHECK(o.memory[5] == -large);
    CHECK(o.memory[6] == 0);
    CHECK(o.memory[7] == large);
    CHECK(o.memory[8] == Unsigned(value) + 1);
    CHECK(o.memory[9] == ((single & ~(Unsigned(0xffffffff) << 32)) | Unsigned(t) << 32));
    CHECK(o.memory[10] == 'v' + 3u + 'p' + 5u);
    CHECK(o.memory[11] == numbers_expected[1 + t % 2]);
    CHECK(o.calls[0] == Unsigned(value) * single);
    CHECK(o.calls[1] == (t % 2 ? Unsigned(value) - single : Unsigned(value) * single));
    Unsigned factorial_expected = 1;
    for (unsigned k = 2; k <= t % 34; ++k)
      factorial_expected *= k;
    CHECK(o.calls[2] == factorial_expected);
    CHECK(o.members.c == 'a' && o.members.s == 6 && o.members.value == Signed(value) - 5);
    CHECK(o.members.array[0] == large && o.members.array[1] == large >> 3);
    CHECK(o.packed.c == 'q' && o.packed.last == 14 && o.packed.value == ((large + 1) ^ single));
  }
}

__global__ void read_variables(Unsigned *out) {
  out[0] = numbers[3];
  out[1] = Unsigned(fixed);
  zero = Signed(numbers[3]) + 1;
}

static void test_symbols() {
  const Unsigned number = large * 7;
  const Signed constant = -9;
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(numbers), &number, sizeof number, 3 * sizeof number));
  CALL(hipMemcpyToSymbol(HIP_SYMBOL(fixed), &constant, sizeof constant));
  Array<Unsigned> out(2);
  read_variables<<<1, 1>>>(out.get());
  wait();
  CHECK(out[0] == number);
  CHECK(out[1] == Unsigned(-9));
  Signed back = 0;
  CALL(hipMemcpyFromSymbol(&back, HIP_SYMBOL(zero), sizeof back));
  CHECK(back == Signed(number) + 1);
  size_t bytes = 0;
  CALL(hipGetSymbolSize(&bytes, HIP_SYMBOL(numbers)));
  CHECK(bytes == 64);
}

int main() {
  test_operators();
  test_passing<__int128>(-Signed(large) * 5);
  test_passing<__uint128_t>(large * 5);
  test_symbols();
  return result();
}
