// Programs define the operators of HIP's vector types themselves: for the host, the device or both, with parameters by value or by
// const reference. Theirs are called wherever they can be, HIP's elsewhere.
#include "../device_test.h"

#include <type_traits>

using namespace device_test;

/// What the program's operators give; HIP's never give it here.
constexpr int mine = 77;

#define DEFINE_BINARY(where, vector, parameter, number, op)                                                                        \
  where vector operator op(parameter, parameter) { return vector(mine); }                                                          \
  where vector operator op(parameter, number) { return vector(mine); }                                                             \
  where vector operator op(number, parameter) { return vector(mine); }                                                             \
  where vector &operator op##=(vector & a, parameter) { return a = vector(mine); }                                                 \
  where vector &operator op##=(vector & a, number) { return a = vector(mine); }

#define DEFINE_COMPARISON(where, vector, parameter, number, op, result)                                                            \
  where bool operator op(parameter, parameter) { return result; }                                                                  \
  where bool operator op(parameter, number) { return result; }                                                                     \
  where bool operator op(number, parameter) { return result; }

// Equal vectors are different, here.
#define DEFINE_FOR_NUMBERS(where, vector, parameter, number)                                                                       \
  DEFINE_BINARY(where, vector, parameter, number, +)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, -)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, *)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, /)                                                                               \
  DEFINE_COMPARISON(where, vector, parameter, number, ==, false)                                                                   \
  DEFINE_COMPARISON(where, vector, parameter, number, !=, true)                                                                    \
  where vector operator+(parameter) { return vector(mine); }                                                                       \
  where vector operator-(parameter) { return vector(mine); }                                                                       \
  where vector &operator++(vector & a) { return a = vector(mine); }                                                                \
  where vector &operator--(vector & a) { return a = vector(mine); }                                                                \
  where vector operator++(vector & a, int) { return vector(mine); }                                                                \
  where vector operator--(vector & a, int) { return vector(mine); }

#define DEFINE_FOR_INTEGERS(where, vector, parameter, number)                                                                      \
  DEFINE_FOR_NUMBERS(where, vector, parameter, number)                                                                             \
  DEFINE_BINARY(where, vector, parameter, number, %)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, &)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, |)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, ^)                                                                               \
  DEFINE_BINARY(where, vector, parameter, number, <<)                                                                              \
  DEFINE_BINARY(where, vector, parameter, number, >>)                                                                              \
  where vector operator~(parameter) { return vector(mine); }

#pragma clang diagnostic ignored "-Wunused-parameter"
DEFINE_FOR_INTEGERS(inline __device__, int1, int1, int)
DEFINE_FOR_INTEGERS(inline __device__, int3, const int3 &, int)
DEFINE_FOR_NUMBERS(static inline __device__, float3, const float3 &, float)
DEFINE_FOR_NUMBERS(__device__, double4, double4, double)
DEFINE_FOR_INTEGERS(inline, uint2, uint2, unsigned)
DEFINE_FOR_INTEGERS(inline __host__, uint4, const uint4 &, unsigned)
DEFINE_FOR_NUMBERS(static, float2, const float2 &, float)
DEFINE_FOR_INTEGERS(inline __host__ __device__, short4, short4, short)
DEFINE_FOR_INTEGERS(inline __host__ __device__, long3, const long3 &, long)
DEFINE_FOR_NUMBERS(constexpr __host__ __device__, double3, const double3 &, double)
// One for each side.
DEFINE_FOR_INTEGERS(inline __device__, ulonglong2, ulonglong2, unsigned long long)
DEFINE_FOR_INTEGERS(inline __host__, ulonglong2, ulonglong2, unsigned long long)

// How many of the expressions call an operator of HIP's. The numbers beside the vectors are of other types, too.
#define COUNT_COMPARISON(op, expected)                                                                                             \
  his += (a op a) != expected;                                                                                                     \
  his += (a op 12) != expected;                                                                                                    \
  his += (12 op a) != expected;
#define COUNT(op, assign)                                                                                                          \
  c = d = a;                                                                                                                       \
  c assign b;                                                                                                                      \
  d assign 3;                                                                                                                      \
  his += ((a op b).x != mine) + ((a op 3).x != mine) + ((3u op a).x != mine) + ((a op static_cast<short>(3)).x != mine) +          \
         (c.x != mine) + (d.x != mine);

#define COUNT_ALL                                                                                                                  \
  const V a(12), b(2);                                                                                                             \
  V c, d;                                                                                                                          \
  int his = 0;                                                                                                                     \
  COUNT(+, +=)                                                                                                                     \
  COUNT(-, -=)                                                                                                                     \
  COUNT(*, *=)                                                                                                                     \
  COUNT(/, /=)                                                                                                                     \
  COUNT_COMPARISON(==, false)                                                                                                      \
  COUNT_COMPARISON(!=, true)                                                                                                       \
  c = d = a;                                                                                                                       \
  his += ((+a).x != mine) + ((-a).x != mine) + ((++c).x != mine) + ((--d).x != mine) + ((c++).x != mine) + ((d--).x != mine);      \
  if constexpr (std::is_integral<decltype(a.x)>::value) {                                                                          \
    COUNT(%, %=)                                                                                                                   \
    COUNT(&, &=)                                                                                                                   \
    COUNT(|, |=)                                                                                                                   \
    COUNT(^, ^=)                                                                                                                   \
    COUNT(<<, <<=)                                                                                                                 \
    COUNT(>>, >>=)                                                                                                                 \
    his += (~a).x != mine;                                                                                                         \
  }                                                                                                                                \
  return his;

template <class V> int count_on_host() { COUNT_ALL }
template <class V> __device__ int count_on_device() { COUNT_ALL }
template <class V> __host__ __device__ int count_on_both() { COUNT_ALL }

template <class V> __global__ void count(int *his) { *his = count_on_device<V>(); }
template <class V> __global__ void count_in_both(int *his) { *his = count_on_both<V>(); }

/// What all expressions count.
template <class V> constexpr int all() { return std::is_integral<decltype(V::x)>::value ? 73 : 36; }

// Operators that are made of HIP's, as programs do it: HIP's do not call them back.
inline __host__ __device__ longlong4 operator+(longlong4 a, longlong4 b) { return a += b; }
inline __host__ __device__ longlong4 operator-(longlong4 a, longlong4 b) { return a + -b; }
/// Not even with another meaning.
inline __host__ __device__ float operator*(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__host__ __device__ bool operators_of_operators() {
  const longlong4 a(1, 2, 3, 4), b(10, 20, 30, 40);
  const longlong4 sum = a + b, difference = b - a;
  float4 product(1, 2, 3, 4);
  product *= float4(2);
  return sum.x == 11 && sum.w == 44 && difference.y == 18 && difference.z == 27 &&
         float4(1, 2, 3, 4) * float4(1) == 10.0f && product.w == 8 && (2 * product).x == 4 && (product * 2).y == 8;
}
__global__ void ask_operators_of_operators(int *right) { *right = operators_of_operators(); }

/// What HIP's operators give, to vectors whose operators nobody defined.
template <class V> __host__ __device__ bool are_hips() {
  const V a(12), b(5);
  V c = a;
  bool good = (a + b).x == 17 && (a - b).x == 7 && (a * b).x == 60 && (2 * a).x == 24 && (a / 2).x == 6;
  good = good && (a % b).x == 2 && (a & b).x == 4 && (a | b).x == 13 && (a ^ b).x == 9 && (b << 1).x == 10 && (a >> 1).x == 6;
  good = good && (c += 3).x == 15 && (c %= b).x == 0 && (++c).x == 1 && (c++).x == 1 && c.x == 2 && (--c).x == 1 && (c--).x == 1;
  return good && a == a && a != b && a == 12 && 12 == a && c == 0 && (-a).x == V(-12).x && (~a).x == V(~12).x && (+a).x == 12;
}
template <class V> __global__ void ask_hips(int *right) { *right = are_hips<V>(); }

template <class V> void check_hips() {
  Array<int> right(1);
  ask_hips<V><<<1, 1>>>(right.get());
  wait();
  CHECK(right[0] == 1);
  CHECK(are_hips<V>());
}

template <class V> void check_count(void (*kernel)(int *), int on_device, int on_host) {
  Array<int> his(1);
  his[0] = -1;
  kernel<<<1, 1>>>(his.get());
  wait();
  CHECK(his[0] == on_device);
  CHECK(count_on_host<V>() == on_host);
}
/// For vectors with operators for both sides. clang lets a function for both sides call no operator for one side only.
template <class V> void check_both() {
  check_count<V>(count<V>, 0, 0);
  check_count<V>(count_in_both<V>, 0, 0);
  CHECK(count_on_both<V>() == 0);
}

int main() {
  check_count<int1>(count<int1>, 0, all<int1>());
  check_count<int3>(count<int3>, 0, all<int3>());
  check_count<float3>(count<float3>, 0, all<float3>());
  check_count<double4>(count<double4>, 0, all<double4>());
  check_count<uint2>(count<uint2>, all<uint2>(), 0);
  check_count<uint4>(count<uint4>, all<uint4>(), 0);
  check_count<float2>(count<float2>, all<float2>(), 0);
  check_both<short4>();
  check_both<long3>();
  check_both<double3>();
  check_both<ulonglong2>();
  check_hips<char1>();
  check_hips<uchar4>();
  check_hips<short2>();
  check_hips<int4>();
  check_hips<ulong3>();
  check_hips<longlong2>();

  Array<int> right(1);
  ask_operators_of_operators<<<1, 1>>>(right.get());
  wait();
  CHECK(right[0] == 1);
  CHECK(operators_of_operators());
  return result();
}
