// Numbers that are made of a condition: whatever the compiler takes them for on the way, they are what C++ says.
#include "../device_test.h"

#include <hip/hip_fp16.h>

using namespace device_test;

struct Numbers {
  float minus_one, one, minus_one_or_two, sign;
  double wide_minus_one, wide_one;
  __half half_minus_one;
  float4 vector;
  long long whole_minus_one;
  unsigned char byte;
  signed char signed_byte;
};

__host__ __device__ Numbers numbers_of(int a, int b) {
  const bool less = a < b;
  Numbers numbers;
  numbers.minus_one = float(less ? -1 : 0);
  numbers.one = float(less ? 1 : 0);
  numbers.minus_one_or_two = float(less ? -1 : 2);
  numbers.sign = float((a > b) - (a < b));
  numbers.wide_minus_one = double(-int(less));
  numbers.wide_one = double(less);
  numbers.half_minus_one = __float2half(float(less ? -1 : 0));
  numbers.vector = make_float4(float(-(a < b)), float(-(a < 0)), float(-(b < 0)), float(-(a == b)));
  numbers.whole_minus_one = -static_cast<long long>(less);
  numbers.byte = static_cast<unsigned char>(float(less ? -1 : 0) * -255.0f);
  numbers.signed_byte = static_cast<signed char>(less ? -1 : 0);
  return numbers;
}

bool same(const Numbers &a, const Numbers &b) {
  return a.minus_one == b.minus_one && a.one == b.one && a.minus_one_or_two == b.minus_one_or_two && a.sign == b.sign &&
         a.wide_minus_one == b.wide_minus_one && a.wide_one == b.wide_one &&
         __half2float(a.half_minus_one) == __half2float(b.half_minus_one) && a.vector.x == b.vector.x &&
         a.vector.y == b.vector.y && a.vector.z == b.vector.z && a.vector.w == b.vector.w &&
         a.whole_minus_one == b.whole_minus_one && a.byte == b.byte && a.signed_byte == b.signed_byte;
}

__global__ void make_numbers(const int *a, const int *b, Numbers *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = numbers_of(a[i], b[i]);
}

int main() {
  constexpr unsigned count = 64;
  Array<int> a(count), b(count);
  Array<Numbers> out(count);
  for (unsigned i = 0; i < count; ++i) {
    a[i] = int(i % 5) - 2;
    b[i] = int(i % 3) - 1;
  }
  make_numbers<<<2, count / 2>>>(a.get(), b.get(), out.get());
  wait();
  for (unsigned i = 0; i < count; ++i)
    CHECK(same(out[i], numbers_of(a[i], b[i])));
  return result();
}
