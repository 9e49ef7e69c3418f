// What the device compiler cannot do ends with a message that names the construct and the kernel, and with no output.
#include "tool.h"

#include <catch2/catch_test_macros.hpp>

using namespace device_test;

namespace {

std::string refusal_of(const std::string &source) {
  Directory d;
  d.write("a.hip", "#include <hip/hip_runtime.h>\n" + source);
  const Result result = hipcc(d, {"-c", "a.hip", "-o", "a.o"});
  INFO(source);
  CHECK(result.exit_code != 0);
  CHECK_FALSE(std::filesystem::exists(d / "a.o"));
  // No dump of the compiler's own state.
  CHECK_FALSE(has(result.err, "Stack dump"));
  CHECK_FALSE(has(result.err, "PLEASE submit a bug report"));
  return result.err;
}

} // namespace

TEST_CASE("device: a construct in a function is blamed on the kernel that calls it") {
  CHECK(has(refusal_of("extern __device__ int elsewhere(int);\n"
                       "__device__ __noinline__ int inner(int x) { return elsewhere(x) + 1; }\n"
                       "template <class T> __global__ void outer(T *p) { *p = inner(*p); }\n"
                       "template __global__ void outer<int>(int *);"),
            "outer<int>(int*)' uses 'elsewhere(int)'"));
}

TEST_CASE("device: calloc in a kernel is named") {
  CHECK(has(refusal_of("extern \"C\" __device__ void *calloc(size_t, size_t);\n"
                       "__global__ void take(void **p) { *p = calloc(1, 4); }"),
            "kernel 'take(void**)' uses 'calloc'"));
}

TEST_CASE("device: an undefined function is named") {
  CHECK(has(refusal_of("extern __device__ int elsewhere(int);\n__global__ void call(int *p) { *p = elsewhere(*p); }"),
            "kernel 'call(int*)' uses 'elsewhere(int)'"));
}

TEST_CASE("device: all constructs are named at once") {
  const std::string message = refusal_of("extern __device__ int one(); extern __device__ int two();\n"
                                         "__global__ void a(int *p) { *p = one(); }\n__global__ void b(int *p) { *p = two(); }");
  CHECK(has(message, "kernel 'a(int*)' uses 'one()'"));
  CHECK(has(message, "kernel 'b(int*)' uses 'two()'"));
}

TEST_CASE("device: inline assembly of another device is named") {
  const std::string message =
      refusal_of("__global__ void assembly(int *p) { asm volatile(\"s_nop 0\"); *p = 1; }");
  CHECK(has(message, "assembly"));
  CHECK(has(message, "s_nop 0"));
}

TEST_CASE("device: a builtin of AMD's devices is clang's error") {
  const std::string message =
      refusal_of("__global__ void builtin(int *p) { *p = __builtin_amdgcn_workitem_id_x(); }");
  CHECK(has(message, "__builtin_amdgcn_workitem_id_x"));
  CHECK(has(message, "a.hip:2:"));
}
