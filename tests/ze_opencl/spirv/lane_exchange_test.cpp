// Operations on sub-groups on a device that has none.
#include "../../../src/ze_opencl/spirv/opcodes.h"
#include "../../../src/ze_opencl/spirv/sub_groups/hoisting.h"
#include "assembly_of.h"
#include "kernel_text.h"

#include <catch2/catch_test_macros.hpp>

#include <random>

using namespace ze_opencl;

namespace {

size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

/// Moves operations out of branches as often as that goes: what comes of it is valid, also in kernels that stay refused.
void check_moves(const std::string &text) {
  std::vector<uint32_t> words = assemble(text);
  for (bool moves = true; moves;) {
    const std::vector<ParsedInstruction> module = parse(words);
    std::map<uint32_t, uint32_t> numbers;
    for (const ParsedInstruction &instruction : module)
      if (instruction.op == spirv::op_constant)
        numbers[instruction.result] = instruction.operand(2);
    auto moved = with_hoisted(words, module, LaneExchange(module, numbers, {}));
    moves = moved.has_value();
    if (moves) {
      words = std::move(*moved);
      INFO(disassemble(words));
      CHECK(finding_in(words) == "");
    }
  }
}

/// The lowered module of a kernel that is accepted.
std::string accepted(const std::string &body, const std::string &functions = "") {
  CAPTURE(body);
  check_moves(kernel_text(body, "", functions));
  const LoweredModule lowered = lowered_without_sub_groups(kernel_text(body, "", functions));
  if (!lowered.refused.empty())
    FAIL(lowered.refused.at("k"));
  const std::string text = disassemble(lowered.words);
  CHECK_FALSE(text.contains("OpGroup"));
  CHECK_FALSE(text.contains("Capability GroupNonUniform"));
  return text;
}

std::string refusal(const std::string &body, const std::string &functions = "") {
  CAPTURE(body);
  check_moves(kernel_text(body, "", functions));
  const LoweredModule lowered = lowered_without_sub_groups(kernel_text(body, "", functions));
  return lowered.refused.empty() ? "" : lowered.refused.at("k");
}

const std::string use = "OpStore %21 %90\nOpReturn\n",
                  use_bool = "%91 = OpSelect %2 %90 %70 %71\nOpStore %21 %91\nOpReturn\n";

/// `code` behind a branch that depends on the work-item.
std::string behind_branch(const std::string &code) {
  return "OpBranchConditional %56 %31 %32\n%31 = OpLabel\n" + code +
         "OpBranch %32\n%32 = OpLabel\nOpReturn\n";
}

} // namespace

TEST_CASE("ze_opencl: values go between lanes through work-group memory that the kernel is given") {
  const LoweredModule lowered = lowered_without_sub_groups(
      kernel_text("%90 = OpGroupNonUniformShuffle %2 %73 %22 %50\n" + use));
  REQUIRE(lowered.refused.empty());
  CHECK(lowered.with_slots == std::set<std::string>{"k"});
  const std::string text = disassemble(lowered.words);
  CHECK(count(text, "OpFunctionParameter") ==
        5 + 1 + 1); // of the kernel, and of the other function
  CHECK(count(text, "OpControlBarrier") == 2);
  CHECK(count(text, "OpSelect") == 2); // for the last sub-group, and for lanes that there are not
  CHECK(count(text, "BuiltIn WorkgroupSize") == 1); // the module's own
  CHECK(count(text, "BuiltIn LocalInvocationIndex") == 1);
}

TEST_CASE("ze_opencl: operations on sub-groups that are emulated") {
  for (const char *shuffle : {"Shuffle", "ShuffleXor", "ShuffleUp", "ShuffleDown"})
    accepted("%90 = OpGroupNonUniform" + std::string(shuffle) + " %2 %73 %22 %50\n" + use);
  accepted("%90 = OpGroupNonUniformBroadcast %2 %73 %22 %72\n" + use);
  accepted("%90 = OpGroupNonUniformBroadcastFirst %2 %73 %22\n" + use);
  accepted("%89 = OpGroupNonUniformBallot %8 %73 %56\n%90 = OpCompositeExtract %2 %89 0\n" + use);
  accepted("%90 = OpGroupNonUniformElect %4 %73\n" + use_bool);
  for (const char *vote : {"OpGroupNonUniformAll", "OpGroupNonUniformAny",
                           "OpGroupNonUniformAllEqual", "OpGroupAll", "OpGroupAny"})
    accepted("%90 = " + std::string(vote) + " %4 %73 %56\n" + use_bool);
  for (const char *value : {"%22", "%80", "%78", "%79"}) { // of other types
    CAPTURE(value);
    const std::string type = value == std::string("%22")   ? "%2"
                             : value == std::string("%80") ? "%3"
                             : value == std::string("%78") ? "%5"
                                                           : "%6";
    accepted("%89 = OpGroupNonUniformAllEqual %4 %73 " + std::string(value) +
             "\n%90 = OpSelect %2 %89 %70 %71\n" + use);
    const std::string behind = type == "%2"   ? ""
                               : type == "%3" ? "%90 = OpUConvert %2 %89\n"
                                              : "%90 = OpConvertFToU %2 %89\n";
    accepted((type == "%2" ? "%90" : "%89") + std::string(" = OpGroupNonUniformShuffle ") + type +
             " %73 " + value + " %50\n" + behind + use);
  }
  for (const char *operation :
       {"IAdd", "IMul", "SMin", "UMin", "SMax", "UMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    for (const char *form :
         {"Reduce %22", "InclusiveScan %22", "ExclusiveScan %22", "ClusteredReduce %22 %74"})
      accepted("%90 = OpGroupNonUniform" + std::string(operation) + " %2 %73 " + form + "\n" + use);
  for (const char *operation : {"FAdd", "FMul", "FMin", "FMax"}) {
    accepted("%89 = OpGroupNonUniform" + std::string(operation) +
             " %5 %73 Reduce %78\n%90 = OpConvertFToU %2 %89\n" + use);
    accepted("%89 = OpGroupNonUniform" + std::string(operation) +
             " %6 %73 Reduce %79\n%90 = OpConvertFToU %2 %89\n" + use);
  }
  for (const char *operation : {"And", "Or", "Xor"})
    accepted("%90 = OpGroupNonUniformLogical" + std::string(operation) + " %4 %73 Reduce %56\n" +
             use_bool);
  for (const char *operation : {"IAdd", "UMin", "SMin", "UMax", "SMax"})
    accepted("%90 = OpGroup" + std::string(operation) + " %2 %73 InclusiveScan %22\n" + use);
}

TEST_CASE("ze_opencl: work-items of a sub-group that only wait for each other do no more") {
  const std::string text = accepted("%90 = OpGroupNonUniformBallot %8 %73 %76\nOpReturn\n");
  CHECK(count(text, "OpControlBarrier") == 1);
  CHECK_FALSE(text.contains("OpStore"));
  // A barrier waits for the work-group, and orders what it ordered; it needs no memory.
  const LoweredModule lowered =
      lowered_without_sub_groups(kernel_text("OpControlBarrier %73 %73 %75\nOpReturn\n"));
  CHECK(lowered.refused.empty());
  CHECK(lowered.with_slots.empty());
  CHECK(disassemble(lowered.words).contains(" %75\n"));
  CHECK(accepted("OpControlBarrier %73 %71 %75\nOpReturn\n").contains(" %71 %75\n"));
}

TEST_CASE("ze_opencl: operations on sub-groups that are refused by name wherever they stand") {
  CHECK(refusal("%91 = OpUndef %8\n%90 = OpGroupNonUniformBallotBitCount %2 %73 Reduce %91\n"
                "OpReturn\n")
            .contains("OpGroupNonUniformBallotBitCount"));
  CHECK(refusal("%90 = OpGroupNonUniformShuffle %7 %73 %43 %50\nOpReturn\n")
            .contains("which are made of it) with what is no number"));
  CHECK(refusal("%90 = OpGroupNonUniformIAdd %2 %73 ClusteredReduce %22 %73\nOpReturn\n")
            .contains("parts of sub-groups"));
  const std::string body = "%90 = OpGroupNonUniformShuffle %2 %73 %22 %50\n" + use;
  CHECK(lowered_without_sub_groups(kernel_text(body, "", "")).refused.empty());
  std::string wide = kernel_text(body);
  wide.insert(wide.find("OpDecorate"), "OpExecutionMode %20 SubgroupSize 128\n");
  CHECK(lowered_without_sub_groups(wide).refused.at("k").contains("sub-groups of 128"));
}

TEST_CASE("ze_opencl: a function that passes values between lanes is inlined, in the way of its "
          "returns") {
  const std::string call = "%90 = OpFunctionCall %2 %65 %22\n" + use;
  const auto function = [](const char *control, const std::string &body) {
    return "%65 = OpFunction %2 " + std::string(control) +
           " %16\n%66 = OpFunctionParameter %2\n%67 = OpLabel\n" + body + "OpFunctionEnd\n";
  };
  const std::string shuffle = "%68 = OpGroupNonUniformShuffle %2 %73 %66 %66\n";
  for (const char *control : {"None", "DontInline"}) {
    const std::string text = accepted(call, function(control, shuffle + "OpReturnValue %68\n"));
    CHECK_FALSE(text.contains("OpFunctionCall %uint %65"));
    CHECK(text.contains("%55 = OpFunction %2 None")); // nothing else changes
    accepted(call, function(control, "%69 = OpIEqual %4 %66 %70\nOpBranchConditional %69 %81 %82\n"
                                     "%81 = OpLabel\nOpReturnValue %71\n%82 = OpLabel\n" +
                                         shuffle + "OpReturnValue %68\n"));
  }
  // What a branch behind the call depends on is known as well.
  accepted("%90 = OpFunctionCall %2 %65 %22\n%91 = OpIEqual %4 %90 %71\n"
           "OpBranchConditional %91 %31 %32\n%31 = OpLabel\n"
           "%99 = OpGroupNonUniformBroadcastFirst %2 %73 %50\nOpStore %21 %99\nOpBranch %32\n"
           "%32 = OpLabel\nOpReturn\n",
           function("None", "%68 = OpGroupNonUniformBallot %8 %73 %76\nOpReturnValue %66\n"));
  CHECK(refusal(call,
                function("None", shuffle + "%69 = OpFunctionCall %2 %65 %68\nOpReturnValue %69\n"))
            .contains("in a function that cannot be inlined"));
}

TEST_CASE("ze_opencl: an operation behind a branch is done by all, and those who did not take it "
          "have no vote") {
  accepted(behind_branch("%90 = OpGroupNonUniformShuffle %2 %73 %22 %50\nOpStore %21 %90\n"));
  // The value comes from behind the branch, as does what is used later.
  const std::string text = accepted(behind_branch(
      "%88 = OpIAdd %2 %22 %50\n%90 = OpGroupNonUniformShuffle %2 %73 %88 %50\n"
      "%91 = OpIAdd %2 %90 %88\n%92 = OpGroupNonUniformShuffle %2 %73 %91 %50\nOpStore %21 %92\n"));
  CHECK(text.contains("%88 = OpPhi"));
  CHECK(text.contains("%91 = OpPhi"));
  const auto neutral = [](const std::string &vote) {
    const std::string text = accepted(
        behind_branch("%90 = " + vote + "\n%91 = OpSelect %2 %90 %70 %71\nOpStore %21 %91\n"));
    const bool is_true = text.contains("OpConstantTrue"),
               is_false = text.contains("OpConstantFalse");
    CHECK(is_true != is_false);
    return is_true;
  };
  CHECK_FALSE(neutral("OpGroupNonUniformAny %4 %73 %57"));
  CHECK(neutral("OpGroupNonUniformAll %4 %73 %57"));
  accepted(behind_branch("OpControlBarrier %73 %73 %75\n"));
  accepted(behind_branch("%89 = OpGroupNonUniformBallot %8 %73 %57\n%90 = OpCompositeExtract %2 "
                         "%89 0\nOpStore %21 %90\n"));
  CHECK(refusal(behind_branch("%90 = OpGroupNonUniformElect %4 %73\n")).contains("where not all"));
  CHECK(refusal(behind_branch("%89 = OpGroupNonUniformAny %4 %73 %57\n"
                              "%90 = OpGroupNonUniformElect %4 %73\n"))
            .contains("where not all"));
  CHECK(refusal("OpSelectionMerge %32 None\n" +
                behind_branch("%89 = OpGroupNonUniformAny %4 %73 %57\n"))
            .contains("where not all"));
  // What is said of a value's making is not said of the phi that has its name.
  const LoweredModule decorated = lowered_without_sub_groups(
      kernel_text(behind_branch("%88 = OpIAdd %2 %22 %50\n"
                                "%90 = OpGroupNonUniformShuffle %2 %73 %88 %50\nOpStore %21 %90\n"),
                  "OpDecorate %88 NoSignedWrap\n"));
  CHECK(decorated.refused.empty());
  CHECK_FALSE(disassemble(decorated.words).contains("OpDecorate %88"));
}

TEST_CASE("ze_opencl: operations leave returns, other sides and branches behind branches") {
  const std::string shuffle = "%90 = OpGroupNonUniformShuffle %2 %73 %22 %50\nOpStore %21 %90\n";
  const std::string other = "%89 = OpGroupNonUniformShuffle %2 %73 %50 %22\nOpStore %21 %89\n";
  const std::string branch = "OpBranchConditional %56 %31 %32\n%31 = OpLabel\n";
  accepted(branch + "OpReturn\n%32 = OpLabel\n" + shuffle + "OpReturn\n");
  accepted(
      branch + shuffle + "OpBranch %33\n%32 = OpLabel\n" + other +
      "OpBranch %33\n%33 = OpLabel\n%91 = OpPhi %2 %90 %31 %89 %32\nOpStore %21 %91\nOpReturn\n");
  accepted(behind_branch(
      "OpBranchConditional %57 %33 %34\n%33 = OpLabel\n" + shuffle +
      "OpBranch %34\n%34 = OpLabel\n%91 = OpPhi %2 %22 %31 %90 %33\nOpStore %21 %91\n"));
  // Ways that part and meet before the operation.
  accepted(behind_branch("OpBranchConditional %57 %33 %34\n%33 = OpLabel\n%88 = OpIAdd %2 %22 %50\n"
                         "OpBranch %34\n%34 = OpLabel\n%87 = OpPhi %2 %22 %31 %88 %33\n"
                         "%90 = OpGroupNonUniformShuffle %2 %73 %87 %50\nOpStore %21 %90\n"));
  accepted(behind_branch("OpBranch %33\n%33 = OpLabel\n%88 = OpIAdd %2 %22 %50\nOpBranch %34\n"
                         "%34 = OpLabel\n" +
                         shuffle + "OpStore %21 %88\n"));
  // Two branches that lead to it.
  CHECK(refusal("%88 = OpIEqual %4 %50 %71\n%89 = OpIEqual %4 %50 %72\n"
                "OpBranchConditional %56 %31 %33\n%31 = OpLabel\n"
                "OpBranchConditional %88 %32 %34\n%33 = OpLabel\n"
                "OpBranchConditional %89 %32 %34\n%32 = OpLabel\n" +
                shuffle + "OpBranch %34\n%34 = OpLabel\nOpReturn\n")
            .contains("where not all"));
  // The block behind the branch comes late in the module.
  accepted("OpBranchConditional %56 %32 %31\n%31 = OpLabel\nOpReturn\n%32 = OpLabel\n" + shuffle +
           "OpReturn\n");
}

TEST_CASE("ze_opencl: operations do not leave loops") {
  const std::string shuffle = "%90 = OpGroupNonUniformShuffle %2 %73 %22 %50\nOpStore %21 %90\n";
  // A loop behind the branch, which each work-item runs as often.
  CHECK(refusal(behind_branch("OpBranch %33\n%33 = OpLabel\n%92 = OpPhi %2 %70 %31 %93 %33\n" +
                              shuffle +
                              "%93 = OpIAdd %2 %92 %71\n%91 = OpULessThan %4 %93 %22\n"
                              "OpBranchConditional %91 %33 %34\n%34 = OpLabel\n"))
            .contains("it uses __shfl (or __shfl_*, __reduce_*, __match_*, which are made of it) "
                      "where not all"));
  // The branch that leaves a loop, for a return.
  CHECK(
      refusal(
          "OpBranch %31\n%31 = OpLabel\n%92 = OpPhi %2 %70 %30 %93 %32\n%91 = OpIEqual %4 %92 %50\n"
          "OpBranchConditional %91 %33 %32\n%32 = OpLabel\n%93 = OpIAdd %2 %92 %71\n"
          "%94 = OpULessThan %4 %93 %22\nOpBranchConditional %94 %31 %34\n%33 = OpLabel\n" +
          shuffle + "OpReturn\n%34 = OpLabel\nOpReturn\n")
          .contains("it uses __shfl (or __shfl_*, __reduce_*, __match_*, which are made of it) "
                    "where not all"));
  // Each round of a loop is as good as none.
  accepted(
      "OpBranch %31\n%31 = OpLabel\n%92 = OpPhi %2 %70 %30 %93 %33\n%91 = OpIEqual %4 %92 %50\n"
      "OpBranchConditional %91 %32 %33\n%32 = OpLabel\n" +
      shuffle +
      "OpBranch %33\n%33 = OpLabel\n%93 = OpIAdd %2 %92 %71\n%94 = OpULessThan %4 %93 %22\n"
      "OpBranchConditional %94 %31 %34\n%34 = OpLabel\nOpReturn\n");
}

TEST_CASE("ze_opencl: what is refused has HIP's names, and the line of the source") {
  const std::string in_loop = "OpBranch %31\n%31 = OpLabel\n",
                    behind = "OpBranchConditional %56 %31 %32\n"
                             "%32 = OpLabel\nOpReturn\n";
  const auto name = [&](const std::string &operation, const std::string &use = "") {
    const std::string why = refusal(in_loop + "%90 = " + operation + "\n" + use + behind);
    return why.substr(0, why.find(" where not all"));
  };
  const std::string use = "%91 = OpCompositeExtract %2 %90 0\nOpStore %21 %91\n";
  CHECK(name("OpGroupNonUniformBallot %8 %73 %57", use).starts_with("it uses __ballot (or "));
  CHECK(name("OpGroupNonUniformBallot %8 %73 %76", use) == "it uses __activemask");
  CHECK(name("OpGroupNonUniformBallot %8 %73 %76") == "it uses __syncwarp");
  CHECK(name("OpGroupNonUniformAny %4 %73 %57") == "it uses __any");
  CHECK(name("OpGroupNonUniformAll %4 %73 %57") == "it uses __all");
  CHECK(name("OpGroupNonUniformShuffleDown %2 %73 %22 %50") == "it uses __shfl_down");
  CHECK(name("OpGroupNonUniformElect %4 %73") == "it uses OpGroupNonUniformElect"); // HIP has none

  const auto told_with = [&](const std::string &line, const std::string &after = "") {
    std::string text =
        kernel_text(in_loop + line + "%90 = OpGroupNonUniformAny %4 %73 %57\n" + after + behind);
    text.insert(text.find("OpDecorate"), "%101 = OpString \"reduce.hip\"\n");
    return lowered_without_sub_groups(text).refused.at("k");
  };
  CHECK(told_with("OpLine %101 42 3\n", "OpLine %101 43 3\n")
            .starts_with("reduce.hip:42: it uses __any where"));
  CHECK(told_with("OpLine %101 42 3\nOpNoLine\n").starts_with("it uses __any where"));
  // Lines end with their blocks.
  CHECK(told_with("OpLine %101 42 3\nOpBranch %33\n%33 = OpLabel\n")
            .starts_with("it uses __any where"));
}

TEST_CASE("ze_opencl: changed modules with operations on sub-groups are refused or lowered, and "
          "never more") {
  const std::vector<uint32_t> good = assemble(kernel_text(
      behind_branch(
          "%88 = OpIAdd %2 %22 %50\n%90 = OpGroupNonUniformShuffle %2 %73 %88 %50\n"
          "OpBranchConditional %57 %33 %34\n%33 = OpLabel\n%89 = OpGroupNonUniformAny %4 %73 %57\n"
          "OpBranch %34\n%34 = OpLabel\n%91 = OpPhi %2 %90 %31 %88 %33\n"
          "%92 = OpFunctionCall %2 %65 %91\n"
          "%93 = OpGroupNonUniformIAdd %2 %73 Reduce %92\nOpStore %21 %93\n"),
      "",
      "%65 = OpFunction %2 None %16\n%66 = OpFunctionParameter %2\n%67 = OpLabel\n"
      "%68 = OpGroupNonUniformShuffle %2 %73 %66 %66\nOpReturnValue %68\nOpFunctionEnd\n"));
  const size_t first = good.size() / 2; // where the functions are, or nearly
  std::mt19937 random(5);
  int lowered = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint32_t> words = good;
    for (int changes = 0; changes < 1 + i % 3; ++changes) {
      const size_t begin = i % 5 ? first : 5;
      words[begin + random() % (words.size() - begin)] =
          i % 7 ? random() % 110 : static_cast<uint32_t>(random());
    }
    const auto module = Module::read(bytes_of(words), {});
    if (!module)
      continue;
    Abilities abilities;
    abilities.spirv_version = 0x10400;
    const std::vector<uint64_t> addresses(module->variables().size(), 4096);
    lowered += module->lower(abilities, addresses).has_value();
  }
  CHECK(lowered > 0);
}
