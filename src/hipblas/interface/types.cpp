#include "entry_points.h"

namespace hipblas {

namespace {

void set_type(Problem &problem, Type type) {
  // Halves are summed in halves only where there is nothing else.
  if (type == Type::f16 &&
      (problem.a.type != type || problem.b.type != type || problem.c.type != type))
    type = Type::none;
  problem.alpha.type = problem.beta.type = type;
  problem.type = arithmetic(type);
}

} // namespace

Type type_of(int type) {
  switch (type) {
  case HIPBLAS_R_16F:
  case HIP_R_16F:
    return Type::f16;
  case HIPBLAS_R_16B:
  case HIP_R_16BF:
    return Type::bf16;
  case HIPBLAS_R_32F:
  case HIP_R_32F:
    return Type::f32;
  case HIPBLAS_R_64F:
  case HIP_R_64F:
    return Type::f64;
  case HIPBLAS_C_32F:
  case HIP_C_32F:
    return Type::c32;
  case HIPBLAS_C_64F:
  case HIP_C_64F:
    return Type::c64;
  case HIPBLAS_R_8I:
  case HIP_R_8I:
    return Type::i8;
  case HIPBLAS_R_32I:
  case HIP_R_32I:
    return Type::i32;
  default:
    return Type::none;
  }
}

void set_compute_type(Problem &problem, hipblasDatatype_t type) {
  set_type(problem, type_of(type));
}

void set_compute_type(Problem &problem, hipblasComputeType_t type) {
  const bool complex = is_complex(problem.c.type);
  switch (type) {
  case HIPBLAS_COMPUTE_16F:
  case HIPBLAS_COMPUTE_16F_PEDANTIC:
    return set_type(problem, Type::f16);
  case HIPBLAS_COMPUTE_32F:
  case HIPBLAS_COMPUTE_32F_PEDANTIC:
  case HIPBLAS_COMPUTE_32F_FAST_16F:
  case HIPBLAS_COMPUTE_32F_FAST_16BF:
  case HIPBLAS_COMPUTE_32F_FAST_TF32:
    return set_type(problem, complex ? Type::c32 : Type::f32);
  case HIPBLAS_COMPUTE_64F:
  case HIPBLAS_COMPUTE_64F_PEDANTIC:
    return set_type(problem, complex ? Type::c64 : Type::f64);
  case HIPBLAS_COMPUTE_32I:
  case HIPBLAS_COMPUTE_32I_PEDANTIC:
    return set_type(problem, Type::i32);
  default:
    return set_type(problem, Type::none);
  }
}

} // namespace hipblas
