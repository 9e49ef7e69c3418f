#pragma once

#include "problem.h"

#include <hipblas/hipblas.h>

namespace hipblas {

struct Verdict {
  hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;
  bool nothing_to_do = false;  ///< The call ends with `status`.
  bool result_is_zero = false; ///< Nothing is computed, but the result is written.
};

/// Holds the arguments to AMD's documentation: sizes are not negative, matrices have room for their rows, what is read and
/// written is not null. Reads scalars that are on the host.
Verdict check(const Problem &problem);

/// Whether all sizes, leading dimensions and increments are integers of 32 bits, as BLAS for the host has them.
bool fits_blas(const Problem &problem);

} // namespace hipblas
