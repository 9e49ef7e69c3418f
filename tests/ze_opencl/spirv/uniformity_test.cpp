// Where all work-items of a work-group are shown to come: an operation that cannot be moved is refused elsewhere.
#include "kernel_text.h"

#include <catch2/catch_test_macros.hpp>

namespace {

/// That of a sub-group's first work-item; works where all come.
const std::string operation = "%99 = OpGroupNonUniformBroadcastFirst %2 %73 %50\nOpStore %21 %99\n";

bool is_accepted(const std::string &body, const std::string &functions = "") {
  CAPTURE(body);
  const auto lowered = lowered_without_sub_groups(kernel_text(body, "", functions));
  if (!lowered.refused.empty())
    CHECK(lowered.refused.at("k").contains("OpGroupNonUniformBroadcastFirst where not all"));
  return lowered.refused.empty();
}

/// Whether all work-items are seen to agree on the number that `code` makes, as %90.
bool is_uniform(const std::string &code) {
  return is_accepted(code +
                     "%91 = OpIEqual %4 %90 %71\nOpBranchConditional %91 %31 %32\n%31 = OpLabel\n" +
                     operation + "OpBranch %32\n%32 = OpLabel\nOpReturn\n");
}

/// A loop whose condition is %91, a comparison with the number %92 of rounds so far: `inside` and `behind` are code there.
std::string loop(const std::string &condition, const std::string &inside,
                 const std::string &behind) {
  return "OpBranch %31\n%31 = OpLabel\n%92 = OpPhi %2 %70 %30 %93 %31\n" + inside +
         "%93 = OpIAdd %2 %92 %71\n" + condition +
         "OpBranchConditional %91 %31 %32\n%32 = OpLabel\n" + behind + "OpReturn\n";
}
const std::string as_often_as_asked = "%91 = OpULessThan %4 %93 %22\n";
const std::string as_often_as_own_number = "%91 = OpULessThan %4 %93 %50\n";

} // namespace

TEST_CASE("ze_opencl: values that differ between work-items, and values that do not") {
  CHECK(is_uniform("%90 = OpIAdd %2 %22 %51\n"));
  CHECK_FALSE(is_uniform("%90 = OpIAdd %2 %22 %50\n"));
  CHECK(is_uniform("%90 = OpExtInst %2 %100 s_max %22 %51\n"));
  CHECK_FALSE(is_uniform("%90 = OpExtInst %2 %100 s_max %22 %50\n"));
  CHECK_FALSE(is_uniform("%90 = OpFunctionCall %2 %55 %22\n"));
  CHECK_FALSE(is_uniform("%90 = OpAtomicIAdd %2 %21 %71 %70 %71\n"));
  CHECK_FALSE(is_uniform("%90 = OpGroupNonUniformBroadcast %2 %73 %22 %70\n"));
  CHECK_FALSE(is_uniform("%90 = OpUndef %2\n"));
  CHECK_FALSE(is_uniform("%90 = OpIAdd %2 %98 %71\n"));
  CHECK_FALSE(is_uniform("%89 = OpConvertPtrToU %3 %60\n%90 = OpUConvert %2 %89\n"));
  CHECK(is_uniform("%89 = OpConvertPtrToU %3 %21\n%90 = OpUConvert %2 %89\n"));
}

TEST_CASE("ze_opencl: what is loaded is uniform if nobody writes it and all load the same") {
  CHECK_FALSE(is_uniform("%90 = OpLoad %2 %21\n"));
  CHECK_FALSE(is_uniform("%89 = OpBitcast %19 %21\n%88 = OpExtInst %5 %100 vload_half %80 %89\n"
                         "%90 = OpConvertFToU %2 %88\n"));
  CHECK(is_uniform("%90 = OpLoad %2 %25\n"));
  CHECK_FALSE(is_uniform("%90 = OpLoad %2 %25 Volatile\n"));
  CHECK_FALSE(is_uniform("%89 = OpInBoundsAccessChain %36 %39 %70\n%88 = OpLoad %3 %89\n"
                         "%90 = OpUConvert %2 %88\n"));
  CHECK(is_uniform("%89 = OpInBoundsPtrAccessChain %14 %25 %51\n%90 = OpLoad %2 %89\n"));
  CHECK_FALSE(is_uniform("%89 = OpInBoundsPtrAccessChain %14 %25 %50\n%90 = OpLoad %2 %89\n"));
  CHECK(is_uniform("%89 = OpInBoundsAccessChain %13 %23 %71\n%90 = OpLoad %2 %89\n"));
  CHECK(is_uniform("%89 = OpBitcast %13 %23\n%90 = OpLoad %2 %89\n"));
  CHECK_FALSE(is_uniform("%89 = OpInBoundsAccessChain %13 %24 %71\n%90 = OpLoad %2 %89\n"));
}

TEST_CASE("ze_opencl: a variable is as uniform as all that is stored in it") {
  const std::string load = "%90 = OpLoad %2 %60\n";
  CHECK(is_uniform("OpStore %60 %22\nOpStore %60 %51\n" + load));
  CHECK_FALSE(is_uniform("OpStore %60 %22\nOpStore %60 %50\n" + load));
  CHECK_FALSE(is_uniform("OpStore %60 %22\nOpStore %63 %60\n" + load));
  const auto stored_behind = [&](const char *condition) {
    return "OpStore %60 %22\nOpBranchConditional " + std::string(condition) +
           " %33 %34\n%33 = OpLabel\nOpStore %60 %70\nOpBranch %34\n%34 = OpLabel\n" + load;
  };
  CHECK(is_uniform(stored_behind("%57")));
  CHECK_FALSE(is_uniform(stored_behind("%56")));
  // Which of two variables it is depends on the way.
  CHECK_FALSE(is_uniform("OpStore %60 %22\nOpBranchConditional %56 %33 %34\n%33 = OpLabel\n"
                         "OpBranch %34\n%34 = OpLabel\n%89 = OpPhi %13 %60 %30 %61 %33\n"
                         "%90 = OpLoad %2 %89\n"));
}

TEST_CASE(
    "ze_opencl: where ways meet again all work-items are together, but their values are not") {
  const auto ways = [](const char *condition, const char *phi) {
    return "OpBranchConditional " + std::string(condition) +
           " %33 %34\n%33 = OpLabel\n%88 = OpIAdd %2 %22 %71\nOpBranch %34\n%34 = OpLabel\n%90 = "
           "OpPhi %2 " +
           phi + "\n";
  };
  CHECK(is_uniform(ways("%57", "%70 %30 %71 %33")));
  CHECK_FALSE(is_uniform(ways("%57", "%70 %30 %50 %33")));
  CHECK_FALSE(is_uniform(ways("%56", "%70 %30 %71 %33")));
  CHECK(is_uniform(ways("%56", "%22 %30 %22 %33")));
  CHECK_FALSE(is_uniform("OpBranchConditional %57 %33 %34\n%33 = OpLabel\nOpBranch %34\n"
                         "%34 = OpLabel\n%89 = OpPhi %13 %60 %30 %60 %33\n"
                         "%88 = OpConvertPtrToU %3 %89\n%90 = OpUConvert %2 %88\n"));
  const std::string branch = "OpBranchConditional %56 %31 %32\n%31 = OpLabel\n";
  const std::string meet = "OpBranch %32\n%32 = OpLabel\n";
  CHECK(is_accepted(branch + meet + operation + "OpReturn\n"));
  CHECK_FALSE(is_accepted(branch + operation + meet + "OpReturn\n"));
  // Behind a return, and behind a branch that is behind another.
  CHECK_FALSE(is_accepted(branch + "OpReturn\n%32 = OpLabel\n" + operation + "OpReturn\n"));
  CHECK_FALSE(is_accepted(branch + "OpBranchConditional %57 %33 %32\n%33 = OpLabel\n" + operation +
                          meet + "OpReturn\n"));
  CHECK_FALSE(is_accepted(branch + "OpBranch %33\n%33 = OpLabel\nOpBranch %33\n%32 = OpLabel\n" +
                          operation + "OpReturn\n"));
}

TEST_CASE("ze_opencl: a switch splits work-items as a branch does") {
  const auto cases = [](const char *selector) {
    return "OpSwitch " + std::string(selector) + " %32 1 %31 2 %32\n%31 = OpLabel\n" + operation +
           "OpBranch %32\n%32 = OpLabel\nOpReturn\n";
  };
  CHECK(is_accepted(cases("%22")));
  CHECK_FALSE(is_accepted(cases("%50")));
}

TEST_CASE("ze_opencl: a loop is run alike if all leave it at the same time") {
  CHECK(is_accepted(loop(as_often_as_asked, operation, "")));
  CHECK_FALSE(is_accepted(loop(as_often_as_own_number, operation, "")));
  CHECK(is_accepted(loop(as_often_as_own_number, "", operation)));
  // Rounds are counted in the same way by all, and end differently.
  const std::string branch = "%94 = OpIEqual %4 %93 %71\nOpBranchConditional %94 %33 %34\n"
                             "%33 = OpLabel\n" +
                             operation + "OpBranch %34\n%34 = OpLabel\n";
  CHECK(is_accepted(loop(as_often_as_asked, "", branch)));
  CHECK_FALSE(is_accepted(loop(as_often_as_own_number, "", branch)));
}
