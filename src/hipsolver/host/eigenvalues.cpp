// Eigenvalues of symmetric and hermitian matrices, by dividing and conquering.
#include "item.h"

namespace hipsolver {

namespace {

/// What LAPACK's functions for eigenvalues compute with. Real ones have no real workspace of its own.
template <class T> struct Workspace {
  T *elements;
  int *length;
  Real<T> *reals;
  int *real_length;
  int *integers;
  int *integer_length;
};

template <class T, class Function> void with_workspaces(const Function &function) {
  T wanted(0);
  Real<T> wanted_reals = 0;
  int wanted_integers = 0, length = -1, real_length = -1, integer_length = -1;
  function(Workspace<T>{&wanted, &length, &wanted_reals, &real_length, &wanted_integers,
                        &integer_length});
  length = hipblas::length_of(wanted);
  real_length = hipblas::length_of(wanted_reals);
  integer_length = std::max(1, wanted_integers);
  std::vector<T> elements(static_cast<size_t>(length));
  std::vector<Real<T>> reals(static_cast<size_t>(real_length));
  std::vector<int> integers(static_cast<size_t>(integer_length));
  function(Workspace<T>{elements.data(), &length, reals.data(), &real_length, integers.data(),
                        &integer_length});
}

template <class T> void decompose(const Item<T> &i) {
  const char job = i.vectors ? 'V' : 'N';
  with_workspaces<T>([&](const Workspace<T> &w) {
    if constexpr (is_complex_v<T>)
      lapack<"heevd", T>(&job, &i.uplo, &i.n, i.a.data, &i.a.step, i.values, w.elements, w.length,
                         w.reals, w.real_length, w.integers, w.integer_length, &i.info);
    else
      lapack<"syevd", T>(&job, &i.uplo, &i.n, i.a.data, &i.a.step, i.values, w.elements, w.length,
                         w.integers, w.integer_length, &i.info);
  });
}

template <class T> void decompose_generalized(const Item<T> &i) {
  const char job = i.vectors ? 'V' : 'N';
  const int type = i.p.itype - HIPSOLVER_EIG_TYPE_1 + 1;
  with_workspaces<T>([&](const Workspace<T> &w) {
    if constexpr (is_complex_v<T>)
      lapack<"hegvd", T>(&type, &job, &i.uplo, &i.n, i.a.data, &i.a.step, i.b.data, &i.b.step,
                         i.values, w.elements, w.length, w.reals, w.real_length, w.integers,
                         w.integer_length, &i.info);
    else
      lapack<"sygvd", T>(&type, &job, &i.uplo, &i.n, i.a.data, &i.a.step, i.b.data, &i.b.step,
                         i.values, w.elements, w.length, w.integers, w.integer_length, &i.info);
  });
}

/// Of all eigenvalues, which ascend, those that are asked for come first, and so do their vectors.
template <class T> void select(const Item<T> &i) {
  if (i.info != 0) {
    *i.p.nev = 0;
    return;
  }
  int64_t first = 0, end = i.n;
  if (i.p.range == HIPSOLVER_EIG_RANGE_I && i.n > 0) {
    first = i.p.il - 1;
    end = i.p.iu;
  } else if (i.p.range == HIPSOLVER_EIG_RANGE_V) {
    first = std::upper_bound(i.values, i.values + i.n, Real<T>(i.p.vl)) - i.values;
    end = std::upper_bound(i.values, i.values + i.n, Real<T>(i.p.vu)) - i.values;
  }
  *i.p.nev = int(end - first);
  if (first == 0)
    return;
  std::copy(i.values + first, i.values + end, i.values);
  if (i.vectors)
    copy(Array<T>{i.a.column(first), i.a.step}, i.a, i.n, end - first);
}

} // namespace

template <class T> void compute_eigenvalues(const Item<T> &i) {
  using enum Operation;
  const Operation operation = i.p.operation;
  if (!is_finite(i.a, i.n, i.n, i.uplo))
    give_up(i, i.n);
  else if (operation == sygvd || operation == sygvdx || operation == sygvj)
    decompose_generalized(i);
  else
    decompose(i);
  if (operation == syevdx || operation == sygvdx)
    select(i);
}

template void compute_eigenvalues(const Item<float> &);
template void compute_eigenvalues(const Item<double> &);
template void compute_eigenvalues(const Item<hipblas::Complex<float>> &);
template void compute_eigenvalues(const Item<hipblas::Complex<double>> &);

} // namespace hipsolver
