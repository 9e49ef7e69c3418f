// What the bodies that generate.py makes use.
#pragma once

#include "../problem.h"
#include "../run.h"

#include <hipblas/hipblas.h>

namespace hipblas {

/// Of hipDataType or hipblasDatatype_t, whose values differ; `none` for those that no function takes.
Type type_of(int type);

/// What a product of matrices computes in, and what its scalars are.
void set_compute_type(Problem &problem, hipblasComputeType_t type);
void set_compute_type(Problem &problem, hipblasDatatype_t type);

} // namespace hipblas
