// hipcc's command line, row by row: a command for the shell, and what has to come of it. What a kernel wrote is what the
// programs print, on the CPU driver.
#include "tool.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace device_test;

namespace {

struct Row {
  std::string line;     ///< Run by a shell that finds this build's hipcc and hipconfig
  std::string out = ""; ///< Standard output has this in it
  std::string err = ""; ///< So has standard error; nothing else may be there if this is empty
  std::vector<std::string> files{}; ///< All files that are new, sorted
  int exit_code = 0;
};

// Most of these include nothing of HIP's: its headers take several times what a command takes without them.
void write_sources(const Directory &d) {
  const std::string program =
      "__global__ void kernel(int *p) { *p = OWN; }\n"
      "int main() {\n  int *p = nullptr;\n"
      "  if (hipMallocManaged((void **)&p, sizeof *p, 1) != hipSuccess) return 1;\n"
      "  kernel<<<1, 1>>>(p);\n"
      "  if (hipDeviceSynchronize() != hipSuccess) return 1;\n"
      "  printf(\"kernel wrote %d\\n\", *p);\n  return hipFree(p) != hipSuccess;\n}\n";
  const std::string begin = "#include \"own.h\"\n";
  d.write("own.h", "#ifndef OWN\n#define OWN 42\n#endif\n"
                   "extern \"C\" {\nint printf(const char *, ...);\n"
                   "#ifdef __HIP__\nhipError_t hipMallocManaged(void **, size_t, unsigned);\n"
                   "hipError_t hipDeviceSynchronize();\nhipError_t hipFree(void *);\n#endif\n}\n");
  d.write("headers.hip", "#include <hip/hip_runtime.h>\n#include <cstdio>\n#include <string>\n"
                         "#define OWN 42\n" +
                             program);
  for (const char *name : {"a.hip", "a.cu", "a.cpp", "a.cc", "no_ending"})
    d.write(name, begin + program);
  // A program of three files.
  d.write("main.hip", begin + "int run2(int *), run3(int *);\n"
                              "int main() {\n  int *p = nullptr;\n"
                              "  if (hipMallocManaged((void **)&p, sizeof *p, 1) != hipSuccess) "
                              "return 1;\n  printf(\"kernels wrote %d\", run2(p));\n"
                              "  printf(\" and %d\\n\", run3(p));\n  return 0;\n}\n");
  for (const std::string n : {"2", "3"})
    d.write("k" + n + ".hip",
            begin + "__global__ void k" + n + "(int *p) { *p = " + n + "; }\nint run" + n +
                "(int *p) { k" + n +
                "<<<1, 1>>>(p); return hipDeviceSynchronize() == hipSuccess ? *p : -1; }\n");
  d.write("prints.hip",
          begin + "__global__ void kernel(int *p) { *p = printf(\"four\"); }\n"
                  "int main() {\n  int *p = nullptr;\n"
                  "  if (hipMallocManaged((void **)&p, sizeof *p, 1) != hipSuccess) return 1;\n"
                  "  kernel<<<1, 1>>>(p);\n  if (hipDeviceSynchronize() != hipSuccess) return 1;\n"
                  "  printf(\" %d\\n\", *p);\n  return hipFree(p) != hipSuccess;\n}\n");
  d.write("messages.hip", "#include <assert.h>\n__global__ void says(int n) { printf(\"%d\", n); "
                          "assert(n); }\n");
  d.write("host.c", "int host(void) { int class = 1; return class; }\n");
  d.write("host.cc", "#ifdef __HIP__\nint hip;\n#endif\nint host() { return 1; }\n");
}

void check(const std::vector<Row> &rows) {
  // Here, as a shell takes the last of two settings of its environment.
  const std::string settings = "export PATH='" TEST_PREFIX "/bin':\"$PATH\" CHIP_DEVICE=cpu; ";
  for (const Row &row : rows) {
    Directory d;
    write_sources(d);
    auto before = d.files();
    const Result result = run(d, "/bin/sh", {"-c", settings + row.line});
    std::vector<std::string> files = d.files();
    std::erase_if(files,
                  [&](const std::string &name) { return std::ranges::contains(before, name); });
    std::ranges::sort(files);
    INFO(row.line << "\nstandard output: " << result.out << "\nstandard error: " << result.err);
    CHECK(result.exit_code == row.exit_code);
    CHECK(has(result.out, row.out));
    if (row.err.empty())
      CHECK(result.err == "");
    else
      CHECK(has(result.err, row.err));
    CHECK(files == row.files);
    // Whatever happens, nobody is to send LLVM's makers a report.
    CHECK_FALSE(has(result.err, "PLEASE"));
  }
}

const std::string wrote = "kernel wrote 42", both_wrote = "kernels wrote 2 and 3";

} // namespace

TEST_CASE("device: hipcc makes programs of whatever is a source file") {
  check({
      {"hipcc headers.hip && ./a.out", wrote, "", {"a.out"}},
      {"hipcc a.cpp -o p && ./p", wrote, "", {"p"}},
      {"hipcc a.cu -o p && ./p", wrote, "", {"p"}},
      {"hipcc -x cu a.cu -o p && ./p", wrote, "", {"p"}},
      {"hipcc -x hip no_ending -o p && ./p", wrote, "", {"p"}},
      {"hipcc -xhip no_ending -o p && ./p", wrote, "", {"p"}},
      {"hipcc main.hip k2.hip k3.hip -o p && ./p", both_wrote, "", {"p"}},
      {"hipcc -c main.hip k2.hip k3.hip && hipcc main.o k2.o k3.o -o p && ./p",
       both_wrote,
       "",
       {"k2.o", "k3.o", "main.o", "p"}},
      {"hipcc -c k2.hip k3.hip host.cc && hipcc -x hip main.hip k2.o k3.o host.o -o p && ./p",
       both_wrote,
       "",
       {"host.o", "k2.o", "k3.o", "p"}},
      {"hipcc -c host.c -o c.o && nm c.o", " T host\n", "", {"c.o"}},
      {"hipcc -x c++ -c host.cc && nm -C host.o | grep -v cuid", " T host()\n", "", {"host.o"}},
      {"hipcc @/dev/null a.hip -o p && ./p", wrote, "", {"p"}},
      {"echo '-DOWN=7 a.hip -o p' > line; hipcc @line && ./p", "wrote 7", "", {"line", "p"}},
      // clang reads the input once for the device and once for the host.
      {"hipcc -x hip - -o p < a.hip && ./p", wrote, "", {"p"}},
      {"hipcc -x hip -c - < a.hip && mv ./-.o a.o && hipcc a.o -o p && ./p",
       wrote,
       "",
       {"a.o", "p"}},
      {"hipcc -fgpu-rdc -x hip -c - -o 2.o < k2.hip && hipcc -fgpu-rdc -x hip -c - -o 3.o < k3.hip "
       "&& "
       "hipcc -fgpu-rdc main.hip 2.o 3.o -o p && ./p",
       both_wrote,
       "",
       {"2.o", "3.o", "p"}},
      {"echo 'int a = b;' | hipcc -x hip -c - -o a.o", "", "<stdin>:1:9: error:", {}, 1},
      {"hipcc -x c++ -c - -o h.o < host.cc", "", "", {"h.o"}},
  });
}

TEST_CASE("device: hipcc preprocesses, and lists what files depend on") {
  check({
      {"hipcc -E a.hip | grep 'p = '", "p = 42", ""},
      {"hipcc -E - < host.cc", "int host()", ""},
      {"hipcc -E -dM -x hip /dev/null", "#define __HIP_PLATFORM_AMD__ 1", ""},
      {"hipcc -E a.hip -o a.hipi && hipcc -c a.hipi && hipcc a.o -o p && ./p",
       wrote,
       "",
       {"a.hipi", "a.o", "p"}},
      {"hipcc -E a.hip -o a.i && hipcc -x hip-cpp-output a.i -o p && ./p", wrote, "", {"a.i", "p"}},
      // One rule, and nothing else, as other compilers have it.
      {"hipcc -MM a.hip > d; cat d; wc -l d", "a.o: a.hip own.h\n1 d", "", {"d"}},
      {"hipcc -M a.hip > d; head -1 d; tail -n +2 d | grep -v '^ '", "a.o: a.hip", "", {"d"}, 1},
      {"hipcc -MM -MT x.o -MF x.d a.hip; cat x.d", "x.o: a.hip own.h\n", "", {"x.d"}},
      {"hipcc -MMD -c a.hip && cat a.d", "a.o: a.hip own.h\n", "", {"a.d", "a.o"}},
      {"hipcc -MMD -MP -c a.hip -o x.o && cat x.d",
       "x.o: a.hip own.h\nown.h:\n",
       "",
       {"x.d", "x.o"}},
      {"hipcc -MD -MT x -MF x.dep -c a.hip && cat x.dep", "x: a.hip", "", {"a.o", "x.dep"}},
      {"hipcc -MMD -MQ 'a b' -c a.hip && cat a.d", "a\\ b: a.hip", "", {"a.d", "a.o"}},
      {"hipcc a.hip -MJ list -c && cat list", "\"file\": \"a.hip\"", "", {"a.o", "list"}},
      {"hipcc -fsyntax-only a.hip", "", "", {}},
  });
}

TEST_CASE("device: hipcc shows what it does") {
  check({
      {"hipcc -### a.hip -o p 2>&1", "\"-lCHIP\"", ""},
      {"hipcc -v a.hip -o p 2>&1", "llvm-spirv", "", {"p"}},
      {"hipcc -v 2>&1", "Found HIP installation: " TEST_PREFIX ", version 6.4.", ""},
      {"hipcc --version", "HIP version: 6.4.", ""},
      {"HIPCC_VERBOSE=1 hipcc -c a.hip", "hipcc-cmd: ", "", {"a.o"}},
      {"HIPCC_VERBOSE=2 hipcc -c a.hip | wc -c", "0", "", {"a.o"}},
      {"HIPCC_VERBOSE=yes hipcc -c a.hip | wc -c",
       "0",
       "hipcc: HIPCC_VERBOSE='yes' is ignored: use a number from 0 to 7, or leave it unset\n",
       {"a.o"}},
      {"hipcc -save-temps -c k2.hip && ls *.hipfb *.hipi | wc -l",
       "3",
       "",
       {"k2-hip-spirv64-generic-link.bc", "k2-hip-spirv64-generic-lower.bc",
        "k2-hip-spirv64-generic.bc", "k2-hip-spirv64-generic.hipi", "k2-hip-spirv64-generic.out",
        "k2-host-x86_64-pc-linux-gnu.bc", "k2-host-x86_64-pc-linux-gnu.hipi",
        "k2-host-x86_64-pc-linux-gnu.s", "k2.hip-hip-spirv64.hipfb", "k2.o"}},
      // What refers to functions of the device library is no SPIR-V before our passes ran.
      {"hipcc -S messages.hip && grep -c -e 'define.* spir_kernel' -e cfi_startproc messages.s",
       "",
       "",
       {"messages.s"}},
      {"hipcc -S --offload-device-only messages.hip -o - | grep 'define.*says'", "spir_kernel", ""},
      {"hipcc -S --offload-host-only a.hip -o - | grep -c __hipRegisterFatBinary", "", ""},
      {"hipcc -S -emit-llvm --cuda-device-only a.hip -o - | grep 'define.*kernel'", "spir_kernel",
       ""},
      {"hipcc --genco a.hip", "", "", {"a.hip-hip-spirv64.hipfb"}},
      {"hipcc --genco a.hip -o a.code && head -c 24 a.code",
       "__CLANG_OFFLOAD_BUNDLE__",
       "",
       {"a.code"}},
      {"hipcc --offload-device-only -c a.hip -o a.code && head -c 24 a.code",
       "__CLANG_OFFLOAD_BUNDLE__",
       "",
       {"a.code"}},
      {"hipcc --offload-device-only --no-gpu-bundle-output -c a.hip -o a.spv && spirv-val a.spv",
       "",
       "",
       {"a.spv"}},
      {"hipcc --offload-host-only -c a.hip -o a.o && nm a.o | grep -c __hipRegisterFatBinary",
       "1",
       "",
       {"a.o"}},
  });
}

TEST_CASE("device: hipcc takes options for AMD's devices, and for whatever device there is") {
  std::vector<Row> rows;
  for (const char *options : {"--offload-arch=gfx90a,gfx1100:xnack- "
                              "--offload-arch=gfx942:sramecc+:xnack- --offload-arch gfx906",
                              "--offload-arch=native --offload-arch=gfx9-4-generic --offload-arch= "
                              "--offload-arch=amdgcnspirv --amdgpu-target=gfx906",
                              "--offload=amdgcn-amd-amdhsa --offload-new-driver -foffload-lto "
                              "--rocm-path=/opt/rocm --hip-path=/opt/rocm/hip",
                              "-parallel-jobs=4 --offload-compress -mcode-object-version=5 -mllvm "
                              "-amdgpu-early-inline-all=true "
                              "-mllvm=-amdgpu-function-calls=false -munsafe-fp-atomics "
                              "--gpu-max-threads-per-block=256 -fgpu-flush-denormals-to-zero"})
    rows.push_back({std::string("hipcc ") + options + " a.hip -o p && ./p", wrote, "", {"p"}});
  // The kind of printf that buffers returns no length.
  rows.push_back({"hipcc prints.hip -o p && ./p", "four 4\n", "", {"p"}});
  rows.push_back({"hipcc -mprintf-kind=hostcall -mprintf-kind=buffered prints.hip -o p && ./p",
                  "four 0\n",
                  "",
                  {"p"}});
  rows.push_back({"hipcc -mprintf-kind=buffered -mprintf-kind=hostcall prints.hip -o p && ./p",
                  "four 4\n",
                  "",
                  {"p"}});
  rows.push_back({"hipcc -mprintf-kind=none prints.hip -o p",
                  "",
                  "invalid value 'none' in '-mprintf-kind=none'",
                  {},
                  1});
  check(rows);
}

TEST_CASE("device: hipcc takes clang's options, and instruments and hardens the host's code only") {
  std::vector<Row> rows;
  const auto add = [&](const std::string &file, const char *options) {
    rows.push_back({"hipcc " + file + ' ' + options + " -o p && ./p", wrote, "", {"p"}});
  };
  for (const char *options :
       {"-O3 -ggdb3 -std=gnu++23 -pthread -fopenmp",
        "-march=native -flto -s -fPIE -ffast-math -fvisibility=hidden",
        "-DSIZE=100 -DUNUSED -U OTHER -I . -isystem . -iquote . -include own.h",
        "-Wl,-z,now -Wl,--as-needed -Xlinker -z -Xlinker relro", "-fsanitize=thread",
        "-finstrument-functions -fpatchable-function-entry=2",
        "-ffunction-sections -fdata-sections -Wl,--gc-sections --sysroot / --param "
        "ssp-buffer-size=4"})
    add("a.hip", options);
  // These change what headers say, or are of use only if headers stand them.
  for (const char *options :
       {"-O0 -g -std=c++11", "-Wall -Wextra -Werror -pedantic -Wunused-command-line-argument",
        "-O2 -D_FORTIFY_SOURCE=3 -fcf-protection -fstack-protector-strong -fstack-clash-protection "
        "-fzero-call-used-regs=used-gpr",
        "-fsanitize=address,undefined -g"})
    add("headers.hip", options);
  rows.push_back({"hipcc --coverage a.hip -o p && ./p", wrote, "", {"p", "p-a.gcda", "p-a.gcno"}});
  rows.push_back({"hipcc -fprofile-instr-generate -fcoverage-mapping a.hip -o p && ./p",
                  wrote,
                  "",
                  {"default.profraw", "p"}});
  rows.push_back(
      {"hipcc -fsanitize=address -c host.c && nm host.o | grep -c asan_init", "1", "", {"host.o"}});
  check(rows);
}

TEST_CASE("device: hipcc adds the options that users set for every call") {
  check({
      {"HIPCC_COMPILE_FLAGS_APPEND='-DOWN=\"5 + 5\"' hipcc a.hip -o p && ./p",
       "wrote 10",
       "",
       {"p"}},
      {"HIPCC_LINK_FLAGS_APPEND='-Wl,-rpath,/some/where' hipcc a.hip -o p && readelf -d p",
       "/some/where",
       "",
       {"p"}},
      // Each where it is of use only, and with what stands on the command line having the last word.
      {"HIPCC_COMPILE_FLAGS_APPEND=-DOWN=5 HIPCC_LINK_FLAGS_APPEND=--no-such-option hipcc -UOWN -c "
       "a.hip && hipcc a.o -o p && ./p",
       wrote,
       "",
       {"a.o", "p"}},
      {"HIP_CLANG_PATH=$(hipconfig -l) hipcc a.hip -o p && ./p", wrote, "", {"p"}},
      {"HIP_CLANG_PATH=/nowhere hipcc -c a.hip", "", "cannot run /nowhere/clang++", {}, 1},
  });
}

TEST_CASE("device: hipcc makes and uses libraries") {
  const std::string objects = "hipcc -c k2.hip k3.hip && ";
  const std::string relocatable = "hipcc -fgpu-rdc -c k2.hip k3.hip && ";
  const std::vector<std::string> left{"k2.o", "k3.o", "l.a", "p"};
  check({
      {"hipcc -fPIC -shared k2.hip k3.hip -o libk.so && hipcc main.hip -L. -lk -Wl,-rpath,. -o p "
       "&& ./p",
       both_wrote,
       "",
       {"libk.so", "p"}},
      {"hipcc --emit-static-lib k2.hip k3.hip -o libk.a && hipcc main.hip -L. -lk -o p && ./p",
       both_wrote,
       "",
       {"libk.a", "p"}},
      {"hipcc --emit-static-lib -fPIC -fgpu-rdc k2.hip k3.hip -o libk.a && hipcc -fgpu-rdc "
       "main.hip libk.a -o p && ./p",
       both_wrote,
       "",
       {"libk.a", "p"}},
      {"hipcc -static-lib k2.hip k3.hip -o libk.a && hipcc main.hip -L. -lk -o p && ./p",
       both_wrote,
       "",
       {"libk.a", "p"}},
      {relocatable + "hipcc -fgpu-rdc --static-lib k2.o k3.o -o l.a && hipcc -fgpu-rdc main.hip "
                     "l.a -o p && ./p",
       both_wrote, "", left},
      {objects + "ar rcs l.a k2.o k3.o && hipcc main.hip l.a -o p && ./p", both_wrote, "", left},
      {objects + "ar rcs l.a k2.o k3.o && hipcc -fgpu-rdc main.hip -L. -l:l.a -o p && ./p",
       both_wrote, "", left},
      {relocatable + "ar rcs l.a k2.o k3.o && hipcc -fgpu-rdc main.hip -L. -l:l.a -o p && ./p",
       both_wrote, "", left},
      {relocatable + "ar rcs l.a k2.o k3.o && hipcc -fgpu-rdc -c main.hip && hipcc -fgpu-rdc "
                     "--hip-link main.o "
                     "-Wl,--whole-archive l.a -Wl,--no-whole-archive -o p && ./p",
       both_wrote,
       "",
       {"k2.o", "k3.o", "l.a", "main.o", "p"}},
      {relocatable +
           "hipcc --emit-static-lib k2.o k3.o -o l.a && hipcc -fgpu-rdc main.hip l.a -o p && ./p",
       both_wrote, "", left},
      {relocatable + "hipcc -fgpu-rdc -r k2.o k3.o -o r.o && hipcc main.hip r.o -o p && ./p",
       both_wrote,
       "",
       {"k2.o", "k3.o", "p", "r.o"}},
      {"hipcc -c k2.hip && hipcc -fgpu-rdc -c k3.hip main.hip && hipcc -fgpu-rdc main.o k2.o k3.o "
       "-o p && ./p",
       both_wrote,
       "",
       {"k2.o", "k3.o", "main.o", "p"}},
      {"hipcc -no-hip-rt a.hip -L" TEST_PREFIX "/lib -Wl,-rpath," TEST_PREFIX
       "/lib -lCHIP -o p && ./p",
       wrote,
       "",
       {"p"}},
      {"hipcc -no-hip-rt a.hip -o p", "", "undefined reference to `hipLaunchKernel'", {}, 1},
  });
}

TEST_CASE("device: hipcc is a clang for those who want one") {
  const std::string clang = "C=$(hipconfig --hipclangpath); $C/clang++ ";
  check({
      {clang + "a.hip -o p && ./p", wrote, "", {"p"}},
      {clang + "-x hip a.cpp -o p && ./p", wrote, "", {"p"}},
      {clang + "-c a.hip && $C/clang++ --hip-link a.o -o p && ./p", wrote, "", {"a.o", "p"}},
      {clang + "-fgpu-rdc -c main.hip k2.hip k3.hip && $C/clang++ -fgpu-rdc *.o -o p && ./p",
       both_wrote,
       "",
       {"k2.o", "k3.o", "main.o", "p"}},
      // C++ is C++ for it, and needs no runtime.
      {clang + "-c host.cc && nm -C host.o", " T host()\n", "", {"host.o"}},
      {clang + "-c a.cpp", "", "a.cpp:2:1: error: unknown type name '__global__'", {}, 1},
      {"echo 'int main() {}' > m.cc; " + clang + "m.cc -o p && readelf -d p | grep -c CHIP",
       "0",
       "",
       {"m.cc", "p"},
       1},
      {"$(hipconfig -l)/clang -c a.hip && nm a.o | grep -c __hipRegisterFunction",
       "1",
       "",
       {"a.o"}},
      {clang + "--version | head -1", "clang version", ""},
  });
}

TEST_CASE("device: hipcc says that no program can be linked with the runtime statically") {
  for (const std::string option : {"-static", "--static", "-static-pie"})
    check({
        {"hipcc " + option + " a.hip -o p 2>&1 | tee e; wc -l < e; rm e",
         "hipcc: error: '" + option +
             "' cannot be used: libCHIP, HIP's runtime, is a shared library only "
             "(-static-libgcc and -static-libstdc++ can)\n1\n",
         ""},
    });
  check({
      {"hipcc -c a.hip && hipcc -static a.o -o p", "", "shared library only", {"a.o"}, 1},
      {"HIPCC_LINK_FLAGS_APPEND=-static hipcc a.hip -o p", "", "shared library only", {}, 1},
      // What links no runtime, or no more than parts of the program, is not concerned.
      {"hipcc -static -c a.hip", "", "", {"a.o"}},
      {"hipcc -static-libgcc -static-libstdc++ a.hip -o p && ./p && readelf -d p | "
       "grep -c libstdc++",
       wrote + "\n0",
       "",
       {"p"},
       1},
      {"echo 'int main() {}' > m.c; hipcc -no-hip-rt -static m.c -o p && ./p",
       "",
       "",
       {"m.c", "p"}},
      {"echo 'int main() {}' > m.cc; $(hipconfig --hipclangpath)/clang++ -static m.cc -o p && ./p",
       "",
       "",
       {"m.cc", "p"}},
  });
}

TEST_CASE("device: hipcc says what is wrong with a command") {
  check({
      {"hipcc", "", "no input", {}, 1},
      {"hipcc -O2", "", "no input", {}, 1},
      {"hipcc -c missing.hip", "", "no such file or directory: 'missing.hip'", {}, 1},
      {"hipcc a.hip missing.a -o p", "", "no such file or directory: 'missing.a'", {}, 1},
      {"hipcc @missing", "", "no such file or directory: '@missing'", {}, 1},
      {"hipcc a.hip -o", "", "argument to '-o' is missing", {}, 1},
      {"hipcc a.hip -x", "", "argument to '-x' is missing", {}, 1},
      {"hipcc a.hip --offload-arch", "", "argument to '--offload-arch' is missing", {}, 1},
      {"hipcc -x basic a.hip", "", "language not recognized: 'basic'", {}, 1},
      {"hipcc --no-such-option -c a.hip", "", "--no-such-option", {}, 1},
      {"hipcc -c a.hip -o missing/a.o", "", "missing/a.o", {}, 1},
      {"hipcc -c -o x.o k2.hip k3.hip", "", "cannot specify -o", {}, 1},
      {"hipcc a.hip -lmissing -o p", "", "-lmissing", {}, 1},
      {"hipcc --offload-arch=sm_70 -c a.hip",
       "",
       "unknown architecture 'sm_70': what hipcc compiles runs on every device",
       {},
       1},
      {"hipcc --offload-arch gfx90a,pvc -c a.hip", "", "unknown architecture 'pvc'", {}, 1},
      {"hipcc --offload-arch=gfx -c a.hip", "", "unknown architecture 'gfx'", {}, 1},
      {"echo nothing > bad.o; hipcc -fgpu-rdc a.hip bad.o -o p", "", "bad", {"bad.o"}, 1},
      {"hipcc -r -fgpu-rdc -c a.hip -o a.o && echo not bitcode | hipcc -x ir -c - -o x.o",
       "",
       "error",
       {"a.o"},
       1},
  });
}
