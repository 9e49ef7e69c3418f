#include "vectors.h"

namespace hipblas {

template hipError_t launch_vectors<float>(const Problem &, hipStream_t);
template hipError_t launch_vectors<Complex<float>>(const Problem &, hipStream_t);

} // namespace hipblas
