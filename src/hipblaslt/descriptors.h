// What the handles of hipBLASLt point to.
#pragma once

#include <hipblaslt/hipblaslt.h>

#include <cstdint>

namespace hipblaslt {

struct Handle {};

struct MatrixLayout {
  uint32_t type = 0;
  uint64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int32_t order = HIPBLASLT_ORDER_COL;
  int32_t batch_count = 1;
  int64_t batch_stride = 0;
};

struct MatmulDesc {
  hipblasComputeType_t compute_type{};
  hipDataType scale_type{};
  int32_t trans_a = HIPBLAS_OP_N, trans_b = HIPBLAS_OP_N;
  uint32_t epilogue = HIPBLASLT_EPILOGUE_DEFAULT;
  int32_t pointer_mode = HIPBLASLT_POINTER_MODE_HOST;
  void *bias = nullptr;
  int32_t bias_type = HIPBLASLT_DATATYPE_INVALID;
  const void *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr;
  const void *a_scales = nullptr,
             *b_scales = nullptr; ///< For each row of op(A), each column of op(B).
  void *amax_d = nullptr;
  void *aux = nullptr;
  const void *aux_scale = nullptr;
  int64_t aux_ld = 0, aux_batch_stride = 0;
  int32_t input_type_a = HIPBLASLT_DATATYPE_INVALID, input_type_b = HIPBLASLT_DATATYPE_INVALID;
};

struct MatmulPreference {
  uint32_t search_mode = 0;
  uint64_t max_workspace_bytes = 0;
};

struct TransformDesc {
  int32_t scale_type{};
  int32_t pointer_mode = HIPBLASLT_POINTER_MODE_HOST;
  int32_t trans_a = HIPBLAS_OP_N, trans_b = HIPBLAS_OP_N;
};

// What a handle of the interface points to.
inline MatrixLayout *from(hipblasLtMatrixLayout_t handle) {
  return reinterpret_cast<MatrixLayout *>(handle);
}
inline MatmulDesc *from(hipblasLtMatmulDesc_t handle) {
  return reinterpret_cast<MatmulDesc *>(handle);
}
inline MatmulPreference *from(hipblasLtMatmulPreference_t handle) {
  return reinterpret_cast<MatmulPreference *>(handle);
}
inline TransformDesc *from(hipblasLtMatrixTransformDesc_t handle) {
  return reinterpret_cast<TransformDesc *>(handle);
}

} // namespace hipblaslt
