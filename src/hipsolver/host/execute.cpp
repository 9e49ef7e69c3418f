#include "execute.h"

#include "item.h"

namespace hipsolver {

namespace {

using enum Operation;

template <class T> void execute(const Item<T> &i) {
  switch (i.p.operation) {
  case gesv:
  case getrf:
  case getrs:
  case potrf:
  case potri:
  case potrs:
  case sytrf:
    return compute_factors(i);
  case syevd:
  case syevdx:
  case syevj:
  case sygvd:
  case sygvdx:
  case sygvj:
    return compute_eigenvalues(i);
  case gesvd:
  case gesvdj:
  case gesvda:
    return compute_singular_values(i);
  default:
    return compute_orthogonal(i);
  }
}

template <class T> void execute(const Problem &p) {
  std::fill_n(p.info, p.batch, -1); // What stays where there is no memory.
  for (int64_t index = 0; index < p.batch; ++index)
    execute(Item<T>(p, index));
}

} // namespace

void execute_on_host(const Problem &p) {
  switch (p.type) {
  case Type::f32:
    return execute<float>(p);
  case Type::f64:
    return execute<double>(p);
  case Type::c32:
    return execute<hipblas::Complex<float>>(p);
  default: // There are no others.
    return execute<hipblas::Complex<double>>(p);
  }
}

} // namespace hipsolver
