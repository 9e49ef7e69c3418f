// What products and transformations share: which arguments can be, and where elements are.
#pragma once

#include "../hipblas/status.h"
#include "descriptors.h"
#include "work.h"

namespace hipblaslt {

using hipblas::status_of;

/// Bytes of an element.
size_t size_of(int type);

/// Whether a type is of floats that are computed with as `float`.
bool is_float(int type);
bool is_integer(int type);

bool is_operation(int32_t operation);

/// Whether a matrix can be as its layout says.
hipblasStatus_t check(const MatrixLayout &layout);

Matrix matrix(const MatrixLayout &layout, const void *data);

/// A number that is read now, unless it is on the device.
Scalar scalar(const void *pointer, int type, bool on_device);

/// Queues kernels that compute in the type of alpha and beta.
template <class Work> hipError_t launch_for(int scale_type, const Work &work, hipStream_t stream) {
  if (scale_type == HIP_R_64F)
    return launch<double>(work, stream);
  return scale_type == HIP_R_32I ? launch<int32_t>(work, stream) : launch<float>(work, stream);
}

} // namespace hipblaslt
