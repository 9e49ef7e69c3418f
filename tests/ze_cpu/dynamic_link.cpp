// Modules that import from other modules, linked with zeModuleDynamicLink.
#include "support.h"

#include <algorithm>
#include <utility>

namespace {

struct Linked {
  ze_result_t result;
  std::string log;
};

class DynamicLink : public Driver {
public:
  Module module(const char *name) {
    Module module;
    std::string log;
    const std::string path = std::string(ZE_CPU_LINKED) + name + ".spv";
    const ze_result_t result =
        build(*this, ZE_MODULE_FORMAT_IL_SPIRV, read_file(path), log, &module);
    INFO(log);
    REQUIRE(result == ZE_RESULT_SUCCESS);
    return module;
  }

  static Linked link(std::vector<ze_module_handle_t> modules) {
    BuildLog log;
    const ze_result_t result =
        zeModuleDynamicLink(static_cast<uint32_t>(modules.size()), modules.data(), log.out());
    REQUIRE(log);
    return {result, text_of(log)};
  }

  static void require_linked(std::vector<ze_module_handle_t> modules) {
    const auto [result, log] = link(std::move(modules));
    INFO(log);
    REQUIRE(result == ZE_RESULT_SUCCESS);
  }

  template <class... Arguments>
  void run(ze_kernel_handle_t kernel, uint32_t items, uint32_t groups, Arguments... arguments) {
    uint32_t index = 0;
    REQUIRE_ZE(zeKernelSetGroupSize(kernel, items, 1, 1));
    const auto set = [&](const auto &argument) {
      REQUIRE_ZE(zeKernelSetArgumentValue(kernel, index++, sizeof argument, &argument));
    };
    (set(arguments), ...);
    launch(kernel, groups);
  }

  void launch(ze_kernel_handle_t kernel, uint32_t groups) {
    const ze_group_count_t count{groups, 1, 1};
    List list = immediate();
    REQUIRE_ZE(zeCommandListAppendLaunchKernel(list, kernel, &count, nullptr, 0, nullptr));
    REQUIRE_ZE(zeCommandListHostSynchronize(list, long_ns));
  }

  template <class T> static T *variable(ze_module_handle_t module, const char *name) {
    void *address = nullptr;
    size_t size = 0;
    REQUIRE_ZE(zeModuleGetGlobalPointer(module, name, &size, &address));
    CHECK(size == sizeof(T));
    return static_cast<T *>(address);
  }
};

} // namespace

TEST_CASE_METHOD(DynamicLink, "ze_cpu: a module that imports builds, and runs when it is linked") {
  Module user = module("user"), library = module("library");
  ze_module_properties_t properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, 0};
  REQUIRE_ZE(zeModuleGetProperties(user, &properties));
  CHECK(properties.flags == ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  REQUIRE_ZE(zeModuleGetProperties(library, &properties));
  CHECK(properties.flags == 0);
  uint32_t count = 0;
  REQUIRE_ZE(zeModuleGetKernelNames(user, &count, nullptr));
  CHECK(count == 2);
  ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "use_library"};
  Kernel kernel_of_user;
  CHECK(zeKernelCreate(user, &desc, kernel_of_user.out()) ==
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  const char *reason = nullptr;
  REQUIRE_ZE(zeDriverGetLastErrorDescription(driver, &reason));
  CHECK(std::string(reason).find("times_factor") != std::string::npos);
  void *address = nullptr;
  CHECK(zeModuleGetFunctionPointer(user, "use_library", &address) ==
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  CHECK(zeModuleGetGlobalPointer(user, "calls", nullptr, &address) ==
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);

  const auto [alone, log] = link({user});
  CHECK(alone == ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(log.find("times_factor") != log.npos);
  CHECK(log.find("calls") != log.npos);
  CHECK(zeKernelCreate(user, &desc, kernel_of_user.out()) ==
        ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);

  require_linked({user, library});
  require_linked({user, library}); // once linked, a module stays as it is
  int *values = shared<int>(8);
  for (int i = 0; i < 8; ++i)
    values[i] = i;
  run(kernel(user, "use_library"), 8, 1, values);
  run(kernel(library, "set_factor"), 1, 1, 5);
  run(kernel(user, "use_library"), 8, 1, values);
  for (int i = 0; i < 8; ++i)
    CHECK(values[i] == i * 15);
  CHECK(*variable<int>(library, "calls") == 20);
  // Its native binary imports as it did.
  size_t size = 0;
  REQUIRE_ZE(zeModuleGetNativeBinary(user, &size, nullptr));
  std::vector<uint8_t> binary(size);
  REQUIRE_ZE(zeModuleGetNativeBinary(user, &size, binary.data()));
  Module again;
  std::string again_log;
  REQUIRE(build(*this, ZE_MODULE_FORMAT_NATIVE, binary, again_log, &again) == ZE_RESULT_SUCCESS);
  CHECK(again_log.find("times_factor") != log.npos);
  require_linked({library, again});
  run(kernel(again, "use_library"), 8, 1, values);
  CHECK(*variable<int>(library, "calls") == 30);
}

TEST_CASE_METHOD(DynamicLink,
                 "ze_cpu: an imported function synchronises the kernel that calls it") {
  Module user = module("user"), other_user = module("user"), library = module("library");
  require_linked({user, other_user, library});
  constexpr int items = 64, groups = 3;
  const int weights[4] = {1, 10, 100, 1000};
  int *values = shared<int>(items * groups);
  for (ze_module_handle_t of : {ze_module_handle_t(user), ze_module_handle_t(other_user)}) {
    int expected[items * groups];
    for (int i = 0; i < items * groups; ++i)
      values[i] = expected[i] = i;
    const Kernel rows = kernel(of, "sum_rows");
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    REQUIRE_ZE(zeKernelGetProperties(rows, &properties));
    const int lanes = static_cast<int>(properties.maxSubgroupSize);
    REQUIRE_ZE(zeKernelSetGroupSize(rows, items, 1, 1));
    REQUIRE_ZE(zeKernelSetArgumentValue(rows, 0, sizeof values, &values));
    REQUIRE_ZE(zeKernelSetArgumentValue(rows, 1, items * sizeof(int), nullptr));
    launch(rows, groups);
    for (int round = 0; round < 2; ++round)
      for (int group = 0; group < groups; ++group) {
        int *row = expected + group * items, weighted[items];
        for (int i = 0; i < items; ++i)
          weighted[i] = row[i] * weights[i % 4];
        for (int i = 0; i < items; ++i) {
          const int first = items - lanes - i / lanes * lanes;
          row[i] = 0;
          for (int lane = first; lane < first + lanes; ++lane)
            row[i] += weighted[lane];
        }
      }
    CHECK(std::equal(values, values + items * groups, expected));
  }
  // What is static in the library is there once, whoever calls.
  int *sums = shared<int>(1);
  run(kernel(library, "read_sums"), 1, 1, sums);
  CHECK(*sums == 2 * 2 * groups);
}

TEST_CASE_METHOD(DynamicLink, "ze_cpu: modules that import from each other are linked") {
  Module ping = module("ping"), pong = module("pong"), library = module("library"),
         last = module("last");
  // Without the library one of them lacks something; then nothing is linked.
  CHECK(link({ping, pong}).result == ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  require_linked({last, ping, library, pong});
  int *values = shared<int>(4);
  const auto play = [&](ze_module_handle_t of, const char *name) {
    for (int i = 0; i < 4; ++i)
      values[i] = i;
    run(kernel(of, name), 4, 1, values);
  };
  play(ping, "play_ping");
  for (int i = 0; i < 4; ++i)
    CHECK(values[i] == 3 * i + 100 + 1);
  run(kernel(pong, "set_pings"), 1, 1, 200);
  CHECK(*variable<int>(ping, "pings") == 200);
  *variable<int>(library, "factor") = 4;
  // The library's memory stays as long as those who use it.
  library = Module();
  pong = Module();
  play(last, "play_last");
  for (int i = 0; i < 4; ++i)
    CHECK(values[i] == 2 * (4 * i + 200 + 1));
}

TEST_CASE_METHOD(DynamicLink, "ze_cpu: modules that do not fit together are not linked") {
  Module user = module("user"), library = module("library"), other_library = module("library"),
         wrong = module("wrong");
  const auto [ambiguous, reason] = link({user, library, other_library});
  CHECK(ambiguous == ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK(reason.find("times_factor is ambiguous") != reason.npos);
  const auto [mistyped, type] = link({wrong, library});
  CHECK(mistyped == ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  // The function, or what it imports.
  CHECK((type.find("use_wrongly") != type.npos || type.find("times_factor") != type.npos));
  require_linked({user, library});
  require_linked({library, other_library}); // nothing is imported
  require_linked({library, library});
}
