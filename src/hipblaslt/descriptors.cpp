#include "descriptors.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace hipblaslt {

namespace {

/// Where a descriptor has an attribute. There is none where `data` is null.
struct Attribute {
  void *data = nullptr;
  size_t size = 0;

  Attribute() = default;
  template <class T> Attribute(T &member) : data(&member), size(sizeof(T)) {}
};

Attribute attribute(MatrixLayout &layout, hipblasLtMatrixLayoutAttribute_t name) {
  switch (name) {
  case HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return layout.batch_count;
  case HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return layout.batch_stride;
  case HIPBLASLT_MATRIX_LAYOUT_TYPE:
    return layout.type;
  case HIPBLASLT_MATRIX_LAYOUT_ORDER:
    return layout.order;
  case HIPBLASLT_MATRIX_LAYOUT_ROWS:
    return layout.rows;
  case HIPBLASLT_MATRIX_LAYOUT_COLS:
    return layout.columns;
  case HIPBLASLT_MATRIX_LAYOUT_LD:
    return layout.ld;
  }
  return {};
}

Attribute attribute(MatmulDesc &desc, hipblasLtMatmulDescAttributes_t name) {
  switch (name) {
  case HIPBLASLT_MATMUL_DESC_TRANSA:
    return desc.trans_a;
  case HIPBLASLT_MATMUL_DESC_TRANSB:
    return desc.trans_b;
  case HIPBLASLT_MATMUL_DESC_EPILOGUE:
    return desc.epilogue;
  case HIPBLASLT_MATMUL_DESC_BIAS_POINTER:
    return desc.bias;
  case HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return desc.bias_type;
  case HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return desc.a_scale;
  case HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return desc.b_scale;
  case HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return desc.c_scale;
  case HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return desc.d_scale;
  case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER:
    return desc.aux_scale;
  case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return desc.aux;
  case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return desc.aux_ld;
  case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return desc.aux_batch_stride;
  case HIPBLASLT_MATMUL_DESC_POINTER_MODE:
    return desc.pointer_mode;
  case HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return desc.amax_d;
  case HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_A_EXT:
    return desc.input_type_a;
  case HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_B_EXT:
    return desc.input_type_b;
  case HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT:
    return desc.a_scales;
  case HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT:
    return desc.b_scales;
  case HIPBLASLT_MATMUL_DESC_MAX:
    break;
  }
  return {};
}

Attribute attribute(MatmulPreference &preference, hipblasLtMatmulPreferenceAttributes_t name) {
  switch (name) {
  case HIPBLASLT_MATMUL_PREF_SEARCH_MODE:
    return preference.search_mode;
  case HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    return preference.max_workspace_bytes;
  case HIPBLASLT_MATMUL_PREF_MAX:
    break;
  }
  return {};
}

Attribute attribute(TransformDesc &desc, hipblasLtMatrixTransformDescAttributes_t name) {
  switch (name) {
  case HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
    return desc.scale_type;
  case HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
    return desc.pointer_mode;
  case HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
    return desc.trans_a;
  case HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
    return desc.trans_b;
  }
  return {};
}

template <class Handle, class Name>
hipblasStatus_t set(Handle handle, Name name, const void *value, size_t size) {
  if (!handle || !value)
    return HIPBLAS_STATUS_INVALID_VALUE;
  const Attribute found = attribute(*from(handle), name);
  if (!found.data || size < found.size)
    return HIPBLAS_STATUS_INVALID_VALUE;
  std::memcpy(found.data, value, found.size);
  return HIPBLAS_STATUS_SUCCESS;
}

template <class Handle, class Name>
hipblasStatus_t get(Handle handle, Name name, void *value, size_t size, size_t *written) {
  if (!handle || (size == 0 && !written) || (size != 0 && !value))
    return HIPBLAS_STATUS_INVALID_VALUE;
  const Attribute found = attribute(*from(handle), name);
  if (!found.data || (size != 0 && size < found.size))
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (size != 0)
    std::memcpy(value, found.data, found.size);
  if (written)
    *written = found.size;
  return HIPBLAS_STATUS_SUCCESS;
}

/// Makes what a handle points to. `handle` is where the caller wants the handle.
template <class T, class Handle> hipblasStatus_t create(Handle *handle, const T &value) {
  if (!handle)
    return HIPBLAS_STATUS_INVALID_VALUE;
  T *const made = new (std::nothrow) T(value);
  if (!made)
    return HIPBLAS_STATUS_ALLOC_FAILED;
  *handle = reinterpret_cast<Handle>(made);
  return HIPBLAS_STATUS_SUCCESS;
}

template <class Handle> hipblasStatus_t destroy(Handle handle) {
  if (!handle)
    return HIPBLAS_STATUS_INVALID_VALUE;
  delete from(handle);
  return HIPBLAS_STATUS_SUCCESS;
}

} // namespace

} // namespace hipblaslt

using namespace hipblaslt;

extern "C" {

hipblasStatus_t hipblasLtGetVersion(hipblasLtHandle_t handle, int *version) {
  if (!handle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!version)
    return HIPBLAS_STATUS_INVALID_VALUE;
  *version =
      HIPBLASLT_VERSION_MAJOR * 100000 + HIPBLASLT_VERSION_MINOR * 100 + HIPBLASLT_VERSION_PATCH;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtGetGitRevision(hipblasLtHandle_t handle, char *rev) {
  if (!handle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!rev)
    return HIPBLAS_STATUS_INVALID_VALUE;
  std::snprintf(rev, 16, "%d.%d.%d", HIPBLASLT_VERSION_MAJOR, HIPBLASLT_VERSION_MINOR,
                HIPBLASLT_VERSION_PATCH);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtGetArchName(char **archName) {
  if (!archName)
    return HIPBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  hipDeviceProp_t properties{};
  if (hipGetDevice(&device) != hipSuccess ||
      hipGetDeviceProperties(&properties, device) != hipSuccess)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  *archName = strdup(properties.gcnArchName);
  return *archName ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_ALLOC_FAILED;
}

hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t *handle) {
  int device = 0;
  if (handle && hipGetDevice(&device) != hipSuccess)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  return create<Handle>(handle, {});
}

hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle) {
  if (!handle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  delete static_cast<Handle *>(handle);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t *matLayout, hipDataType type,
                                            uint64_t rows, uint64_t cols, int64_t ld) {
  MatrixLayout layout;
  layout.type = uint32_t(type);
  layout.rows = rows;
  layout.columns = cols;
  layout.ld = ld;
  return create(matLayout, layout);
}

hipblasStatus_t hipblasLtMatrixLayoutDestroy(const hipblasLtMatrixLayout_t matLayout) {
  return destroy(matLayout);
}

hipblasStatus_t hipblasLtMatrixLayoutSetAttribute(hipblasLtMatrixLayout_t matLayout,
                                                  hipblasLtMatrixLayoutAttribute_t attr,
                                                  const void *buf, size_t sizeInBytes) {
  return set(matLayout, attr, buf, sizeInBytes);
}

hipblasStatus_t hipblasLtMatrixLayoutGetAttribute(hipblasLtMatrixLayout_t matLayout,
                                                  hipblasLtMatrixLayoutAttribute_t attr, void *buf,
                                                  size_t sizeInBytes, size_t *sizeWritten) {
  return get(matLayout, attr, buf, sizeInBytes, sizeWritten);
}

hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t *matmulDesc,
                                          hipblasComputeType_t computeType, hipDataType scaleType) {
  MatmulDesc desc;
  desc.compute_type = computeType;
  desc.scale_type = scaleType;
  return create(matmulDesc, desc);
}

hipblasStatus_t hipblasLtMatmulDescDestroy(const hipblasLtMatmulDesc_t matmulDesc) {
  return destroy(matmulDesc);
}

hipblasStatus_t hipblasLtMatmulDescSetAttribute(hipblasLtMatmulDesc_t matmulDesc,
                                                hipblasLtMatmulDescAttributes_t attr,
                                                const void *buf, size_t sizeInBytes) {
  const hipblasStatus_t status = set(matmulDesc, attr, buf, sizeInBytes);
  if (status)
    return status;
  // A scale, or one for each row or column: what was set last.
  MatmulDesc &desc = *from(matmulDesc);
  if (attr == HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER)
    desc.a_scales = nullptr;
  else if (attr == HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT)
    desc.a_scale = nullptr;
  else if (attr == HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER)
    desc.b_scales = nullptr;
  else if (attr == HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT)
    desc.b_scale = nullptr;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtMatmulDescGetAttribute(hipblasLtMatmulDesc_t matmulDesc,
                                                hipblasLtMatmulDescAttributes_t attr, void *buf,
                                                size_t sizeInBytes, size_t *sizeWritten) {
  return get(matmulDesc, attr, buf, sizeInBytes, sizeWritten);
}

hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t *pref) {
  return create<MatmulPreference>(pref, {});
}

hipblasStatus_t hipblasLtMatmulPreferenceDestroy(const hipblasLtMatmulPreference_t pref) {
  return destroy(pref);
}

hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(hipblasLtMatmulPreference_t pref,
                                                      hipblasLtMatmulPreferenceAttributes_t attr,
                                                      const void *buf, size_t sizeInBytes) {
  return set(pref, attr, buf, sizeInBytes);
}

hipblasStatus_t hipblasLtMatmulPreferenceGetAttribute(hipblasLtMatmulPreference_t pref,
                                                      hipblasLtMatmulPreferenceAttributes_t attr,
                                                      void *buf, size_t sizeInBytes,
                                                      size_t *sizeWritten) {
  return get(pref, attr, buf, sizeInBytes, sizeWritten);
}

hipblasStatus_t hipblasLtMatrixTransformDescCreate(hipblasLtMatrixTransformDesc_t *transformDesc,
                                                   hipDataType scaleType) {
  TransformDesc desc;
  desc.scale_type = scaleType;
  return create(transformDesc, desc);
}

hipblasStatus_t hipblasLtMatrixTransformDescDestroy(hipblasLtMatrixTransformDesc_t transformDesc) {
  return destroy(transformDesc);
}

hipblasStatus_t
hipblasLtMatrixTransformDescSetAttribute(hipblasLtMatrixTransformDesc_t transformDesc,
                                         hipblasLtMatrixTransformDescAttributes_t attr,
                                         const void *buf, size_t sizeInBytes) {
  return set(transformDesc, attr, buf, sizeInBytes);
}

hipblasStatus_t
hipblasLtMatrixTransformDescGetAttribute(hipblasLtMatrixTransformDesc_t transformDesc,
                                         hipblasLtMatrixTransformDescAttributes_t attr, void *buf,
                                         size_t sizeInBytes, size_t *sizeWritten) {
  return get(transformDesc, attr, buf, sizeInBytes, sizeWritten);
}
}
