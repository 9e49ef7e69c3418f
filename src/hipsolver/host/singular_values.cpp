// Singular values, by the method of QR and by dividing and conquering.
#include "item.h"

namespace hipsolver {

namespace {

/// V is conjugate and transposed, as LAPACK has it.
template <class T> void decompose(const Item<T> &i) {
  const char u = char(i.p.jobu), v = char(i.p.jobv);
  std::vector<Real<T>> reals(is_complex_v<T> ? 5 * size_t(i.least) : 0);
  with_workspace<T>([&](T *workspace, int *length) {
    if constexpr (is_complex_v<T>)
      lapack<"gesvd", T>(&u, &v, &i.m, &i.n, i.a.data, &i.a.step, i.values, i.c.data, &i.c.step,
                         i.v.data, &i.v.step, workspace, length, reals.data(), &i.info);
    else
      lapack<"gesvd", T>(&u, &v, &i.m, &i.n, i.a.data, &i.a.step, i.values, i.c.data, &i.c.step,
                         i.v.data, &i.v.step, workspace, length, &i.info);
    if (*length < 0 || !i.p.rwork || i.least < 2)
      return;
    // What has not become 0 beside the diagonal, which is nothing where all values have been found.
    Real<T> *const rest = static_cast<Real<T> *>(i.p.rwork);
    if (i.info == 0)
      std::fill_n(rest, i.least - 1, Real<T>(0));
    else if constexpr (is_complex_v<T>)
      std::copy_n(reals.data(), i.least - 1, rest);
    else
      std::copy_n(workspace + 1, i.least - 1, rest);
  });
}

/// LAPACK's function that divides and conquers, which gives V conjugate and transposed: `columns` columns of V are written.
template <class T>
void divide(const Item<T> &i, char job, Array<T> a, Real<T> *values, Array<T> u, int columns) {
  const size_t least = size_t(i.least), most = size_t(std::max(i.m, i.n));
  const int rows = job == 'N' ? 1 : std::max(1, job == 'A' ? i.n : i.least);
  std::vector<T> transposed(job == 'N' ? 1 : size_t(rows) * size_t(i.n));
  std::vector<int> integers(8 * least);
  std::vector<Real<T>> reals;
  if (is_complex_v<T>)
    reals.resize(job == 'N'
                     ? 7 * least
                     : std::max(5 * least * (least + 1), least * (2 * most + 2 * least + 1)));
  with_workspace<T>([&](T *workspace, int *length) {
    if constexpr (is_complex_v<T>)
      lapack<"gesdd", T>(&job, &i.m, &i.n, a.data, &a.step, values, u.data, &u.step,
                         transposed.data(), &rows, workspace, length, reals.data(), integers.data(),
                         &i.info);
    else
      lapack<"gesdd", T>(&job, &i.m, &i.n, a.data, &a.step, values, u.data, &u.step,
                         transposed.data(), &rows, workspace, length, integers.data(), &i.info);
  });
  if (job == 'N' || i.least == 0) // LAPACK has written nothing.
    return;
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t row = 0; row < i.n; ++row)
      i.v.column(j)[row] = hipblas::conj(transposed[size_t(j + row * rows)]);
}

/// The largest singular values only, and the matrix stays as it is.
template <class T> void approximate(const Item<T> &i) {
  const int rows = std::max(1, i.m);
  std::vector<T> elements(size_t(rows) * size_t(i.n));
  std::vector<T> left(i.vectors ? size_t(rows) * size_t(i.least) : 0);
  std::vector<Real<T>> values(static_cast<size_t>(i.least));
  const Array<T> a{elements.data(), rows}, u{left.data(), rows};
  copy(i.a, a, i.m, i.n);
  const int64_t rank = i.p.rank;
  divide(i, i.vectors ? 'S' : 'N', a, values.data(), u, int(rank));
  std::copy_n(values.data(), rank, i.values);
  if (i.vectors)
    copy(u, i.c, i.m, rank);
}

} // namespace

template <class T> void compute_singular_values(const Item<T> &i) {
  if (!is_finite(i.a, i.m, i.n))
    return give_up(i, i.p.operation == Operation::gesvda ? i.p.rank : i.least);
  switch (i.p.operation) {
  case Operation::gesvd:
    return decompose(i);
  case Operation::gesvdj: {
    const bool all = !i.p.econ;
    return divide(i, !i.vectors ? 'N' : all ? 'A' : 'S', i.a, i.values, i.c, all ? i.n : i.least);
  }
  default:
    return approximate(i);
  }
}

template void compute_singular_values(const Item<float> &);
template void compute_singular_values(const Item<double> &);
template void compute_singular_values(const Item<hipblas::Complex<float>> &);
template void compute_singular_values(const Item<hipblas::Complex<double>> &);

} // namespace hipsolver
