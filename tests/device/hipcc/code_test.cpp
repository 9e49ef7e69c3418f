// What the SPIR-V of a HIP program has to say. Each of these compiles and is silently wrong where the rule is broken.
#include "tool.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <sstream>

using namespace device_test;

namespace {

const std::string include = "#include <hip/hip_runtime.h>\n";

/// One that uses what the language has; compiling HIP's headers takes four times as long.
std::string plain_kernel(const std::string &body, const std::string &parameters = "int *p") {
  return "extern \"C\" __global__ void kernel(" + parameters + ") {" + body + "}\n";
}
std::string kernel(const std::string &body, const std::string &parameters = "int *p") {
  return include + plain_kernel(body, parameters);
}

/// The operand of an instruction with a result; 0 is its type.
std::string operand(const std::string &line, int number) {
  std::istringstream words(line.substr(line.find(" = ") + 3));
  std::string word;
  words >> word;
  for (int i = 0; i <= number; ++i)
    words >> word;
  return word;
}

/// The value of an integer constant.
std::string value_of(const std::string &assembly, const std::string &id) {
  const auto lines = lines_with(assembly, id + " = OpConstant");
  INFO(id);
  REQUIRE(lines.size() == 1);
  return has(lines[0], "OpConstantNull") ? "0" : operand(lines[0], 1);
}

} // namespace

TEST_CASE("device: every kernel has sub-groups of a warp's 32 threads") {
  const std::string code = assembly_of("__global__ void a(int *p) { *p = 1; }\ntemplate "
                                       "<class T> __global__ void b(T *p) { *p = 2; }\n"
                                       "template __global__ void b<long>(long *);\n");
  CHECK(lines_with(code, "OpEntryPoint Kernel").size() == 2);
  CHECK(lines_with(code, "SubgroupSize 32").size() == 2);
}

TEST_CASE("device: kernels are entry points under the names that the host registers") {
  CHECK(
      has(assembly_of("__global__ void scale(float *p, int n) { p[n] = 2; }"), "\"_Z5scalePfi\""));
}

TEST_CASE("device: multiplications and additions are fused, but not where the program says how to "
          "round") {
  const std::string fused = assembly_of(plain_kernel("p[0] = p[1] * p[2] + p[3];", "float *p"));
  CHECK(lines_with(fused, " mad ").size() == 1);
  CHECK(lines_with(fused, "OpFMul").empty());
  for (const char *body :
       {"p[0] = __fadd_rn(__fmul_rn(p[1], p[2]), p[3]);", "p[0] = __fmul_rn(p[1], p[2]) + p[3];"}) {
    const std::string apart = assembly_of(kernel(body, "float *p"));
    INFO(body);
    CHECK(has(apart, "ContractionOff")); // else the consumer would fuse
    CHECK(lines_with(apart, "OpFMul").size() == 1);
    CHECK(lines_with(apart, "OpFAdd").size() == 1);
  }
  CHECK(lines_with(assembly_of(plain_kernel("p[0] = p[1] * p[2] + p[3];", "float *p"),
                               {"-ffp-contract=off"}),
                   " mad ")
            .empty());
}

TEST_CASE("device: a barrier and fences order work-group and global memory at their scope") {
  const std::string code =
      assembly_of(kernel("p[0] = 1; __syncthreads(); p[1] = 1; __threadfence_block(); p[2] = 1; "
                         "__threadfence(); p[3] = 1; "
                         "__threadfence_system(); p[4] = 1;"));
  // 776: AcquireRelease, WorkgroupMemory and CrossWorkgroupMemory.
  CHECK(lines_with(code, "OpControlBarrier %uint_2 %uint_2 %uint_776").size() == 1);
  CHECK(lines_with(code, "OpMemoryBarrier %uint_2 %uint_776").size() == 1);
  CHECK(lines_with(code, "OpMemoryBarrier %uint_1 %uint_776").size() == 1);
  CHECK(lines_with(code, "OpMemoryBarrier").size() == 3);
}

TEST_CASE("device: fences by AMD's names are of their scopes and orders") {
  // Scopes: 0 of all devices, 1 of the device, 2 of the block, 3 of the warp. Semantics: 768 is all memory; with 8 what comes
  // before is seen where what follows is, with 16 in one order for all.
  const std::pair<const char *, const char *> fences[] = {
      {"fence(__ATOMIC_RELEASE, \"\")", "0 776"},
      {"fence(__ATOMIC_ACQUIRE, \"agent\")", "1 776"},
      {"fence(__ATOMIC_ACQ_REL, \"workgroup\", \"local\")", "2 776"},
      {"fence(__ATOMIC_RELEASE, \"wavefront\")", "3 776"},
      {"fence(__ATOMIC_RELEASE, \"singlethread-one-as\")", "3 776"},
      {"fence(__ATOMIC_SEQ_CST, \"one-as\")", "0 784"},
      {"fence(__ATOMIC_SEQ_CST, \"agent-one-as\")", "1 784"},
      {"fence(__ATOMIC_SEQ_CST, \"workgroup\")", "2 784"},
      {"fence(__ATOMIC_SEQ_CST, \"wavefront\", \"global\", \"local\")", "3 784"},
      {"s_waitcnt(0x0f70)", "1 776"},
      {"s_sleep(2)", "1 776"}};
  std::string body;
  for (const auto &[call, _] : fences)
    body += std::string("*(volatile int *)p = 1; __builtin_amdgcn_") + call + ";\n";
  const std::string code = assembly_of(kernel(body));
  const auto found = lines_with(code, "OpMemoryBarrier");
  REQUIRE(found.size() == std::size(fences));
  for (size_t i = 0; i < found.size(); ++i) {
    std::istringstream words(found[i]);
    std::string instruction, scope, semantics;
    words >> instruction >> scope >> semantics;
    INFO(fences[i].first);
    CHECK(value_of(code, scope) + ' ' + value_of(code, semantics) == fences[i].second);
  }
}

TEST_CASE("device: barriers by AMD's names are those of the warp and of the block") {
  const std::string warp =
      assembly_of(kernel("p[0] = 1; __builtin_amdgcn_wave_barrier(); p[1] = 2;"));
  CHECK(lines_with(warp, "OpGroupNonUniformBallot").size() == 1);
  CHECK(lines_with(warp, "OpMemoryBarrier").size() == 2);
  const std::string block =
      assembly_of(kernel("p[0] = 1; __builtin_amdgcn_s_barrier(); p[1] = 2;"));
  CHECK(lines_with(block, "OpControlBarrier %uint_2 %uint_2 %uint_776").size() == 1);
}

TEST_CASE("device: the host can find __device__ and __constant__ variables, and change both") {
  const std::string code =
      assembly_of("__device__ int counter = 7; __constant__ int factors[2] = {5, 6};\n"
                  "extern \"C\" __global__ void kernel(int *p) { p[0] = factors[0] + "
                  "factors[1]; counter = 1; }");
  CHECK(has(code, "OpDecorate %counter LinkageAttributes \"counter\" Export"));
  CHECK(has(code, "OpDecorate %factors LinkageAttributes \"factors\" Export"));
  CHECK_FALSE(has(code, "OpDecorate %factors Constant"));
  // Read from memory, and not as the 11 that the initial values add up to.
  CHECK(lines_with(function_in(code, "kernel"), "OpLoad %uint").size() >= 2);
  CHECK_FALSE(has(code, "%uint_11 "));
}

TEST_CASE("device: dynamic shared memory is the last parameter of the kernels that use it") {
  const std::string code =
      assembly_of(include + "__device__ int *shared() { extern __shared__ int s[]; return s; }\n"
                            "extern \"C\" __global__ void uses(int *p, int n) { "
                            "shared()[threadIdx.x] = n; __syncthreads(); *p = shared()[0]; }\n"
                            "extern \"C\" __global__ void does_not(int *p) { *p = 0; }");
  const std::string uses = function_in(code, "uses");
  const auto parameters = lines_with(uses, "OpFunctionParameter");
  REQUIRE(parameters.size() == 3);
  CHECK(has(parameters.back(), "%_ptr_Workgroup_"));
  CHECK(lines_with(function_in(code, "does_not"), "OpFunctionParameter").size() == 1);
  CHECK(lines_with(code, "OpVariable %_ptr_Workgroup").empty());
}

TEST_CASE("device: two names of dynamic shared memory are one") {
  const std::string code = assembly_of(kernel("extern __shared__ int a[]; extern __shared__ float "
                                              "b[]; a[threadIdx.x] = 1; __syncthreads(); "
                                              "p[0] = int(b[0]);"));
  CHECK(lines_with(function_in(code, "kernel"), "OpFunctionParameter").size() == 2);
}

TEST_CASE("device: static shared memory belongs to the work-group") {
  CHECK(
      lines_with(assembly_of(kernel(
                     "__shared__ int s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[3];")),
                 "OpVariable %_ptr_Workgroup")
          .size() == 1);
}

TEST_CASE("device: pointers of a kernel are known to be global memory") {
  const std::string body =
      function_in(assembly_of(kernel("p[threadIdx.x] = p[blockIdx.x] + 1;")), "kernel");
  CHECK_FALSE(has(body, "Generic"));
  CHECK(has(body, "CrossWorkgroup"));
}

TEST_CASE("device: a struct is passed by value, with its size") {
  const std::string code =
      assembly_of("struct S { char c; double d; short s; };\n"
                  "extern \"C\" __global__ void kernel(double *p, S s) { *p = s.d + s.c + s.s; }");
  CHECK(lines_with(code, "FuncParamAttr ByVal").size() == 1);
  CHECK_FALSE(has(code, "chip.spilled"));
}

TEST_CASE("device: a large struct becomes a pointer that says its size") {
  for (int bytes : {1016, 1020, 4096, 70000}) { // with the pointer before it
    const bool fits = bytes <= 1016;
    const std::string code = assembly_of(
        "struct S { int words[" + std::to_string(bytes / 4) +
        "]; };\nextern \"C\" __global__ void kernel(int *p, S s) { p[0] = s.words[p[1]]; }");
    INFO(bytes);
    CHECK(has(code, "\"chip.spilled." + std::to_string(bytes) + ".\"") == !fits);
    CHECK(has(code, "FuncParamAttr ByVal") == fits);
  }
}

TEST_CASE("device: parameters count with what their alignment takes") {
  const auto spills = [](const std::string &parameters) {
    return has(assembly_of("struct S { double numbers[127]; };\n"
                           "extern \"C\" __global__ void kernel(" +
                           parameters + ") {}"),
               "chip.spilled");
  };
  CHECK_FALSE(spills("int a, int b, S s")); // 8 + 1016
  CHECK_FALSE(spills("char a, S s"));
  CHECK(spills("char a, S s, char b")); // 8 + 1016 + 1
}

TEST_CASE("device: variables with addresses in their initial value are set by one kernel") {
  const std::string code = assembly_of(
      "__device__ int value = 3; __device__ int *pointer = &value; __device__ const char "
      "*text = \"abc\";\n"
      "extern \"C\" __global__ void kernel(int *p) { *p = *pointer + text[1]; }");
  CHECK(has(code, "\"__chip_init_globals\""));
  CHECK_FALSE(has(assembly_of(plain_kernel("*p = 1;")), "__chip_init_globals"));
}

TEST_CASE("device: atomics are relaxed, at the scope that their name says") {
  const std::string code = assembly_of(
      kernel("atomicAdd(p, 1); atomicAdd_system(p, 2); atomicMax(p, 3); atomicCAS(p, 4, 5);"));
  const auto add = lines_with(code, "OpAtomicIAdd %uint ");
  REQUIRE(add.size() == 2);
  // Operands: type, pointer, scope, order, value. Device scope is 1; cross-device scope and the relaxed order are 0.
  CHECK(value_of(code, operand(add[0], 2)) == "1");
  CHECK(value_of(code, operand(add[1], 2)) == "0");
  for (const std::string &line : add)
    CHECK(value_of(code, operand(line, 3)) == "0");
  const auto exchange = lines_with(code, "OpAtomicCompareExchange");
  REQUIRE(exchange.size() == 1);
  CHECK(value_of(code, operand(exchange[0], 3)) == "0");
  CHECK(value_of(code, operand(exchange[0], 4)) == "0");
  CHECK(lines_with(code, "OpAtomicSMax").size() == 1);
}

TEST_CASE("device: atomics on floats are instructions") {
  const std::string code =
      assembly_of(include + "extern \"C\" __global__ void kernel(float *f, double *d) { "
                            "atomicAdd(f, 1.f); atomicAdd(d, 1.); }");
  CHECK(lines_with(code, "OpAtomicFAddEXT").size() == 2);
}

TEST_CASE("device: only extensions that Intel's compiler knows are used") {
  const std::string code = assembly_of(
      include + "struct B { virtual __device__ int f() const = 0; }; struct D : B { __device__ int "
                "f() const override { return 4; } };\n"
                "__device__ D object; __device__ const B *base = &object;\n"
                "extern \"C\" __global__ void print(int n) { printf(\"%d %s\", n, \"text\"); }\n"
                "extern \"C\" __global__ void print_choice(int n) { printf(n ? \"yes %d\" : \"no "
                "%d\", n); }\n"
                "extern \"C\" __global__ void kernel(int *p, float *f) { *p = base->f() + "
                "__brev(p[1]); atomicMin(f, f[1]); p[2] = int(clock64()); }");
  const std::vector<std::string> known = {"SPV_EXT_shader_atomic_float_add",
                                          "SPV_EXT_shader_atomic_float_min_max",
                                          "SPV_INTEL_function_pointers",
                                          "SPV_INTEL_variable_length_array",
                                          "SPV_KHR_bit_instructions",
                                          "SPV_KHR_expect_assume",
                                          "SPV_KHR_shader_clock",
                                          "SPV_KHR_no_integer_wrap_decoration",
                                          "SPV_KHR_float_controls",
                                          "SPV_INTEL_long_composites"};
  const auto extensions = lines_with(code, "OpExtension");
  CHECK(!extensions.empty());
  for (const std::string &line : extensions) {
    bool found = false;
    for (const std::string &name : known)
      found |= has(line, '"' + name + '"');
    INFO(line);
    CHECK(found);
  }
  CHECK(has(code, "Version: 1.4"));
}

TEST_CASE("device: no integer has a width that SPIR-V lacks") {
  for (const char *body :
       {"long long s = 0; for (int i = 0; i < p[0]; ++i) s += (long long)i * i * i; p[1] = int(s);",
        "unsigned long long a = p[0], b = p[1]; p[2] = int(__umul64hi(a * a, b));"}) {
    for (const std::string &line : lines_with(assembly_of(kernel(body)), "OpTypeInt")) {
      INFO(body << '\n' << line);
      CHECK((has(line, " 8 ") || has(line, " 16 ") || has(line, " 32 ") || has(line, " 64 ")));
    }
  }
}

TEST_CASE("device: code is optimised whatever is asked for") {
  for (const char *level : {"-O0", "-O1", "-Og", "-Os", "-O3"})
    for (const Arguments &options : {Arguments{level}, Arguments{level, "-g"}}) {
      const std::string code = assembly_of(
          plain_kernel("int sum = 0; for (int i = 0; i < 4; ++i) sum += i; *p = sum;"), options);
      INFO(level << (options.size() > 1 ? " -g" : ""));
      CHECK(has(function_in(code, "kernel"), "%uint_6 "));
    }
}

TEST_CASE("device: a loop that cannot be unrolled is warned of where optimisation is asked for") {
  const std::string source = kernel("_Pragma(\"unroll\") for (int i = 0; i < p[1]; ++i) "
                                    "p[threadIdx.x] += __shfl_xor(p[threadIdx.x], i);");
  for (const char *level : {"-O0", "-O1", "-O2"}) {
    Directory directory;
    const std::string code = directory.write("code.hip", source);
    const Result compiled =
        hipcc(directory, {"--genco", level, "-Wall", "-Werror", code, "-o", "code"});
    INFO(level << '\n' << compiled.err);
    CHECK(has(compiled.err, "loop not unrolled") == (level != std::string("-O0")));
    CHECK((compiled.exit_code == 0) == (level == std::string("-O0")));
  }
}

TEST_CASE("device: each kernel's dynamic shared memory is aligned as its own declaration says") {
  const std::string code = assembly_of(
      include +
      "template <int n> __device__ char *memory() {"
      "  extern __shared__ __align__(n) char array[];"
      "  return array;"
      "}\n"
      "template <int n> __global__ void kernel(char *p) { *p = memory<n>()[threadIdx.x]; }\n"
      "template __global__ void kernel<1>(char *);\n"
      "template __global__ void kernel<64>(char *);\n"
      "template __global__ void kernel<16>(char *);\n"
      "__global__ void both(char *p) { *p = memory<1>()[threadIdx.x] + memory<32>()[1]; }\n");
  std::vector<std::string> alignments;
  for (const std::string &line : lines_with(code, "OpDecorate %chip_dynamic_shared"))
    if (has(line, " Alignment "))
      alignments.push_back(line.substr(line.rfind(' ') + 1));
  std::ranges::sort(alignments);
  CHECK(alignments == std::vector<std::string>{"1", "16", "32", "64"});
  CHECK(lines_with(code, "__chip_dynamic_shared").empty());
}

TEST_CASE("device: functions of <cmath> are those of the device") {
  const std::string code =
      assembly_of("#include <cmath>\n" + include +
                  "extern \"C\" __global__ void kernel(float *f, double *d) { f[0] = "
                  "std::sin(f[1]) + std::pow(f[2], 2.5f) + erff(f[3]) + std::abs(f[4]);"
                  " d[0] = std::sqrt(d[1]) + std::erf(d[2]) + ::pow(d[3], d[4]); }");
  for (const char *name : {" sin ", " pow ", " erf ", " fabs ", " sqrt "}) {
    INFO(name);
    CHECK_FALSE(lines_with(code, name).empty());
  }
  CHECK(lines_with(code, "Import").size() == lines_with(code, "OpExtInstImport").size());
}

TEST_CASE("device: bodies that only the other side has use for are passed over") {
  // A flag of 3 says that what follows is of a system's header.
  const auto in_file = [](const std::string &name, const std::string &text) {
    return "# 1 \"" + name + "\"" + (name[0] == '/' ? " 3" : "") + "\n" + text + "\n";
  };
  const auto compiles = [](const char *side, const std::string &source) {
    const Directory d;
    d.write("a.hip", source);
    return hipcc(d, {side, "-fsyntax-only", "a.hip"}).exit_code == 0;
  };
  const std::string broken = "{ return not_declared(); }";
  const std::string function = "inline int function() " + broken,
                    special = "template <class T> T special(T x) " + broken;

  const auto for_device = [&](const std::string &file, const std::string &text) {
    return compiles("--offload-device-only", in_file(file, text));
  };
  CHECK(for_device("/some/header", "namespace std { inline namespace v1 { " + function + " } }"));
  CHECK(for_device("/some/header", "namespace std { struct S { int f() " + broken + " }; }"));
  CHECK(for_device("/tr1/header", "namespace std { " + special + " }"));
  // What a device calls, or may be given code of the program, is not.
  CHECK_FALSE(for_device("/some/header", "namespace std { " + special + " }"));
  CHECK_FALSE(for_device("/some/header", "namespace std { __device__ " + function + " }"));
  CHECK_FALSE(for_device("/some/header", "namespace mine { " + function + " }"));
  CHECK_FALSE(for_device("header", "namespace std { " + function + " }"));

  const auto for_host = [&](const std::string &file, const std::string &text) {
    return compiles("--offload-host-only", in_file(file, text));
  };
  const std::string ours = "/include/hip/spirv_detail/header";
  CHECK(for_host(ours, "__device__ " + function));
  CHECK(for_host(ours, "template <class T> struct S { __device__ int f() " + broken + " };"));
  CHECK_FALSE(for_host(ours, function));
  CHECK_FALSE(for_host(ours, "__host__ __device__ " + function));
  CHECK_FALSE(for_host("/some/header", "__device__ " + function));
}

TEST_CASE("device: clang's builtins of the C library are the device's functions") {
  const std::string code = assembly_of(plain_kernel(
      "f[0] = __builtin_scalbnf(f[1], p[0]) + __builtin_erff(f[2]); p[1] = __builtin_ilogbf(f[3]);",
      "float *f, int *p"));
  for (const char *name : {" ldexp ", " erf ", " ilogb "}) {
    INFO(name);
    CHECK(lines_with(code, name).size() == 1);
  }
}

TEST_CASE("device: warp functions are non-uniform group instructions") {
  const std::string code =
      assembly_of(kernel("int v = __shfl_down(p[threadIdx.x], 4); p[threadIdx.x] = v + __any(v) + "
                         "__all(v) + int(__ballot(v));"));
  for (const char *name : {"OpGroupNonUniformShuffle", "OpGroupNonUniformAny",
                           "OpGroupNonUniformAll", "OpGroupNonUniformBallot"}) {
    INFO(name);
    CHECK_FALSE(lines_with(code, name).empty());
  }
}

TEST_CASE("device: lambdas and templates are kernels") {
  CHECK(lines_with(assembly_of("template <class F> __global__ void apply(int *p, F f) { "
                               "p[0] = f(p[1]); }\n"
                               "void host(int *p, int a) { apply<<<1, 1>>>(p, [=] "
                               "__device__(int x) { return x + a; }); }"),
                   "OpEntryPoint Kernel")
            .size() == 1);
}
