// What the tests of hipBLAS share: elements, memory, handles, and comparison with a reference in double precision.
#pragma once

#include "elements.h"
#include "memory.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#define BLAS(call) REQUIRE((call) == HIPBLAS_STATUS_SUCCESS)

// Elements

#define OF_TYPE(T, NAME) (pick<T>(hipblasS##NAME, hipblasD##NAME, hipblasC##NAME, hipblasZ##NAME))
/// Those that real elements have by one name and complex ones by another.
#define OF_TYPES(T, REAL_NAME, COMPLEX_NAME)                                                       \
  (pick<T>(hipblasS##REAL_NAME, hipblasD##REAL_NAME, hipblasC##COMPLEX_NAME,                       \
           hipblasZ##COMPLEX_NAME))

#define ALL_TYPES float, double, hipblasComplex, hipblasDoubleComplex

// Random elements

inline std::mt19937 &engine() {
  static std::mt19937 engine{20};
  return engine;
}

template <class T> T random_element() {
  std::uniform_real_distribution<double> part(-1, 1);
  return rounded<T>({part(engine()), part(engine())});
}

template <class T> std::vector<T> random_elements(size_t count) {
  std::vector<T> elements(count);
  for (T &element : elements)
    element = random_element<T>();
  return elements;
}

struct Blas {
  Blas() { BLAS(hipblasCreate(&handle)); }
  ~Blas() { (void)hipblasDestroy(handle); }
  Blas(const Blas &) = delete;
  Blas &operator=(const Blas &) = delete;
  operator hipblasHandle_t() const { return handle; }

  hipblasHandle_t handle = nullptr;
};

// The reference

/// A sum in double precision, with what its rounding errors are measured by.
struct Sum {
  Exact value = 0;
  double size = 0;
  int terms = 0;

  void add(Exact term) {
    value += term;
    size += std::abs(term);
    ++terms;
  }
  /// Whether a sum of elements T is as near as the bounds of BLAS's own tests have it: n eps times the sum of the absolute values.
  template <class T> bool accepts(T computed) const {
    const double bound = (terms + 4) * 2 * epsilon<T> * size;
    return std::abs(exact(computed) - value) <= bound;
  }
};

inline Exact conj_if(bool condition, Exact value) { return condition ? std::conj(value) : value; }

/// A vector of BLAS: `n` elements at an increment, backwards where it is negative.
template <class T> struct Strided {
  Strided(int n, int step)
      : n(n), step(step), elements(random_elements<T>(size_t(1 + (n - 1) * std::abs(step)))) {}

  T &at(std::vector<T> &from, int i) const { return from[index(i)]; }
  Exact operator[](int i) const { return exact(elements[index(i)]); }
  size_t index(int i) const { return size_t(step > 0 ? i * step : (i - n + 1) * step); }

  int n, step;
  std::vector<T> elements;
};

/// A matrix of BLAS with a leading dimension that is larger than needed.
template <class T> struct Matrix {
  Matrix(int rows, int columns)
      : rows(rows), columns(columns), ld(rows + 3),
        elements(random_elements<T>(size_t(ld) * size_t(std::max(columns, 1)))) {}

  size_t index(int i, int j) const { return size_t(i) + size_t(j) * size_t(ld); }
  Exact at(int i, int j) const { return exact(elements[index(i, j)]); }
  /// Of what an operation makes of it.
  Exact at(int i, int j, hipblasOperation_t operation) const {
    return operation == HIPBLAS_OP_N ? at(i, j) : conj_if(operation == HIPBLAS_OP_C, at(j, i));
  }
  void make_diagonal_large() {
    for (int i = 0; i < std::min(rows, columns); ++i)
      elements[index(i, i)] = rounded<T>(at(i, i) + 4.0 + rows / 8.0);
  }

  int rows, columns, ld;
  std::vector<T> elements;
};

/// Element (i, j) of a triangle that stands for a symmetric, hermitian or triangular matrix.
enum class Shape { symmetric, hermitian, triangular };

template <class Stored>
Exact shaped(const Stored &stored, Shape shape, hipblasFillMode_t uplo, hipblasDiagType_t diag,
             int i, int j) {
  if (shape == Shape::triangular && i == j && diag == HIPBLAS_DIAG_UNIT)
    return 1;
  if (shape == Shape::hermitian && i == j)
    return stored(i, i).real();
  if (uplo == HIPBLAS_FILL_MODE_UPPER ? i <= j : i >= j)
    return stored(i, j);
  if (shape == Shape::triangular)
    return 0;
  return conj_if(shape == Shape::hermitian, stored(j, i));
}

inline constexpr hipblasOperation_t all_operations[] = {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C};
inline constexpr hipblasFillMode_t all_fills[] = {HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER};
inline constexpr hipblasSideMode_t all_sides[] = {HIPBLAS_SIDE_LEFT, HIPBLAS_SIDE_RIGHT};
inline constexpr hipblasDiagType_t all_diagonals[] = {HIPBLAS_DIAG_NON_UNIT, HIPBLAS_DIAG_UNIT};
inline constexpr int all_steps[] = {1, 3, -2};
