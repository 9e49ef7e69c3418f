// HIP RTC API: programs, their headers, options and logs.
#include "support.h"

using namespace rtc;

namespace {

std::string failed_log(Program &program, Options options = {}) {
  REQUIRE(program.compile(options) == HIPRTC_ERROR_COMPILATION);
  size_t size = 0;
  CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  return program.log();
}

bool has(const std::string &text, const char *part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("hiprtc program: a kernel is compiled, loaded and accepted", "[accepted]") {
  NothingLeft place;
  Program program(R"(extern "C" __global__ void axpy(float a, const float *x, float *y, size_t n) {
    __shared__ float tile[64];
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = a * tile[threadIdx.x] + y[i];
  })");
  REQUIRE_COMPILED(program);
  CHECK(program.log().empty());
  CHECK(Module(program.code().data()).function("axpy") != nullptr);
}

TEST_CASE("hiprtc program: results are right", "[results]") {
  NothingLeft place;
  Program program(R"(extern "C" __global__ void axpy(float a, const float *x, float *y, size_t n) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
  })");
  REQUIRE_COMPILED(program);
  const auto code = program.code();
  Module module(code.data());
  size_t n = 1000;
  float a = 2, *memory = nullptr;
  std::vector<float> values(2 * n);
  for (size_t i = 0; i < 2 * n; ++i)
    values[i] = float(i);
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(float)));
  REQUIRE_HIP(
      hipMemcpy(memory, values.data(), values.size() * sizeof(float), hipMemcpyHostToDevice));
  float *y = memory + n;
  void *arguments[] = {&a, &memory, &y, &n};
  REQUIRE_HIP(hipModuleLaunchKernel(module.function("axpy"), 8, 1, 1, 128, 1, 1, 0, nullptr,
                                    arguments, nullptr));
  REQUIRE_HIP(hipMemcpy(values.data(), y, n * sizeof(float), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i)
    REQUIRE(values[i] == 2 * float(i) + float(n + i));
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hiprtc program: threads may pass on what they have not set", "[results]") {
  NothingLeft place;
  Program program(R"(__device__ __attribute__((noinline)) int called(int x) { return 3 * x; }
  extern "C" __global__ void some(int *p) {
    int x;
    if (threadIdx.x < 16) x = p[threadIdx.x];
    called(x);
    __shfl(x, 3);
    if (threadIdx.x < 16) p[threadIdx.x] = x + 1;
  })");
  REQUIRE_COMPILED(program);
  const auto code = program.code();
  Module module(code.data());
  std::vector<int> values(64, 7);
  int *memory = nullptr;
  const size_t size = values.size() * sizeof(int);
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory), size));
  REQUIRE_HIP(hipMemcpy(memory, values.data(), size, hipMemcpyHostToDevice));
  void *arguments[] = {&memory};
  REQUIRE_HIP(hipModuleLaunchKernel(module.function("some"), 1, 1, 1, 64, 1, 1, 0, nullptr,
                                    arguments, nullptr));
  REQUIRE_HIP(hipMemcpy(values.data(), memory, size, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < values.size(); ++i)
    CHECK(values[i] == (i < 16 ? 8 : 7));
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hiprtc program: HIP is there without being included, the standard library is not",
          "[results]") {
  NothingLeft place;
  Program program(R"(
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_cooperative_groups.h>
#if __has_include(<type_traits>) || __has_include(<cmath>) || __has_include(<new>)
#error "the standard library is found"
#endif
#ifndef __HIPCC_RTC__
#error "__HIPCC_RTC__ is not defined"
#endif
extern "C" __global__ void kernel(int *p) {
  float2 pair = make_float2(1.5f, 2.5f);
  uint32_t number = 3;
  std::size_t size = sizeof(int64_t);
  static_assert(__hip_internal::is_same<ptrdiff_t, long>::value && sizeof(uint) == 4);
  static_assert(__hip_internal::is_same<__hip_internal::enable_if<true, int>::type, int>());
  hipFloatComplex complex = make_hipFloatComplex(1, 2);
  __half half = 1.5f;
  static_assert(sizeof complex == 8 && sizeof half == 2 && sizeof(hip_bfloat16) == 2);
  *p = int(pair.x + pair.y + sqrtf(16.0f) + __half2float(__float2half(1.0f)) + min(number, 7u) + size + __popc(7) +
           warpSize);
})");
  REQUIRE_COMPILED(program);
  CHECK(result_of(program) == 4 + 4 + 1 + 3 + 8 + 3 + 32);
}

TEST_CASE("hiprtc program: kernels may use new and malloc", "[results]") {
  NothingLeft place;
  Program program(R"(
struct Base { __device__ virtual ~Base() {} __device__ virtual int number() = 0; };
struct Derived : Base { int value; __device__ Derived(int v) : value(v) {} __device__ int number() override { return value; } };
extern "C" __global__ void kernel(int *p) {
  int *block = static_cast<int *>(malloc(sizeof(int)));
  *block = 4;
  Base *object = new Derived(5);
  alignas(Derived) char place[sizeof(Derived)];
  Base *placed = new (place) Derived(6);
  *p = *block + object->number() + placed->number();
  delete object;
  free(block);
})");
  REQUIRE_COMPILED(program);
  CHECK(result_of(program) == 15);
}

TEST_CASE("hiprtc program: headers are found by their names", "[results]") {
  NothingLeft place;
  Program program(
      "#include \"one.h\"\n#include <deep/er/two.h>\n#include \"../above.h\"\n"
      "extern \"C\" __global__ void kernel(int *p) { *p = one() + two() + above(); }",
      "test.cu",
      {{"one.h", "#pragma once\n__device__ int one() { return 1; }"},
       {"deep/er/two.h", "#include \"three.h\"\n#include \"../four.h\"\n#include <one.h>\n"
                         "__device__ int two() { return one() + three() + four(); }"},
       {"deep/er/three.h", "__device__ int three() { return 30; }"},
       {"deep/four.h", "__device__ int four() { return 400; }"},
       {"../above.h", "__device__ int above() { return 5000; }"}});
  REQUIRE_COMPILED(program);
  CHECK(result_of(program) == 1 + 431 + 5000);
}

TEST_CASE("hiprtc program: a header given by the program comes before one on the disk",
          "[results]") {
  NothingLeft place;
  Directory directory;
  write_file(directory.path / "value.h", "#define VALUE 1\n");
  write_file(directory.path / "other.h", "#define OTHER 20\n");
  Program program("#include <value.h>\n#include <other.h>\n"
                  "extern \"C\" __global__ void kernel(int *p) { *p = VALUE + OTHER; }",
                  "test.cu", {{"value.h", "#define VALUE 2\n"}});
  const std::string include = "-I" + directory.path.string();
  REQUIRE_COMPILED(program, {include.c_str()});
  CHECK(result_of(program) == 22);
}

TEST_CASE("hiprtc program: errors are told with the names that the program gave", "[accepted]") {
  NothingLeft place;
  Program program("#include \"inner/broken.h\"\nextern \"C\" __global__ void kernel(int *p) {\n  "
                  "*p = undeclared;\n}\n",
                  "dir/my \"kernels\".cu", {{"inner/broken.h", "\n\nint broken = ;\n"}});
  const std::string log = failed_log(program);
  CAPTURE(log);
  CHECK(has(log, "dir/my \"kernels\".cu:3:8: error: use of undeclared identifier 'undeclared'"));
  CHECK(has(log, "inner/broken.h:3:14: error: expected expression"));
  CHECK_FALSE(has(log, place.path().c_str()));
}

TEST_CASE("hiprtc program: one without a name has one in messages") {
  NothingLeft place;
  Program program("nonsense\n", nullptr);
  CHECK(has(failed_log(program), "default_program:1:"));
}

TEST_CASE("hiprtc program: warnings are in the log of a program that compiles") {
  NothingLeft place;
  const char *source = "extern \"C\" __global__ void kernel(int *p) { int unused; *p = 1; }";
  Program program(source);
  REQUIRE_COMPILED(program, {"-Wall"});
  CHECK(has(program.log(), "test.cu:1:49: warning: unused variable 'unused'"));
  REQUIRE_COMPILED(program, {"-Wall", "-w"});
  CHECK(program.log().empty());
  CHECK(has(failed_log(program, {"-Wall", "-Werror"}), "error: unused variable 'unused'"));
  REQUIRE_COMPILED(program); // after a failure
  CHECK(program.log().empty());
}

TEST_CASE("hiprtc program: options reach the compiler", "[results]") {
  NothingLeft place;
  Directory directory;
  write_file(directory.path / "given.h", "#define GIVEN 10000\n");
  Program program(R"(
#ifndef GIVEN
#error "not included"
#endif
#ifdef REMOVED
#error "not undefined"
#endif
#ifdef __FAST_MATH__
constexpr int fast = 1;
#else
constexpr int fast = 0;
#endif
extern "C" __global__ void kernel(int *p) { *p = A + B + GIVEN + fast + (__cplusplus == 202002L ? 7 : 0); })");
  const std::string path = directory.path.string();
  REQUIRE_COMPILED(program, {"-DA=100", "-D", "B=2000", "-DREMOVED", "-UREMOVED", "-I",
                             path.c_str(), "-include", "given.h", "--std=c++20", "-ffast-math",
                             "-O1", "--gpu-architecture=gfx90a", "--gpu-architecture", "sm_70",
                             "--offload-arch=gfx906:xnack-"});
  CHECK(result_of(program) == 100 + 2000 + 10000 + 1 + 7);
}

TEST_CASE("hiprtc program: code that is not optimised runs", "[results]") {
  NothingLeft place;
  Program program(
      "__device__ int twice(int x) { return 2 * x; }\n"
      "extern \"C\" __global__ void kernel(int *p) { extern __shared__ int s[]; *p = twice(*p); }");
  REQUIRE_COMPILED(program, {"-O0"});
  CHECK(result_of(program, "kernel", 21) == 42);
}

TEST_CASE("hiprtc program: clang says what is no option") {
  NothingLeft place;
  Program program("");
  CHECK(has(failed_log(program, {"-fno-such-option"}), "unknown argument: '-fno-such-option'"));
}

TEST_CASE("hiprtc program: options that would make something else are refused") {
  NothingLeft place;
  Program program("extern \"C\" __global__ void kernel(int *p) { *p = 1; }");
  const std::string file = (place.path() / "file").string(), response = "@" + file;
  for (const char *option :
       {"-o", "-E", "-S", "-c", "-x", "-MD", "-save-temps", "--version", response.c_str()}) {
    CAPTURE(option);
    CHECK(program.compile({option, file.c_str()}) == HIPRTC_ERROR_INVALID_OPTION);
    CHECK(has(program.log(), option));
  }
  CHECK(program.compile({file.c_str()}) ==
        HIPRTC_ERROR_COMPILATION); // another source, which is not there
  REQUIRE_COMPILED(program);
}

TEST_CASE("hiprtc program: __FILE__ is the program's name, wherever the compiler works") {
  NothingLeft place;
  Program program(
      "static_assert(__builtin_strcmp(__FILE__, \"test.cu\") == 0);\n#include \"a/b.h\"\n",
      "test.cu", {{"a/b.h", "__device__ const char *file = __FILE__;"}});
  REQUIRE_COMPILED(program, {"-O2"});
  const auto code = program.code();
  const std::string_view bytes(code.data(), code.size());
  CHECK(bytes.find(place.path().c_str()) == bytes.npos);
}

TEST_CASE("hiprtc program: the same program compiles to the same bytes") {
  NothingLeft place;
  const char *source =
      "static __device__ int v; extern \"C\" __global__ void kernel(int *p) { *p = v++; }";
  Program first(source), second(source);
  REQUIRE_COMPILED(first);
  REQUIRE_COMPILED(second);
  CHECK(first.code() == second.code());
}
