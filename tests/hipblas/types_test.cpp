#include "support.h"

#include <hip/hip_fp16.h>

namespace {

constexpr int m = 67, n = 70, k = 33;

uint16_t to_half(double value) {
  const __half rounded = __float2half(float(value));
  uint16_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  return bits;
}
double from_half(uint16_t bits) {
  __half value;
  std::memcpy(&value, &bits, sizeof bits);
  return __half2float(value);
}
uint16_t to_bfloat(double value) {
  const float rounded = float(value);
  uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
double from_bfloat(uint16_t value) {
  const uint32_t bits = uint32_t(value) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// A factor without gaps as a function takes it.
template <class T> struct Factor {
  hipblasOperation_t operation;
  const T *data;
  int ld;

  /// Where element (i, j) of what the function multiplies is.
  size_t index(int i, int j) const {
    return operation == HIPBLAS_OP_N ? size_t(i + j * ld) : size_t(j + i * ld);
  }
};

/// Products of matrices without gaps, where `make` rounds a number to an element and `read` reads one.
template <class In, class Out, class MakeIn, class ReadIn, class MakeOut, class ReadOut, class Call>
void check_products(double output_epsilon, const MakeIn &make_in, const ReadIn &read_in,
                    const MakeOut &make_out, const ReadOut &read_out, const Call &call) {
  std::vector<In> a(m * k), b(k * n);
  std::vector<Out> c(m * n);
  for (In &element : a)
    element = make_in(random_element<double>());
  for (In &element : b)
    element = make_in(random_element<double>());
  for (Out &element : c)
    element = make_out(random_element<double>());
  const Buffer<In> on_device_a(a), on_device_b(b);
  for (hipblasOperation_t op_a : {HIPBLAS_OP_N, HIPBLAS_OP_T})
    for (hipblasOperation_t op_b : {HIPBLAS_OP_N, HIPBLAS_OP_T}) {
      CAPTURE(op_a, op_b);
      const Factor<In> first{op_a, on_device_a, op_a == HIPBLAS_OP_N ? m : k};
      const Factor<In> second{op_b, on_device_b, op_b == HIPBLAS_OP_N ? k : n};
      const Buffer<Out> on_device_c(c);
      BLAS(call(first, second, on_device_c));
      const auto computed = on_device_c.read();
      bool right = true;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          Sum expected;
          expected.add(2 * read_out(c[size_t(i + j * m)]));
          for (int l = 0; l < k; ++l)
            expected.add(read_in(a[first.index(i, l)]) * read_in(b[second.index(l, j)]));
          const double bound = (k + 8) * epsilon<float> * expected.size +
                               output_epsilon * (std::abs(expected.value) + 1e-7);
          right = right &&
                  std::abs(read_out(computed[size_t(i + j * m)]) - expected.value.real()) <= bound;
        }
      CHECK(right);
    }
}

template <class Scalar>
auto gemm_ex(const Blas &blas, const Scalar &alpha, const Scalar &beta, hipblasDatatype_t in,
             hipblasDatatype_t out, hipblasDatatype_t compute) {
  return [&, in, out, compute](const auto &a, const auto &b, void *c) {
    return hipblasGemmEx(blas, a.operation, b.operation, m, n, k, &alpha, a.data, in, a.ld, b.data,
                         in, b.ld, &beta, c, out, m, compute, HIPBLAS_GEMM_DEFAULT);
  };
}

} // namespace

TEST_CASE("halves are multiplied") {
  const Blas blas;
  const uint16_t one = to_half(1), two = to_half(2);
  const float float_one = 1, float_two = 2;
  check_products<uint16_t, uint16_t>(0x1p-10, to_half, from_half, to_half, from_half,
                                     [&](const auto &a, const auto &b, uint16_t *c) {
                                       return hipblasHgemm(blas, a.operation, b.operation, m, n, k,
                                                           &one, a.data, a.ld, b.data, b.ld, &two,
                                                           c, m);
                                     });
  check_products<uint16_t, uint16_t>(
      0x1p-10, to_half, from_half, to_half, from_half,
      gemm_ex(blas, one, two, HIPBLAS_R_16F, HIPBLAS_R_16F, HIPBLAS_R_16F));
  check_products<uint16_t, uint16_t>(
      0x1p-10, to_half, from_half, to_half, from_half,
      gemm_ex(blas, float_one, float_two, HIPBLAS_R_16F, HIPBLAS_R_16F, HIPBLAS_R_32F));
  const auto to_float = [](double value) { return float(value); };
  check_products<uint16_t, float>(
      0, to_half, from_half, to_float, to_float,
      gemm_ex(blas, float_one, float_two, HIPBLAS_R_16F, HIPBLAS_R_32F, HIPBLAS_R_32F));
  check_products<uint16_t, uint16_t>(
      0x1p-7, to_bfloat, from_bfloat, to_bfloat, from_bfloat,
      gemm_ex(blas, float_one, float_two, HIPBLAS_R_16B, HIPBLAS_R_16B, HIPBLAS_R_32F));
  check_products<uint16_t, float>(
      0, to_bfloat, from_bfloat, to_float, to_float,
      gemm_ex(blas, float_one, float_two, HIPBLAS_R_16B, HIPBLAS_R_32F, HIPBLAS_R_32F));
}

TEST_CASE("bytes are multiplied into integers") {
  const Blas blas;
  const int32_t one = 1, two = 2;
  const auto to_byte = [](double value) { return int8_t(100 * value); };
  const auto to_integer = [](double value) { return int32_t(1000 * value); };
  const auto as_double = [](auto value) { return double(value); };
  check_products<int8_t, int32_t>(
      0, to_byte, as_double, to_integer, as_double,
      gemm_ex(blas, one, two, HIPBLAS_R_8I, HIPBLAS_R_32I, HIPBLAS_R_32I));
}

TEST_CASE("the second form of a product says what it computes in") {
  const Blas blas;
  const float alpha = 1, beta = 2;
  check_products<uint16_t, uint16_t>(0x1p-10, to_half, from_half, to_half, from_half,
                                     [&](const auto &a, const auto &b, uint16_t *c) {
                                       return hipblasGemmEx_v2(
                                           blas, a.operation, b.operation, m, n, k, &alpha, a.data,
                                           HIP_R_16F, a.ld, b.data, HIP_R_16F, b.ld, &beta, c,
                                           HIP_R_16F, m, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT);
                                     });
  const Buffer<float> buffer(std::vector<float>(16));
  CHECK(hipblasGemmEx_v2(blas, HIPBLAS_OP_T, HIPBLAS_OP_N, 4, 4, 4, &alpha, buffer, HIP_R_8F_E4M3,
                         4, buffer, HIP_R_8F_E4M3, 4, &beta, buffer, HIP_R_32F, 4,
                         HIPBLAS_COMPUTE_32F,
                         HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("products of bytes are exact") {
  const Blas blas;
  // More terms than float adds up without rounding, and odd ones that show it.
  constexpr int terms = 2501, rows = 5, columns = 6;
  std::vector<int8_t> a(rows * terms), b(terms * columns);
  std::uniform_int_distribution<int> byte(-128, 127);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = int8_t(i % rows == 0 ? 127 : byte(engine()));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = int8_t(i < terms ? 127 : byte(engine()));
  std::vector<int32_t> c(rows * columns, 7);
  const Buffer<int8_t> on_device_a(a), on_device_b(b);
  const Buffer<int32_t> on_device_c(c);
  const int32_t alpha = 3, beta = -2;
  BLAS(hipblasGemmEx(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, rows, columns, terms, &alpha, on_device_a,
                     HIPBLAS_R_8I, rows, on_device_b, HIPBLAS_R_8I, terms, &beta, on_device_c,
                     HIPBLAS_R_32I, rows, HIPBLAS_R_32I, HIPBLAS_GEMM_DEFAULT));
  const auto computed = on_device_c.read();
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      int64_t expected = 0;
      for (int l = 0; l < terms; ++l)
        expected += a[size_t(i + l * rows)] * b[size_t(l + j * terms)];
      CHECK(computed[size_t(i + j * rows)] == 3 * expected - 14);
    }
}

TEST_CASE("batches of products say their types, too") {
  const Blas blas;
  constexpr int batch = 3, order = 10, stride = order * order;
  std::vector<uint16_t> a(batch * stride), b(batch * stride);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = to_half(random_element<double>()), b[i] = to_half(random_element<double>());
  const Buffer<uint16_t> on_device_a(a), on_device_b(b);
  const Buffer<float> strided(std::vector<float>(batch * stride)), behind_pointers(strided.read());
  const auto a_pointers = pointers_to<uint16_t>(on_device_a, stride, batch);
  const auto b_pointers = pointers_to<uint16_t>(on_device_b, stride, batch);
  const auto c_pointers = pointers_to<float>(behind_pointers, stride, batch);
  const float alpha = 1, beta = 0;
  BLAS(hipblasGemmStridedBatchedEx(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, order, order, order, &alpha,
                                   on_device_a, HIPBLAS_R_16F, order, stride, on_device_b,
                                   HIPBLAS_R_16F, order, stride, &beta, strided, HIPBLAS_R_32F,
                                   order, stride, batch, HIPBLAS_R_32F, HIPBLAS_GEMM_DEFAULT));
  BLAS(hipblasGemmBatchedEx(
      blas, HIPBLAS_OP_N, HIPBLAS_OP_N, order, order, order, &alpha,
      const_cast<const void **>(reinterpret_cast<void **>(static_cast<uint16_t **>(a_pointers))),
      HIPBLAS_R_16F, order,
      const_cast<const void **>(reinterpret_cast<void **>(static_cast<uint16_t **>(b_pointers))),
      HIPBLAS_R_16F, order, &beta, reinterpret_cast<void **>(static_cast<float **>(c_pointers)),
      HIPBLAS_R_32F, order, batch, HIPBLAS_R_32F, HIPBLAS_GEMM_DEFAULT));
  const auto first = strided.read(), second = behind_pointers.read();
  bool right = true;
  for (int index = 0; index < batch; ++index)
    for (int j = 0; j < order; ++j)
      for (int i = 0; i < order; ++i) {
        Sum expected;
        const auto at = [&](const auto &elements, int r, int s) {
          return from_half(elements[size_t(index * stride + r + s * order)]);
        };
        for (int l = 0; l < order; ++l)
          expected.add(at(a, i, l) * at(b, l, j));
        right = right && expected.accepts(first[size_t(index * stride + i + j * order)]) &&
                expected.accepts(second[size_t(index * stride + i + j * order)]);
      }
  CHECK(right);
}

TEST_CASE("vectors of halves are computed with in float") {
  const Blas blas;
  constexpr int count = 300;
  std::vector<uint16_t> x(count), y(count);
  for (int i = 0; i < count; ++i)
    x[size_t(i)] = to_half(random_element<double>()),
    y[size_t(i)] = to_half(random_element<double>());
  const Buffer<uint16_t> on_device_x(x), on_device_y(y);
  Sum product, squares;
  for (int i = 0; i < count; ++i) {
    product.add(from_half(x[size_t(i)]) * from_half(y[size_t(i)]));
    squares.add(from_half(x[size_t(i)]) * from_half(x[size_t(i)]));
  }
  uint16_t dot = 0;
  BLAS(hipblasHdot(blas, count, on_device_x, 1, on_device_y, 1, &dot));
  CHECK(std::abs(from_half(dot) - product.value.real()) <=
        0x1p-10 * std::abs(product.value) + count * epsilon<float> * product.size);
  float norm = 0;
  BLAS(hipblasNrm2Ex(blas, count, on_device_x, HIPBLAS_R_16F, 1, &norm, HIPBLAS_R_32F,
                     HIPBLAS_R_32F));
  CHECK(std::abs(norm * norm - squares.value.real()) <= count * epsilon<float> * squares.size);
  const float alpha = 0.5f;
  BLAS(hipblasAxpyEx(blas, count, &alpha, HIPBLAS_R_32F, on_device_x, HIPBLAS_R_16F, 1, on_device_y,
                     HIPBLAS_R_16F, 1, HIPBLAS_R_32F));
  BLAS(hipblasScalEx(blas, count, &alpha, HIPBLAS_R_32F, on_device_y, HIPBLAS_R_16F, 1,
                     HIPBLAS_R_32F));
  const auto computed = on_device_y.read();
  bool right = true;
  for (int i = 0; i < count; ++i) {
    const double expected = (from_half(y[size_t(i)]) + from_half(x[size_t(i)]) / 2) / 2;
    right = right && std::abs(from_half(computed[size_t(i)]) - expected) <= 0x1p-10;
  }
  CHECK(right);
}

TEST_CASE("products of floats are summed in doubles") {
  const Blas blas;
  // Whose products a sum of floats would lose beside the first one.
  std::vector<float> x(1000, 0x1p-13f), y(1000, 0x1p-12f);
  x[0] = y[0] = 1;
  const Buffer<float> on_device_x(x), on_device_y(y);
  const double expected = 1 + 999 * 0x1p-25;
  double result = 0;
  BLAS(hipblasDotEx(blas, 1000, on_device_x, HIPBLAS_R_32F, 1, on_device_y, HIPBLAS_R_32F, 1,
                    &result, HIPBLAS_R_64F, HIPBLAS_R_64F));
  CHECK(result == expected);
  result = 0;
  BLAS(hipblasDotcEx(blas, 1000, on_device_x, HIPBLAS_R_32F, 1, on_device_y, HIPBLAS_R_32F, 1,
                     &result, HIPBLAS_R_64F, HIPBLAS_R_64F));
  CHECK(result == expected);
  float narrow = 0;
  CHECK(hipblasDotEx(blas, 1000, on_device_x, HIPBLAS_R_32F, 1, on_device_y, HIPBLAS_R_32F, 1,
                     &narrow, HIPBLAS_R_32F, HIPBLAS_R_64F) == HIPBLAS_STATUS_NOT_SUPPORTED);
}
