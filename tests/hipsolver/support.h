// What the tests of hipSOLVER share: matrices in double precision, and in the device's memory.
#pragma once

#include "../hipblas/elements.h"
#include "../hipblas/memory.h"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <hipsolver/hipsolver.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>

#define SOLVER(call) REQUIRE((call) == HIPSOLVER_STATUS_SUCCESS)

// Elements

#define ALL_TYPES float, double, hipFloatComplex, hipDoubleComplex

#define FUNCTION(PREFIX, T, REAL_NAME, COMPLEX_NAME)                                               \
  (pick<T>(PREFIX##S##REAL_NAME, PREFIX##D##REAL_NAME, PREFIX##C##COMPLEX_NAME,                    \
           PREFIX##Z##COMPLEX_NAME))
/// Functions of the first interface and of the second one.
#define OF(T, REAL_NAME, COMPLEX_NAME) FUNCTION(hipsolver, T, REAL_NAME, COMPLEX_NAME)
#define DN(T, REAL_NAME, COMPLEX_NAME) FUNCTION(hipsolverDn, T, REAL_NAME, COMPLEX_NAME)

/// Calls `body` with a function of each interface and what says how much memory it wants.
template <class First, class FirstSize, class Second, class SecondSize, class Body>
void with_each(First first, FirstSize first_size, Second second, SecondSize second_size,
               const Body &body) {
  {
    INFO("hipsolver");
    body(first, first_size);
  }
  INFO("hipsolverDn");
  body(second, second_size);
}
#define EACH_OF(T, REAL_NAME, COMPLEX_NAME)                                                        \
  OF(T, REAL_NAME, COMPLEX_NAME), OF(T, REAL_NAME##_bufferSize, COMPLEX_NAME##_bufferSize),        \
      DN(T, REAL_NAME, COMPLEX_NAME), DN(T, REAL_NAME##_bufferSize, COMPLEX_NAME##_bufferSize)

// Matrices in double precision

struct Dense {
  Dense(int rows, int columns) : rows(rows), columns(columns), elements(size_t(rows * columns)) {}

  Exact &operator()(int i, int j) { return elements[size_t(i + j * rows)]; }
  Exact operator()(int i, int j) const { return elements[size_t(i + j * rows)]; }

  int rows, columns;
  std::vector<Exact> elements;
};

inline Dense operator*(const Dense &a, const Dense &b) {
  REQUIRE(a.columns == b.rows);
  Dense c(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int l = 0; l < a.columns; ++l)
      for (int i = 0; i < a.rows; ++i)
        c(i, j) += a(i, l) * b(l, j);
  return c;
}
inline Dense operator-(Dense a, const Dense &b) {
  REQUIRE((a.rows == b.rows && a.columns == b.columns));
  for (size_t i = 0; i < a.elements.size(); ++i)
    a.elements[i] -= b.elements[i];
  return a;
}
inline Dense transposed(const Dense &a) {
  Dense t(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      t(j, i) = a(i, j);
  return t;
}
inline Dense adjoint(const Dense &a) {
  Dense t = transposed(a);
  for (Exact &element : t.elements)
    element = std::conj(element);
  return t;
}
inline double norm(const Dense &a) {
  double sum = 0;
  for (const Exact &element : a.elements)
    sum += std::norm(element);
  return std::sqrt(sum);
}
inline Dense identity(int n) {
  Dense result(n, n);
  for (int i = 0; i < n; ++i)
    result(i, i) = 1;
  return result;
}
/// Rows and columns from the first on.
inline Dense corner(const Dense &a, int rows, int columns) {
  Dense part(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      part(i, j) = a(i, j);
  return part;
}
template <class R> Dense diagonal(const std::vector<R> &values, int rows, int columns) {
  Dense result(rows, columns);
  for (int i = 0; i < std::min(rows, columns); ++i)
    result(i, i) = double(values[size_t(i)]);
  return result;
}
/// What is in a triangle with its diagonal; without its elements the diagonal is 1.
inline Dense triangle(const Dense &a, bool upper, bool unit = false) {
  Dense result = a;
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (i == j && unit)
        result(i, j) = 1;
      else if (upper ? i > j : i < j)
        result(i, j) = 0;
  return result;
}
inline Dense triangle(const Dense &a, hipsolverFillMode_t uplo) {
  return triangle(a, uplo == HIPSOLVER_FILL_MODE_UPPER);
}
/// What an operation makes of a matrix.
inline Dense applied(hipsolverOperation_t operation, const Dense &a) {
  return operation == HIPSOLVER_OP_N ? a : operation == HIPSOLVER_OP_T ? transposed(a) : adjoint(a);
}

// Matrices of random elements, which are representable

inline std::mt19937 &engine() {
  static std::mt19937 engine{21};
  return engine;
}
template <class T> Dense random_matrix(int rows, int columns) {
  std::uniform_real_distribution<double> part(-1, 1);
  Dense a(rows, columns);
  for (Exact &element : a.elements)
    element = exact(rounded<T>({part(engine()), part(engine())}));
  return a;
}
template <class T> Dense random_hermitian(int n) {
  Dense a = random_matrix<T>(n, n);
  for (int j = 0; j < n; ++j) {
    a(j, j) = a(j, j).real();
    for (int i = 0; i < j; ++i)
      a(i, j) = std::conj(a(j, i));
  }
  return a;
}
/// With eigenvalues far from 0.
template <class T> Dense random_positive(int n) {
  Dense a = random_hermitian<T>(n);
  for (int i = 0; i < n; ++i)
    a(i, i) = exact(rounded<T>(a(i, i) + 2.0 * n));
  return a;
}
/// The other triangle is not to be looked at.
template <class T> Dense with_rubbish(Dense a, hipsolverFillMode_t uplo) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (uplo == HIPSOLVER_FILL_MODE_UPPER ? i > j : i < j)
        a(i, j) = 1000;
  return a;
}

// The device

/// A matrix in its memory, whose leading dimension is larger than needed.
template <class T> class Matrix {
public:
  explicit Matrix(const Dense &a) : Matrix(a, a.rows) {}
  /// With place for more rows.
  Matrix(const Dense &a, int rows)
      : ld(std::max(rows, a.rows) + 3), rows_(a.rows), columns_(a.columns), buffer_(padded(a, ld)) {
  }
  operator T *() const { return buffer_; }
  Dense read() const { return read(rows_); }
  Dense read(int rows) const {
    const std::vector<T> elements = buffer_.read();
    Dense a(rows, columns_);
    for (int j = 0; j < columns_; ++j)
      for (int i = 0; i < rows; ++i)
        a(i, j) = exact(elements[size_t(i + j * ld)]);
    return a;
  }

  const int ld;

private:
  static std::vector<T> padded(const Dense &a, int ld) {
    std::vector<T> elements(size_t(ld) * size_t(std::max(1, a.columns)), rounded<T>({77, 0}));
    for (int j = 0; j < a.columns; ++j)
      for (int i = 0; i < a.rows; ++i)
        elements[size_t(i + j * ld)] = rounded<T>(a(i, j));
    return elements;
  }

  int rows_, columns_;
  Buffer<T> buffer_;
};

template <class T> Buffer<T> vector_of(int n) { return Buffer<T>(std::vector<T>(size_t(n))); }

struct Solver {
  Solver() { SOLVER(hipsolverCreate(&handle)); }
  ~Solver() { (void)hipsolverDestroy(handle); }
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;
  operator hipsolverHandle_t() const { return handle; }

  hipsolverHandle_t handle = nullptr;
};

/// Where a function says what became of its work.
struct Info : Buffer<int> {
  explicit Info(int count = 1) : Buffer(std::vector<int>(size_t(count), -7)) {}
  bool is_zero() const {
    for (const int value : read())
      if (value != 0)
        return false;
    return true;
  }
};

/// The caller's workspace, as large as a function says.
template <class T> class Workspace {
public:
  /// `size` is a function for the size, called with arguments, among which `lwork` stands for where it goes.
  template <class Size> explicit Workspace(const Size &size) {
    SOLVER(size(&length));
    REQUIRE(length > 0);
    HIP(hipMalloc(reinterpret_cast<void **>(&data), size_t(length) * sizeof(T)));
  }
  ~Workspace() { (void)hipFree(data); }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  T *data = nullptr;
  int length = 0;
};

inline constexpr hipsolverFillMode_t all_fills[] = {HIPSOLVER_FILL_MODE_UPPER,
                                                    HIPSOLVER_FILL_MODE_LOWER};
inline constexpr hipsolverSideMode_t all_sides[] = {HIPSOLVER_SIDE_LEFT, HIPSOLVER_SIDE_RIGHT};

/// A bound of rounding errors: n eps times a norm, with a factor for what constants there are.
template <class T> double bound(int n, double norm) { return 4 * n * epsilon<T> * norm; }

/// ||Q^H Q - 1||
inline double orthogonality(const Dense &q) { return norm(adjoint(q) * q - identity(q.columns)); }
