// Building modules: what they contain, what is wrong with bad ones, and their way through a native
// binary.
#include "support.h"

#include <algorithm>
#include <cstring>
#include <set>

TEST_CASE_METHOD(Driver, "ze_cpu: a module names its kernels", "[front]") {
  const Module module = test_module();
  uint32_t count = 0;
  REQUIRE_ZE(zeModuleGetKernelNames(module, &count, nullptr));
  std::vector<const char *> names(count);
  REQUIRE_ZE(zeModuleGetKernelNames(module, &count, names.data()));
  const std::set<std::string> all(names.begin(), names.end());
  for (const char *name :
       {"empty", "scale", "add_pair", "group_sum", "two_locals", "coordinates", "fixed_group",
        "increment", "store", "wait_for_flag", "count_until_told", "read_program_value"})
    CHECK(all.contains(name));
  CHECK(all.size() == 16);
  ze_module_properties_t properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, 7};
  REQUIRE_ZE(zeModuleGetProperties(module, &properties));
  CHECK(properties.flags == 0);
}

TEST_CASE_METHOD(Driver, "ze_cpu: an unknown kernel name is refused", "[front]") {
  const Module module = test_module();
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "no_such_kernel"};
  Kernel kernel;
  CHECK(zeKernelCreate(module, &desc, kernel.out()) == ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  const ze_kernel_desc_t nameless{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, nullptr};
  CHECK(zeKernelCreate(module, &nameless, kernel.out()) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_NULL_HANDLE(zeKernelCreate(nullptr, &desc, kernel.out()));
}

TEST_CASE_METHOD(Driver, "ze_cpu: bytes that are not SPIR-V fail to build, and the log says so",
                 "[front]") {
  std::string log;
  CHECK(build(*this, ZE_MODULE_FORMAT_IL_SPIRV, std::vector<uint8_t>(400, 0x5a), log) ==
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(!log.empty());
  log.clear();
  CHECK(build(*this, ZE_MODULE_FORMAT_IL_SPIRV, {1, 2, 3}, log) ==
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(!log.empty());
}

TEST_CASE_METHOD(Driver, "ze_cpu: SPIR-V that is cut short fails to build") {
  for (size_t length : {size_t{20}, test_spirv().size() / 2 / 4 * 4, test_spirv().size() - 4,
                        test_spirv().size() - 3}) {
    INFO("cut to " << length << " bytes");
    const auto end = test_spirv().begin() + static_cast<ptrdiff_t>(length);
    std::string log;
    const ze_result_t result =
        build(*this, ZE_MODULE_FORMAT_IL_SPIRV, {test_spirv().begin(), end}, log);
    // A header alone is a module without anything in it: valid or not, it does no harm.
    if (length > 20) {
      CHECK(result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
      CHECK(!log.empty());
    }
  }
}

TEST_CASE_METHOD(Driver,
                 "ze_cpu: SPIR-V with any word damaged builds or fails, and the process lives",
                 "[fault]") {
  const std::vector<uint8_t> good = test_spirv();
  size_t failures = 0;
  const size_t words = good.size() / 4;
  for (size_t word = 1; word < words; word += std::max<size_t>(words / 60, 1)) {
    std::vector<uint8_t> bad = good;
    for (size_t byte = 0; byte < 4; ++byte)
      bad[word * 4 + byte] ^= 0xff;
    std::string log;
    const ze_result_t result = build(*this, ZE_MODULE_FORMAT_IL_SPIRV, bad, log);
    failures += result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    CHECK((result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE));
    if (result != ZE_RESULT_SUCCESS)
      CHECK(!log.empty());
  }
  CHECK(failures > 10);
}

TEST_CASE_METHOD(Driver, "ze_cpu: module descriptions are checked", "[front]") {
  const auto &spirv = test_spirv();
  ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                        nullptr,
                        ZE_MODULE_FORMAT_IL_SPIRV,
                        spirv.size(),
                        spirv.data(),
                        nullptr,
                        nullptr};
  Module module;
  CHECK_NULL_HANDLE(zeModuleCreate(nullptr, device, &desc, module.out(), nullptr));
  CHECK(zeModuleCreate(context, device, nullptr, module.out(), nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.inputSize = 0;
  CHECK(zeModuleCreate(context, device, &desc, module.out(), nullptr) ==
        ZE_RESULT_ERROR_INVALID_SIZE);
  desc.inputSize = spirv.size();
  desc.pInputModule = nullptr;
  CHECK(zeModuleCreate(context, device, &desc, module.out(), nullptr) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.pInputModule = spirv.data();
  desc.format = static_cast<ze_module_format_t>(17);
  CHECK(zeModuleCreate(context, device, &desc, module.out(), nullptr) ==
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a build log is copied as far as there is room", "[front]") {
  std::string whole;
  REQUIRE(build(*this, ZE_MODULE_FORMAT_IL_SPIRV, std::vector<uint8_t>(400, 0x5a), whole) ==
          ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  const std::vector<uint8_t> bytes(400, 0x5a);
  const ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                              nullptr,
                              ZE_MODULE_FORMAT_IL_SPIRV,
                              bytes.size(),
                              bytes.data(),
                              nullptr,
                              nullptr};
  Module module;
  BuildLog log;
  REQUIRE(zeModuleCreate(context, device, &desc, module.out(), log.out()) ==
          ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  char few[5] = {'x', 'x', 'x', 'x', 'x'};
  size_t size = 4;
  REQUIRE_ZE(zeModuleBuildLogGetString(log, &size, few));
  CHECK(std::strlen(few) == 3);
  CHECK(few[4] == 'x');
  CHECK(size == whole.size() + 1);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a native binary builds the same module", "[front]") {
  const Module module = test_module();
  size_t size = 0;
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<uint8_t> binary(size);
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, binary.data()));
  std::string log;
  Module copy;
  REQUIRE(build(*this, ZE_MODULE_FORMAT_NATIVE, binary, log, &copy) == ZE_RESULT_SUCCESS);
  uint32_t count = 0, copied = 0;
  REQUIRE_ZE(zeModuleGetKernelNames(module, &count, nullptr));
  REQUIRE_ZE(zeModuleGetKernelNames(copy, &copied, nullptr));
  CHECK(count == copied);
}

TEST_CASE_METHOD(Driver, "ze_cpu: a damaged or foreign native binary is refused", "[front]") {
  const Module module = test_module();
  size_t size = 0;
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<uint8_t> binary(size);
  REQUIRE_ZE(zeModuleGetNativeBinary(module, &size, binary.data()));
  std::string log;
  CHECK(build(*this, ZE_MODULE_FORMAT_NATIVE, test_spirv(), log) ==
        ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  CHECK(!log.empty());
  for (size_t at : {size_t{0}, size_t{9}, size_t{30}, size / 2, size - 1}) {
    std::vector<uint8_t> bad = binary;
    bad[at] ^= 1;
    CHECK(build(*this, ZE_MODULE_FORMAT_NATIVE, bad, log) == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  }
  for (size_t length : {size_t{1}, size_t{39}, size - 1})
    CHECK(build(*this, ZE_MODULE_FORMAT_NATIVE,
                {binary.begin(), binary.begin() + static_cast<ptrdiff_t>(length)},
                log) == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
}

TEST_CASE_METHOD(Driver, "ze_cpu: program-scope variables are found, and shared with kernels") {
  const Module module = test_module();
  size_t size = 0;
  void *address = nullptr;
  REQUIRE_ZE(zeModuleGetGlobalPointer(module, "program_value", &size, &address));
  REQUIRE(size == sizeof(int));
  CHECK(*static_cast<int *>(address) == 7);
  CHECK(zeModuleGetGlobalPointer(module, "no_such_variable", &size, &address) ==
        ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  CHECK(zeModuleGetGlobalPointer(module, nullptr, &size, &address) ==
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);

  const Kernel read = kernel(module, "read_program_value");
  int *out = shared<int>(1);
  REQUIRE_ZE(zeKernelSetArgumentValue(read, 0, sizeof out, &out));
  List list = immediate();
  const ze_group_count_t one{1, 1, 1};
  const int eight = 8;
  REQUIRE_ZE(zeCommandListAppendMemoryFill(list, address, &eight, sizeof eight, sizeof eight,
                                           nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, read, &one, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*out == 8);

  const Module other = test_module();
  void *other_address = nullptr;
  REQUIRE_ZE(zeModuleGetGlobalPointer(other, "program_value", nullptr, &other_address));
  CHECK(*static_cast<int *>(other_address) == 7); // each module has its own
}

TEST_CASE_METHOD(Driver, "ze_cpu: a kernel outlives its module") {
  Module module = test_module();
  const Kernel store = kernel(module, "store");
  module.reset();
  int *target = shared<int>(1);
  const int value = 12;
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 0, sizeof target, &target));
  REQUIRE_ZE(zeKernelSetArgumentValue(store, 1, sizeof value, &value));
  List list = immediate();
  const ze_group_count_t one{1, 1, 1};
  REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, store, &one, nullptr, 0, nullptr));
  REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  CHECK(*target == 12);
}

TEST_CASE_METHOD(Driver, "ze_cpu: linking modules that import nothing succeeds", "[front]") {
  const Module module = test_module();
  ze_module_handle_t handle = module;
  BuildLog log;
  CHECK(zeModuleDynamicLink(1, &handle, log.out()) == ZE_RESULT_SUCCESS);
  CHECK(text_of(log).empty());
  if (!loader_reads_handles())
    CHECK(zeModuleDynamicLink(1, nullptr, nullptr) == ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}
