#include "matrices.h"

namespace hipblas {

template hipError_t launch_matrices<double>(const Problem &, hipStream_t);
template hipError_t launch_matrices<Complex<double>>(const Problem &, hipStream_t);

} // namespace hipblas
