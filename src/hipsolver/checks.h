#pragma once

#include "problem.h"

namespace hipsolver {

/// Holds the arguments to AMD's documentation: what is asked for is known, sizes are not negative and go together, matrices have
/// room for their rows, and, where `with_data`, what is read and written is not null.
hipsolverStatus_t check(const Problem &problem, bool with_data);

/// Whether all sizes are integers of 32 bits, as LAPACK has them.
bool fits_lapack(const Problem &problem);

} // namespace hipsolver
