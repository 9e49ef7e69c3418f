#include "support.h"

#include <algorithm>

namespace {

struct Transform {
  Transform(hipDataType scale_type) { LT(hipblasLtMatrixTransformDescCreate(&value, scale_type)); }
  ~Transform() { (void)hipblasLtMatrixTransformDescDestroy(value); }
  Transform(const Transform &) = delete;
  Transform &operator=(const Transform &) = delete;
  operator hipblasLtMatrixTransformDesc_t() const { return value; }
  void set(hipblasLtMatrixTransformDescAttributes_t name, int32_t attribute) {
    LT(hipblasLtMatrixTransformDescSetAttribute(value, name, &attribute, sizeof attribute));
  }

  hipblasLtMatrixTransformDesc_t value = nullptr;
};

/// Requires C = alpha op(A) + beta op(B) of random matrices.
void require_transformed(hipDataType a_type, hipDataType c_type, hipDataType scale_type,
                         hipblasOperation_t op_a, hipblasOperation_t op_b, hipblasLtOrder_t order_a,
                         hipblasLtOrder_t order_c) {
  constexpr int64_t rows = 37, columns = 19;
  constexpr int batch = 2;
  std::mt19937 engine{7};
  const bool a_plain = op_a == HIPBLAS_OP_N, b_plain = op_b == HIPBLAS_OP_N;
  Matrices a(a_type, a_plain ? rows : columns, a_plain ? columns : rows, batch, order_a, engine);
  Matrices b(c_type, b_plain ? rows : columns, b_plain ? columns : rows, batch, HIPBLASLT_ORDER_COL,
             engine);
  Matrices c(c_type, rows, columns, batch, order_c, engine);
  const Handle handle;
  Transform transform(scale_type);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, op_a);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, op_b);
  Elements factors(scale_type, 2);
  factors.set(0, 3);
  factors.set(1, -2);
  factors.upload();
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, HIPBLASLT_POINTER_MODE_DEVICE);
  const auto *alpha = static_cast<const char *>(factors.device());
  LT(hipblasLtMatrixTransform(handle, transform, alpha, a.elements.device(), a.layout,
                              alpha + size_of(scale_type), b.elements.device(), b.layout,
                              c.elements.device(), c.layout, nullptr));
  c.elements.download();
  const Precision p = precision(c_type);
  for (int index = 0; index < batch; ++index)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        const double expected = 3 * (a_plain ? a.at(i, j, index) : a.at(j, i, index)) -
                                2 * (b_plain ? b.at(i, j, index) : b.at(j, i, index));
        const double bound = std::abs(expected) * p.relative * 1.01 + p.absolute + 1e-6;
        REQUIRE(std::abs(c.at(i, j, index) - expected) <= bound);
      }
}

} // namespace

TEST_CASE("transformations of all operations and orders") {
  for (const auto op_a : {HIPBLAS_OP_N, HIPBLAS_OP_T})
    for (const auto op_b : {HIPBLAS_OP_N, HIPBLAS_OP_C})
      for (const auto order_a : {HIPBLASLT_ORDER_COL, HIPBLASLT_ORDER_ROW})
        for (const auto order_c : {HIPBLASLT_ORDER_COL, HIPBLASLT_ORDER_ROW}) {
          CAPTURE(op_a, op_b, order_a, order_c);
          require_transformed(HIP_R_32F, HIP_R_32F, HIP_R_32F, op_a, op_b, order_a, order_c);
        }
}

TEST_CASE("transformations convert") {
  for (const auto &[a, c, scale] : {std::tuple{HIP_R_16F, HIP_R_32F, HIP_R_32F},
                                    {HIP_R_32F, HIP_R_16BF, HIP_R_32F},
                                    {HIP_R_8I, HIP_R_32F, HIP_R_32F},
                                    {HIP_R_16F, HIP_R_16F, HIP_R_16F},
                                    {HIP_R_32F, HIP_R_8F_E4M3, HIP_R_32F},
                                    {HIP_R_8I, HIP_R_32I, HIP_R_32I},
                                    {HIP_R_64F, HIP_R_64F, HIP_R_64F}}) {
    CAPTURE(a, c, scale);
    require_transformed(a, c, scale, HIPBLAS_OP_T, HIPBLAS_OP_N, HIPBLASLT_ORDER_ROW,
                        HIPBLASLT_ORDER_COL);
  }
}

TEST_CASE("a transformation of one matrix, in place of what is no number") {
  std::mt19937 engine{3};
  Matrices a(HIP_R_32F, 5, 4, 1, HIPBLASLT_ORDER_COL, engine);
  Matrices c(HIP_R_32F, 5, 4, 1, HIPBLASLT_ORDER_COL, engine);
  c.elements.set(c.index(2, 2, 0), std::numeric_limits<double>::quiet_NaN());
  c.elements.upload();
  const Handle handle;
  const Transform transform(HIP_R_32F);
  const float one = 1, zero = 0;
  SECTION("without the other") {
    LT(hipblasLtMatrixTransform(handle, transform, &one, a.elements.device(), a.layout, nullptr,
                                nullptr, nullptr, c.elements.device(), c.layout, nullptr));
  }
  SECTION("with zero times the other") {
    LT(hipblasLtMatrixTransform(handle, transform, &one, a.elements.device(), a.layout, &zero,
                                c.elements.device(), c.layout, c.elements.device(), c.layout,
                                nullptr));
  }
  c.elements.download();
  for (int64_t j = 0; j < 4; ++j)
    for (int64_t i = 0; i < 5; ++i)
      REQUIRE(c.at(i, j, 0) == a.at(i, j, 0));
}

TEST_CASE("transformations that cannot be") {
  std::mt19937 engine{3};
  Matrices a(HIP_R_32F, 5, 4, 1, HIPBLASLT_ORDER_COL, engine);
  Matrices c(HIP_R_32F, 5, 4, 1, HIPBLASLT_ORDER_COL, engine);
  const Handle handle;
  Transform transform(HIP_R_32F);
  const float one = 1;
  void *const data = a.elements.device(), *const result = c.elements.device();
  const auto call = [&](hipblasLtHandle_t with, const void *from, hipblasLtMatrixLayout_t layout,
                        void *to) {
    return hipblasLtMatrixTransform(with, transform, &one, from, layout, nullptr, nullptr, nullptr,
                                    to, c.layout, nullptr);
  };
  REQUIRE(call(handle, data, a.layout, result) == HIPBLAS_STATUS_SUCCESS);
  REQUIRE(call(nullptr, data, a.layout, result) == HIPBLAS_STATUS_NOT_INITIALIZED);
  REQUIRE(call(handle, nullptr, a.layout, result) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(call(handle, data, a.layout, nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, HIPBLAS_OP_T);
  REQUIRE(call(handle, data, a.layout, result) == HIPBLAS_STATUS_INVALID_VALUE);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, 7);
  REQUIRE(call(handle, data, a.layout, result) == HIPBLAS_STATUS_INVALID_VALUE);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, HIPBLAS_OP_N);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, HIP_C_32F);
  REQUIRE(call(handle, data, a.layout, result) == HIPBLAS_STATUS_NOT_SUPPORTED);
  transform.set(HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, HIP_R_32F);
  const Layout overlapping(HIP_R_32F, 5, 4, 4), few_rows(HIP_R_32F, 4, 4, 5);
  const Layout few_columns(HIP_R_32F, 5, 3, 5);
  for (const Layout *wrong : {&overlapping, &few_rows, &few_columns})
    REQUIRE(call(handle, data, *wrong, result) == HIPBLAS_STATUS_INVALID_VALUE);
}
