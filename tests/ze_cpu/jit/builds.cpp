#include "harness/harness.h"

#include <algorithm>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <unistd.h>

using namespace test;
using Catch::Matchers::ContainsSubstring;
using Kind = ze_cpu::BuildError::Kind;

namespace {

ze_cpu::BuildResult build(const std::vector<std::byte> &module) {
  return ze_cpu::build_program(module, "", {});
}

std::vector<std::byte> words(std::initializer_list<uint32_t> values) {
  std::vector<std::byte> bytes(values.size() * 4);
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

void check_refused(const std::vector<std::byte> &module, Kind kind) {
  auto result = build(module);
  REQUIRE(!result);
  CHECK(result.error().kind == kind);
  CHECK(!result.error().log.empty());
}

} // namespace

TEST_CASE("ze_cpu: jit: what is not SPIR-V is refused as such") {
  check_refused({}, Kind::invalid);
  check_refused(words({0x07230203}), Kind::invalid);
  check_refused(words({0x12345678, 0x10400, 0, 1, 0, 0}), Kind::invalid);
  check_refused(words({0x03022307, 0x10400, 0, 1, 0, 0}), Kind::invalid); // other byte order
  std::vector<std::byte> odd = spirv("coordinates");
  odd.pop_back();
  check_refused(odd, Kind::invalid);
}

TEST_CASE("ze_cpu: jit: a valid header with nothing or nonsense behind it is refused") {
  check_refused(words({0x07230203, 0x10400, 0, 10, 0}), Kind::failed);
  check_refused(words({0x07230203, 0x10400, 0, 10, 0, 0}), Kind::failed);
  check_refused(words({0x07230203, 0x10400, 0, 10, 0, 0x0000ffff, 0xffffffff}), Kind::failed);
  check_refused(words({0x07230203, 0xffffff00, 0, 10, 0, 0x00020011, 6}), Kind::failed);
}

TEST_CASE("ze_cpu: jit: modules truncated at any length are refused", "[any-code]") {
  std::vector<std::byte> whole = spirv("barriers");
  for (size_t size = 0; size < whole.size(); size += 4 * (1 + size / 97)) {
    auto result = build({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    if (result) // cut behind its declarations it is a module without kernels
      REQUIRE((*result)->kernels().empty());
    else
      REQUIRE(!result.error().log.empty());
  }
}

TEST_CASE("ze_cpu: jit: random words behind a header are refused", "[any-code]") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<uint32_t> body(5 + random() % 200);
    for (uint32_t &word : body)
      word = random();
    body[0] = 0x07230203;
    body[1] = 0x10400;
    body[3] = 100;
    body[4] = 0;
    std::vector<std::byte> bytes(body.size() * 4);
    std::memcpy(bytes.data(), body.data(), bytes.size());
    REQUIRE(!build(bytes));
  }
}

TEST_CASE("ze_cpu: jit: modules with a few words changed never end the process", "[any-code]") {
  std::vector<std::byte> whole = spirv("subgroups");
  std::mt19937 random(2);
  int built = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::byte> changed = whole;
    for (unsigned i = 0; i <= random() % 3; ++i)
      changed[20 + random() % (changed.size() - 20)] = static_cast<std::byte>(random());
    auto result = build(changed);
    if (result)
      ++built;
    else
      REQUIRE(!result.error().log.empty());
  }
  CHECK(built < 150);
}

TEST_CASE(
    "ze_cpu: jit: broken control flow is refused behind an extension that excuses validation") {
  check_refused(spirv("broken_phi"), Kind::failed);
}

TEST_CASE("ze_cpu: jit: instructions that the translator does not know are refused") {
  // A valid module: capabilities Addresses and Kernel, memory model, source text in two pieces.
  check_refused(
      words({0x07230203, 0x10400,    0, 10, 0, 0x00020011, 4, 0x00020011, 6,          0x0003000e, 2,
             2,          0x00070007, 1, 0,  0, 0,          0, 0,          0x00020002, 0}),
      Kind::failed);
  std::vector<std::byte> whole = spirv("functions"); // which is not validated in full
  for (uint32_t opcode : {68u, 116u}) {
    std::vector<std::byte> changed = whole;
    for (size_t at = 20; at + 4 <= changed.size();) {
      uint32_t first;
      std::memcpy(&first, &changed[at], sizeof first);
      const uint32_t word = (first & 0xffff0000) | opcode;
      if ((first & 0xffff) == 61) // OpLoad
        std::memcpy(&changed[at], &word, sizeof word);
      at += (first >> 16) * size_t(4);
    }
    check_refused(changed, Kind::failed);
  }
}

TEST_CASE("ze_cpu: jit: a type of what comes later is refused where validation is excused",
          "[any-code]") {
  std::vector<std::byte> module = spirv("functions");
  // Each constant in turn goes to the end of the module.
  constexpr uint32_t op_constant = 43;
  int used_by_types = 0;
  for (size_t at = 20; at + 4 <= module.size();) {
    uint32_t first;
    std::memcpy(&first, &module[at], sizeof first);
    const size_t length = (first >> 16) * size_t(4);
    if ((first & 0xffff) == op_constant) {
      std::vector<std::byte> changed = module;
      std::rotate(changed.begin() + ptrdiff_t(at), changed.begin() + ptrdiff_t(at + length),
                  changed.end());
      auto result = build(changed);
      used_by_types += !result;
      if (!result) // by us
        CHECK_THAT(result.error().log, !ContainsSubstring("translator"));
    }
    at += length;
  }
  CHECK(used_by_types > 0);
}

TEST_CASE("ze_cpu: jit: what is larger than memory is refused before it takes any") {
  for (const auto &[module, what] :
       {std::pair{"huge_variable", "variables"}, std::pair{"huge_parameter", "parameters"}}) {
    auto result = build(spirv(module));
    REQUIRE(!result);
    CHECK_THAT(result.error().log, ContainsSubstring(what));
  }
  auto result = build(spirv("huge_private"));
  REQUIRE(result);
  auto compiled = (*result)->kernel(0);
  REQUIRE(!compiled);
  CHECK_THAT(compiled.error(), ContainsSubstring("private variables"));
}

TEST_CASE("ze_cpu: jit: a function that another module has to have is named") {
  auto result = build(spirv("unresolved"));
  REQUIRE(result);
  REQUIRE((*result)->imports().size() == 1);
  CHECK((*result)->imports().front() == "function_that_nobody_has");
  auto linked = (*result)->link({}, {});
  REQUIRE(!linked);
  CHECK_THAT(linked.error(), ContainsSubstring("function_that_nobody_has"));
}

TEST_CASE("ze_cpu: jit: what careless producers leave out is forgiven") {
  auto careless = build(spirv("careless"));
  REQUIRE(careless);
  CHECK((*careless)->kernel(0));
  uint32_t value = 5;
  run("late_block", "late_block", line(1, 1), &value);
  CHECK(value == 7);
  auto empty = build(spirv("no_kernels"));
  REQUIRE(empty);
  CHECK((*empty)->kernels().empty());
}

// Hidden: what the next test runs in a place where there is no compiler.
TEST_CASE("without the compiler's library", "[.without-compiler]") {
  auto result = build(spirv("coordinates"));
  REQUIRE(!result);
  CHECK(result.error().kind == Kind::failed);
  CHECK_THAT(result.error().log, ContainsSubstring("libze_cpu_jit.so"));
}

TEST_CASE("ze_cpu: jit: a build without the compiler's library fails and says so") {
  namespace fs = std::filesystem;
  fs::path place = fs::temp_directory_path() / ("ze_cpu_jit_test." + std::to_string(getpid()));
  fs::create_directory(place);
  fs::path copy = place / "tests";
  fs::copy_file("/proc/self/exe", copy);
  int status =
      std::system(("'" + copy.string() + "' '[.without-compiler]' >/dev/null 2>&1").c_str());
  fs::remove_all(place);
  CHECK(status == 0);
}

TEST_CASE("ze_cpu: jit: the input need not be aligned") {
  std::vector<std::byte> module = spirv("coordinates");
  module.insert(module.begin(), std::byte(0));
  auto result = ze_cpu::build_program(std::span(module).subspan(1), "", {});
  CHECK(result);
}

TEST_CASE("ze_cpu: jit: specialisation constants change what is compiled") {
  uint32_t number = 50;
  uint64_t wide = 1ull << 50;
  uint8_t flag = 0;
  std::vector<ze_cpu::SpecializationConstant> constants = {
      {7, std::as_bytes(std::span(&number, 1))},
      {8, std::as_bytes(std::span(&wide, 1))},
      {9, std::as_bytes(std::span(&flag, 1))}};
  std::vector<uint64_t> out(3);

  auto plain = ze_cpu::build_program(spirv("specialized"), "", {});
  REQUIRE(plain);
  REQUIRE(!try_run(**plain, "values", line(1, 1), out.data()).happened);
  CHECK(out == std::vector<uint64_t>{6, 4, 1});

  auto special = ze_cpu::build_program(spirv("specialized"), "", constants);
  REQUIRE(special);
  REQUIRE(!try_run(**special, "values", line(1, 1), out.data()).happened);
  CHECK(out == std::vector<uint64_t>{100, 1ull << 50, 2});

  std::vector<ze_cpu::SpecializationConstant> bad = {{7, {}}};
  CHECK(!ze_cpu::build_program(spirv("specialized"), "", bad));
}

TEST_CASE("ze_cpu: jit: kernels can be built without optimisation, and with relaxed mathematics") {
  for (const char *flags :
       {"-ze-opt-disable", "-cl-fast-relaxed-math -unknown-flag", "  -cl-mad-enable  "}) {
    auto built = ze_cpu::build_program(spirv("barriers"), flags, {});
    REQUIRE(built);
    std::vector<uint32_t> in(64, 3), out(2);
    REQUIRE(
        !try_run(**built, "reduce", line(2, 32), in.data(), out.data(), Local{32 * 4}).happened);
    CHECK(out == std::vector<uint32_t>{96, 96});
  }
}

TEST_CASE("ze_cpu: jit: debug information changes no result") {
  std::vector<int> in = {1, 2, 3, 4}, out(4);
  run("debug_info", "triple", line(2, 2), out.data(), in.data());
  CHECK(out == std::vector<int>{3, 6, 9, 12});
  uint32_t first = 0, second = 0;
  run("lines", "store_twice", line(1, 1), &first, &second);
  CHECK(first == 7);
  CHECK(second == 7);
}

TEST_CASE("ze_cpu: jit: a kernel that does not exist is refused by its name") {
  ze_cpu::Program &module = program("coordinates");
  CHECK(!module.kernel(module.kernels().size()));
  CHECK(!module.kernel(SIZE_MAX));
}

TEST_CASE("ze_cpu: jit: the clock runs") {
  uint64_t first = 0, second = 0;
  run("specialized", "clock", line(1, 1), &first);
  run("specialized", "clock", line(1, 1), &second);
  CHECK(second > first);
}
