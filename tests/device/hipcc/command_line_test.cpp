// hipcc and hipconfig as build systems call them.
#include "tool.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <regex>

using namespace device_test;

namespace {

const std::string program =
    "__global__ void kernel(int *p) { *p = 1; }\nint main() { return 0; }\n";

/// Compiles without a message.
void compile(const Directory &directory, const Arguments &arguments) {
  const Result result = hipcc(directory, arguments);
  std::string line;
  for (const std::string &argument : arguments)
    line += ' ' + argument;
  INFO("hipcc" << line << '\n' << result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.empty());
}

std::string symbols(const Directory &directory, const std::string &file) {
  const Result result = run(directory, TEST_NM, {file});
  REQUIRE(result.exit_code == 0);
  return result.out;
}

} // namespace

TEST_CASE("device: hipcc -c makes an object that registers its kernels") {
  Directory d;
  d.write("a.hip", program);
  compile(d, {"-c", "a.hip", "-o", "a.o"});
  const std::string all = symbols(d, "a.o");
  CHECK(has(all, "__hipRegisterFatBinary"));
  CHECK(has(all, "__hipRegisterFunction"));
  CHECK(has(read(d / "a.o"), "__CLANG_OFFLOAD_BUNDLE__"));
}

TEST_CASE("device: hipcc names an object after its source") {
  Directory d;
  d.write("a.hip", program);
  compile(d, {"-c", "a.hip"});
  auto files = d.files();
  std::ranges::sort(files);
  // And nothing else is left behind.
  CHECK(files == std::vector<std::string>{"a.hip", "a.o"});
}

TEST_CASE("device: hipcc takes C++ and CUDA file names for HIP") {
  for (const char *name : {"a.hip", "a.cu", "a.cpp", "a.cc", "a.cxx", "a.C"}) {
    Directory d;
    d.write(name, program);
    compile(d, {"-c", name, "-o", "a.o"});
    INFO(name);
    CHECK(has(symbols(d, "a.o"), "__hipRegisterFunction"));
  }
}

TEST_CASE("device: hipcc takes a C file for C") {
  Directory d;
  d.write("a.c",
          "#ifdef __HIP__\n#error HIP\n#endif\n#ifdef __cplusplus\n#error C++\n#endif\n"
          "#include <hip/hip_runtime_api.h>\nint f(void) { int class = 1; return class; }\n");
  compile(d, {"-c", "a.c", "-o", "a.o"});
  CHECK(has(symbols(d, "a.o"), " T f"));
}

TEST_CASE("device: a C file and a HIP file are compiled by one command") {
  Directory d;
  d.write("a.c", "int f(void) { int class = 1; return class; }\n");
  d.write("b.hip", program);
  compile(d, {"-c", "a.c", "b.hip"});
  CHECK_FALSE(has(symbols(d, "a.o"), "__hipRegister"));
  CHECK(has(symbols(d, "b.o"), "__hipRegisterFunction"));
}

TEST_CASE("device: hipcc passes standard, warnings, definitions and directories on") {
  Directory d;
  std::filesystem::create_directory(d.path() / "inc");
  d.write("inc/own.h", "#define OWN 5\n");
  d.write("a.hip", "#include \"own.h\"\n"
                   "static_assert(__cplusplus == 202002L && GIVEN == 4 && OWN == 5);\n"
                   "__global__ void kernel(int *p) { *p = GIVEN; }\n");
  compile(d, {"-std=c++20", "-Wall", "-Wextra", "-Werror", "-DGIVEN=4", "-Iinc", "-c", "a.hip",
              "-o", "a.o"});
}

TEST_CASE("device: programs see the platform AMD, and ours") {
  Directory d;
  d.write("a.hip", "#if !defined(__HIP_PLATFORM_AMD__) || !defined(__HIP_PLATFORM_SPIRV__) || "
                   "defined(__HIP_PLATFORM_NVIDIA__)\n"
                   "#error platform\n#endif\n");
  compile(d, {"-c", "a.hip", "-o", "a.o"});
}

TEST_CASE("device: kernels can be written without including anything") {
  Directory d;
  d.write("a.hip",
          "__global__ void kernel(int *p) { *p = 1; }\n__device__ int v;\n__constant__ int c;\n");
  compile(d, {"-c", "a.hip", "-o", "a.o"});
}

TEST_CASE("device: the headers are those of this build") {
  Directory d;
  d.write("a.hip", "#include <hip/hip_runtime.h>\n");
  const Result result = hipcc(d, {"-M", "a.hip"});
  REQUIRE(result.exit_code == 0);
  CHECK(has(result.out, TEST_PREFIX "/include/hip/hip_runtime.h"));
  CHECK_FALSE(has(result.out, " /usr/include/hip/"));
}

TEST_CASE("device: hipcc --genco makes a bundle with SPIR-V") {
  Directory d;
  d.write("a.hip", program);
  compile(d, {"--genco", "--offload-arch=gfx90a", "a.hip", "-o", "a.code"});
  const std::string spirv = spirv_in_bundle(read(d / "a.code"));
  REQUIRE(spirv.size() > 20);
  CHECK(spirv.substr(0, 4) == std::string("\x03\x02\x23\x07", 4));
}

TEST_CASE("device: hipcc links with the runtime of this build") {
  Directory d;
  d.write("a.hip",
          "#include <hip/hip_runtime.h>\nint main() { int n; return hipGetDeviceCount(&n); }\n");
  const Result result = hipcc(d, {"-###", "a.hip", "-o", "a"});
  REQUIRE(result.exit_code == 0);
  CHECK(has(result.err, "\"-lCHIP\""));
  CHECK(has(result.err, "\"-L" TEST_PREFIX "/lib\""));
  CHECK(has(result.err, "\"-rpath\" \"" TEST_PREFIX "/lib\""));
  CHECK_FALSE(has(result.err, "\"-lamdhip64\""));
}

TEST_CASE("device: programs for another processor are not told where this one's libraries are") {
  Directory d;
  d.write("a.hip", "int main() {}\n");
  const auto names_libraries = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"-###", "a.hip", "-o", "a"});
    const Result result = hipcc(d, options);
    REQUIRE(result.exit_code == 0);
    CHECK(has(result.err, "\"-lCHIP\""));
    return has(result.err, "\"-rpath\"");
  };
  std::string own = hipcc(d, {"-dumpmachine"}).out;
  own.erase(own.find_last_not_of('\n') + 1);
  CHECK(names_libraries({"--target=" + own}));
  CHECK(names_libraries({"-target", own}));
  CHECK_FALSE(names_libraries({"--target=riscv64-linux-gnu"}));
  CHECK_FALSE(names_libraries({"-target", "riscv64-linux-gnu"}));
}

TEST_CASE("device: hipcc links with hiprtc what calls it, and nothing else") {
  Directory d;
  for (const std::string call : {"hiprtcVersion(&n, &n)", "hipGetDeviceCount(&n)"}) {
    d.write("a.hip", "#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n"
                     "int main() { int n; return " +
                         call + "; }\n");
    compile(d, {"a.hip", "-o", "a"});
    const Result needed = run(d, "/bin/sh", {"-c", "readelf -d a"});
    CHECK(has(needed.out, "[libCHIP.so"));
    CHECK(has(needed.out, "[libhiprtc.so") == (call[3] == 'r'));
  }
}

TEST_CASE("device: hipcc -fopenmp is for the host") {
  Directory d;
  d.write("a.hip",
          "#include <omp.h>\n__global__ void kernel(int *p) { *p = 1; }\n"
          "int main() {\n  int sum = 0;\n#pragma omp parallel num_threads(3) reduction(+ : sum)\n"
          "  sum += omp_get_num_threads();\n  return sum == 9 ? 7 : 1;\n}\n");
  compile(d, {"-fopenmp", "a.hip", "-o", "one_step"});
  compile(d, {"-fopenmp", "-c", "a.hip", "-o", "a.o"});
  compile(d, {"-fopenmp", "a.o", "-o", "two_steps"});
  CHECK(run(d, d / "one_step", {}).exit_code == 7);
  CHECK(run(d, d / "two_steps", {}).exit_code == 7);
}

TEST_CASE("device: hipcc links relocatable device code of two files") {
  Directory d;
  d.write("a.hip",
          "extern __device__ int twice(int);\n"
          "__global__ void kernel(int *p) { *p = twice(*p); }\nint main() { return 0; }\n");
  d.write("b.hip", "__device__ int twice(int x) { return 2 * x; }\n");
  compile(d, {"-fgpu-rdc", "-c", "a.hip", "-o", "a.o"});
  compile(d, {"-fgpu-rdc", "-c", "b.hip", "-o", "b.o"});
  CHECK(has(read(d / "a.o"), "__CLANG_OFFLOAD_BUNDLE__hip-spirv64"));
  compile(d, {"-fgpu-rdc", "a.o", "b.o", "-shared", "-fPIC", "-o", "both.so"});
  const std::string library = read(d / "both.so");
  CHECK(has(library, "__CLANG_OFFLOAD_BUNDLE__"));
  // SPIR-V specification, 3.49.5: OpExecutionMode of some kernel, SubgroupSize, 32. A bundle aligns its parts to words.
  bool has_warps = false;
  for (size_t at = 0; at + 16 <= library.size(); at += 4) {
    uint32_t words[4];
    std::memcpy(words, &library[at], sizeof words);
    has_warps |= words[0] == (4u << 16 | 16) && words[2] == 35 && words[3] == 32;
  }
  CHECK(has_warps);
}

TEST_CASE("device: hipcc names what relocatable device code lacks") {
  Directory d;
  d.write("a.hip",
          "extern __device__ int nowhere(int);\n"
          "__global__ void kernel(int *p) { *p = nowhere(*p); }\nint main() { return 0; }\n");
  compile(d, {"-fgpu-rdc", "-c", "a.hip", "-o", "a.o"});
  const Result result = hipcc(d, {"-fgpu-rdc", "a.o", "-o", "a"});
  CHECK(result.exit_code != 0);
  CHECK(has(result.err, "kernel 'kernel(int*)' uses 'nowhere(int)'"));
  CHECK_FALSE(std::filesystem::exists(d / "a"));
}

TEST_CASE("device: hipcc makes shared libraries") {
  Directory d;
  d.write("a.hip", program.substr(0, program.find("int main")));
  compile(d, {"-shared", "-fPIC", "a.hip", "-o", "liba.so"});
  CHECK(has(symbols(d, "liba.so"), "__hipRegisterFatBinary"));
}

TEST_CASE("device: hipcc reads response files") {
  Directory d;
  d.write("a file.hip", "#ifndef GIVEN\n#error\n#endif\n" + program);
  d.write("inner.rsp", "-DGIVEN=\"1 + 1\"");
  d.write("outer.rsp", "-c 'a file.hip'\n@inner.rsp\n  -o a.o\n");
  compile(d, {"@outer.rsp"});
  CHECK(has(symbols(d, "a.o"), "__hipRegisterFunction"));
}

TEST_CASE("device: an error of the program is clang's message and nothing else") {
  Directory d;
  d.write("a.hip", "__global__ void kernel(int *p) { *p = undeclared; }\n");
  const Result result = hipcc(d, {"-c", "a.hip", "-o", "a.o"});
  CHECK(result.exit_code == 1);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("a.hip:1:"));
  CHECK(has(result.err, "error: use of undeclared identifier 'undeclared'"));
  for (const std::string &line : lines_with(result.err, "error:")) {
    INFO(line);
    CHECK(line.starts_with("a.hip:1:"));
  }
  CHECK_FALSE(has(result.err, "hipcc"));
  CHECK(d.files() == std::vector<std::string>{"a.hip"});
}

TEST_CASE("device: hipcc --version says which HIP and which clang") {
  Directory d;
  const Result result = hipcc(d, {"--version"});
  CHECK(result.exit_code == 0);
  CHECK(std::regex_search(result.out, std::regex("HIP version: 6\\.4\\.[0-9]+-[0-9a-z]+\n")));
  CHECK(has(result.out, "clang version"));
}

TEST_CASE("device: hipcc leaves no temporary file behind") {
  Directory d, temporary;
  d.write("a.hip", program);
  d.write("bad.hip", "__global__ void kernel(int *p) { no_such_function(p); }\n");
  const Arguments environment{"TMPDIR=" + temporary.path().string()};
  CHECK(hipcc(d, {"-c", "a.hip", "-o", "a.o"}, environment).exit_code == 0);
  CHECK(temporary.files().empty());
  CHECK(hipcc(d, {"-c", "bad.hip", "-o", "b.o"}, environment).exit_code != 0);
  CHECK(temporary.files().empty());
}

TEST_CASE("device: hipconfig --version has the form that build systems take apart") {
  Directory d;
  const Result result = run(d, TEST_HIPCONFIG, {"--version"});
  CHECK(result.exit_code == 0);
  CHECK(std::regex_match(result.out, std::regex("6\\.4\\.[0-9]+-[0-9a-z]+\n?")));
}

TEST_CASE("device: hipconfig answers single questions") {
  Directory d;
  const auto answer = [&](const char *option) {
    const Result result = run(d, TEST_HIPCONFIG, {option});
    INFO(option << result.err);
    CHECK(result.exit_code == 0);
    std::string text = result.out;
    while (!text.empty() && text.back() == '\n')
      text.pop_back();
    return text;
  };
  for (const char *option : {"--path", "-p", "--rocmpath", "-R"})
    CHECK(answer(option) == TEST_PREFIX);
  for (const char *option : {"--compiler", "-c"})
    CHECK(answer(option) == "clang");
  for (const char *option : {"--platform", "-P"})
    CHECK(answer(option) == "amd");
  for (const char *option : {"--cpp_config", "-C"}) {
    CHECK(has(answer(option), "-D__HIP_PLATFORM_AMD__"));
    CHECK(has(answer(option), "-I" TEST_PREFIX "/include"));
  }
  CHECK(std::filesystem::exists(answer("--hipclangpath") + "/clang++"));
  CHECK_FALSE(answer("--runtime").empty());
  CHECK(has(answer("--full"), TEST_PREFIX));
}

TEST_CASE("device: hipconfig rejects an unknown option") {
  Directory d;
  const Result result = run(d, TEST_HIPCONFIG, {"--no-such-option"});
  CHECK(result.exit_code == 1);
  CHECK(has(result.err, "--no-such-option"));
}
