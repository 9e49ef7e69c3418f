// Programs define operators for many of HIP's vector types at once, as templates. Theirs are called; what HIP has no operator for is
// no error until it is used.
#include "device_test.h"

#include <type_traits>
#include <utility>

using namespace device_test;

// What the program's operators give.
constexpr int mine = 77;

template <class V, class... Types> constexpr bool is_one_of = (std::is_same_v<std::decay_t<V>, Types> || ...);
#define FOR(condition) std::enable_if_t<(condition), int> = 0

#define DEFINE(op)                                                                                                                 \
  /* One type for both operands, and a number of any or of one type. */                                                            \
  template <class V, FOR((is_one_of<V, float2, uint4>))> __host__ __device__ int operator op(V, V) { return mine; }                \
  template <class V, class N, FOR((is_one_of<V, float2>))> __host__ __device__ int operator op(V, N) { return mine; }              \
  template <class V, class N, FOR((is_one_of<V, float2>))> __host__ __device__ int operator op(N, V) { return mine; }              \
  template <class V, FOR((is_one_of<V, uint4>))> __host__ __device__ int operator op(const V &, unsigned) { return mine; }         \
  template <class V, FOR((is_one_of<V, uint4>))> __host__ __device__ int operator op(unsigned, const V &) { return mine; }         \
  /* Two types. */                                                                                                                 \
  template <class A, class B, FOR((is_one_of<A, short3> || is_one_of<B, short3>))>                                                 \
  __host__ __device__ int operator op(const A &, const B &) {                                                                      \
    return mine;                                                                                                                   \
  }                                                                                                                                \
  template <class A, class B, FOR((is_one_of<A, double1> || is_one_of<B, double1>))>                                               \
  __host__ __device__ int operator op(A &&, B &&) {                                                                                \
    return mine;                                                                                                                   \
  }                                                                                                                                \
  /* Of HIP's own form. */                                                                                                         \
  template <unsigned n> __host__ __device__ int operator op(HIP_vector_type<long, n>, HIP_vector_type<long, n>) { return mine; }   \
  template <unsigned n> __host__ __device__ int operator op(HIP_vector_type<long, n>, long) { return mine; }                       \
  template <unsigned n> __host__ __device__ int operator op(long, HIP_vector_type<long, n>) { return mine; }

#define DEFINE_ASSIGNMENT(op)                                                                                                      \
  template <class V, FOR((is_one_of<V, float2, uint4>))> __host__ __device__ int operator op(V &, V) { return mine; }              \
  template <class V, class N, FOR((is_one_of<V, float2>))> __host__ __device__ int operator op(V &, N) { return mine; }            \
  template <class V, FOR((is_one_of<V, uint4>))> __host__ __device__ int operator op(V &, unsigned) { return mine; }               \
  template <class A, class B, FOR((is_one_of<A, short3>))> __host__ __device__ int operator op(A &, const B &) { return mine; }    \
  template <class A, class B, FOR((is_one_of<A, double1>))> __host__ __device__ int operator op(A &, B &&) { return mine; }        \
  template <unsigned n> __host__ __device__ int operator op(HIP_vector_type<long, n> &, HIP_vector_type<long, n>) { return mine; } \
  template <unsigned n> __host__ __device__ int operator op(HIP_vector_type<long, n> &, long) { return mine; }

#define DEFINE_UNARY(op)                                                                                                           \
  template <class V, FOR((is_one_of<V, float2, uint4>))> __host__ __device__ int operator op(V) { return mine; }                   \
  template <class V, FOR((is_one_of<V, short3>))> __host__ __device__ int operator op(const V &) { return mine; }                  \
  template <class V, FOR((is_one_of<V, double1>))> __host__ __device__ int operator op(V &&) { return mine; }                      \
  /* Of HIP's own form, for one type and for all. */                                                                               \
  template <unsigned n> __host__ __device__ int operator op(HIP_vector_type<long, n>) { return mine; }                             \
  template <class T, unsigned n, FOR((is_one_of<T, char>))> __host__ __device__ int operator op(const HIP_vector_type<T, n> &) {   \
    return mine;                                                                                                                   \
  }

#define DEFINE_STEP(op)                                                                                                            \
  template <class V, FOR((is_one_of<V, float2, uint4, short3, double1>))> __host__ __device__ int operator op(V &) { return mine; }\
  template <class V, FOR((is_one_of<V, float2, uint4, short3, double1>))> __host__ __device__ int operator op(V &, int) {          \
    return mine;                                                                                                                   \
  }                                                                                                                                \
  template <class T, unsigned n, FOR((is_one_of<T, char, long>))> __host__ __device__ int operator op(HIP_vector_type<T, n> &) {   \
    return mine;                                                                                                                   \
  }                                                                                                                                \
  template <class T, unsigned n, FOR((is_one_of<T, char, long>))> __host__ __device__ int operator op(HIP_vector_type<T, n> &, int) {\
    return mine;                                                                                                                   \
  }

#define FOR_ALL_UNARY(then) then(+) then(-) then(~) then(!)
#define FOR_ALL_STEPS(then) then(++) then(--)
FOR_ALL_UNARY(DEFINE_UNARY)
FOR_ALL_STEPS(DEFINE_STEP)

/// For whatever there is.
namespace for_all {
#define DEFINE_FOR_ALL(op)                                                                                                         \
  template <class T> __host__ __device__ int operator op(T) { return mine; }
#define DEFINE_STEP_FOR_ALL(op)                                                                                                    \
  template <class T> __host__ __device__ int operator op(T &) { return mine; }                                                     \
  template <class T> __host__ __device__ int operator op(T &, int) { return mine; }
FOR_ALL_UNARY(DEFINE_FOR_ALL)
FOR_ALL_STEPS(DEFINE_STEP_FOR_ALL)
} // namespace for_all

#define FOR_ALL_OPERATORS(then) then(+) then(-) then(*) then(/) then(%) then(&) then(|) then(^) then(<<) then(>>) then(==) then(!=)
#define FOR_ALL_ASSIGNMENTS(then) then(+=) then(-=) then(*=) then(/=) then(%=) then(&=) then(|=) then(^=) then(<<=) then(>>=)
FOR_ALL_OPERATORS(DEFINE)
FOR_ALL_ASSIGNMENTS(DEFINE_ASSIGNMENT)

template <class T> __host__ __device__ int is_mine(const T &result) {
  if constexpr (std::is_same_v<T, int>)
    return result == mine;
  else
    return 0;
}

/// How many of the expressions call an operator of HIP's.
template <class V, class N> __host__ __device__ int count_his() {
  V a(3);
  const V b(2);
  const N number = 2;
  int his = 0;
#define COUNT(op) his += 4 - is_mine(a op b) - is_mine(b op V(1)) - is_mine(a op number) - is_mine(number op a);
#define COUNT_ASSIGNMENT(op) his += 2 - is_mine(a op b) - is_mine(a op number);
  FOR_ALL_OPERATORS(COUNT)
  FOR_ALL_ASSIGNMENTS(COUNT_ASSIGNMENT)
  return his;
}

#define COUNT_UNARY(op) his += 2 - is_mine(op a) - is_mine(op V(1));
#define COUNT_STEP(op) his += 2 - is_mine(op a) - is_mine(a op);
template <class V> __host__ __device__ int count_his_unary() {
  V a(3);
  int his = 0;
  FOR_ALL_UNARY(COUNT_UNARY)
  FOR_ALL_STEPS(COUNT_STEP)
  return his;
}
namespace for_all {
__host__ __device__ int count() {
  using V = int4;
  V a(3);
  int his = 0;
  FOR_ALL_UNARY(COUNT_UNARY)
  FOR_ALL_STEPS(COUNT_STEP)
  return his;
}
} // namespace for_all

__host__ __device__ int count_all() {
  return count_his_unary<float2>() + count_his_unary<uint4>() + count_his_unary<short3>() + count_his_unary<double1>() +
         count_his_unary<long3>() + count_his_unary<char2>() + for_all::count() +
         count_his<float2, float>() + count_his<float2, int>() + count_his<uint4, unsigned>() + count_his<short3, short>() +
         count_his<short3, double>() + count_his<double1, float>() + count_his<long3, long>() + count_his<long1, long>();
}

// ---- What HIP's operators are not

#define ASK(name, op)                                                                                                              \
  template <class A, class B, class = void> constexpr bool name = false;                                                           \
  template <class A, class B> constexpr bool name<A, B, decltype(void(std::declval<A>() op std::declval<B>()))> = true;
ASK(adds, +)
ASK(multiplies, *)
ASK(has_remainder, %)
ASK(has_and, &)
ASK(has_shift, <<)
ASK(compares, ==)
ASK(assigns_sum, +=)
ASK(assigns_remainder, %=)
template <class A, class = void> constexpr bool has_complement = false;
template <class A> constexpr bool has_complement<A, decltype(void(~std::declval<A>()))> = true;

#define ONLY_OF_INTEGERS(has) (has<int4, int4> && has<int4, short> && has<char, int4> && !has<float4, float4> &&                   \
                               !has<double4, int> && !has<float, float3> && !has<int4, int3>)
static_assert(ONLY_OF_INTEGERS(has_remainder));
static_assert(ONLY_OF_INTEGERS(has_and));
static_assert(ONLY_OF_INTEGERS(has_shift));
static_assert(assigns_remainder<int4 &, int4> && !assigns_remainder<float4 &, float4> && !assigns_remainder<double4 &, int>);
static_assert(has_complement<int4> && !has_complement<float4>);
static_assert(adds<float4, float4> && adds<float4, int> && adds<double, float4> && assigns_sum<float4 &, float4>);
static_assert(!adds<float4, float3> && !adds<float4, double4> && !adds<float4, const char *> && !adds<void *, float4>);
static_assert(!assigns_sum<float4 &, float3> && !assigns_sum<float4 &, int4> && !assigns_sum<const float4 &, float4>);
static_assert(compares<float4, float4> && compares<float4, int> && !compares<float4, float3> && !compares<float4, void *>);

// ---- Where HIP's operators are called beside others of the program

/// A class that vectors become.
struct Colour {
  __host__ __device__ constexpr Colour(float3 value) : value(value) {}
  float3 value;
};
__host__ __device__ int operator+(const Colour &, const Colour &) { return mine; }
__host__ __device__ int operator-(const Colour &) { return mine; }
struct Named : float4 {
  using float4::float4;
};
struct Fraction {
  __host__ __device__ constexpr operator float() const { return 0.5f; }
};

__host__ __device__ bool hips_are_called() {
  float4 assigned(1, 2, 3, 4);
  assigned += {4, 3, 2, 1};
  const float3 a(1, 2, 3);
  volatile int two = 2;
  Named named(1, 2, 3, 4);
  ++named;
  const float4 before = named--;
  return (-a).z == -3 && (-named).x == -1 && before.w == 5 && (a + a).z == 6 && (Named(1, 2, 3, 4) + Named(1, 1, 1, 1)).w == 5 && (a * Fraction()).y == 1 && (Fraction() * a).x == 0.5f &&
         (a * two).x == 2 && assigned == 5 && 5 == assigned && assigned == float4(5) && !(assigned != float4(5));
}

__global__ void ask(int *his, bool *called) {
  *his = count_all();
  *called = hips_are_called();
}

int main() {
  CHECK(count_all() == 0);
  CHECK(hips_are_called());
  Array<int> his(1);
  Array<bool> called(1);
  his[0] = -1;
  called[0] = false;
  ask<<<1, 1>>>(his.get(), called.get());
  wait();
  CHECK(his[0] == 0);
  CHECK(called[0]);
  return result();
}
