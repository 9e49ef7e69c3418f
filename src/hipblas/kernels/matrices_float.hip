#include "matrices.h"

namespace hipblas {

template hipError_t launch_matrices<float>(const Problem &, hipStream_t);
template hipError_t launch_matrices<Complex<float>>(const Problem &, hipStream_t);

hipError_t launch_integer_product(const Problem &p, hipStream_t stream) {
  Layout a_layout, b_layout;
  a_layout.operation = p.trans_a;
  b_layout.operation = p.trans_b;
  return launch_product<int32_t>(p, {a_layout, b_layout, p.a, p.b, p.c, p.m, p.n, p.k}, stream);
}

} // namespace hipblas
