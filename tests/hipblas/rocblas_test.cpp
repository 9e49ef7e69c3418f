// librocblas.so: its functions are those of hipBLAS by other names, so what is tested is that arguments and results arrive.
#include "support.h"

#include <rocblas/rocblas.h>

#include <string>

#define ROCBLAS(call) REQUIRE((call) == rocblas_status_success)

namespace {

struct Handle {
  rocblas_handle handle = nullptr;
  Handle() { ROCBLAS(rocblas_create_handle(&handle)); }
  ~Handle() { (void)rocblas_destroy_handle(handle); }
  operator rocblas_handle() const { return handle; }
};

using Floats = std::vector<float>;

constexpr auto none = rocblas_operation_none;
constexpr auto transpose = rocblas_operation_transpose;
constexpr auto f32 = rocblas_datatype_f32_r;
constexpr auto standard = rocblas_gemm_algo_standard;
const float one = 1, two = 2, zero = 0;

} // namespace

TEST_CASE("operands, scalars and enumerations arrive", "[rocblas]") {
  const Handle handle;
  // By columns: 1 3 / 2 4, and 5 7 / 6 8.
  const Buffer<float> a(Floats{1, 2, 3, 4}), b(Floats{5, 6, 7, 8}), c(Floats{1, 1, 1, 1});
  ROCBLAS(rocblas_sgemm(handle, transpose, none, 2, 2, 2, &two, a, 2, b, 2, &one, c, 2));
  CHECK(c.read() == Floats{35, 79, 47, 107});

  ROCBLAS(rocblas_strsm(handle, rocblas_side_left, rocblas_fill_lower, none, rocblas_diagonal_unit,
                        2, 1, &one, a, 2, b, 2));
  CHECK(b.read() == Floats{5, -4, 7, 8});

  rocblas_int index = 0;
  ROCBLAS(rocblas_isamax(handle, 4, b, 1, &index));
  CHECK(index == 4);
  int64_t wide_index = 0;
  ROCBLAS(rocblas_isamax_64(handle, 4, b, 1, &wide_index));
  CHECK(wide_index == 4);
}

TEST_CASE("results go to the device in that mode, in the order of the stream", "[rocblas]") {
  const Handle handle;
  hipStream_t stream = nullptr, found = nullptr;
  HIP(hipStreamCreate(&stream));
  ROCBLAS(rocblas_set_stream(handle, stream));
  ROCBLAS(rocblas_get_stream(handle, &found));
  CHECK(found == stream);
  ROCBLAS(rocblas_set_pointer_mode(handle, rocblas_pointer_mode_device));
  rocblas_pointer_mode mode{};
  ROCBLAS(rocblas_get_pointer_mode(handle, &mode));
  CHECK(mode == rocblas_pointer_mode_device);
  const Buffer<float> x(Floats{3, 4}), result(Floats{0});
  ROCBLAS(rocblas_snrm2(handle, 2, x, 1, result));
  HIP(hipStreamSynchronize(stream));
  CHECK(result.read() == Floats{5});
  ROCBLAS(rocblas_set_stream(handle, nullptr));
  HIP(hipStreamDestroy(stream));
}

TEST_CASE("complex elements, batches and distances are those of hipBLAS", "[rocblas]") {
  const Handle handle;
  const std::vector<rocblas_float_complex> numbers{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  const Buffer<rocblas_float_complex> x(numbers), y(numbers);
  const rocblas_float_complex i{0, 1};
  ROCBLAS(rocblas_cscal_strided_batched(handle, 1, &i, x, 1, 2, 2));
  const auto values = x.read();
  const rocblas_float_complex expected[] = {{-2, 1}, {3, 4}, {-6, 5}, {7, 8}};
  CHECK(std::memcmp(values.data(), expected, sizeof expected) == 0);

  const auto pointers = pointers_to<rocblas_float_complex>(y, 2, 2);
  ROCBLAS(rocblas_cscal_batched(handle, 1, &i, pointers, 1, 2));
  CHECK(std::memcmp(y.read().data(), expected, sizeof expected) == 0);
}

TEST_CASE("a product is added to one matrix and goes to another", "[rocblas]") {
  const Handle handle;
  // Products of 2 by 1 and 1 by 2.
  const Buffer<float> a(Floats{1, 2}), b(Floats{3, 4});
  const Buffer<float> c(Floats{1, 2, 9, 3, 4, 9});
  const Buffer<float> d(Floats{0, 0, 7, 7, 0, 0, 7, 7});
  ROCBLAS(rocblas_gemm_ex(handle, none, none, 2, 2, 1, &one, a, f32, 2, b, f32, 1, &two, c, f32, 3,
                          d, f32, 4, f32, standard, 0, 0));
  CHECK(d.read() == Floats{5, 10, 7, 7, 10, 16, 7, 7});
  CHECK(c.read() == Floats{1, 2, 9, 3, 4, 9});

  // Two products of numbers: each c is 3 elements behind the one before, each d 4.
  ROCBLAS(rocblas_gemm_strided_batched_ex(handle, none, none, 1, 1, 1, &one, a, f32, 1, 1, b, f32,
                                          1, 1, &one, c, f32, 1, 3, d, f32, 1, 4, 2, f32, standard,
                                          0, 0));
  CHECK(d.read() == Floats{4, 10, 7, 7, 11, 16, 7, 7});

  ROCBLAS(rocblas_gemm_ex_64(handle, none, none, 1, 1, 1, &one, a, f32, 1, b, f32, 1, &one, d, f32,
                             1, d, f32, 1, f32, standard, 0, 0));
  CHECK(d.read()[0] == 7);

  const auto as = pointers_to<float>(a, 0, 1), bs = pointers_to<float>(b, 0, 1);
  const auto cs = pointers_to<float>(c, 0, 1), ds = pointers_to<float>(d, 0, 1);
  ROCBLAS(rocblas_gemm_batched_ex(handle, none, none, 1, 1, 1, &one, as, f32, 1, bs, f32, 1, &zero,
                                  ds, f32, 1, ds, f32, 1, 1, f32, standard, 0, 0));
  CHECK(d.read()[0] == 3);
  CHECK(rocblas_gemm_batched_ex(handle, none, none, 1, 1, 1, &one, as, f32, 1, bs, f32, 1, &zero,
                                cs, f32, 1, ds, f32, 1, 1, f32, standard, 0,
                                0) == rocblas_status_not_implemented);
}

TEST_CASE("what is wrong has a name", "[rocblas]") {
  CHECK(rocblas_create_handle(nullptr) == rocblas_status_invalid_handle);
  CHECK(rocblas_sscal(nullptr, 1, &one, nullptr, 1) == rocblas_status_invalid_handle);
  const Handle handle;
  const Buffer<float> x(Floats{1, 2, 3, 4});
  CHECK(rocblas_sgemm(handle, none, none, 2, 2, 2, &one, x, 1, x, 2, &zero, x, 2) ==
        rocblas_status_invalid_value);
  // In place, with two leading dimensions, and from one type to another.
  CHECK(rocblas_gemm_ex(handle, none, none, 2, 1, 1, &one, x, f32, 2, x, f32, 1, &one, x, f32, 2, x,
                        f32, 3, f32, standard, 0, 0) == rocblas_status_invalid_value);
  CHECK(rocblas_gemm_ex(handle, none, none, 1, 1, 1, &one, x, f32, 1, x, f32, 1, &one, x,
                        rocblas_datatype_f16_r, 1, x + 1, f32, 1, f32, standard, 0,
                        0) == rocblas_status_not_implemented);
  CHECK(rocblas_set_math_mode(handle, rocblas_math_mode(2)) == rocblas_status_invalid_value);
  CHECK(std::string(rocblas_status_to_string(rocblas_status_invalid_size)) ==
        "rocblas_status_invalid_size");
}

TEST_CASE("the version fits what its size says", "[rocblas]") {
  size_t bytes = 0;
  ROCBLAS(rocblas_get_version_string_size(&bytes));
  std::string text(bytes, 'x');
  CHECK(rocblas_get_version_string(text.data(), bytes - 1) == rocblas_status_invalid_size);
  ROCBLAS(rocblas_get_version_string(text.data(), bytes));
  CHECK(text == std::string("4.4.0") + '\0');
}

TEST_CASE("pointers say where they are to be read", "[rocblas]") {
  float on_host = 0;
  const Buffer<float> on_device(Floats{0});
  CHECK(rocblas_pointer_to_mode(&on_host) == rocblas_pointer_mode_host);
  CHECK(rocblas_pointer_to_mode(on_device) == rocblas_pointer_mode_device);
}
