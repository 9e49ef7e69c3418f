// Systems of equations: triangular factors, solutions, inverses.
#include "item.h"

namespace hipsolver {

namespace {

using enum Operation;

/// Pivots of 32 bits, which LAPACK has, of those that the caller has.
class Pivots {
public:
  Pivots(const Problem &p, int *given, int count) : given(given) {
    if (!p.wide_pivots)
      return;
    wide = static_cast<int64_t *>(p.pivots);
    copy.assign(wide, wide + count);
  }
  operator int *() { return wide ? copy.data() : given; }
  /// When they have been computed.
  void write() const { std::copy(copy.begin(), copy.end(), wide); }

private:
  int *given;
  int64_t *wide = nullptr;
  std::vector<int> copy;
};

template <class T> void factor(const Item<T> &i) {
  if (!i.p.pivots) {
    i.info = hipblas::factor_without_pivots(i.a.data, i.a.step, i.m, i.n);
    return;
  }
  Pivots pivots(i.p, i.pivots, i.least);
  lapack<"getrf", T>(&i.m, &i.n, i.a.data, &i.a.step, static_cast<int *>(pivots), &i.info);
  pivots.write();
}

template <class T> void solve(const Item<T> &i) {
  Pivots pivots(i.p, i.pivots, i.n);
  lapack<"getrs", T>(&i.trans, &i.n, &i.k, i.a.data, &i.a.step, static_cast<int *>(pivots),
                     i.b.data, &i.b.step, &i.info);
}

template <class T> void factor_and_solve(const Item<T> &i) {
  if (i.b.data != i.c.data)
    copy(i.b, i.c, i.n, i.k);
  lapack<"gesv", T>(&i.n, &i.k, i.a.data, &i.a.step, i.pivots, i.c.data, &i.c.step, &i.info);
}

template <class T> void factor_symmetric(const Item<T> &i) {
  with_workspace<T>([&](T *workspace, int *length) {
    lapack<"sytrf", T>(&i.uplo, &i.n, i.a.data, &i.a.step, i.pivots, workspace, length, &i.info);
  });
}

} // namespace

template <class T> void compute_factors(const Item<T> &i) {
  switch (i.p.operation) {
  case getrf:
    return factor(i);
  case getrs:
    return solve(i);
  case gesv:
    return factor_and_solve(i);
  case potrf:
    return lapack<"potrf", T>(&i.uplo, &i.n, i.a.data, &i.a.step, &i.info);
  case potri:
    return lapack<"potri", T>(&i.uplo, &i.n, i.a.data, &i.a.step, &i.info);
  case potrs:
    return lapack<"potrs", T>(&i.uplo, &i.n, &i.k, i.a.data, &i.a.step, i.b.data, &i.b.step,
                              &i.info);
  default:
    return factor_symmetric(i);
  }
}

template void compute_factors(const Item<float> &);
template void compute_factors(const Item<double> &);
template void compute_factors(const Item<hipblas::Complex<float>> &);
template void compute_factors(const Item<hipblas::Complex<double>> &);

} // namespace hipsolver
