#include "../rotations.h"
#include "blas_library.h"
#include "item.h"

namespace hipblas {

namespace {

/// From 1 on: the first element that `better` prefers to all others.
template <class T, class Better> int64_t index_of(Array<T> x, int n, const Better &better) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i)
    if (better(size(x.data[i * x.step]), size(x.data[best * x.step])))
      best = i;
  return best + 1;
}

/// Functions of BLAS that return complex numbers do so in more than one way.
template <class T> T dot(Array<T> x, Array<T> y, int n, bool conjugated) {
  if constexpr (!is_complex_v<T>) {
    return blas<"dot", T, T>(&n, x.data, &x.step, y.data, &y.step);
  } else {
    T sum(0);
    const int64_t first_x = first_of(n, x.step), first_y = first_of(n, y.step);
    for (int64_t i = 0; i < n; ++i)
      sum += conj_if(conjugated, x.data[first_x + i * x.step]) * y.data[first_y + i * y.step];
    return sum;
  }
}

template <class T> void rotate(Array<T> x, Array<T> y, int n, Real<T> c, T s) {
  if constexpr (!is_complex_v<T>) {
    blas<"rot", T>(&n, x.data, &x.step, y.data, &y.step, &c, &s);
  } else {
    const int64_t first_x = first_of(n, x.step), first_y = first_of(n, y.step);
    for (int64_t i = 0; i < n; ++i) {
      T &a = x.data[first_x + i * x.step], &b = y.data[first_y + i * y.step];
      const T rotated = T(c) * a + s * b;
      b = T(c) * b - conj(s) * a;
      a = rotated;
    }
  }
}

template <class T> void rotate_modified(const Item<T> &item) {
  if constexpr (!is_complex_v<T>) {
    const auto *own = reinterpret_cast<const T *>(item.p.parameters);
    blas<"rotm", T>(&item.n, item.x.data, &item.x.step, item.y.data, &item.y.step,
                    static_cast<const T *>(item.a.data ? item.a.data : own));
  }
}

/// BLAS has other names for sums of real parts of complex numbers.
template <class T> Real<T> sum_of_sizes(Array<T> x, int n) {
  using R = Real<T>;
  if constexpr (!is_complex_v<T>)
    return blas<"asum", T, R>(&n, x.data, &x.step);
  else
    return blas<(sizeof(R) == 4 ? Name("casum") : Name("zasum")), R, R>(&n, x.data, &x.step);
}

template <class T> Real<T> norm(Array<T> x, int n) {
  using R = Real<T>;
  if constexpr (!is_complex_v<T>)
    return blas<"nrm2", T, R>(&n, x.data, &x.step);
  else
    return blas<(sizeof(R) == 4 ? Name("cnrm2") : Name("znrm2")), R, R>(&n, x.data, &x.step);
}

} // namespace

template <class T> void compute_vectors(const Item<T> &item) {
  using enum Operation;
  const Problem &p = item.p;
  if (p.operation == rotg || p.operation == rotmg)
    return make_rotation<T>(p, item.index);
  const bool writes_x =
      p.operation == rot || p.operation == rotm || p.operation == scal || p.operation == swap;
  const bool writes_y = writes_x || p.operation == axpy || p.operation == copy;
  const Vector<T> x_elements(p, p.x, item.index, p.n, writes_x);
  if (p.operation == scal || p.operation == asum || p.operation == nrm2 || p.operation == iamax ||
      p.operation == iamin) {
    Array<T> x = x_elements.array;
    switch (p.operation) {
    case scal:
      return blas<"scal", T>(&item.n, &item.alpha, x.data, &x.step);
    case asum:
      return item.set_result(sum_of_sizes(x, item.n));
    case nrm2:
      return item.set_result(norm(x, item.n));
    case iamax:
      return item.set_result(double(index_of(x, item.n, [](auto a, auto b) { return a > b; })));
    default:
      return item.set_result(double(index_of(x, item.n, [](auto a, auto b) { return a < b; })));
    }
  }
  const Vector<T> y_elements(p, p.y, item.index, p.n, writes_y);
  Array<T> x = x_elements.array, y = y_elements.array;
  switch (p.operation) {
  case axpy:
    return blas<"axpy", T>(&item.n, &item.alpha, x.data, &x.step, y.data, &y.step);
  case copy:
    return blas<"copy", T>(&item.n, x.data, &x.step, y.data, &y.step);
  case swap:
    return blas<"swap", T>(&item.n, x.data, &x.step, y.data, &y.step);
  case dot:
  case dotu:
    return item.set_result(hipblas::dot(x, y, item.n, false));
  case dotc:
    return item.set_result(hipblas::dot(x, y, item.n, true));
  case rot:
    return rotate(x, y, item.n, real(item.alpha), item.beta);
  default:
    return rotate_modified(item);
  }
}

template void compute_vectors(const Item<float> &);
template void compute_vectors(const Item<double> &);
template void compute_vectors(const Item<Complex<float>> &);
template void compute_vectors(const Item<Complex<double>> &);

} // namespace hipblas
