// HIP RTC API: linking bitcode at run time.
#include "support.h"

#include <cstring>

using namespace rtc;

namespace {

class Linker {
public:
  explicit Linker(std::vector<hiprtcJIT_option> options = {}, std::vector<void *> values = {}) {
    REQUIRE_RTC(hiprtcLinkCreate(unsigned(options.size()), options.data(), values.data(), &state_));
  }
  Linker(const Linker &) = delete;
  Linker &operator=(const Linker &) = delete;
  ~Linker() { CHECK(hiprtcLinkDestroy(state_) == HIPRTC_SUCCESS); }
  operator hiprtcLinkState() const { return state_; }

  hiprtcResult add(std::vector<char> bytes,
                   hiprtcJITInputType type = HIPRTC_JIT_INPUT_LLVM_BITCODE) {
    return hiprtcLinkAddData(state_, type, bytes.data(), bytes.size(), "input", 0, nullptr,
                             nullptr);
  }
  hiprtcResult complete() { return hiprtcLinkComplete(state_, &code, &size); }

  void *code = nullptr;
  size_t size = 0;

private:
  hiprtcLinkState state_ = nullptr;
};

const char *const user =
    "__device__ int helper(int); extern __device__ int shared;\n"
    "extern \"C\" __global__ void kernel(int *p) { *p = helper(*p) + shared; }";
const char *const library =
    "__device__ int shared = 1000;\n__device__ int helper(int x) { return 3 * x; }";

// The bundle that clang makes of bitcode.
std::vector<char> bundled(const std::vector<char> &bitcode) {
  Directory directory;
  const std::string in = (directory.path / "in.bc").string(),
                    out = (directory.path / "out.bc").string();
  write_file(in, {bitcode.begin(), bitcode.end()});
  const std::string command =
      TEST_LLVM_BIN
      "/clang-offload-bundler -type=bc "
      "-targets=host-x86_64-unknown-linux-gnu,hip-spirv64-unknown-unknown-unknown-generic "
      "-input=/dev/null -input=" +
      in + " -output=" + out;
  REQUIRE(std::system(command.c_str()) == 0);
  const std::string bytes = read_file(out);
  return {bytes.begin(), bytes.end()};
}

} // namespace

TEST_CASE("hiprtc linker: programs that need each other are linked", "[accepted]") {
  NothingLeft place;
  Linker linker;
  REQUIRE_RTC(linker.add(bitcode_of(user)));
  REQUIRE_RTC(linker.add(bitcode_of(library)));
  REQUIRE_RTC(linker.complete());
  CHECK(linker.size > 0);
  CHECK(Module(linker.code).function("kernel") != nullptr);
}

TEST_CASE("hiprtc linker: what was linked runs", "[results]") {
  NothingLeft place;
  Linker linker;
  REQUIRE_RTC(linker.add(bitcode_of(user)));
  REQUIRE_RTC(linker.add(bitcode_of(library)));
  REQUIRE_RTC(linker.complete());
  CHECK(Module(linker.code).result_of("kernel", 7) == 1021);
  void *again = nullptr;
  size_t size = 0;
  REQUIRE_RTC(hiprtcLinkComplete(linker, &again, &size));
  CHECK(again == linker.code);
}

TEST_CASE("hiprtc linker: who asks a program for what it has not is told what to do") {
  NothingLeft place;
  size_t size = 0;
  char byte = 0;
  Program relocatable(library);
  REQUIRE_COMPILED(relocatable, {"-fgpu-rdc"});
  CHECK(relocatable.log().empty());
  CHECK(hiprtcGetCodeSize(relocatable, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  const std::string advice = relocatable.log();
  CAPTURE(advice);
  for (const char *word :
       {"-fgpu-rdc", "hiprtcGetBitcode", "hiprtcLinkAddData", "hiprtcLinkComplete"})
    CHECK(advice.contains(word));
  CHECK(hiprtcGetCode(relocatable, &byte) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(relocatable.log() == advice); // said once

  REQUIRE_COMPILED(relocatable);
  CHECK(relocatable.log().empty());
  CHECK(hiprtcGetBitcodeSize(relocatable, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcGetBitcode(relocatable, &byte) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(relocatable.log().contains("-fgpu-rdc"));
  CHECK(byte == 0);
}

TEST_CASE("hiprtc linker: kernels of one name in two relocatable programs stay apart",
          "[results]") {
  NothingLeft place;
  const char *source = "static __global__ void kernel(int *p) { *p = VALUE; }";
  std::string names[2];
  Linker linker;
  for (int i = 0; i < 2; ++i) {
    const std::string text = "#define VALUE " + std::to_string(i + 5) + "\n" + source;
    REQUIRE_RTC(linker.add(bitcode_of(text.c_str(), "kernel", &names[i])));
  }
  CHECK(names[0] != names[1]); // each program has a kernel of its own
  REQUIRE_RTC(linker.complete());
  Module module(linker.code);
  CHECK(module.result_of(names[0]) == 5);
  CHECK(module.result_of(names[1]) == 6);
}

TEST_CASE("hiprtc linker: files, bundles and archives of bundles are inputs", "[results]") {
  NothingLeft place;
  Directory directory;
  const auto write = [&](const char *name, const std::vector<char> &bytes) {
    write_file(directory.path / name, {bytes.begin(), bytes.end()});
    return (directory.path / name).string();
  };
  const std::string kernel = write("user.bc", bitcode_of(user)),
                    helper = write("library.bc", bundled(bitcode_of(library)));
  const std::string archive = (directory.path / "library.a").string();
  REQUIRE(std::system((TEST_LLVM_BIN "/llvm-ar rc " + archive + " " + helper).c_str()) == 0);
  for (auto [type, file] :
       {std::pair(HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, helper),
        std::pair(HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, archive)}) {
    char errors[1000] = "";
    Linker linker({HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES},
                  {errors, reinterpret_cast<void *>(sizeof errors)});
    REQUIRE_RTC(hiprtcLinkAddFile(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, kernel.c_str(), 0, nullptr,
                                  nullptr));
    REQUIRE_RTC(hiprtcLinkAddFile(linker, type, file.c_str(), 0, nullptr, nullptr));
    const hiprtcResult result = linker.complete();
    CAPTURE(type, errors);
    REQUIRE_RTC(result);
    CHECK(Module(linker.code).result_of("kernel", 1) == 1003);
  }
}

TEST_CASE("hiprtc linker: SPIR-V is linked by itself only", "[results]") {
  NothingLeft place;
  Program program("extern \"C\" __global__ void kernel(int *p) { *p = 9; }");
  REQUIRE_COMPILED(program);
  auto code = program.code();
  // Behind the bundle's header, from SPIR-V's magic number on.
  const char magic[] = {0x03, 0x02, 0x23, 0x07};
  const size_t at = std::string_view(code.data(), code.size()).find({magic, sizeof magic});
  REQUIRE(at != std::string_view::npos);
  code.erase(code.begin(), code.begin() + long(at));
  Linker linker;
  REQUIRE_RTC(linker.add(code, HIPRTC_JIT_INPUT_SPIRV));
  REQUIRE_RTC(linker.complete());
  CHECK(Module(linker.code).result_of("kernel") == 9);
  Linker both;
  REQUIRE_RTC(both.add(code, HIPRTC_JIT_INPUT_SPIRV));
  REQUIRE_RTC(both.add(bitcode_of(library)));
  CHECK(both.complete() == HIPRTC_ERROR_LINKING);
}

TEST_CASE("hiprtc linker: what does not link says why where the program wants it") {
  NothingLeft place;
  char errors[2000] = "untouched", information[100] = "untouched", few[6] = "abcde";
  {
    Linker linker({HIPRTC_JIT_INFO_LOG_BUFFER, HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                   HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                   HIPRTC_JIT_OPTIMIZATION_LEVEL},
                  {information, reinterpret_cast<void *>(sizeof information), errors,
                   reinterpret_cast<void *>(sizeof errors), reinterpret_cast<void *>(3)});
    REQUIRE_RTC(linker.add(bitcode_of(library)));
    REQUIRE_RTC(
        linker.add(bitcode_of("__device__ int helper(int) { return 0; }"))); // twice defined
    CHECK(linker.complete() == HIPRTC_ERROR_LINKING);
    CHECK(std::string(errors).find("helper") != std::string::npos);
    CHECK(std::string(information) == "untouched");
  }
  {
    Linker linker({HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, HIPRTC_JIT_ERROR_LOG_BUFFER},
                  {reinterpret_cast<void *>(sizeof few - 1), few});
    CHECK(linker.complete() == HIPRTC_ERROR_LINKING); // nothing was added
    CHECK(std::string(few) == "erro");
  }
  Linker damaged;
  REQUIRE_RTC(damaged.add({'B', 'C', 'x', 'y'}));
  CHECK(damaged.complete() == HIPRTC_ERROR_LINKING);
}

TEST_CASE("hiprtc linker: inputs that are none are refused") {
  Linker linker;
  char bytes[4] = {};
  CHECK(hiprtcLinkAddData(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, nullptr, 4, "a", 0, nullptr,
                          nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkAddData(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, bytes, 0, "a", 0, nullptr,
                          nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  for (auto type : {HIPRTC_JIT_INPUT_CUBIN, HIPRTC_JIT_INPUT_PTX, HIPRTC_JIT_INPUT_FATBINARY,
                    HIPRTC_JIT_INPUT_NVVM, hipJitInputType(99)}) {
    CHECK(linker.add({'a'}, type) == HIPRTC_ERROR_INVALID_INPUT);
    CHECK(hiprtcLinkAddFile(linker, type, "/no/such/file", 0, nullptr, nullptr) ==
          HIPRTC_ERROR_INVALID_INPUT);
  }
  CHECK(hiprtcLinkAddFile(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, "/no/such/file", 0, nullptr,
                          nullptr) == HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
  CHECK(hiprtcLinkAddFile(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, nullptr, 0, nullptr, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkAddData(linker, HIPRTC_JIT_INPUT_LLVM_BITCODE, bytes, 4, "a", 1, nullptr,
                          nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkCreate(0, nullptr, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  hiprtcLinkState state = nullptr;
  CHECK(hiprtcLinkCreate(1, nullptr, nullptr, &state) == HIPRTC_ERROR_INVALID_INPUT);
  void *code = nullptr;
  size_t size = 0;
  CHECK(hiprtcLinkComplete(linker, nullptr, &size) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkComplete(linker, &code, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
}
