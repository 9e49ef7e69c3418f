// What a kernel's type is: that of a function which returns nothing, for pointers and for templates, wherever it is declared.
#include "device_test.h"

#include <tuple>
#include <type_traits>

using namespace device_test;

__global__ void plain(int *out, int value) { *out = value; }
static __global__ void local(int *out, int value) { *out = value; }
extern "C" __global__ void named_as_in_c(int *out, int value) { *out = value; }
__global__ __launch_bounds__(64) void bounded(int *out, int value) { *out = value; }
__global__ void forward(int *out, int value);
__global__ void forward(int *out, int value) { *out = value; }
template <class T> __global__ void generic(T *out, T value) { *out = value; }
template __global__ void generic<float>(float *, float);
struct Class {
  static __global__ void member(int *out, int value) { *out = value; }
};

template <class... Args> std::tuple<Args...> arguments_of(void(Args...));
template <class> struct Arity;
template <class... Args> struct Arity<void (*)(Args...)> {
  static constexpr int value = sizeof...(Args);
};
static_assert(std::is_same_v<decltype(arguments_of(plain)), std::tuple<int *, int>>);
static_assert(std::is_same_v<decltype(&plain), void (*)(int *, int)>);
static_assert(Arity<decltype(&generic<long>)>::value == 2);

template <class... Args> void launch(void (*kernel)(Args...), Args... args) { kernel<<<1, 1>>>(args...); }

int main() {
  Array<int> out(1);
  void (*const kernels[])(int *, int) = {plain,   local,        named_as_in_c, bounded,
                                         forward, generic<int>, Class::member};
  int value = 0;
  for (auto kernel : kernels) {
    kernel<<<1, 1>>>(out.get(), ++value);
    wait();
    CHECK(out[0] == value);
  }
  launch(plain, out.get(), 100);
  wait();
  CHECK(out[0] == 100);
  hipLaunchKernelGGL(kernels[5], 1, 1, 0, 0, out.get(), 101);
  wait();
  CHECK(out[0] == 101);
  return result();
}
