/// Complex numbers of rocBLAS in programs that hipcc compiles, for host and device.
#ifndef ROCBLAS_COMPLEX_NUM_H
#define ROCBLAS_COMPLEX_NUM_H

#include <hip/hip_runtime.h>

#include <complex>

template <class T> class rocblas_complex_num {
public:
  using value_type = T;

  rocblas_complex_num() = default;
  __host__ __device__ constexpr rocblas_complex_num(T real) : x(real), y(0) {}
  __host__ __device__ constexpr rocblas_complex_num(T real, T imaginary) : x(real), y(imaginary) {}
  template <class U>
  __host__ __device__ constexpr rocblas_complex_num(const rocblas_complex_num<U> &other)
      : x(T(other.real())), y(T(other.imag())) {}
  rocblas_complex_num(const std::complex<T> &other) : x(other.real()), y(other.imag()) {}
  operator std::complex<T>() const { return {x, y}; }

  __host__ __device__ constexpr T real() const { return x; }
  __host__ __device__ constexpr T imag() const { return y; }
  __host__ __device__ constexpr rocblas_complex_num operator-() const { return {-x, -y}; }
  __host__ __device__ constexpr rocblas_complex_num &operator+=(const rocblas_complex_num &o) {
    return *this = {x + o.x, y + o.y};
  }
  __host__ __device__ constexpr rocblas_complex_num &operator-=(const rocblas_complex_num &o) {
    return *this = {x - o.x, y - o.y};
  }
  __host__ __device__ constexpr rocblas_complex_num &operator*=(const rocblas_complex_num &o) {
    return *this = {x * o.x - y * o.y, x * o.y + y * o.x};
  }
  __host__ __device__ constexpr rocblas_complex_num &operator/=(const rocblas_complex_num &o) {
    // Divided by the larger part first, so that squares do not overflow.
    const bool real_is_larger = (o.x < 0 ? -o.x : o.x) >= (o.y < 0 ? -o.y : o.y);
    const T larger = real_is_larger ? o.x : o.y, smaller = real_is_larger ? o.y : o.x;
    const T ratio = smaller / larger, divisor = larger + smaller * ratio;
    return *this = real_is_larger
                       ? rocblas_complex_num((x + y * ratio) / divisor, (y - x * ratio) / divisor)
                       : rocblas_complex_num((x * ratio + y) / divisor, (y * ratio - x) / divisor);
  }
  friend __host__ __device__ constexpr rocblas_complex_num operator+(rocblas_complex_num a,
                                                                     const rocblas_complex_num &b) {
    return a += b;
  }
  friend __host__ __device__ constexpr rocblas_complex_num operator-(rocblas_complex_num a,
                                                                     const rocblas_complex_num &b) {
    return a -= b;
  }
  friend __host__ __device__ constexpr rocblas_complex_num operator*(rocblas_complex_num a,
                                                                     const rocblas_complex_num &b) {
    return a *= b;
  }
  friend __host__ __device__ constexpr rocblas_complex_num operator/(rocblas_complex_num a,
                                                                     const rocblas_complex_num &b) {
    return a /= b;
  }
  friend __host__ __device__ constexpr bool operator==(const rocblas_complex_num &a,
                                                       const rocblas_complex_num &b) {
    return a.x == b.x && a.y == b.y;
  }
  friend __host__ __device__ constexpr bool operator!=(const rocblas_complex_num &a,
                                                       const rocblas_complex_num &b) {
    return !(a == b);
  }

private:
  T x, y;
};

#endif
