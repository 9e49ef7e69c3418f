// Modules as a device takes them.
#include "../../../src/ze_opencl/spirv/module.h"
#include "assembly_of.h"

#include <catch2/catch_test_macros.hpp>

using namespace ze_opencl;

namespace {

constexpr uint32_t version_1_4 = 0x10400;

/// A device that takes a version of SPIR-V and has nothing else, or sub-groups.
Abilities with(uint32_t version, bool sub_groups = false) {
  Abilities abilities;
  abilities.spirv_version = version;
  abilities.sub_groups = sub_groups;
  return abilities;
}

LoweredModule lower(const std::string &text, const Abilities &abilities,
                    std::vector<uint64_t> addresses = {}) {
  const auto module = Module::read(bytes_of(assemble(text)), {});
  if (!module)
    FAIL(module.error().log);
  REQUIRE(module->variables().size() == addresses.size());
  auto lowered = module->lower(abilities, addresses);
  if (!lowered)
    FAIL(lowered.error());
  INFO(disassemble(lowered->words));
  // A module without kernels is given to nobody.
  if (lowered->refused.size() < module->kernels().size())
    CHECK(finding_in(lowered->words) == "");
  return std::move(*lowered);
}

std::string text_of(const LoweredModule &module) { return disassemble(module.words); }

const std::string head = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability GroupNonUniformShuffle
OpCapability SubgroupDispatch
OpMemoryModel Physical64 OpenCL
)";

/// A kernel that stores what a variable and a built-in of sub-groups say; `built_in` is its name.
std::string reader(const std::string &built_in) {
  return head + R"(
OpEntryPoint Kernel %20 "k" %10 %11
OpExecutionMode %20 SubgroupSize 32
OpDecorate %10 LinkageAttributes "counter" Export
OpDecorate %10 Alignment 4
OpDecorate %11 BuiltIn )" +
         built_in + R"(
OpDecorate %11 LinkageAttributes "__spirv_BuiltIn" Import
OpDecorate %11 Constant
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypePointer CrossWorkgroup %2
%4 = OpTypePointer Input %2
%5 = OpConstant %2 7
%6 = OpTypeFunction %1 %3
%10 = OpVariable %3 CrossWorkgroup %5
%11 = OpVariable %4 Input
%20 = OpFunction %1 None %6
%21 = OpFunctionParameter %3
%22 = OpLabel
%23 = OpLoad %2 %10
%24 = OpLoad %2 %11
%25 = OpIAdd %2 %23 %24
OpStore %21 %25
OpReturn
OpFunctionEnd
)";
}

/// Two kernels, of which one shuffles in a function that it calls.
const std::string shuffler = head + R"(
OpEntryPoint Kernel %20 "plain"
OpEntryPoint Kernel %30 "shuffles"
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpConstant %2 3
%4 = OpConstant %2 1
%5 = OpTypeFunction %1
%10 = OpFunction %1 None %5
%11 = OpLabel
%12 = OpGroupNonUniformShuffle %2 %3 %4 %4
OpReturn
OpFunctionEnd
%20 = OpFunction %1 None %5
%21 = OpLabel
OpReturn
OpFunctionEnd
%30 = OpFunction %1 None %5
%31 = OpLabel
%32 = OpFunctionCall %1 %10
OpReturn
OpFunctionEnd
)";

} // namespace

TEST_CASE("ze_opencl: variables become their addresses, and nothing is exported any more") {
  const LoweredModule lowered = lower(reader("SubgroupId"), with(version_1_4), {0x1234567800});
  const std::string text = text_of(lowered);
  CHECK(text.contains("OpConstant"));
  CHECK(text.contains(std::to_string(0x1234567800)));
  CHECK(text.contains("ConvertUToPtr"));
  CHECK_FALSE(text.contains("OpVariable %_ptr_CrossWorkgroup"));
  CHECK_FALSE(text.contains("LinkageAttributes"));
  CHECK_FALSE(text.contains("OpCapability Linkage"));
}

TEST_CASE("ze_opencl: functions compute constants that are made of a variable's address") {
  const auto text_with = [](const std::string &declarations, const std::string &code) {
    return head + "OpEntryPoint Kernel %20 \"k\" %10" + (declarations.empty() ? "" : " %16") + R"(
OpName %12 "second"
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypePointer CrossWorkgroup %2
%4 = OpConstant %2 2
%5 = OpTypeArray %2 %4
%6 = OpTypePointer CrossWorkgroup %5
%7 = OpTypeStruct %3 %3
%8 = OpTypeFunction %1
%9 = OpConstant %2 1
%15 = OpTypePointer UniformConstant %7
%10 = OpVariable %6 CrossWorkgroup
%12 = OpSpecConstantOp %3 InBoundsPtrAccessChain %10 %9 %9
%13 = OpSpecConstantComposite %7 %12 %12
)" + declarations +
           R"(
%20 = OpFunction %1 None %8
%21 = OpLabel
)" + code + R"(
OpReturn
OpFunctionEnd
)";
  };
  const std::string store = "OpStore %12 %9";
  const std::string extract = "%22 = OpCompositeExtract %3 %13 1\nOpStore %22 %9";
  for (const std::string &code : {store, extract}) {
    const std::string text = text_of(lower(text_with("", code), with(version_1_4), {4096}));
    INFO(text);
    CHECK(text.contains("OpConvertUToPtr"));
    CHECK(text.contains("OpInBoundsPtrAccessChain"));
    CHECK(text.contains("OpCompositeConstruct") == (code == extract));
    CHECK_FALSE(text.contains("OpSpecConstantOp"));
    CHECK_FALSE(text.contains("OpSpecConstantComposite"));
  }
  // Initial values are constants.
  const std::string text = text_of(
      lower(text_with("%16 = OpVariable %15 UniformConstant %13",
                      "%22 = OpLoad %7 %16\n%23 = OpCompositeExtract %3 %22 0\nOpStore %23 %9"),
            with(version_1_4), {4096}));
  INFO(text);
  CHECK(text.contains("OpSpecConstantOp"));
  CHECK(text.contains("OpSpecConstantComposite"));
}

TEST_CASE("ze_opencl: a device without sub-groups computes what a work-item is in its own") {
  for (const char *built_in : {"SubgroupLocalInvocationId", "SubgroupId", "SubgroupSize",
                               "SubgroupMaxSize", "NumSubgroups", "NumEnqueuedSubgroups"}) {
    CAPTURE(built_in);
    const std::string text = text_of(lower(reader(built_in), with(version_1_4), {4096}));
    CHECK_FALSE(text.contains(built_in));
    CHECK(text.contains("BuiltIn LocalInvocationIndex"));
    CHECK_FALSE(text.contains("SubgroupSize 32"));
    CHECK_FALSE(text.contains("SubgroupDispatch"));
  }
}

TEST_CASE("ze_opencl: a device with sub-groups keeps them, and their size") {
  const Abilities abilities = with(version_1_4, true);
  const std::string text = text_of(lower(reader("SubgroupId"), abilities, {4096}));
  CHECK(text.contains("BuiltIn SubgroupId"));
  CHECK(text.contains("SubgroupSize 32"));
  CHECK_FALSE(text.contains("LocalInvocationIndex"));
}

TEST_CASE(
    "ze_opencl: a kernel that needs what the device has not is refused, and the others stay") {
  Abilities abilities = with(version_1_4, true);
  const LoweredModule lowered = lower(shuffler, abilities);
  REQUIRE(lowered.refused.size() == 1);
  const auto &[name, why] = *lowered.refused.begin();
  CHECK(name == "shuffles");
  CHECK(why.contains("it uses __shfl "));
  CHECK(why.contains("cl_khr_subgroup_shuffle"));
  const std::string text = text_of(lowered);
  CHECK(text.contains("\"plain\""));
  CHECK_FALSE(text.contains("\"shuffles\""));
  CHECK_FALSE(text.contains("= OpGroupNonUniformShuffle"));
  abilities.sub_group_shuffle = true;
  CHECK(lower(shuffler, abilities).refused.empty());
}

TEST_CASE("ze_opencl: a barrier of more than a work-group is refused") {
  const auto kernel = [](const char *scope) {
    return head + R"(
OpEntryPoint Kernel %20 "k"
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpConstant %2 )" +
           scope + R"(
%4 = OpConstant %2 272
%5 = OpTypeFunction %1
%20 = OpFunction %1 None %5
%21 = OpLabel
OpControlBarrier %3 %3 %4
OpReturn
OpFunctionEnd
)";
  };
  CHECK(lower(kernel("1"), with(version_1_4)).refused.size() == 1); // Device
  CHECK(lower(kernel("2"), with(version_1_4)).refused.empty());     // Workgroup
  CHECK(lower(kernel("3"), with(version_1_4)).refused.empty());     // Subgroup
  CHECK(lower(kernel("3"), with(version_1_4, true)).refused.empty());
}

TEST_CASE("ze_opencl: an older device gets an older version, whose entry points list less") {
  const LoweredModule lowered = lower(reader("SubgroupId"), with(0x10200, true), {4096});
  CHECK(lowered.words[1] == 0x10200);
  CHECK(text_of(lowered).contains("OpEntryPoint Kernel %20 \"k\" %11"));
}

TEST_CASE("ze_opencl: a clock that the device has not is read in memory, or refused without any") {
  const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability ShaderClockKHR
OpExtension "SPV_KHR_shader_clock"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %20 "k"
%1 = OpTypeVoid
%2 = OpTypeInt 64 0
%3 = OpTypeInt 32 0
%4 = OpTypeVector %3 2
%5 = OpConstant %3 1
%6 = OpTypeFunction %1
%20 = OpFunction %1 None %6
%22 = OpLabel
%23 = OpReadClockKHR %2 %5
%24 = OpReadClockKHR %4 %5
OpReturn
OpFunctionEnd
)";
  const auto module = Module::read(bytes_of(assemble(text)), {});
  REQUIRE(module);
  const auto lowered = module->lower(with(version_1_4), {}, 0x4000);
  REQUIRE(lowered);
  CHECK(lowered->reads_clock);
  CHECK(finding_in(lowered->words) == "");
  const std::string changed = disassemble(lowered->words);
  CHECK(changed.contains("OpAtomicIIncrement"));
  CHECK(changed.contains("16384"));
  CHECK_FALSE(changed.contains("OpReadClock"));
  CHECK_FALSE(changed.contains("shader_clock"));
  CHECK(module->lower(with(version_1_4), {})->refused.at("k") ==
        "it uses clock64, and the device has no clock");
  Abilities has_clock = with(version_1_4);
  has_clock.clock = true;
  const auto kept = module->lower(has_clock, {}, 0x4000);
  CHECK_FALSE(kept->reads_clock);
  CHECK(disassemble(kept->words).contains("OpReadClockKHR"));
}

TEST_CASE(
    "ze_opencl: a kernel copies structs that it is given by value, unless it only reads them") {
  const auto kernel = [](const char *decoration) {
    return head + "OpEntryPoint Kernel %20 \"k\"\n" + decoration + R"(
OpDecorate %21 FuncParamAttr ByVal
OpDecorate %21 Alignment 4
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeStruct %2 %2
%4 = OpTypePointer Function %3
%5 = OpTypePointer Function %2
%6 = OpConstant %2 1
%7 = OpTypeFunction %1 %4
%20 = OpFunction %1 None %7
%21 = OpFunctionParameter %4
%22 = OpLabel
%23 = OpVariable %5 Function
%24 = OpInBoundsAccessChain %5 %21 %6
OpStore %24 %6
OpReturn
OpFunctionEnd
)";
  };
  const std::string text = text_of(lower(kernel(""), with(version_1_4)));
  const size_t copied = text.find("OpCopyMemory");
  REQUIRE(copied != text.npos);
  CHECK(text.find("%23 = OpVariable") < copied);
  CHECK_FALSE(text.contains("OpInBoundsAccessChain %5 %21"));
  CHECK_FALSE(text_of(lower(kernel("OpDecorate %21 FuncParamAttr NoWrite"), with(version_1_4)))
                  .contains("OpCopyMemory"));
}

TEST_CASE("ze_opencl: a kernel that calls a function by its address is refused, a table of them is "
          "zeros") {
  const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability FunctionPointersINTEL
OpExtension "SPV_INTEL_function_pointers"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %20 "plain" %14
OpEntryPoint Kernel %30 "calls" %14
OpDecorate %14 LinkageAttributes "table" Export
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeFunction %1
%4 = OpTypePointer CodeSectionINTEL %3
%5 = OpConstant %2 1
%6 = OpTypeArray %4 %5
%7 = OpTypePointer CrossWorkgroup %6
%8 = OpTypeInt 64 0
%9 = OpTypePointer Function %8
%12 = OpConstantFunctionPointerINTEL %4 %10
%15 = OpSpecConstantOp %8 ConvertPtrToU %12
%13 = OpConstantComposite %6 %12
%14 = OpVariable %7 CrossWorkgroup %13
%10 = OpFunction %1 None %3
%11 = OpLabel
OpReturn
OpFunctionEnd
%20 = OpFunction %1 None %3
%21 = OpLabel
%22 = OpVariable %9 Function
OpStore %22 %15
OpReturn
OpFunctionEnd
%30 = OpFunction %1 None %3
%31 = OpLabel
%32 = OpFunctionPointerCallINTEL %1 %12
OpReturn
OpFunctionEnd
)";
  const auto module = Module::read(bytes_of(assemble(text)), {});
  REQUIRE(module);
  CHECK(module->variables()[0].initial == std::vector<std::byte>(8));
  const uint64_t address = 4096;
  const auto lowered = module->lower(with(version_1_4), std::span(&address, 1));
  REQUIRE(lowered);
  REQUIRE(lowered->refused.size() == 1);
  CHECK(lowered->refused.at("calls").contains("by its address"));
  const std::string changed = disassemble(lowered->words);
  CHECK(changed.contains("\"plain\""));
  CHECK(changed.contains("%15 = OpConstantNull %8")); // the address as a number
  CHECK_FALSE(changed.contains("FunctionPointer"));
  CHECK(changed.contains("%4 = OpTypePointer CrossWorkgroup %8")); // no pointer to a function
}

TEST_CASE("ze_opencl: a device without generic pointers is given those to global memory only") {
  // `cast` is of a private variable, a work-group's, or a pointer to global memory.
  const auto refused_with = [](const std::string &cast, bool has_generic) {
    Abilities abilities = with(version_1_4);
    abilities.generic_pointers = has_generic;
    const std::string text = "OpCapability GenericPointer" + head + R"(
OpEntryPoint Kernel %20 "k" %13
OpEntryPoint Kernel %30 "other" %13
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypePointer CrossWorkgroup %2
%4 = OpTypePointer Function %2
%5 = OpTypePointer Workgroup %2
%6 = OpTypePointer Generic %2
%7 = OpTypeFunction %1 %3
%8 = OpConstant %2 1
%13 = OpVariable %5 Workgroup
%14 = OpSpecConstantOp %6 PtrCastToGeneric %13
%20 = OpFunction %1 None %7
%21 = OpFunctionParameter %3
%22 = OpLabel
%23 = OpVariable %4 Function
)" + cast + R"(
OpReturn
OpFunctionEnd
%30 = OpFunction %1 None %7
%31 = OpFunctionParameter %3
%32 = OpLabel
OpReturn
OpFunctionEnd
)";
    const LoweredModule lowered = lower(text, abilities);
    CHECK_FALSE(lowered.refused.contains("other"));
    const auto found = lowered.refused.find("k");
    return found == lowered.refused.end() ? "" : found->second;
  };
  for (const char *cast : {"%24 = OpPtrCastToGeneric %6 %23\nOpStore %24 %8",
                           "%24 = OpPtrCastToGeneric %6 %13\nOpStore %24 %8", "OpStore %14 %8"}) {
    INFO(cast);
    CHECK(refused_with(cast, false).contains("generic"));
    CHECK(refused_with(cast, true) == "");
  }
  CHECK(refused_with("%24 = OpPtrCastToGeneric %6 %21\nOpStore %24 %8", false) == "");
}

TEST_CASE("ze_opencl: a device whose atomics reach no other is asked for its own scope at most") {
  const std::string text = head + R"(
OpEntryPoint Kernel %20 "k"
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypePointer CrossWorkgroup %2
%4 = OpTypeFunction %1 %3
%5 = OpConstant %2 0
%6 = OpConstantNull %2
%7 = OpConstant %2 2
%8 = OpConstant %2 784
%9 = OpConstant %2 77
%20 = OpFunction %1 None %4
%21 = OpFunctionParameter %3
%22 = OpLabel
%23 = OpAtomicLoad %2 %21 %5 %5
%24 = OpAtomicIAdd %2 %21 %6 %5 %9
%25 = OpAtomicLoad %2 %21 %7 %5
OpAtomicStore %21 %5 %5 %9
OpMemoryBarrier %5 %8
OpControlBarrier %7 %5 %8
OpReturn
OpFunctionEnd
)";
  Abilities abilities = with(version_1_4);
  CHECK(text_of(lower(text, abilities)).contains("OpMemoryBarrier %5 %8"));
  abilities.all_devices_scope = false;
  const std::string narrowed = text_of(lower(text, abilities));
  INFO(narrowed);
  const size_t at = narrowed.find(" = OpConstant %2 1\n");
  REQUIRE(at != narrowed.npos);
  const size_t begin = narrowed.rfind('%', at);
  const std::string device = narrowed.substr(begin, at - begin);
  CHECK(narrowed.contains("%23 = OpAtomicLoad %2 %21 " + device + " %5\n"));
  CHECK(narrowed.contains("%24 = OpAtomicIAdd %2 %21 " + device + " %5 %9\n"));
  CHECK(narrowed.contains("%25 = OpAtomicLoad %2 %21 %7 %5\n"));
  CHECK(narrowed.contains("OpAtomicStore %21 " + device + " %5 %9\n"));
  CHECK(narrowed.contains("OpMemoryBarrier " + device + " %8\n"));
  CHECK(narrowed.contains("OpControlBarrier %7 " + device + " %8\n"));
}

TEST_CASE("ze_opencl: built-in variables that several linked modules declare become one") {
  const std::string text = text_of(lower(head + R"(
OpEntryPoint Kernel %20 "k" %10 %11
OpDecorate %10 BuiltIn GlobalSize
OpDecorate %11 BuiltIn GlobalSize
%1 = OpTypeVoid
%2 = OpTypeInt 64 0
%3 = OpTypeVector %2 3
%4 = OpTypePointer Input %3
%6 = OpTypeFunction %1
%10 = OpVariable %4 Input
%11 = OpVariable %4 Input
%20 = OpFunction %1 None %6
%22 = OpLabel
%23 = OpLoad %3 %10
%24 = OpLoad %3 %11
OpReturn
OpFunctionEnd
)",
                                         with(version_1_4)));
  CHECK(text.contains("%24 = OpLoad %3 %10"));
  CHECK_FALSE(text.contains("%11"));
}

TEST_CASE("ze_opencl: kernels with sub-groups of different sizes that call the same function are "
          "refused") {
  const auto kernel = [](const char *id, const char *label, const char *call) {
    return std::string(id) + " = OpFunction %1 None %6\n" + label + " = OpLabel\n" + call +
           " = OpFunctionCall %1 %20\nOpReturn\nOpFunctionEnd\n";
  };
  const LoweredModule lowered = lower(head + R"(
OpEntryPoint Kernel %30 "of_32" %11
OpEntryPoint Kernel %40 "of_16" %11
OpExecutionMode %30 SubgroupSize 32
OpExecutionMode %40 SubgroupSize 16
OpDecorate %11 BuiltIn SubgroupId
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%4 = OpTypePointer Input %2
%6 = OpTypeFunction %1
%11 = OpVariable %4 Input
%20 = OpFunction %1 None %6
%21 = OpLabel
%22 = OpLoad %2 %11
OpReturn
OpFunctionEnd
)" + kernel("%30", "%31", "%32") + kernel("%40", "%41", "%42"),
                                      with(version_1_4));
  CHECK(lowered.refused.size() == 2);
  CHECK(lowered.refused.at("of_16").contains("different sizes"));
}
