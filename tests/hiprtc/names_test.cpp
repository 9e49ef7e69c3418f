// HIP RTC API: name expressions and lowered names.
#include "support.h"

#include <array>

using namespace rtc;

namespace {

const char *const source = R"(
namespace shapes {
template <int n, typename T> __global__ void scale(T *p) { *p = *p * n; }
__constant__ int factor = 5;
template <typename T> __device__ T slot = 3;
namespace { __global__ void hidden(int *p) { *p = 11; } }
}
struct Pair { int a, b; };
__device__ int numbers[4] = {1, 2, 3, 4};
__global__ void overloaded(int *p) { *p = 1; }
__global__ void overloaded(float *p) { *p = 2; }
static __global__ void unshared(int *p) { *p = 12; }
extern "C" __global__ void plain(int *p) { *p = shapes::factor + numbers[2] + shapes::slot<int>; }
template <typename T> __global__ void size(int *p) { *p = sizeof(T); }
)";

std::vector<char> compiled(Program &program, std::initializer_list<const char *> expressions) {
  for (const char *expression : expressions)
    REQUIRE_RTC(hiprtcAddNameExpression(program, expression));
  REQUIRE_COMPILED(program);
  return program.code();
}

} // namespace

TEST_CASE("hiprtc names: templates, namespaces and overloads have lowered names", "[accepted]") {
  NothingLeft place;
  Program program(source);
  const auto code = compiled(program, {"shapes::scale<(int)3, int >", "&shapes::scale<1 + 1, int>",
                                       "shapes::hidden", "(void (*)(int *))overloaded",
                                       "static_cast<void (*)(float *)>(overloaded)", "unshared",
                                       "plain", "size<Pair>", "size< Pair >"});
  CHECK(program.lowered("shapes::scale<(int)3, int >") == "_ZN6shapes5scaleILi3EiEEvPT0_");
  CHECK(program.lowered("(void (*)(int *))overloaded") == "_Z10overloadedPi");
  CHECK(program.lowered("static_cast<void (*)(float *)>(overloaded)") == "_Z10overloadedPf");
  CHECK(program.lowered("plain") == "plain");
  CHECK(program.lowered("size<Pair>") == program.lowered("size< Pair >"));
  Module module(code.data());
  for (const char *expression :
       {"shapes::scale<(int)3, int >", "&shapes::scale<1 + 1, int>", "shapes::hidden",
        "static_cast<void (*)(float *)>(overloaded)", "unshared", "plain", "size<Pair>"})
    CHECK(module.function(program.lowered(expression)) != nullptr);
}

TEST_CASE("hiprtc names: kernels found by their names run", "[results]") {
  NothingLeft place;
  Program program(source);
  const auto code =
      compiled(program, {"shapes::scale<3, int>", "shapes::scale<2, int>", "shapes::hidden",
                         "unshared", "(void (*)(int *))overloaded", "size<Pair>", "plain"});
  Module module(code.data());
  CHECK(module.result_of(program.lowered("shapes::scale<3, int>"), 7) == 21);
  CHECK(module.result_of(program.lowered("shapes::scale<2, int>"), 7) == 14);
  CHECK(module.result_of(program.lowered("shapes::hidden")) == 11);
  CHECK(module.result_of(program.lowered("unshared")) == 12);
  CHECK(module.result_of(program.lowered("(void (*)(int *))overloaded")) == 1);
  CHECK(module.result_of(program.lowered("size<Pair>")) == 8);
  CHECK(module.result_of("plain") == 11);
}

TEST_CASE("hiprtc names: variables can be read and written by the host", "[results]") {
  NothingLeft place;
  Program program(source);
  const auto code = compiled(
      program, {"&shapes::factor", "&numbers", "numbers", "&shapes::slot<int>", "&numbers[1]"});
  CHECK(program.lowered("&numbers") == "numbers");
  CHECK(program.lowered("numbers") == "numbers");
  CHECK(program.lowered("&numbers[1]") == "numbers");
  Module module(code.data());
  const auto [factor, factor_bytes] = module.variable(program.lowered("&shapes::factor"));
  const auto [numbers, numbers_bytes] = module.variable(program.lowered("&numbers"));
  const auto [slot, slot_bytes] = module.variable(program.lowered("&shapes::slot<int>"));
  CHECK(factor_bytes == sizeof(int));
  CHECK(numbers_bytes == 4 * sizeof(int));
  CHECK(slot_bytes == sizeof(int));
  std::array<int, 4> values{};
  REQUIRE_HIP(hipMemcpy(values.data(), numbers, sizeof values, hipMemcpyDeviceToHost));
  CHECK(values == std::array{1, 2, 3, 4});
  const int forty = 40;
  REQUIRE_HIP(hipMemcpy(factor, &forty, sizeof forty, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipMemcpy(slot, &forty, sizeof forty, hipMemcpyHostToDevice));
  CHECK(module.result_of("plain") == 40 + 3 + 40);
}

TEST_CASE("hiprtc names: variables of a program without a kernel are found", "[accepted]") {
  NothingLeft place;
  Program program("__device__ int table[4] = {1, 2, 3, 4}; __constant__ float unit = 1;");
  const auto code = compiled(program, {"table", "&unit"});
  Module module(code.data());
  CHECK(module.variable(program.lowered("table")).second == 4 * sizeof(int));
  CHECK(module.variable(program.lowered("&unit")).second == sizeof(float));
}

TEST_CASE("hiprtc names: nothing of what finds them out is in the code") {
  NothingLeft place;
  Program program(source);
  const auto code = compiled(program, {"unshared"});
  const std::string_view bytes(code.data(), code.size());
  CHECK(bytes.find("unshared") != bytes.npos);
  CHECK(bytes.find("name_expression") == bytes.npos);
}

TEST_CASE("hiprtc names: an expression that means nothing is an error that names it") {
  NothingLeft place;
  for (const char *expression :
       {"no_such_kernel", "shapes::scale<", "5", "(const void *)nullptr"}) {
    Program program(source);
    REQUIRE_RTC(hiprtcAddNameExpression(program, expression));
    CHECK(program.compile() == HIPRTC_ERROR_COMPILATION);
    CAPTURE(expression, program.log());
    CHECK(program.log().find("error") != std::string::npos);
    CHECK(program.log().find(expression) != std::string::npos);
    const char *name = nullptr;
    CHECK(hiprtcGetLoweredName(program, expression, &name) ==
          HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  }
}

TEST_CASE("hiprtc names: warnings of the program's own kind do not touch what is added to it") {
  NothingLeft place;
  Program program(source);
  REQUIRE_RTC(hiprtcAddNameExpression(program, "plain"));
  REQUIRE_COMPILED(program,
                   {"-Weverything", "-Wno-missing-prototypes", "-Wno-missing-variable-declarations",
                    "-Wno-c++98-compat", "-Wno-c++98-compat-pedantic", "-Wno-unused-template"});
  CHECK(program.log().find("name expression") == std::string::npos);
}

TEST_CASE("hiprtc names: a kernel takes __int128 as its argument and as its template's",
          "[results]") {
  NothingLeft place;
  Program program(R"(
template <typename T> __global__ void divide(T *result, T dividend, T divisor) { *result = dividend / divisor; }
)");
  const auto code = compiled(program, {"divide<__int128>", "divide<unsigned __int128>"});
  CHECK(program.lowered("divide<__int128>") == "_Z6divideInEvPT_S0_S0_");
  CHECK(program.lowered("divide<unsigned __int128>") == "_Z6divideIoEvPT_S0_S0_");
  Module module(code.data());
  __int128 dividend = -(static_cast<__int128>(77) << 70), divisor = static_cast<__int128>(5) << 34;
  __int128 *result = nullptr;
  REQUIRE(hipMallocManaged(reinterpret_cast<void **>(&result), sizeof *result) == hipSuccess);
  void *arguments[] = {&result, &dividend, &divisor};
  REQUIRE(hipModuleLaunchKernel(module.function(program.lowered("divide<__int128>")), 1, 1, 1, 1, 1,
                                1, 0, nullptr, arguments, nullptr) == hipSuccess);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  CHECK(bool(*result == dividend / divisor));
  // In a buffer, at the next address that suits the type.
  struct {
    __int128 *result;
    __int128 dividend, divisor;
  } buffer = {result, dividend * 3, divisor};
  size_t bytes = sizeof buffer;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  REQUIRE(hipModuleLaunchKernel(module.function(program.lowered("divide<unsigned __int128>")), 1, 1,
                                1, 1, 1, 1, 0, nullptr, nullptr, extra) == hipSuccess);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  CHECK(
      bool(static_cast<unsigned __int128>(*result) ==
           static_cast<unsigned __int128>(dividend * 3) / static_cast<unsigned __int128>(divisor)));
  CHECK(hipFree(result) == hipSuccess);
}
