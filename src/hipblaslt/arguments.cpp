#include "arguments.h"

#include <algorithm>
#include <cstring>

namespace hipblaslt {

size_t size_of(int type) {
  switch (type) {
  case HIP_R_64F:
    return 8;
  case HIP_R_32F:
  case HIP_R_32I:
    return 4;
  case HIP_R_16F:
  case HIP_R_16BF:
    return 2;
  default:
    return 1;
  }
}

bool is_float(int type) {
  switch (type) {
  case HIP_R_32F:
  case HIP_R_16F:
  case HIP_R_16BF:
  case HIP_R_8F_E4M3:
  case HIP_R_8F_E5M2:
  case HIP_R_8F_E4M3_FNUZ:
  case HIP_R_8F_E5M2_FNUZ:
    return true;
  default:
    return false;
  }
}

bool is_integer(int type) { return type == HIP_R_8I || type == HIP_R_32I; }

bool is_operation(int32_t operation) {
  return operation == HIPBLAS_OP_N || operation == HIPBLAS_OP_T || operation == HIPBLAS_OP_C;
}

hipblasStatus_t check(const MatrixLayout &layout) {
  if (layout.order != HIPBLASLT_ORDER_COL && layout.order != HIPBLASLT_ORDER_ROW)
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  const uint64_t line = layout.order == HIPBLASLT_ORDER_COL ? layout.rows : layout.columns;
  if (layout.rows > INT64_MAX || layout.columns > INT64_MAX || layout.ld < 0 ||
      uint64_t(layout.ld) < line || layout.batch_count < 1)
    return HIPBLAS_STATUS_INVALID_VALUE;
  return HIPBLAS_STATUS_SUCCESS;
}

Matrix matrix(const MatrixLayout &layout, const void *data) {
  const bool by_columns = layout.order == HIPBLASLT_ORDER_COL;
  return {const_cast<void *>(data), int(layout.type), by_columns ? 1 : layout.ld,
          by_columns ? layout.ld : 1, layout.batch_stride};
}

Scalar scalar(const void *pointer, int type, bool on_device) {
  Scalar result;
  result.type = type;
  if (on_device)
    result.pointer = pointer;
  else
    std::memcpy(result.bytes, pointer, size_of(type));
  return result;
}

bool is_zero(const Scalar &scalar) {
  if (scalar.pointer)
    return false;
  // A floating-point zero may have a sign, which is in the last byte.
  unsigned char bytes[sizeof scalar.bytes];
  std::ranges::copy(scalar.bytes, bytes);
  if (!is_integer(scalar.type))
    bytes[size_of(scalar.type) - 1] &= 0x7f;
  return std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; });
}

} // namespace hipblaslt
