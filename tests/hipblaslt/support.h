// What the tests of hipBLASLt share: elements of all types, handles, and a product that is compared with a reference in double precision.
#pragma once

#include "../hipblas/memory.h"

#include <catch2/catch_test_macros.hpp>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime_api.h>
#include <hipblaslt/hipblaslt.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#define LT(call) REQUIRE((call) == HIPBLAS_STATUS_SUCCESS)

/// Calls `function` with a value of the type that elements have.
template <class Function> auto with_type(hipDataType type, const Function &function) {
  switch (type) {
  case HIP_R_64F:
    return function(double());
  case HIP_R_16F:
    return function(__half());
  case HIP_R_16BF:
    return function(__hip_bfloat16());
  case HIP_R_8I:
    return function(int8_t());
  case HIP_R_32I:
    return function(int32_t());
  case HIP_R_8F_E4M3:
    return function(hipblaslt_f8());
  case HIP_R_8F_E5M2:
    return function(hipblaslt_bf8());
  case HIP_R_8F_E4M3_FNUZ:
    return function(hipblaslt_f8_fnuz());
  case HIP_R_8F_E5M2_FNUZ:
    return function(hipblaslt_bf8_fnuz());
  default:
    return function(float());
  }
}

inline size_t size_of(hipDataType type) {
  return with_type(type, [](auto element) { return sizeof element; });
}

inline bool is_integer(hipDataType type) { return type == HIP_R_8I || type == HIP_R_32I; }

/// How far from a number the nearest element may be, relative to it, and the distance of the smallest ones.
struct Precision {
  double relative, absolute, largest;
};

inline Precision precision(hipDataType type) {
  switch (type) {
  case HIP_R_64F:
    return {0x1p-53, 0, 1e300};
  case HIP_R_16F:
    return {0x1p-11, 0x1p-25, 65504};
  case HIP_R_16BF:
    return {0x1p-8, 0, 3e38};
  case HIP_R_8I:
    return {0, 0.5, 127};
  case HIP_R_32I:
    return {0, 0.5, 2147483647.0};
  case HIP_R_8F_E4M3:
    return {0x1p-4, 0x1p-10, 448};
  case HIP_R_8F_E5M2:
    return {0x1p-3, 0x1p-17, 57344};
  case HIP_R_8F_E4M3_FNUZ:
    return {0x1p-4, 0x1p-11, 240};
  case HIP_R_8F_E5M2_FNUZ:
    return {0x1p-3, 0x1p-18, 57344};
  default:
    return {0x1p-24, 0, 3e38};
  }
}

/// Elements of a type that a test chooses as it runs, in the device's memory and in the host's.
class Elements {
public:
  Elements(hipDataType type, size_t count) : type(type), bytes_(count * size_of(type)) {
    HIP(hipMalloc(&device_, std::max<size_t>(1, bytes_.size())));
  }
  /// Random ones: integers between -4 and 4, or floats between -1 and 1.
  Elements(hipDataType type, size_t count, std::mt19937 &engine) : Elements(type, count) {
    std::uniform_real_distribution<double> distribution(-1, 1);
    for (size_t i = 0; i < count; ++i)
      set(i, is_integer(type) ? std::round(4 * distribution(engine)) : distribution(engine));
    upload();
  }
  ~Elements() { (void)hipFree(device_); }
  Elements(const Elements &) = delete;
  Elements &operator=(const Elements &) = delete;

  size_t count() const { return bytes_.size() / size_of(type); }
  double operator[](size_t index) const {
    return with_type(type, [&](auto element) {
      std::memcpy(&element, &bytes_.at(index * sizeof element), sizeof element);
      if constexpr (sizeof element == 8)
        return element;
      else
        return double(float(element));
    });
  }
  void set(size_t index, double value) {
    with_type(type, [&](auto element) {
      using Element = decltype(element);
      if constexpr (std::is_arithmetic_v<Element>)
        element = Element(value);
      else
        element = Element(float(value));
      std::memcpy(&bytes_.at(index * sizeof element), &element, sizeof element);
      return 0;
    });
  }
  void upload() { HIP(hipMemcpy(device_, bytes_.data(), bytes_.size(), hipMemcpyHostToDevice)); }
  void download() {
    HIP(hipDeviceSynchronize());
    HIP(hipMemcpy(bytes_.data(), device_, bytes_.size(), hipMemcpyDeviceToHost));
  }
  void *device() const { return device_; }

  const hipDataType type;

private:
  std::vector<unsigned char> bytes_;
  void *device_ = nullptr;
};

struct Handle {
  Handle() { LT(hipblasLtCreate(&value)); }
  ~Handle() { (void)hipblasLtDestroy(value); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  operator hipblasLtHandle_t() const { return value; }

  hipblasLtHandle_t value = nullptr;
};

struct Layout {
  Layout(hipDataType type, int64_t rows, int64_t columns, int64_t ld) {
    LT(hipblasLtMatrixLayoutCreate(&value, type, uint64_t(rows), uint64_t(columns), ld));
  }
  ~Layout() { (void)hipblasLtMatrixLayoutDestroy(value); }
  Layout(const Layout &) = delete;
  Layout &operator=(const Layout &) = delete;
  operator hipblasLtMatrixLayout_t() const { return value; }
  template <class T> Layout &set(hipblasLtMatrixLayoutAttribute_t name, T attribute) {
    LT(hipblasLtMatrixLayoutSetAttribute(value, name, &attribute, sizeof attribute));
    return *this;
  }

  hipblasLtMatrixLayout_t value = nullptr;
};

struct Desc {
  Desc(hipblasComputeType_t compute, hipDataType scale) {
    LT(hipblasLtMatmulDescCreate(&value, compute, scale));
  }
  ~Desc() { (void)hipblasLtMatmulDescDestroy(value); }
  Desc(const Desc &) = delete;
  Desc &operator=(const Desc &) = delete;
  operator hipblasLtMatmulDesc_t() const { return value; }
  template <class T> Desc &set(hipblasLtMatmulDescAttributes_t name, T attribute) {
    LT(hipblasLtMatmulDescSetAttribute(value, name, &attribute, sizeof attribute));
    return *this;
  }

  hipblasLtMatmulDesc_t value = nullptr;
};

struct Preference {
  Preference() { LT(hipblasLtMatmulPreferenceCreate(&value)); }
  ~Preference() { (void)hipblasLtMatmulPreferenceDestroy(value); }
  Preference(const Preference &) = delete;
  Preference &operator=(const Preference &) = delete;
  operator hipblasLtMatmulPreference_t() const { return value; }

  hipblasLtMatmulPreference_t value = nullptr;
};

/// A batch of random matrices with gaps between their columns or rows, and between the matrices.
struct Matrices {
  Matrices(hipDataType type, int64_t rows, int64_t columns, int batch, hipblasLtOrder_t order,
           std::mt19937 &engine)
      : by_rows(order == HIPBLASLT_ORDER_ROW), ld((by_rows ? columns : rows) + 3),
        stride(ld * (by_rows ? rows : columns) + 5), elements(type, size_t(stride * batch), engine),
        layout(type, rows, columns, ld) {
    layout.set(HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t(batch));
    layout.set(HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
    layout.set(HIPBLASLT_MATRIX_LAYOUT_ORDER, int32_t(order));
  }
  size_t index(int64_t row, int64_t column, int64_t batch) const {
    return size_t((by_rows ? row * ld + column : row + column * ld) + batch * stride);
  }
  double at(int64_t row, int64_t column, int64_t batch) const {
    return elements[index(row, column, batch)];
  }

  bool by_rows;
  int64_t ld, stride;
  Elements elements;
  Layout layout;
};

/// A product and all that is done with it, of random elements.
struct Case {
  hipDataType a_type = HIP_R_32F, b_type = HIP_R_32F, c_type = HIP_R_32F, d_type = HIP_R_32F;
  hipblasComputeType_t compute = HIPBLAS_COMPUTE_32F;
  hipDataType scale_type = HIP_R_32F;
  int64_t m = 37, n = 21, k = 18;
  int batch = 1;
  hipblasOperation_t op_a = HIPBLAS_OP_N, op_b = HIPBLAS_OP_N;
  hipblasLtOrder_t a_order = HIPBLASLT_ORDER_COL, b_order = HIPBLASLT_ORDER_COL;
  hipblasLtOrder_t c_order = HIPBLASLT_ORDER_COL, d_order = HIPBLASLT_ORDER_COL;
  double alpha = 2, beta = -1;
  bool in_place = false;
  hipblasLtPointerMode_t pointer_mode = HIPBLASLT_POINTER_MODE_HOST;
  hipblasLtEpilogue_t epilogue = HIPBLASLT_EPILOGUE_DEFAULT;
  hipDataType bias_type = HIPBLASLT_DATATYPE_INVALID;
  bool scales = false, scale_vectors = false, amax = false;
  bool scales_aux = false; ///< Alone; `scales` does, too.
  bool tight_aux = false;  ///< The distance of auxiliary matrices is not said.
};

/// Computes a product by hipblasLtMatmul, and requires what the reference has of all that is written.
void require_right(const Case &c);
