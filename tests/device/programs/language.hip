// Lambdas, templates, classes and functions of C++ in kernels.
#include "check.h"

#include <algorithm>
#include <type_traits>

template <class F> __global__ void for_each(int *p, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = f(p[i]);
}
template <class T, int n> __global__ void fill(T *p) { p[threadIdx.x] = static_cast<T>(n) / 2; }
template <class... T> __global__ void sum(double *p, T... values) { *p = (0.0 + ... + values); }

struct Shape {
  virtual __device__ int corners() const = 0;
};
struct Triangle : Shape {
  __device__ int corners() const override { return 3; }
};
struct Square : Shape {
  __device__ int corners() const override { return 4; }
};
// Device code makes the objects itself: tables of virtual functions differ between host and device.
__global__ void shapes(int *p) {
  Triangle triangle;
  Square square;
  const Shape *shape = threadIdx.x % 2 ? static_cast<const Shape *>(&triangle) : &square;
  p[threadIdx.x] = shape->corners();
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int *p) { p[threadIdx.x] = fibonacci(threadIdx.x); }

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int (*const table[])(int) = {twice, square};
__global__ void pointers(int *p) { p[threadIdx.x] = table[p[threadIdx.x] % 2](p[threadIdx.x]); }

__device__ int first = 10, second = 20, third = 30;
struct Named {
  const int *value;
  int factor;
};
// Their first members are at their own addresses.
__global__ void local_pointers(int *p) {
  const int i = threadIdx.x;
  const int *const values[] = {&first, &second, &third};
  Named pairs[2] = {{values[i % 3], 1}, {values[(i + 1) % 3], 100}};
  pairs[i % 2].factor += p[i];
  p[i] = *pairs[0].value * pairs[0].factor + *pairs[1].value * pairs[1].factor;
}

template <class T> struct Stack {
  T values[8];
  int size = 0;
  __host__ __device__ void push(T value) { values[size++] = value; }
  __host__ __device__ T pop() { return values[--size]; }
};
__global__ void with_class(float *p) {
  Stack<float> stack;
  for (int i = 0; i < 4; ++i)
    stack.push(p[i]);
  for (int i = 0; i < 4; ++i)
    p[i] = stack.pop();
}

__global__ void vectors(float4 *p) {
  float4 v = p[threadIdx.x];
  v = v * 2.0f + make_float4(1, 2, 3, 4);
  v.w = std::max({v.x, v.y, v.z});
  p[threadIdx.x] = v;
}

int main() {
  std::vector<int> values(100);
  for (int i = 0; i < 100; ++i)
    values[i] = i;
  {
    Buffer<int> p(values);
    const int a = 3, b = 4;
    for_each<<<4, 32>>>(p.operator int *(), 100, [=] __device__(int x) { return a * x + b; });
    launched();
    const auto &r = p.read();
    for (int i = 0; i < 100; ++i)
      CHECK_AT(i, r[i] == 3 * i + 4);
  }
  {
    Buffer<double> p(8);
    fill<double, 7><<<1, 8>>>(p.operator double *());
    launched();
    for (double value : p.read())
      CHECK(value == 3.5);
    sum<<<1, 1>>>(p.operator double *(), 1, 2.5f, 3.25, static_cast<char>(4), 5ll, static_cast<unsigned short>(6), true);
    launched();
    CHECK(p.read()[0] == 22.75);
  }
  {
    Buffer<int> p(16);
    shapes<<<1, 16>>>(p);
    launched();
    const auto &r = p.read();
    for (int i = 0; i < 16; ++i)
      CHECK_AT(i, r[i] == (i % 2 ? 3 : 4));
    recursive<<<1, 16>>>(p);
    launched();
    const auto &f = p.read();
    CHECK(f[0] == 0 && f[1] == 1 && f[10] == 55 && f[15] == 610);
  }
  {
    Buffer<int> p(values);
    pointers<<<1, 100>>>(p);
    launched();
    const auto &r = p.read();
    for (int i = 0; i < 100; ++i)
      CHECK_AT(i, r[i] == (i % 2 ? i * i : 2 * i));
  }
  {
    Buffer<int> p(values);
    local_pointers<<<1, 100>>>(p);
    launched();
    const auto &r = p.read();
    for (int i = 0; i < 100; ++i) {
      const int a = 10 * (i % 3 + 1), b = 10 * ((i + 1) % 3 + 1);
      CHECK_AT(i, r[i] == (i % 2 ? a + b * (100 + i) : a * (1 + i) + b * 100));
    }
  }
  {
    Buffer<float> p(std::vector<float>{1, 2, 3, 4});
    with_class<<<1, 1>>>(p);
    launched();
    const auto &r = p.read();
    CHECK(r[0] == 4 && r[1] == 3 && r[2] == 2 && r[3] == 1);
  }
  {
    Buffer<float4> p(std::vector<float4>{make_float4(1, 2, 3, 4), make_float4(5, 4, 0, 0)});
    vectors<<<1, 2>>>(p);
    launched();
    const auto &r = p.read();
    CHECK(r[0].x == 3 && r[0].y == 6 && r[0].z == 9 && r[0].w == 9);
    CHECK(r[1].x == 11 && r[1].y == 10 && r[1].z == 3 && r[1].w == 11);
  }
  return verdict();
}
