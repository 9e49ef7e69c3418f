#include "vectors.h"

namespace hipblas {

template hipError_t launch_vectors<double>(const Problem &, hipStream_t);
template hipError_t launch_vectors<Complex<double>>(const Problem &, hipStream_t);

} // namespace hipblas
