#include "support.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace {

/// So that the test program also runs by hand: the driver of the same build, unless the environment
/// names another.
struct ChooseDriver {
  ChooseDriver() {
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    setenv("ZE_ENABLE_ALT_DRIVERS",
           (self.parent_path().parent_path() / "lib" / "libze_cpu.so").c_str(), 0);
  }
} const choose_driver;

/// What the UUID of the driver under test begins with: what its library is called.
std::string driver_name() {
  const std::string stem = std::filesystem::path(driver_library()).stem();
  return stem.starts_with("lib") ? stem.substr(3) : stem;
}

} // namespace

bool loader_reads_handles() {
  const std::string drivers = std::getenv("ZE_ENABLE_ALT_DRIVERS");
  return std::getenv("ZE_ENABLE_LOADER_INTERCEPT") || drivers.find(',') != drivers.npos;
}

ze_driver_handle_t cpu_driver() {
  static const ze_driver_handle_t found = [] {
    ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                    ZE_INIT_DRIVER_TYPE_FLAG_GPU};
    uint32_t count = 0;
    ze_driver_handle_t none = nullptr;
    if (zeInitDrivers(&count, nullptr, &desc) != ZE_RESULT_SUCCESS)
      return none;
    std::vector<ze_driver_handle_t> drivers(count);
    if (zeInitDrivers(&count, drivers.data(), &desc) != ZE_RESULT_SUCCESS)
      return none;
    for (ze_driver_handle_t driver : drivers) {
      ze_driver_properties_t properties{ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, nullptr, {}, 0};
      if (zeDriverGetProperties(driver, &properties) == ZE_RESULT_SUCCESS &&
          std::string_view(reinterpret_cast<const char *>(properties.uuid.id)) == driver_name())
        return driver;
    }
    return none;
  }();
  return found;
}

std::string driver_library() {
  const std::string drivers = std::getenv("ZE_ENABLE_ALT_DRIVERS");
  return drivers.substr(drivers.rfind(',') + 1); // all of it, if there is but one
}

std::vector<uint8_t> read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<uint8_t> &test_spirv() {
  static const std::vector<uint8_t> bytes = read_file(ZE_CPU_TEST_SPIRV);
  return bytes;
}

Driver::Driver() {
  REQUIRE(driver != nullptr);
  uint32_t count = 1;
  REQUIRE_ZE(zeDeviceGet(driver, &count, &device));
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  REQUIRE_ZE(zeContextCreate(driver, &desc, context.out()));
}

Driver::~Driver() {
  for (void *memory : memory_)
    zeMemFree(context, memory);
}

void *Driver::allocate(size_t bytes) {
  const ze_device_mem_alloc_desc_t device_desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0,
                                               0};
  const ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocShared(context, &device_desc, &host_desc, bytes, 0, device, &memory));
  std::memset(memory, 0, bytes);
  memory_.push_back(memory);
  return memory;
}

List Driver::immediate(ze_command_queue_flags_t flags, ze_command_queue_mode_t mode) {
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, flags, mode,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  List list;
  REQUIRE_ZE(zeCommandListCreateImmediate(context, device, &desc, list.out()));
  return list;
}

List Driver::regular(ze_command_list_flags_t flags) {
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, flags};
  List list;
  REQUIRE_ZE(zeCommandListCreate(context, device, &desc, list.out()));
  return list;
}

Queue Driver::queue(ze_command_queue_mode_t mode) {
  const ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, mode,
                                     ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  Queue queue;
  REQUIRE_ZE(zeCommandQueueCreate(context, device, &desc, queue.out()));
  return queue;
}

Fence Driver::fence(ze_command_queue_handle_t queue, ze_fence_flags_t flags) {
  const ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, flags};
  Fence fence;
  REQUIRE_ZE(zeFenceCreate(queue, &desc, fence.out()));
  return fence;
}

PooledEvent Driver::pooled_event(ze_event_pool_flags_t flags) {
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, flags, 1};
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST, 0};
  PooledEvent event;
  REQUIRE_ZE(zeEventPoolCreate(context, &pool_desc, 1, &device, event.pool.out()));
  REQUIRE_ZE(zeEventCreate(event.pool, &desc, event.event.out()));
  return event;
}

Event Driver::counter_event(ze_event_counter_based_flags_t flags) {
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr,
                                           flags, ZE_EVENT_SCOPE_FLAG_HOST, 0};
  Event event;
  REQUIRE_ZE(zeEventCounterBasedCreate(context, device, &desc, event.out()));
  return event;
}

Module Driver::test_module() {
  Module module;
  std::string log;
  const ze_result_t result = build(*this, ZE_MODULE_FORMAT_IL_SPIRV, test_spirv(), log, &module);
  INFO(log);
  REQUIRE(result == ZE_RESULT_SUCCESS);
  return module;
}

Kernel Driver::kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  Kernel kernel;
  const ze_result_t result = zeKernelCreate(module, &desc, kernel.out());
  const char *reason = "";
  zeDriverGetLastErrorDescription(driver, &reason);
  INFO(reason);
  REQUIRE(result == ZE_RESULT_SUCCESS);
  return kernel;
}

std::string text_of(ze_module_build_log_handle_t log) {
  size_t size = 0;
  REQUIRE_ZE(zeModuleBuildLogGetString(log, &size, nullptr));
  std::string text(size, '?');
  REQUIRE_ZE(zeModuleBuildLogGetString(log, &size, text.data()));
  text.resize(size - 1);
  return text;
}

ze_result_t build(const Driver &driver, ze_module_format_t format,
                  const std::vector<uint8_t> &bytes, std::string &log, Module *module,
                  const char *flags) {
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, format, bytes.size(), bytes.data(), flags, nullptr};
  Module built;
  BuildLog build_log;
  const ze_result_t result =
      zeModuleCreate(driver.context, driver.device, &desc, built.out(), build_log.out());
  if (build_log)
    log = text_of(build_log);
  if (module)
    *module = std::move(built);
  return result;
}
