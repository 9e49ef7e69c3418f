// What a module contains.
#include "../../../src/ze_opencl/spirv/module.h"
#include "assembly_of.h"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <random>

using namespace ze_opencl;
using ze_driver::ArgumentKind;
using ze_driver::BuildError;

namespace {

/// A kernel with a parameter of each kind, and variables whose values name each other.
const std::string example = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability Int8
OpCapability Float64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %20 "work" %30 %31 %32
OpExecutionMode %20 LocalSize 8 4 2
OpName %21 "p"
OpName %32 "hidden"
OpDecorate %30 LinkageAttributes "numbers" Export
OpDecorate %30 Alignment 64
OpDecorate %31 LinkageAttributes "pointer" Export
OpDecorate %22 FuncParamAttr ByVal
OpDecorate %22 Alignment 8
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeInt 64 0
%4 = OpTypeInt 8 0
%5 = OpTypeFloat 64
%6 = OpTypeStruct %4 %5 %2
%7 = OpTypePointer CrossWorkgroup %2
%8 = OpTypePointer Function %6
%9 = OpTypePointer Workgroup %2
%10 = OpTypeFunction %1 %7 %8 %4 %9 %3
%11 = OpConstant %2 1
%12 = OpConstant %2 2
%13 = OpConstant %2 3
%14 = OpTypeArray %2 %13
%15 = OpTypePointer CrossWorkgroup %14
%16 = OpTypePointer CrossWorkgroup %7
%17 = OpConstantComposite %14 %11 %12 %13
%30 = OpVariable %15 CrossWorkgroup %17
%18 = OpSpecConstantOp %7 InBoundsPtrAccessChain %30 %11 %12
%31 = OpVariable %16 CrossWorkgroup %18
%19 = OpConstantNull %14
%32 = OpVariable %15 CrossWorkgroup %19
%20 = OpFunction %1 None %10
%21 = OpFunctionParameter %7
%22 = OpFunctionParameter %8
%23 = OpFunctionParameter %4
%24 = OpFunctionParameter %9
%25 = OpFunctionParameter %3
%26 = OpLabel
OpReturn
OpFunctionEnd
)";

Module read(const std::string &text) {
  auto module = Module::read(bytes_of(assemble(text)), {});
  if (!module)
    FAIL(module.error().log);
  return std::move(*module);
}

} // namespace

TEST_CASE("ze_opencl: parameters are laid out as the front expects them") {
  const Module module = read(example);
  REQUIRE(module.kernels().size() == 1);
  const ze_driver::KernelInfo &info = module.kernels()[0].info;
  CHECK(info.name == "work");
  REQUIRE(info.arguments.size() == 5);
  const struct {
    ArgumentKind kind;
    uint32_t size, offset;
  } expected[] = {{ArgumentKind::pointer, 8, 0},
                  {ArgumentKind::value, 24, 8},
                  {ArgumentKind::value, 1, 32},
                  {ArgumentKind::local, 8, 40},
                  {ArgumentKind::value, 8, 48}};
  for (size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(info.arguments[i].kind == expected[i].kind);
    CHECK(info.arguments[i].size == expected[i].size);
    CHECK(info.arguments[i].offset == expected[i].offset);
  }
  CHECK(info.argument_bytes == 56);
  CHECK(info.required_group_size[0] == 8);
  CHECK(info.required_group_size[2] == 2);
  CHECK(info.attributes == "reqd_work_group_size(8,4,2)");
}

TEST_CASE("ze_opencl: variables have a size, a name, initial bytes and the addresses in them") {
  const Module module = read(example);
  const auto variables = module.variables();
  REQUIRE(variables.size() == 3);
  CHECK(variables[0].name == "numbers");
  CHECK(variables[0].is_exported);
  CHECK(variables[0].size == 12);
  CHECK(variables[0].alignment == 64);
  const uint32_t numbers[] = {1, 2, 3};
  REQUIRE(variables[0].initial.size() == sizeof numbers);
  CHECK(std::memcmp(variables[0].initial.data(), numbers, sizeof numbers) == 0);

  REQUIRE(variables[1].relocations.size() == 1);
  CHECK(variables[1].relocations[0].variable == 0);
  CHECK(variables[1].relocations[0].offset == 0);
  CHECK(variables[1].relocations[0].addend == 12 + 8); // one array, and two elements

  CHECK(variables[2].name == "hidden");
  CHECK_FALSE(variables[2].is_exported);
  CHECK(variables[2].initial == std::vector<std::byte>(12));
}

TEST_CASE("ze_opencl: functions that stand for intrinsics of LLVM lose their names") {
  std::string text = example;
  const std::string name = "OpName %21 \"p\"";
  text.replace(text.find(name), name.size(), "OpName %21 \"spirv.llvm_bswap_i64\"");
  const auto module = Module::read(bytes_of(assemble(text)), {});
  REQUIRE(module);
  const std::string read = disassemble(module->words());
  CHECK_FALSE(read.contains("spirv.llvm"));
  CHECK(read.contains("\"hidden\""));
}

TEST_CASE("ze_opencl: a specialization constant has the value that is given, or its own") {
  const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %5 "k"
OpDecorate %4 SpecId 7
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeFunction %1
%4 = OpSpecConstant %2 5
%5 = OpFunction %1 None %3
%6 = OpLabel
%7 = OpIAdd %2 %4 %4
OpReturn
OpFunctionEnd
)";
  const uint32_t value = 41;
  const ze_driver::SpecializationConstant given{7, std::as_bytes(std::span(&value, 1))};
  const auto module = Module::read(bytes_of(assemble(text)), std::span(&given, 1));
  REQUIRE(module);
  CHECK(disassemble(module->words()).contains("OpConstant %2 41"));
  CHECK(disassemble(read(text).words()).contains("OpSpecConstant %2 5"));
}

TEST_CASE("ze_opencl: what is no module is refused, and what is not valid, each in its own way") {
  const auto kind_of = [](std::span<const std::byte> bytes) {
    const auto module = Module::read(bytes, {});
    REQUIRE_FALSE(module);
    CHECK_FALSE(module.error().log.empty());
    return module.error().kind;
  };
  std::vector<uint32_t> words = assemble(example);
  CHECK(kind_of({}) == BuildError::Kind::invalid);
  CHECK(kind_of(bytes_of(words).first(9)) == BuildError::Kind::invalid);
  CHECK(kind_of(bytes_of(words).first(words.size() * 4 - 4)) == BuildError::Kind::failed);
  words[0] = 1;
  CHECK(kind_of(bytes_of(words)) == BuildError::Kind::invalid);
}

TEST_CASE("ze_opencl: a module of the other byte order is the same module") {
  std::vector<uint32_t> words = assemble(example);
  for (uint32_t &word : words)
    word = __builtin_bswap32(word);
  const auto module = Module::read(bytes_of(words), {});
  REQUIRE(module);
  CHECK(module->variables().size() == 3);
}

TEST_CASE("ze_opencl: modules with changed words are refused or lowered, and never more") {
  const std::vector<uint32_t> good = assemble(example);
  std::mt19937 random(3);
  int lowered = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint32_t> words = good;
    for (int changes = 0; changes < 1 + i % 3; ++changes)
      words[random() % words.size()] = i % 2 ? static_cast<uint32_t>(random()) : random() % 64;
    const auto module = Module::read(bytes_of(words), {});
    if (!module)
      continue;
    const std::vector<uint64_t> addresses(module->variables().size(), 4096);
    Abilities abilities;
    abilities.spirv_version = 0x10400;
    lowered += module->lower(abilities, addresses).has_value();
  }
  CHECK(lowered > 0);
}

TEST_CASE("ze_opencl: linked modules find each other's functions, and keep what they export") {
  const auto part = [](const char *linkage, const char *body) {
    return assemble(std::string(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
)") + linkage + R"(
%1 = OpTypeVoid
%2 = OpTypeFunction %1
)" + body);
  };
  const auto user =
      part("OpEntryPoint Kernel %4 \"k\"\nOpDecorate %3 LinkageAttributes \"f\" Import",
           "%3 = OpFunction %1 None %2\nOpFunctionEnd\n%4 = OpFunction %1 None %2\n%5 = OpLabel\n"
           "%6 = OpFunctionCall %1 %3\nOpReturn\nOpFunctionEnd\n");
  const auto library = part("OpDecorate %3 LinkageAttributes \"f\" Export",
                            "%3 = OpFunction %1 None %2\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const auto alone = Module::read(bytes_of(user), {});
  REQUIRE(alone);
  REQUIRE(alone->imports().size() == 1);
  CHECK(alone->imports()[0] == "f");
  const std::span<const uint32_t> both[] = {user, library};
  const auto linked = link(both);
  REQUIRE(linked);
  const auto module = Module::read(*linked, {});
  REQUIRE(module);
  CHECK(module->imports().empty());
  CHECK(module->kernels().size() == 1);
  const std::span<const uint32_t> twice[] = {library, library};
  CHECK_FALSE(link(twice));
}
