#include "launch.h"

namespace hipblas {

namespace {

template <class T> hipError_t launch_for(const Problem &p, hipStream_t stream) {
  if (p.operation <= Operation::swap)
    return launch_vectors<T>(p, stream);
  if (p.operation <= Operation::trsv)
    return launch_matrix_vector<T>(p, stream);
  if (p.operation <= Operation::trtri)
    return launch_matrices<T>(p, stream);
  return hipErrorNotSupported;
}

} // namespace

hipError_t launch(const Problem &p, hipStream_t stream) {
  switch (p.type) {
  case Type::f32:
    return launch_for<float>(p, stream);
  case Type::f64:
    return launch_for<double>(p, stream);
  case Type::c32:
    return launch_for<Complex<float>>(p, stream);
  case Type::c64:
    return launch_for<Complex<double>>(p, stream);
  case Type::i32:
    return launch_integer_product(p, stream);
  default:
    return hipErrorNotSupported;
  }
}

} // namespace hipblas
