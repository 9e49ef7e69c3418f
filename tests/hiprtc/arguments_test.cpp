// HIP RTC API reference: what each function answers to arguments that make no sense.
#include "support.h"

#include <cstring>

using namespace rtc;

namespace {
const char *const source = "extern \"C\" __global__ void kernel(int *p) { *p = 1; }";
char not_an_object[64];
} // namespace

TEST_CASE("hiprtc arguments: results have their names") {
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_SUCCESS)) == "HIPRTC_SUCCESS");
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION)) == "HIPRTC_ERROR_COMPILATION");
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_ERROR_LINKING)) == "HIPRTC_ERROR_LINKING");
  CHECK(hiprtcGetErrorString(hiprtcResult(77)) != nullptr);
}

TEST_CASE("hiprtc arguments: the version is HIP's") {
  int major = 0, minor = -1;
  REQUIRE_RTC(hiprtcVersion(&major, &minor));
  CHECK(major == HIP_VERSION_MAJOR);
  CHECK(minor == HIP_VERSION_MINOR);
  CHECK(hiprtcVersion(nullptr, &minor) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcVersion(&major, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
}

TEST_CASE("hiprtc arguments: creation refuses null pointers and negative counts") {
  hiprtcProgram program = nullptr;
  const char *text = "", *name = "a.h", *null = nullptr;
  CHECK(hiprtcCreateProgram(nullptr, source, "a", 0, nullptr, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, nullptr, "a", 0, nullptr, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, source, "a", -1, &text, &name) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, source, "a", 1, nullptr, &name) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, source, "a", 1, &text, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, source, "a", 1, &null, &name) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, source, "a", 1, &text, &null) == HIPRTC_ERROR_INVALID_INPUT);
  REQUIRE(program == nullptr);
  REQUIRE_RTC(hiprtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr));
  REQUIRE_RTC(hiprtcDestroyProgram(&program));
  CHECK(program == nullptr);
}

TEST_CASE("hiprtc arguments: functions refuse handles that are not live") {
  hiprtcProgram none = nullptr, foreign = reinterpret_cast<hiprtcProgram>(not_an_object),
                gone = nullptr;
  REQUIRE_RTC(hiprtcCreateProgram(&gone, source, "a", 0, nullptr, nullptr));
  hiprtcProgram copy = gone;
  REQUIRE_RTC(hiprtcDestroyProgram(&copy));
  for (hiprtcProgram program : {none, foreign, gone}) {
    size_t size = 0;
    char byte = 0;
    const char *name = nullptr;
    CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcAddNameExpression(program, "kernel") == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetLoweredName(program, "kernel", &name) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetProgramLogSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetProgramLog(program, &byte) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetCode(program, &byte) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetBitcodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcGetBitcode(program, &byte) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcDestroyProgram(&program) == HIPRTC_ERROR_INVALID_PROGRAM);
  }
  CHECK(hiprtcDestroyProgram(nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  for (hiprtcLinkState state :
       {hiprtcLinkState(), reinterpret_cast<hiprtcLinkState>(not_an_object)}) {
    void *binary = nullptr;
    size_t size = 0;
    CHECK(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, not_an_object, 4, "a", 0, nullptr,
                            nullptr) == HIPRTC_ERROR_INVALID_INPUT);
    CHECK(hiprtcLinkAddFile(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, "a", 0, nullptr, nullptr) ==
          HIPRTC_ERROR_INVALID_INPUT);
    CHECK(hiprtcLinkComplete(state, &binary, &size) == HIPRTC_ERROR_INVALID_INPUT);
    CHECK(hiprtcLinkDestroy(state) == HIPRTC_ERROR_INVALID_INPUT);
  }
}

TEST_CASE("hiprtc arguments: functions refuse null where they write or read") {
  Program program(source);
  const char *name = nullptr, *null = nullptr;
  CHECK(hiprtcAddNameExpression(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcAddNameExpression(program, "") == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCompileProgram(program, 1, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCompileProgram(program, 1, &null) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCompileProgram(program, -1, &null) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetLoweredName(program, nullptr, &name) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetLoweredName(program, "kernel", nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetProgramLogSize(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetProgramLog(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetCodeSize(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetCode(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetBitcodeSize(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcGetBitcode(program, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
}

TEST_CASE("hiprtc arguments: nothing can be got before the compilation, and no names asked for "
          "after it") {
  Program program(source);
  size_t size = 0;
  const char *name = nullptr;
  CHECK(program.log().empty());
  CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcGetBitcodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  REQUIRE_RTC(hiprtcAddNameExpression(program, "kernel"));
  CHECK(hiprtcGetLoweredName(program, "kernel", &name) ==
        HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  REQUIRE_COMPILED(program);
  CHECK(hiprtcAddNameExpression(program, "kernel") ==
        HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK(hiprtcGetLoweredName(program, "other", &name) == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK(hiprtcGetBitcodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  REQUIRE_RTC(hiprtcGetCodeSize(program, &size));
}
