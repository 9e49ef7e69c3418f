#include "matrix_vector.h"

namespace hipblas {

template hipError_t launch_matrix_vector<float>(const Problem &, hipStream_t);
template hipError_t launch_matrix_vector<Complex<float>>(const Problem &, hipStream_t);

} // namespace hipblas
