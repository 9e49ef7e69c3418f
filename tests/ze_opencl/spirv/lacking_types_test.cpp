// Kernels that compute with what the device lacks, beside one that does not.
#include "../../../src/ze_opencl/spirv/module.h"
#include "assembly_of.h"

#include <catch2/catch_test_macros.hpp>

using namespace ze_opencl;

namespace {

/// Kernel "plain" has nothing special; `uses` is the body of kernel "special", and `types` are declared before it.
LoweredModule lower(const std::string &capabilities, const std::string &types,
                    const std::string &uses, const Abilities &abilities,
                    std::vector<uint64_t> addresses = {}, const std::string &interface = "") {
  const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
)" + capabilities + R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %20 "plain" )" +
                           interface + R"(
OpEntryPoint Kernel %30 "special" )" +
                           interface + R"(
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeInt 64 0
%4 = OpTypePointer CrossWorkgroup %2
%5 = OpTypePointer CrossWorkgroup %3
%6 = OpTypeFunction %1 %5
%7 = OpConstant %2 1
%8 = OpConstant %3 1
)" + types + R"(
%20 = OpFunction %1 None %6
%21 = OpFunctionParameter %5
%22 = OpLabel
OpStore %21 %8
OpReturn
OpFunctionEnd
%30 = OpFunction %1 None %6
%31 = OpFunctionParameter %5
%32 = OpLabel
)" + uses + R"(
OpReturn
OpFunctionEnd
)";
  const auto module = Module::read(bytes_of(assemble(text)), {});
  if (!module)
    FAIL(module.error().log);
  auto lowered = module->lower(abilities, addresses);
  if (!lowered)
    FAIL(lowered.error());
  INFO(disassemble(lowered->words));
  CHECK(finding_in(lowered->words) == "");
  return std::move(*lowered);
}

Abilities all() {
  Abilities abilities;
  abilities.spirv_version = 0x10400;
  abilities.int64_atomics = true;
  return abilities;
}

/// Only "special" is refused, for `reason`, and `gone` is not in the module any more.
void check_refused(const LoweredModule &lowered, const std::string &reason,
                   const std::string &gone) {
  REQUIRE(lowered.refused.size() == 1);
  INFO(lowered.refused.begin()->second);
  CHECK(lowered.refused.at("special").contains(reason));
  const std::string text = disassemble(lowered.words);
  INFO(text);
  CHECK(text.contains("\"plain\""));
  CHECK_FALSE(text.contains(gone));
}

} // namespace

TEST_CASE(
    "ze_opencl: without doubles, kernels that use them are refused and no type of them is left") {
  const auto lower_with = [](const Abilities &abilities) {
    return lower("OpCapability Float64\nOpCapability Linkage",
                 R"(
%10 = OpTypeFloat 64
%11 = OpTypeStruct %10 %2
%12 = OpTypePointer CrossWorkgroup %11
%13 = OpTypePointer CrossWorkgroup %10
%14 = OpConstant %10 3
%15 = OpVariable %13 CrossWorkgroup %14
%16 = OpTypeVector %10 2
)",
                 "%33 = OpLoad %3 %31\n%34 = OpConvertUToF %10 %33\nOpStore %15 %34", abilities,
                 {4096}, "%15");
  };
  CHECK(lower_with(all()).refused.empty());
  Abilities abilities = all();
  abilities.fp64 = false;
  const LoweredModule lowered = lower_with(abilities);
  check_refused(lowered, "doubles", "OpTypeFloat");
  CHECK_FALSE(disassemble(lowered.words).contains("Float64"));
}

TEST_CASE("ze_opencl: without half precision, kernels that use it are refused") {
  Abilities abilities = all();
  abilities.fp16 = false;
  check_refused(lower("OpCapability Float16", "%10 = OpTypeFloat 16", "%33 = OpConvertUToF %10 %7",
                      abilities),
                "half precision", "Float16");
}

TEST_CASE("ze_opencl: without functions of half precision, they are computed in wider types") {
  const auto lower_with = [](const Abilities &abilities) {
    return disassemble(lower("OpCapability Float16\nOpCapability Vector16\n"
                             "%9 = OpExtInstImport \"OpenCL.std\"",
                             R"(
%10 = OpTypeFloat 16
%11 = OpTypeVector %10 2
%12 = OpConstant %10 0x1p+0
%13 = OpConstantComposite %11 %12 %12
)",
                             R"(
%33 = OpExtInst %10 %9 fma %12 %12 %12
%34 = OpExtInst %11 %9 mad %13 %13 %13
%35 = OpExtInst %10 %9 ldexp %12 %7
%36 = OpExtInst %10 %9 nextafter %12 %12
)",
                             abilities)
                           .words);
  };
  // The type that a function is called with.
  const auto type_of = [](const std::string &text, const std::string &function) {
    const auto word_at = [&](size_t at) {
      return text.substr(at, text.find_first_of(" \n", at) - at);
    };
    const size_t call = text.find(" " + function + " ");
    REQUIRE(call != std::string::npos);
    const std::string declaration =
        "\n" + word_at(text.rfind("OpExtInst ", call) + 10) + " = OpTypeFloat ";
    const size_t declared = text.find(declaration);
    REQUIRE(declared != std::string::npos);
    return word_at(declared + declaration.size());
  };
  Abilities abilities = all();
  CHECK(type_of(lower_with(abilities), "fma") == "16");
  abilities.half_functions = false;
  const std::string text = lower_with(abilities);
  INFO(text);
  CHECK(type_of(text, "fma") == "64");
  CHECK_FALSE(text.contains(" mad "));
  CHECK(type_of(text, "ldexp") == "32");
  // What depends on how halves are stored is not the same in another type.
  CHECK(type_of(text, "nextafter") == "16");
  abilities.fp64 = false;
  const std::string in_float = lower_with(abilities);
  CHECK(type_of(in_float, "fma") == "32");
  CHECK_FALSE(in_float.contains("Float64"));
}

TEST_CASE("ze_opencl: without 64-bit atomics, kernels with such are refused, and those of 32 bits "
          "are not") {
  Abilities abilities = all();
  abilities.int64_atomics = false;
  check_refused(
      lower("OpCapability Int64Atomics", "", "%33 = OpAtomicIAdd %3 %31 %7 %7 %8", abilities),
      "it uses atomicAdd on 64 bits", "Int64Atomics");
  check_refused(lower("OpCapability Int64Atomics", "", "OpAtomicStore %31 %7 %7 %8", abilities),
                "64 bits", "Int64Atomics");
  CHECK(lower("OpCapability Int64Atomics", "",
              "%33 = OpBitcast %4 %31\n%34 = OpAtomicIAdd %2 %33 %7 %7 %7", abilities)
            .refused.empty());
}

TEST_CASE("ze_opencl: atomics on floating-point numbers are refused by size and kind") {
  const auto lower_with = [](const std::string &op, const Abilities &abilities) {
    return lower("OpCapability AtomicFloat32AddEXT\nOpCapability AtomicFloat32MinMaxEXT\n"
                 "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
                 "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"",
                 "%10 = OpTypeFloat 32\n%11 = OpTypePointer CrossWorkgroup %10\n"
                 "%12 = OpConstant %10 1",
                 "%33 = OpBitcast %11 %31\n%34 = " + op + " %10 %33 %7 %7 %12", abilities);
  };
  Abilities abilities = all();
  CHECK(lower_with("OpAtomicFAddEXT", abilities).refused.empty());
  abilities.fp32_atomics.add = false;
  check_refused(lower_with("OpAtomicFAddEXT", abilities), "it uses atomicAdd on 32 bits",
                "Float32Add");
  CHECK(lower_with("OpAtomicFMinEXT", abilities).refused.empty());
  abilities = all();
  abilities.fp32_atomics.min_max = false;
  check_refused(lower_with("OpAtomicFMaxEXT", abilities), "it uses atomicMax on 32 bits",
                "Float32MinMax");
  CHECK(lower_with("OpAtomicFAddEXT", abilities).refused.empty());
}
