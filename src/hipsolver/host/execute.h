#pragma once

#include "../problem.h"

namespace hipsolver {

/// Computes a problem, all of its batch, on the calling thread and those of the system's LAPACK. All that it names is in the host's
/// reach.
void execute_on_host(const Problem &problem);

} // namespace hipsolver
