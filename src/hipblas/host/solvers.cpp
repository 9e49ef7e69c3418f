#include "factor.h"
#include "item.h"

#include <algorithm>
#include <numeric>

namespace hipblas {

namespace {

using enum Operation;

/// The pivots of a problem, or in `none` those that exchange nothing.
int *pivots_of(const Problem &p, int64_t index, std::vector<int> &none) {
  if (p.pivots.data)
    return p.pivots.data + index * (p.kind == Kind::strided ? p.pivots.stride : p.n);
  none.resize(size_t(p.n));
  std::iota(none.begin(), none.end(), 1);
  return none.data();
}

template <class T> void factor(const Item<T> &i) {
  int &info = i.p.info[i.index];
  std::vector<int> none;
  if (!i.p.pivots.data)
    info = factor_without_pivots(i.a.data, i.a.step, i.n, i.n);
  else
    lapack<"getrf", T>(&i.n, &i.n, i.a.data, &i.a.step, pivots_of(i.p, i.index, none), &info);
}

template <class T> void solve(const Item<T> &i) {
  int info = 0;
  std::vector<int> none;
  int *const pivots = pivots_of(i.p, i.index, none);
  lapack<"getrs", T>(&i.trans_a, &i.n, &i.k, i.a.data, &i.a.step, pivots, i.b.data, &i.b.step,
                     &info);
}

template <class T> void invert(const Item<T> &i) {
  for (int64_t column = 0; column < i.n; ++column)
    std::copy_n(i.a.data + column * i.a.step, i.n, i.c.data + column * i.c.step);
  std::vector<int> none;
  int *const pivots = pivots_of(i.p, i.index, none);
  with_workspace<T>([&](T *workspace, int *length) {
    lapack<"getri", T>(&i.n, i.c.data, &i.c.step, pivots, workspace, length, &i.p.info[i.index]);
  });
}

template <class T> void factor_orthogonal(const Item<T> &i) {
  int info = 0;
  with_workspace<T>([&](T *workspace, int *length) {
    lapack<"geqrf", T>(&i.m, &i.n, i.a.data, &i.a.step, i.x.data, workspace, length, &info);
  });
}

template <class T> void solve_least_squares(const Item<T> &i) {
  with_workspace<T>([&](T *workspace, int *length) {
    lapack<"gels", T>(&i.trans_a, &i.m, &i.n, &i.k, i.a.data, &i.a.step, i.b.data, &i.b.step,
                      workspace, length, &i.p.device_info[i.index]);
  });
}

} // namespace

template <class T> void compute_solvers(const Item<T> &i) {
  switch (i.p.operation) {
  case getrf:
    return factor(i);
  case getrs:
    return solve(i);
  case getri:
    return invert(i);
  case geqrf:
    return factor_orthogonal(i);
  default:
    return solve_least_squares(i);
  }
}

template void compute_solvers(const Item<float> &);
template void compute_solvers(const Item<double> &);
template void compute_solvers(const Item<Complex<float>> &);
template void compute_solvers(const Item<Complex<double>> &);

} // namespace hipblas
