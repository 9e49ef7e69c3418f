#pragma once

#include "../elements.h"

#include <hip/hip_runtime_api.h>

namespace hipblas {

/// Has kernels compute a problem in the order of a stream, where `p.result` is in the device's memory. Factorisations have none:
/// hipErrorNotSupported.
hipError_t launch(const Problem &p, hipStream_t stream);

// Those of one level, each for what is computed in.
template <class T> hipError_t launch_vectors(const Problem &p, hipStream_t stream);
template <class T> hipError_t launch_matrix_vector(const Problem &p, hipStream_t stream);
template <class T> hipError_t launch_matrices(const Problem &p, hipStream_t stream);
hipError_t launch_integer_product(const Problem &p, hipStream_t stream);

} // namespace hipblas
