// What tests of run-time compilation share.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define REQUIRE_RTC(call) REQUIRE((call) == HIPRTC_SUCCESS)
#define REQUIRE_HIP(call) REQUIRE((call) == hipSuccess)

namespace rtc {

namespace fs = std::filesystem;

using Options = std::vector<const char *>;
using Headers = std::vector<std::pair<const char *, const char *>>; // name and text

/// A program that is destroyed at the end.
class Program {
public:
  explicit Program(const char *source, const char *name = "test.cu", const Headers &headers = {}) {
    std::vector<const char *> names, texts;
    for (auto [name, text] : headers) {
      names.push_back(name);
      texts.push_back(text);
    }
    REQUIRE_RTC(hiprtcCreateProgram(&program_, source, name, int(headers.size()), texts.data(),
                                    names.data()));
  }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  ~Program() { (void)hiprtcDestroyProgram(&program_); }

  operator hiprtcProgram() const { return program_; }

  hiprtcResult compile(Options options = {}) {
    return hiprtcCompileProgram(program_, int(options.size()), options.data());
  }
  std::string log() const {
    size_t size = 0;
    REQUIRE_RTC(hiprtcGetProgramLogSize(program_, &size));
    REQUIRE(size > 0);
    std::string text(size, 'x');
    REQUIRE_RTC(hiprtcGetProgramLog(program_, text.data()));
    REQUIRE(text.back() == 0);
    text.pop_back();
    return text;
  }
  std::vector<char> code() const {
    size_t size = 0;
    REQUIRE_RTC(hiprtcGetCodeSize(program_, &size));
    std::vector<char> bytes(size);
    REQUIRE_RTC(hiprtcGetCode(program_, bytes.data()));
    return bytes;
  }
  std::vector<char> bitcode() const {
    size_t size = 0;
    REQUIRE_RTC(hiprtcGetBitcodeSize(program_, &size));
    std::vector<char> bytes(size);
    REQUIRE_RTC(hiprtcGetBitcode(program_, bytes.data()));
    return bytes;
  }
  std::string lowered(const char *expression) const {
    const char *name = nullptr;
    REQUIRE_RTC(hiprtcGetLoweredName(program_, expression, &name));
    return name;
  }

private:
  hiprtcProgram program_ = nullptr;
};

#define REQUIRE_COMPILED(program, ...)                                                             \
  do {                                                                                             \
    const hiprtcResult result = (program).compile(__VA_ARGS__);                                    \
    INFO((program).log());                                                                         \
    REQUIRE(result == HIPRTC_SUCCESS);                                                             \
  } while (false)

/// What a source becomes that is to be linked.
inline std::vector<char> bitcode_of(const char *source, const char *expression = nullptr,
                                    std::string *lowered = nullptr) {
  Program program(source);
  if (expression)
    REQUIRE_RTC(hiprtcAddNameExpression(program, expression));
  REQUIRE_COMPILED(program, {"-fgpu-rdc"});
  if (expression)
    *lowered = program.lowered(expression);
  return program.bitcode();
}

class Module {
public:
  explicit Module(const void *code) { REQUIRE_HIP(hipModuleLoadData(&module_, code)); }
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  ~Module() { (void)hipModuleUnload(module_); }

  hipFunction_t function(const std::string &name) const {
    hipFunction_t function = nullptr;
    INFO(name);
    REQUIRE_HIP(hipModuleGetFunction(&function, module_, name.c_str()));
    return function;
  }
  std::pair<hipDeviceptr_t, size_t> variable(const std::string &name) const {
    hipDeviceptr_t address = nullptr;
    size_t bytes = 0;
    INFO(name);
    REQUIRE_HIP(hipModuleGetGlobal(&address, &bytes, module_, name.c_str()));
    return {address, bytes};
  }
  /// What the kernel, whose one parameter is a pointer to int, leaves there.
  int result_of(const std::string &kernel, int before = 0) const {
    int *memory = nullptr;
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory), sizeof *memory));
    REQUIRE_HIP(hipMemcpy(memory, &before, sizeof before, hipMemcpyHostToDevice));
    void *arguments[] = {&memory};
    REQUIRE_HIP(
        hipModuleLaunchKernel(function(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    int after = 0;
    REQUIRE_HIP(hipMemcpy(&after, memory, sizeof after, hipMemcpyDeviceToHost));
    REQUIRE_HIP(hipFree(memory));
    return after;
  }

private:
  hipModule_t module_ = nullptr;
};

inline int result_of(const Program &program, const std::string &kernel = "kernel", int before = 0) {
  return Module(program.code().data()).result_of(kernel, before);
}

/// An environment variable that gets its old value back.
class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name))
      old_ = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  Variable(const char *name, const std::string &value) : Variable(name, value.c_str()) {}
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

private:
  const char *name_;
  std::optional<std::string> old_;
};

class Directory {
public:
  Directory() {
    std::string name = "/tmp/hiprtc_test-XXXXXX";
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  Directory(const Directory &) = delete;
  Directory &operator=(const Directory &) = delete;
  ~Directory() {
    std::error_code ignored;
    fs::permissions(path, fs::perms::owner_all, ignored);
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

inline void write_file(const fs::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE(file.flush());
}

inline std::string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The directory of LLVM's programs, with something else in place of clang.
class CompilerInstead {
public:
  explicit CompilerInstead(const std::string &script) {
    for (const auto &entry : fs::directory_iterator(TEST_LLVM_BIN))
      if (entry.path().filename() != "clang++")
        fs::create_symlink(entry.path(), directory_.path / entry.path().filename());
    write_file(directory_.path / "clang++", "#!/bin/sh\n" + script);
    fs::permissions(directory_.path / "clang++", fs::perms::owner_all);
    variable_.emplace("HIP_CLANG_PATH", directory_.path.string());
  }

private:
  Directory directory_;
  std::optional<Variable> variable_;
};

/// Counts how often the compiler runs.
class RunCounter {
public:
  RunCounter()
      : compiler_("echo >> " + (directory_.path / "runs").string() +
                  "\nexec " TEST_LLVM_BIN "/clang++ \"$@\"\n") {}
  size_t runs() const { return read_file(directory_.path / "runs").size(); }

private:
  Directory directory_;
  CompilerInstead compiler_;
};

/// No cache, and files in a directory of the test's own, in which nothing may be left.
class NothingLeft {
public:
  NothingLeft() : cache_("CHIP_RTC_CACHE", "0"), temporary_("TMPDIR", directory_.path.string()) {}
  ~NothingLeft() { CHECK(fs::is_empty(directory_.path)); }
  const fs::path &path() const { return directory_.path; }

private:
  Directory directory_;
  Variable cache_, temporary_;
};

} // namespace rtc
