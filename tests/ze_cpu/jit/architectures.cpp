// Code for other processors than the machine's own. What this one cannot execute is looked at all the same.
#include "contract/kernel_code.h"
#include "harness/cache_directory.h"
#include "harness/harness.h"
#include "program/compiler.h"
#include "program/processor/gathers.h"

#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <regex>
#include <unistd.h>

namespace {

using namespace test;
using Catch::Matchers::ContainsSubstring;
using ze_cpu::Architecture;

TEST_CASE(
    "ze_cpu: jit: ZE_CPU_ARCH names the machine's own processor or a level that it executes") {
  CHECK(ze_cpu::choose_architecture("").error.empty());
  CHECK(ze_cpu::choose_architecture("").architecture == Architecture::native);
  CHECK(ze_cpu::choose_architecture("native").error.empty());
  for (const char *unknown : {"x86-64", "x86-64-v5", "x86-64-v3 ", "V3", "haswell"}) {
    const auto choice = ze_cpu::choose_architecture(unknown);
    CHECK(choice.architecture == Architecture::native);
    CHECK(choice.error == "is ignored");
  }
  bool lower_is_executable = true;
  for (const Architecture level : levels()) {
    const auto choice = ze_cpu::choose_architecture(ze_cpu::name_of(level));
    const bool executable = ze_cpu::is_executable(level);
    CHECK((choice.architecture == level) == executable);
    CHECK(choice.error.empty() == executable);
    CHECK((lower_is_executable || !executable)); // each has all that those below have
    lower_is_executable = executable;
  }
}

// Whether the code of a kernel, or what its object only reads, which is behind the code, has an address.
bool refers_to(const ze_cpu::KernelCode &code, const void *address) {
  const std::string_view wanted(reinterpret_cast<const char *>(&address), sizeof address);
  auto at = reinterpret_cast<uintptr_t>(code.loop);
  std::ifstream maps("/proc/self/maps"), memory("/proc/self/mem", std::ios::binary);
  int parts = 0;
  for (std::string line; parts < 2 && std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    REQUIRE(std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2);
    if (at < begin || at >= end)
      continue;
    std::string bytes(end - begin, '\0');
    memory.seekg(static_cast<std::streamoff>(begin));
    REQUIRE(memory.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
    if (bytes.find(wanted) != bytes.npos)
      return true;
    at = end;
    ++parts;
  }
  return false;
}

TEST_CASE("ze_cpu: jit: lanes call the functions that this processor's C library has for vectors") {
  if (std::getenv("ZE_CPU_CHECK"))
    SKIP("memory is checked element by element");
  void *library = dlopen("libmvec.so.1", RTLD_NOW);
  if (!library)
    SKIP("this C library has none");
  const auto program = fresh_program("nontemporal_stores");
  bool calls = false;
  for (const char *name :
       {"_ZGVbN2v_cos", "_ZGVdN4v_cos", "_ZGVnN2v_cos"}) // float is computed in double
    if (const void *function = dlsym(library, name))
      calls = calls || refers_to(code(*program, "cosines"), function);
  CHECK(calls);
  dlclose(library);
}

#if defined(__x86_64__)
std::unique_ptr<ze_cpu::Program> built_for(Architecture architecture, const std::string &module) {
  return fresh_program(module, std::string("-ze-cpu-arch=") + ze_cpu::name_of(architecture));
}

// The instructions from the beginning of a kernel to its last return, roughly: what follows it in memory is of the same program.
std::string instructions(const ze_cpu::KernelCode &code) {
  std::string bytes(1024, '\0');
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  REQUIRE(memory >= 0);
  const ssize_t size = pread(memory, bytes.data(), bytes.size(),
                             static_cast<off_t>(reinterpret_cast<uintptr_t>(code.loop)));
  close(memory);
  REQUIRE(size > 0);
  bytes.resize(static_cast<size_t>(size));
  std::string path = (std::filesystem::temp_directory_path() / "ze_cpu_code_XXXXXX").string();
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  REQUIRE(write(file, bytes.data(), bytes.size()) == size);
  close(file);
  FILE *disassembler =
      popen((OBJDUMP " -D -b binary -m i386:x86-64 --no-show-raw-insn " + path).c_str(), "r");
  REQUIRE(disassembler);
  std::string text;
  for (char buffer[4096]; std::fgets(buffer, sizeof buffer, disassembler);)
    text += buffer;
  CHECK(pclose(disassembler) == 0);
  std::filesystem::remove(path);
  return text.substr(text.find("<.data>")); // behind the name of the file
}

bool uses(const std::string &code, const char *registers) {
  return std::regex_search(code, std::regex(registers));
}

// Of AVX-512: more registers, and masks.
constexpr const char *later = "%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]";

TEST_CASE(
    "ze_cpu: jit: code for a level of x86-64 has the instructions of that level and no others") {
  if (std::getenv("ZE_CPU_CHECK"))
    SKIP("memory is checked element by element");
  for (const Architecture level : levels()) {
    INFO(ze_cpu::name_of(level));
    const auto program = built_for(level, "nontemporal_stores");
    const std::string add = instructions(code(*program, "add"));
    CHECK(uses(add, "addps"));
    CHECK(uses(add, "%ymm") == (level != Architecture::x86_64_v2));
    const std::string guarded = instructions(code(*program, "guarded"));
    CHECK(uses(guarded, "%ymm") == (level != Architecture::x86_64_v2));
    CHECK(uses(guarded, later) == (level == Architecture::x86_64_v4));
    // Functions of the vector library are those for as long vectors.
    const std::string cosines = instructions(code(*program, "cosines"));
    CHECK(uses(cosines, "call[^\n]*\n[^\n]*%[xy]mm0"));
    CHECK(uses(cosines, "call[^\n]*\n[^\n]*%ymm0") == (level != Architecture::x86_64_v2));
  }
}

TEST_CASE("ze_cpu: jit: code gathers with one instruction where that is fast") {
  if (std::getenv("ZE_CPU_CHECK"))
    SKIP("memory is checked element by element");
  const auto gathers_in = [](const std::string &flags) {
    const auto program = fresh_program("nontemporal_stores", "-ze-cpu-arch=x86-64-v4 " + flags);
    return uses(instructions(code(*program, "look_up")), "gather");
  };
  CHECK(gathers_in("-ze-cpu-gathers=fast"));
  CHECK_FALSE(gathers_in("-ze-cpu-gathers=slow"));
  CHECK(gathers_in("-ze-cpu-gathers=slow -ze-cpu-gathers=fast"));
  // Without a flag it is the environment's choice, or that of the clock, which is kept.
  const auto chosen = ze_cpu::gathers_from_environment();
  const bool is_slow = chosen == ze_cpu::Gathers::measured
                           ? ze_cpu::find_compiler(ObjectCache({}))->has_slow_gathers
                           : chosen == ze_cpu::Gathers::slow;
  CHECK(gathers_in("-ze-cpu-gathers=whatever") == !is_slow);
}

TEST_CASE("ze_cpu: jit: what the environment chooses is what is compiled for") {
  const Architecture chosen = ze_cpu::architecture_from_environment();
  const auto by_flag = built_for(chosen, "nontemporal_stores"),
             by_environment = fresh_program("nontemporal_stores");
  for (const char *kernel : {"add", "guarded", "rows"}) {
    const std::string expected = instructions(code(*by_flag, kernel)),
                      is = instructions(code(*by_environment, kernel));
    CHECK(uses(is, "%ymm") == uses(expected, "%ymm"));
    CHECK(uses(is, later) == uses(expected, later));
  }
}
#endif

} // namespace
