// Modules of several programs, and what a module imports and exports.
#include "support.h"

#include <cstring>

namespace {

class Programs : public Driver {
public:
  const std::vector<uint8_t> user = read_file(ZE_CPU_LINKED "user.spv");
  const std::vector<uint8_t> library = read_file(ZE_CPU_LINKED "library.spv");

  ze_result_t build_all(const std::vector<const std::vector<uint8_t> *> &programs,
                        ze_module_format_t format, Module &module, std::string &log) {
    std::vector<size_t> sizes;
    std::vector<const uint8_t *> inputs;
    for (const auto *program : programs) {
      sizes.push_back(program->size());
      inputs.push_back(program->data());
    }
    const ze_module_program_exp_desc_t several{ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
                                               nullptr,
                                               static_cast<uint32_t>(programs.size()),
                                               sizes.data(),
                                               inputs.data(),
                                               nullptr,
                                               nullptr};
    // The plain members are ignored, but layers check them.
    const ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                &several,
                                format,
                                sizes.front(),
                                inputs.front(),
                                nullptr,
                                nullptr};
    BuildLog build_log;
    const ze_result_t result =
        zeModuleCreate(context, device, &desc, module.out(), build_log.out());
    log = build_log ? text_of(build_log) : "";
    return result;
  }

  void check(ze_module_handle_t module) {
    const Kernel use = kernel(module, "use_library"), set = kernel(module, "set_factor");
    List list = immediate();
    int *values = shared<int>(8);
    for (int i = 0; i < 8; ++i)
      values[i] = i;
    const ze_group_count_t one{1, 1, 1};
    const int five = 5;
    REQUIRE_ZE(zeKernelSetGroupSize(use, 8, 1, 1));
    REQUIRE_ZE(zeKernelSetArgumentValue(use, 0, sizeof values, &values));
    REQUIRE_ZE(zeKernelSetArgumentValue(set, 0, sizeof five, &five));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, use, &one, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, set, &one, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, use, &one, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
    for (int i = 0; i < 8; ++i)
      CHECK(values[i] == i * 15);
    void *calls = nullptr;
    size_t size = 0;
    REQUIRE_ZE(zeModuleGetGlobalPointer(module, "calls", &size, &calls));
    CHECK(size == sizeof(int));
    CHECK(*static_cast<int *>(calls) == 20);
  }
};

} // namespace

TEST_CASE_METHOD(Programs, "ze_cpu: a module of two programs joins what they import and export") {
  for (const auto &order : {std::vector{&user, &library}, std::vector{&library, &user}}) {
    Module module;
    std::string log;
    const ze_result_t result = build_all(order, ZE_MODULE_FORMAT_IL_SPIRV, module, log);
    INFO(log);
    REQUIRE(result == ZE_RESULT_SUCCESS);
    check(module);
    // Its native binary is one program.
    size_t size = 0;
    REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, nullptr));
    std::vector<uint8_t> binary(size);
    REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, binary.data()));
    Module again;
    REQUIRE(build(*this, ZE_MODULE_FORMAT_NATIVE, binary, log, &again) == ZE_RESULT_SUCCESS);
    check(again);
  }
}

TEST_CASE_METHOD(Programs,
                 "ze_cpu: programs that do not fit together are refused with the reason") {
  Module module;
  std::string log;
  CHECK(build_all({&user, &user}, ZE_MODULE_FORMAT_IL_SPIRV, module, log) ==
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(log.find("use_library") != log.npos); // twice
  CHECK(build_all({&user, &test_spirv()}, ZE_MODULE_FORMAT_IL_SPIRV, module, log) ==
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK((log.find("times_factor") != log.npos || log.find("calls") != log.npos)); // nowhere
  std::vector<uint8_t> damaged = library;
  damaged.resize(damaged.size() / 2 / 4 * 4);
  CHECK(build_all({&user, &damaged}, ZE_MODULE_FORMAT_IL_SPIRV, module, log) ==
        ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(!log.empty());
  // The validation layer has a word of its own for it.
  const ze_result_t foreign = build_all({&user, &library}, ZE_MODULE_FORMAT_NATIVE, module, log);
  CHECK((foreign == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY ||
         foreign == ZE_RESULT_ERROR_INVALID_ARGUMENT));
  const ze_module_program_exp_desc_t none{
      ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC, nullptr, 0, nullptr, nullptr, nullptr, nullptr};
  const ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                              &none,
                              ZE_MODULE_FORMAT_IL_SPIRV,
                              user.size(),
                              user.data(),
                              nullptr,
                              nullptr};
  CHECK(zeModuleCreate(context, device, &desc, module.out(), nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
}

TEST_CASE_METHOD(Programs, "ze_cpu: imports and exports of modules are listed", "[front]") {
  Module module;
  std::string log;
  REQUIRE(build(*this, ZE_MODULE_FORMAT_IL_SPIRV, library, log, &module) == ZE_RESULT_SUCCESS);
  ze_linkage_inspection_ext_desc_t desc{ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, nullptr,
                                        ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS};
  ze_module_handle_t handle = module;
  BuildLog listed;
  REQUIRE_ZE(zeModuleInspectLinkageExt(&desc, 1, &handle, listed.out()));
  const std::string text = text_of(listed);
  CHECK(text.find("exports:\n") != text.npos);
  CHECK(text.find("  times_factor\n") != text.npos);
  CHECK(text.find("  calls\n") != text.npos);
  CHECK(text.find("imports") == text.npos);
}

TEST_CASE_METHOD(Programs, "ze_cpu: what a kernel's pointers lead to is told", "[front]") {
  const Module module = test_module();
  const Kernel scale = kernel(module, "scale");
  float *data = shared<float>(100);
  float *inside = data + 10;
  uint32_t count = 0;
  REQUIRE_ZE(zeKernelGetAllocationPropertiesExp(scale, &count, nullptr));
  CHECK(count == 0);
  REQUIRE_ZE(zeKernelSetArgumentValue(scale, 0, sizeof inside, &inside));
  REQUIRE_ZE(zeKernelGetAllocationPropertiesExp(scale, &count, nullptr));
  REQUIRE(count == 1);
  ze_kernel_allocation_exp_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES;
  REQUIRE_ZE(zeKernelGetAllocationPropertiesExp(scale, &count, &properties));
  CHECK(properties.base == reinterpret_cast<uintptr_t>(data));
  CHECK(properties.size == 100 * sizeof(float));
  CHECK(properties.type == ZE_MEMORY_TYPE_SHARED);
  CHECK(properties.argIndex == 0);
}
