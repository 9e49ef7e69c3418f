#include "execute.h"

#include "item.h"

namespace hipblas {

namespace {

template <class T> void execute(const Problem &p) {
  for (int64_t index = 0; index < p.batch; ++index) {
    const Item<T> item(p, index);
    if (p.operation <= Operation::swap)
      compute_vectors(item);
    else if (p.operation <= Operation::trsv)
      compute_matrix_vector(item);
    else if (p.operation <= Operation::trtri)
      compute_matrices(item);
    else
      compute_solvers(item);
  }
}

} // namespace

void execute_on_host(const Problem &p) {
  switch (p.type) {
  case Type::f32:
    return execute<float>(p);
  case Type::f64:
    return execute<double>(p);
  case Type::c32:
    return execute<Complex<float>>(p);
  case Type::c64:
    return execute<Complex<double>>(p);
  default: // The checks let nothing else through.
    for (int64_t index = 0; index < p.batch; ++index)
      compute_integer_product(p, index);
  }
}

} // namespace hipblas
