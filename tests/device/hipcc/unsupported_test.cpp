// What the device compiler cannot do ends with a message that names the construct and the kernel, and with no output.
#include "tool.h"

#include <catch2/catch_test_macros.hpp>

using namespace device_test;

namespace {

std::string refusal_of(const std::string &source) {
  Directory d;
  d.write("a.hip", "// line 1\n" + source);
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
  CHECK(has(refusal_of("extern __device__ int elsewhere(int);\n__global__ void call(int *p) { *p = "
                       "elsewhere(*p); }"),
            "kernel 'call(int*)' uses 'elsewhere(int)'"));
}

TEST_CASE("device: all constructs are named at once") {
  const std::string message = refusal_of(
      "extern __device__ int one(); extern __device__ int two();\n"
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

TEST_CASE(
    "device: inline assembly with registers of another device is named where a kernel has it") {
  const std::string function = "__device__ inline void move(int *to, const int *from) {\n"
                               "  asm volatile(\"v_mov_b32 %0, %1\" : \"=v\"(*to) : \"s\"(*from), "
                               "\"a\"(1) : \"memory\");\n}\n";
  CHECK(has(refusal_of(function + "__global__ void assembly(int *p) { move(p, p + 1); }"),
            "kernel 'assembly(int*)' contains inline assembly for another processor (\"v_mov_b32"));
  // Headers of libraries have such functions, which their kernels for other devices do not call.
  Directory d;
  d.write("a.hip", function + "__global__ void assembly(int *p) { *p = 1; }");
  const Result result = hipcc(d, {"-c", "a.hip", "-o", "a.o"});
  INFO(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("device: inline assembly with a letter that no device has is clang's error") {
  CHECK(has(refusal_of("__global__ void assembly(int *p) { asm(\"nothing %0\" : \"=z\"(p[0])); }"),
            "invalid output constraint '=z' in asm"));
}

TEST_CASE("device: what relocatable code cannot do is named when it is linked") {
  Directory d;
  d.write("a.hip", "__device__ __noinline__ void idle() { asm "
                   "volatile(\"s_nop 0\"); }\n");
  d.write("b.hip", "__device__ void idle();\n__global__ void idles() "
                   "{ idle(); }\nint main() {}\n");
  REQUIRE(hipcc(d, {"-fgpu-rdc", "-c", "a.hip", "b.hip"}).exit_code == 0);
  const Result result = hipcc(d, {"-fgpu-rdc", "a.o", "b.o", "-o", "program"});
  CHECK(result.exit_code == 1);
  CHECK(has(result.err,
            "kernel 'idles()' contains inline assembly for another processor (\"s_nop 0\")"));
  CHECK_FALSE(std::filesystem::exists(d / "program"));
}

TEST_CASE("device: bounds of launches that none could keep are errors") {
  for (const char *bounds : {"0", "-1", "128, -1", "1.5", "128, 1.5"}) {
    const std::string message = refusal_of("__launch_bounds__(" + std::string(bounds) +
                                           ") __global__ void bounded(int *p) { *p = 1; }");
    CHECK(has(message, "a.hip:2:"));
    if (!has(bounds, "."))
      CHECK(has(message, "a_bound_of_launches_is_zero_or_negative"));
  }
  CHECK(has(refusal_of("template <int threads> __launch_bounds__(threads) __global__ void "
                       "bounded(int *p) { *p = 1; }\n"
                       "template __global__ void bounded<0>(int *);"),
            "bounded<0>"));
}

TEST_CASE("device: each builtin of AMD's devices is named") {
  const std::vector<std::string> calls = {
      "__builtin_amdgcn_readfirstlane(p[1])", "__builtin_amdgcn_ds_bpermute(p[1], p[2])",
      "__builtin_amdgcn_update_dpp(p[1], p[2], 1, 15, 15, true)",
      "__builtin_amdgcn_fmed3f(1.f, 2.f, 3.f)", "__builtin_amdgcn_rcpf(2.0f)"};
  std::string body;
  for (const std::string &call : calls)
    body += "p[0] = " + call + ";\n";
  const std::string message = refusal_of("__global__ void builtins(int *p) {\n" + body + "}");
  for (size_t i = 0; i < calls.size(); ++i) {
    INFO(message);
    // Lines 1 and 2 are what stands before the calls.
    CHECK(has(message, "a.hip:" + std::to_string(3 + i) + ":"));
    CHECK(has(message, "undeclared identifier '" + calls[i].substr(0, calls[i].find('(')) + "'"));
  }
}

TEST_CASE("device: a builtin of AMD's devices is clang's error") {
  const std::string message =
      refusal_of("__global__ void builtin(int *p) { *p = __builtin_amdgcn_workitem_id_x(); }");
  CHECK(has(message, "__builtin_amdgcn_workitem_id_x"));
  CHECK(has(message, "a.hip:2:"));
}
