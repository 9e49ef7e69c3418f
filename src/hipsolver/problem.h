// What a call of hipSOLVER asks for, whatever its elements: filled in by the entry points, checked, and done by a host function.
#pragma once

#include "../hipblas/problem.h"

#include <hipsolver/hipsolver.h>

#include <algorithm>
#include <limits>

namespace hipsolver {

using hipblas::Kind;
using hipblas::Type;

enum class Operation : uint8_t {
  orgbr,
  orgqr,
  orgtr,
  ormqr,
  ormtr,
  gebrd,
  gels,
  geqrf,
  gesv,
  gesvd,
  gesvdj,
  gesvda,
  getrf,
  getrs,
  potrf,
  potri,
  potrs,
  syevd,
  syevdx,
  syevj,
  sygvd,
  sygvdx,
  sygvj,
  sytrd,
  sytrf,
};

/// What functions that are named after Jacobi's method are told, and asked for afterwards.
struct JacobiInfo {
  double tolerance = 0;
  int max_sweeps = 100;
  int sort = 1;
  enum { none, single, batch } last = none; ///< What was computed with it at last.
};

struct Matrix {
  const void *data = nullptr; ///< Of a batch: the array of pointers.
  int64_t step = not_given;   ///< The leading dimension.
  int64_t stride = 0;         ///< Elements from one of a batch to the next.

  static constexpr int64_t not_given = std::numeric_limits<int64_t>::min();
};

struct Problem {
  Problem(Operation operation, Type type) : operation(operation), type(type) {}

  /// Batches of functions that are given none: problems are one behind the other.
  void set_batch_strides() {
    kind = Kind::strided;
    a.stride = a.step * n;
    values_stride = n;
    if (operation != Operation::gesvdj)
      return;
    values_stride = std::min(m, n);
    c.stride = c.step * m;
    v.stride = v.step * n;
  }

  Operation operation;
  Type type;
  Kind kind = Kind::single;
  int side = HIPSOLVER_SIDE_LEFT, trans = HIPSOLVER_OP_N, uplo = HIPSOLVER_FILL_MODE_UPPER;
  int jobz = HIPSOLVER_EIG_MODE_NOVECTOR, range = HIPSOLVER_EIG_RANGE_ALL;
  int itype = HIPSOLVER_EIG_TYPE_1, econ = 0;
  signed char jobu = 'N', jobv = 'N';
  bool wide_pivots = false; ///< Of 64 bits.
  int64_t m = 0, n = 0, k = 0, rank = 0, batch = 1;
  double vl = 0, vu = 0;
  int64_t il = 0, iu = 0;
  /// `c` is what is multiplied, a solution, or left singular vectors; `v` the right ones.
  Matrix a, b, c, v;
  void *tau = nullptr, *taup = nullptr;
  void *values = nullptr; ///< Real: eigenvalues, singular values or a diagonal.
  int64_t values_stride = 0;
  void *
      e = nullptr,
     *rwork =
         nullptr; ///< Real: what is beside a diagonal, also where a function has found no singular values.
  void *pivots = nullptr;
  int *nev = nullptr, *info = nullptr;
  JacobiInfo *jacobi = nullptr;
};

} // namespace hipsolver
