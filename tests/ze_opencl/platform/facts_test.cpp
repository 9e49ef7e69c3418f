// What is read of a device's answers.
#include "../../../src/ze_opencl/platform/facts.h"
#include "fake_api.h"

#include "../../../src/ze_opencl/memory/access.h"

#include <catch2/catch_test_macros.hpp>

#include <array>

using namespace ze_opencl;

TEST_CASE("ze_opencl: a device that answers the least has nothing else") {
  FakeDevice fake;
  fake.set_least();
  REQUIRE(describe(fake.device) == "");
  const ze_driver::DeviceFacts &facts = fake.device.facts;
  const Abilities &abilities = fake.device.abilities;
  CHECK(facts.name == "fake");
  CHECK(facts.max_group_size == 128);
  CHECK(facts.max_argument_bytes == 1024);
  CHECK(facts.max_local_bytes == 0);
  CHECK(facts.memory_bytes == 1 << 20);
  CHECK(facts.module_flags == 0);
  CHECK(facts.fp64 == 0);
  CHECK_FALSE(facts.has_sub_groups);
  CHECK_FALSE(facts.cooperative_launches);
  CHECK(abilities.spirv_version == 0x10000);
  CHECK_FALSE(abilities.fp64);
  CHECK_FALSE(abilities.fp16);
  CHECK_FALSE(abilities.int64_atomics);
  CHECK_FALSE(abilities.fp32_atomics.add);
  CHECK_FALSE(abilities.sub_groups);
  CHECK_FALSE(abilities.clock);
  CHECK(facts.clock_mhz == 1000); // nanoseconds
  CHECK_FALSE(fake.device.has_profiling_timer);
}

TEST_CASE("ze_opencl: what a device has is read") {
  FakeDevice fake;
  fake.set_least();
  fake.set_text(CL_DEVICE_EXTENSIONS,
                "cl_khr_fp16 cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
                "cl_ext_float_atomics cl_khr_kernel_clock cl_intel_required_subgroup_size "
                "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative");
  fake.set(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config{CL_FP_FMA | CL_FP_DENORM});
  fake.set(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config{CL_FP_INF_NAN});
  fake.set(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool{CL_TRUE});
  fake.set(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT,
           cl_device_fp_atomic_capabilities_ext{CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT});
  fake.set(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
           cl_device_fp_atomic_capabilities_ext{CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT});
  fake.set(CL_DEVICE_SUB_GROUP_SIZES_INTEL, std::array<size_t, 3>{8, 16, 32});
  fake.set(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t{1});
  fake.set(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint{2400});
  REQUIRE(describe(fake.device) == "");
  const Abilities &abilities = fake.device.abilities;
  CHECK(abilities.fp64);
  CHECK(abilities.fp16);
  CHECK(abilities.int64_atomics);
  CHECK(abilities.generic_pointers);
  CHECK(abilities.clock);
  CHECK(fake.device.facts.clock_mhz == 2400);
  CHECK(abilities.sub_groups);
  CHECK(abilities.sub_group_ballot);
  CHECK(abilities.sub_group_shuffle);
  CHECK_FALSE(abilities.sub_group_vote);
  CHECK(abilities.fp32_atomics.add);
  CHECK_FALSE(abilities.fp32_atomics.min_max);
  CHECK(abilities.fp64_atomics.min_max);
  CHECK_FALSE(abilities.fp64_atomics.add);
  CHECK(fake.device.facts.fp64 == (ZE_DEVICE_FP_FLAG_FMA | ZE_DEVICE_FP_FLAG_DENORM));
  CHECK(fake.device.facts.module_flags == (ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_FP16 |
                                           ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS));
  CHECK(fake.device.has_profiling_timer);
}

TEST_CASE("ze_opencl: extensions are whole words") {
  CHECK(has_extension("a cl_khr_fp16 b", "cl_khr_fp16"));
  CHECK(has_extension("cl_khr_fp16", "cl_khr_fp16"));
  CHECK_FALSE(has_extension("cl_khr_fp16x xcl_khr_fp16", "cl_khr_fp16"));
  CHECK(has_extension("cl_khr_fp16x cl_khr_fp16", "cl_khr_fp16"));
  CHECK_FALSE(has_extension("", "cl_khr_fp16"));
}

TEST_CASE("ze_opencl: one extension of two does not make a feature") {
  FakeDevice fake;
  fake.set_least();
  fake.set_text(
      CL_DEVICE_EXTENSIONS,
      "cl_khr_int64_base_atomics cl_khr_subgroup_shuffle cl_intel_required_subgroup_size");
  fake.set(CL_DEVICE_SUB_GROUP_SIZES_INTEL, std::array<size_t, 2>{8, 16});
  fake.set(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config{CL_FP_INF_NAN});
  REQUIRE(describe(fake.device) == "");
  CHECK_FALSE(fake.device.abilities.int64_atomics);
  CHECK_FALSE(fake.device.abilities.sub_group_shuffle);
  CHECK_FALSE(fake.device.abilities.sub_groups);
  CHECK_FALSE(fake.device.abilities.fp16);
}

TEST_CASE("ze_opencl: the newest version of SPIR-V is found wherever it stands") {
  const auto version_of = [](const std::string &list) {
    FakeDevice fake;
    fake.set_least();
    fake.set_text(CL_DEVICE_IL_VERSION, list);
    const std::string lack = describe(fake.device);
    CHECK((lack == "") == (fake.device.abilities.spirv_version != 0));
    return fake.device.abilities.spirv_version;
  };
  CHECK(version_of("SPIR-V_1.0 SPIR-V_1.4 SPIR-V_1.2") == 0x10400);
  CHECK(version_of("OtherIL_9.9 SPIR-V_1.2") == 0x10200);
  CHECK(version_of("SPIR-V_1.10") == 0x10a00);
  CHECK(version_of("SPIR-V_ SPIR-V_x.1 SPIR-V_1 SPIR-V_999999999999.0") == 0);
  CHECK(version_of("") == 0);
}

TEST_CASE("ze_opencl: a device that lacks what is needed says why") {
  const auto lack_with = [](auto change) {
    FakeDevice fake;
    fake.set_least();
    change(fake);
    return describe(fake.device);
  };
  const auto without = [&](cl_device_info which) {
    return lack_with([=](FakeDevice &fake) { fake.answers.erase(which); });
  };
  CHECK(without(CL_DEVICE_NAME).contains("its name"));
  CHECK(without(CL_DEVICE_AVAILABLE).contains("not available"));
  CHECK(without(CL_DEVICE_COMPILER_AVAILABLE).contains("not available"));
  CHECK(without(CL_DEVICE_VERSION).contains("OpenCL 2.1"));
  CHECK(without(CL_DEVICE_IL_VERSION).contains("takes no SPIR-V"));
  CHECK(without(CL_DEVICE_ADDRESS_BITS).contains("64 bits"));
  CHECK(without(CL_DEVICE_MAX_WORK_GROUP_SIZE).contains("limits"));
  CHECK(without(CL_DEVICE_MAX_PARAMETER_SIZE).contains("limits"));
  CHECK(without(CL_DEVICE_GLOBAL_MEM_SIZE).contains("limits"));
  for (const char *version :
       {"OpenCL 1.2 x", "OpenCL 2.0", "OpenCL", "2.1", "OpenCL x.1", "OpenCL 3"})
    CHECK(lack_with([&](FakeDevice &fake) {
            fake.set_text(CL_DEVICE_VERSION, version);
          }).contains("OpenCL 2.1"));
  CHECK(lack_with([](FakeDevice &fake) { fake.set_text(CL_DEVICE_VERSION, "OpenCL 2.1 x"); }) ==
        "");
  CHECK(lack_with([](FakeDevice &fake) { fake.claimed_bytes = SIZE_MAX; }).contains("its name"));
  CHECK(lack_with([](FakeDevice &fake) { fake.claimed_bytes = 1; }).contains("its name"));
}

TEST_CASE("ze_opencl: devices of OpenCL 2 have generic pointers, and later ones say so") {
  FakeDevice fake;
  fake.set_least();
  fake.set_text(CL_DEVICE_VERSION, "OpenCL 2.1");
  REQUIRE(describe(fake.device) == "");
  CHECK(fake.device.abilities.generic_pointers);
  fake.set(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool{CL_FALSE});
  REQUIRE(describe(fake.device) == "");
  CHECK_FALSE(fake.device.abilities.generic_pointers);
}

TEST_CASE("ze_opencl: names are lines of text") {
  FakeDevice fake;
  fake.set_least();
  fake.set_text(CL_DEVICE_NAME, " two\nlines\x1b[0m ");
  REQUIRE(describe(fake.device) == "");
  CHECK(fake.device.facts.name == "two?lines?[0m");
  fake.set_text(CL_DEVICE_NAME, std::string(100'000, 'x'));
  REQUIRE(describe(fake.device) == "");
  CHECK(fake.device.facts.name == std::string(ZE_MAX_DEVICE_NAME - 1, 'x'));
  fake.answers[CL_DEVICE_NAME] = {'a', 'b', 'c'}; // without an end
  REQUIRE(describe(fake.device) == "");
  CHECK(fake.device.facts.name == "abc");
}

TEST_CASE("ze_opencl: the largest allocation is the implementation's where the memory is") {
  FakeDevice fake;
  fake.set_least();
  fake.set(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong{4096});
  REQUIRE(describe(fake.device) == "");
  fake.platform.memory_model = MemoryModel::coarse_svm;
  describe_memory(fake.device);
  CHECK(fake.device.facts.max_allocation_bytes == 4096);
  CHECK(fake.device.facts.host_access == 0);
  CHECK(fake.device.facts.shared_access == 0);
  CHECK(fake.device.facts.system_access == 0);
  CHECK(fake.device.facts.device_access != 0);
  fake.device.facts.max_allocation_bytes = 0;
  fake.platform.memory_model = MemoryModel::system;
  describe_memory(fake.device);
  CHECK(fake.device.facts.max_allocation_bytes == 0);
  CHECK(fake.device.facts.host_access != 0);
  CHECK(fake.device.facts.system_access != 0);
}
