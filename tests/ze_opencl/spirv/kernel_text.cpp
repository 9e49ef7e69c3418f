#include "kernel_text.h"

#include "assembly_of.h"

#include <catch2/catch_test_macros.hpp>

using namespace ze_opencl;

std::string kernel_text(const std::string &body, const std::string &decorations,
                        const std::string &functions) {
  return R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability Int8
OpCapability Int16
OpCapability Float64
OpCapability Float16
OpCapability Groups
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformClustered
OpCapability SubgroupDispatch
%100 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %20 "k" %39 %40 %41 %42
OpDecorate %40 BuiltIn LocalInvocationId
OpDecorate %41 BuiltIn WorkgroupId
OpDecorate %42 BuiltIn WorkgroupSize
OpDecorate %39 BuiltIn GlobalInvocationId
OpDecorate %23 FuncParamAttr ByVal
OpDecorate %23 FuncParamAttr NoWrite
OpDecorate %24 FuncParamAttr ByVal
)" + decorations +
         R"(
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeInt 64 0
%4 = OpTypeBool
%5 = OpTypeFloat 32
%6 = OpTypeFloat 64
%7 = OpTypeVector %3 3
%8 = OpTypeVector %2 4
%9 = OpTypePointer CrossWorkgroup %2
%10 = OpTypePointer Input %7
%11 = OpTypeStruct %2 %2
%12 = OpTypePointer Function %11
%13 = OpTypePointer Function %2
%14 = OpTypePointer UniformConstant %2
%15 = OpTypeFunction %1 %9 %2 %12 %12 %14
%16 = OpTypeFunction %2 %2
%17 = OpTypePointer Function %13
%18 = OpTypeFloat 16
%19 = OpTypePointer CrossWorkgroup %18
%70 = OpConstant %2 0
%71 = OpConstant %2 1
%72 = OpConstant %2 2
%73 = OpConstant %2 3
%74 = OpConstant %2 16
%75 = OpConstant %2 272
%76 = OpConstantTrue %4
%77 = OpConstantFalse %4
%78 = OpConstant %5 1.5
%79 = OpConstant %6 2.5
%80 = OpConstant %3 7
%98 = OpUndef %2
%36 = OpTypePointer UniformConstant %3
%37 = OpTypePointer UniformConstant %7
%39 = OpVariable %37 UniformConstant
%40 = OpVariable %10 Input
%41 = OpVariable %10 Input
%42 = OpVariable %10 Input
%20 = OpFunction %1 None %15
%21 = OpFunctionParameter %9
%22 = OpFunctionParameter %2
%23 = OpFunctionParameter %12
%24 = OpFunctionParameter %12
%25 = OpFunctionParameter %14
%30 = OpLabel
%60 = OpVariable %13 Function
%61 = OpVariable %13 Function
%62 = OpVariable %13 Function
%63 = OpVariable %17 Function
%43 = OpLoad %7 %40
%44 = OpCompositeExtract %3 %43 0
%50 = OpUConvert %2 %44
%45 = OpLoad %7 %41
%46 = OpCompositeExtract %3 %45 0
%51 = OpUConvert %2 %46
%56 = OpULessThan %4 %50 %74
%57 = OpULessThan %4 %22 %74
)" + body +
         R"(
OpFunctionEnd
%55 = OpFunction %2 None %16
%58 = OpFunctionParameter %2
%59 = OpLabel
OpReturnValue %58
OpFunctionEnd
)" + functions;
}

LoweredModule lowered_without_sub_groups(const std::string &text) {
  const auto module = Module::read(bytes_of(assemble(text)), {});
  if (!module)
    FAIL(module.error().log);
  Abilities abilities;
  abilities.spirv_version = 0x10400;
  auto lowered = module->lower(abilities, {});
  if (!lowered)
    FAIL(lowered.error());
  INFO(disassemble(lowered->words));
  if (lowered->refused.size() < module->kernels().size())
    CHECK(finding_in(lowered->words) == "");
  return std::move(*lowered);
}
