// Orthogonal factors, and what is reduced or solved with them.
#include "item.h"

namespace hipsolver {

namespace {

using enum Operation;

template <class T> void solve_least_squares(const Item<T> &i) {
  // The solution and the right-hand side share memory, which has the rows of the longer one.
  const int rows = std::max({1, i.m, i.n});
  std::vector<T> elements(size_t(rows) * size_t(std::max(1, i.k)));
  const Array<T> both{elements.data(), rows};
  copy(i.b, both, i.m, i.k);
  const char trans = 'N';
  with_workspace<T>([&](T *workspace, int *length) {
    lapack<"gels", T>(&trans, &i.m, &i.n, &i.k, i.a.data, &i.a.step, both.data, &both.step,
                      workspace, length, &i.info);
  });
  copy(both, i.c, i.n, i.k);
}

template <class T> void call(const Item<T> &i, T *workspace, int *length) {
  switch (i.p.operation) {
  case orgbr: {
    const char which = i.side == 'L' ? 'Q' : 'P';
    return lapack_of<"orgbr", "ungbr", T>(&which, &i.m, &i.n, &i.k, i.a.data, &i.a.step, i.tau,
                                          workspace, length, &i.info);
  }
  case orgqr:
    return lapack_of<"orgqr", "ungqr", T>(&i.m, &i.n, &i.k, i.a.data, &i.a.step, i.tau, workspace,
                                          length, &i.info);
  case orgtr:
    return lapack_of<"orgtr", "ungtr", T>(&i.uplo, &i.n, i.a.data, &i.a.step, i.tau, workspace,
                                          length, &i.info);
  case ormqr:
    return lapack_of<"ormqr", "unmqr", T>(&i.side, &i.trans, &i.m, &i.n, &i.k, i.a.data, &i.a.step,
                                          i.tau, i.c.data, &i.c.step, workspace, length, &i.info);
  case ormtr:
    return lapack_of<"ormtr", "unmtr", T>(&i.side, &i.uplo, &i.trans, &i.m, &i.n, i.a.data,
                                          &i.a.step, i.tau, i.c.data, &i.c.step, workspace, length,
                                          &i.info);
  case gebrd:
    return lapack<"gebrd", T>(&i.m, &i.n, i.a.data, &i.a.step, i.values, i.e, i.tau,
                              static_cast<T *>(i.p.taup), workspace, length, &i.info);
  case geqrf:
    return lapack<"geqrf", T>(&i.m, &i.n, i.a.data, &i.a.step, i.tau, workspace, length, &i.info);
  default: // sytrd
    return lapack_of<"sytrd", "hetrd", T>(&i.uplo, &i.n, i.a.data, &i.a.step, i.values, i.e, i.tau,
                                          workspace, length, &i.info);
  }
}

} // namespace

template <class T> void compute_orthogonal(const Item<T> &i) {
  if (i.p.operation == gels)
    return solve_least_squares(i);
  with_workspace<T>([&](T *workspace, int *length) { call(i, workspace, length); });
}

template void compute_orthogonal(const Item<float> &);
template void compute_orthogonal(const Item<double> &);
template void compute_orthogonal(const Item<hipblas::Complex<float>> &);
template void compute_orthogonal(const Item<hipblas::Complex<double>> &);

} // namespace hipsolver
