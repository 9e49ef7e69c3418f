#include "raw_level_zero.h"

#include "program.h"

#include <cstring>
#include <format>
#include <stdexcept>
#include <string_view>

namespace bench {

void check(ze_result_t result, const char *call) {
  if (result != ZE_RESULT_SUCCESS)
    throw std::runtime_error(std::format("{}: 0x{:x}", call, static_cast<unsigned>(result)));
}

namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";

uint64_t read_number(const std::vector<uint8_t> &bytes, size_t &position) {
  uint64_t number;
  if (position > bytes.size() || bytes.size() - position < sizeof(number))
    throw std::runtime_error("the fat binary ends in its table");
  std::memcpy(&number, bytes.data() + position, sizeof(number));
  position += sizeof(number);
  return number;
}

ze_driver_handle_t first_driver() {
  ze_init_driver_type_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC;
  desc.flags = ZE_INIT_DRIVER_TYPE_FLAG_GPU;
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  ZE_CHECK(zeInitDrivers(&count, &driver, &desc));
  if (count == 0 || !driver)
    throw std::runtime_error("Level Zero has no driver");
  return driver;
}

} // namespace

std::vector<uint8_t> read_spirv(const std::string &bundle_path) {
  const auto bytes = read_file<uint8_t>(bundle_path);
  if (bytes.size() < bundle_magic.size() ||
      std::memcmp(bytes.data(), bundle_magic.data(), bundle_magic.size()) != 0)
    throw std::runtime_error(bundle_path + ": not a fat binary");

  size_t position = bundle_magic.size();
  for (uint64_t left = read_number(bytes, position); left > 0; --left) {
    const uint64_t offset = read_number(bytes, position);
    const uint64_t size = read_number(bytes, position);
    const uint64_t name_size = read_number(bytes, position);
    if (name_size > bytes.size() - position || offset > bytes.size() ||
        size > bytes.size() - offset)
      throw std::runtime_error(bundle_path + ": the table points outside of the file");
    const std::string_view name(reinterpret_cast<const char *>(bytes.data()) + position, name_size);
    position += name_size;
    if (name.starts_with("hip") && name.contains("spirv64"))
      return {bytes.begin() + static_cast<ptrdiff_t>(offset),
              bytes.begin() + static_cast<ptrdiff_t>(offset + size)};
  }
  throw std::runtime_error(bundle_path + ": holds no SPIR-V");
}

RawContext::RawContext() : driver_(first_driver()) {
  uint32_t count = 1;
  ZE_CHECK(zeDeviceGet(driver_, &count, &device_));

  ze_context_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  ze_context_handle_t context = nullptr;
  ZE_CHECK(zeContextCreate(driver_, &desc, &context));
  context_.reset(context);
}

Owned<ze_module_handle_t> RawContext::create_module(const std::vector<uint8_t> &spirv,
                                                    const char *options) const {
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = spirv.data();
  desc.pBuildFlags = options;
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const ze_result_t result = zeModuleCreate(context(), device(), &desc, &module, &log);
  std::string text;
  size_t size = 0;
  if (result != ZE_RESULT_SUCCESS && log &&
      zeModuleBuildLogGetString(log, &size, nullptr) == ZE_RESULT_SUCCESS) {
    text.resize(size);
    zeModuleBuildLogGetString(log, &size, text.data());
  }
  if (log)
    zeModuleBuildLogDestroy(log);
  check(result, ("zeModuleCreate: " + text).c_str());
  return Owned<ze_module_handle_t>(module);
}

Owned<ze_command_list_handle_t> RawContext::create_list() const {
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER | ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ZE_CHECK(zeCommandListCreateImmediate(context(), device(), &desc, &list));
  return Owned<ze_command_list_handle_t>(list);
}

RawContext::Event RawContext::create_event() const {
  ze_event_pool_counter_based_exp_desc_t counter{};
  counter.stype = ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC;
  counter.flags = ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE;
  ze_event_pool_desc_t pool_desc{};
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.pNext = &counter;
  pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool_desc.count = 1;
  ze_device_handle_t device = device_;
  ze_event_pool_handle_t pool = nullptr;
  ZE_CHECK(zeEventPoolCreate(context(), &pool_desc, 1, &device, &pool));
  Event created;
  created.pool.reset(pool);

  ze_event_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  ze_event_handle_t event = nullptr;
  ZE_CHECK(zeEventCreate(pool, &desc, &event));
  created.event.reset(event);
  return created;
}

Owned<ze_kernel_handle_t> create_kernel(ze_module_handle_t module, const char *name) {
  ze_kernel_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  ze_kernel_handle_t kernel = nullptr;
  ZE_CHECK(zeKernelCreate(module, &desc, &kernel));
  return Owned<ze_kernel_handle_t>(kernel);
}

RawDevice::RawDevice(const std::vector<uint8_t> &spirv) : module_(create_module(spirv)) {
  ze_api_version_t version = ZE_API_VERSION_1_0;
  ZE_CHECK(zeDriverGetApiVersion(driver(), &version));
  has_launch_with_arguments_ = version >= ZE_API_VERSION_1_14;

  ze_device_mem_alloc_desc_t device_desc{};
  device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ZE_CHECK(zeMemAllocDevice(context(), &device_desc, sizeof(int), alignof(int), device(), &sum_));
  ze_host_mem_alloc_desc_t host_desc{};
  host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  ZE_CHECK(zeMemAllocHost(context(), &host_desc, sizeof(int), alignof(int), &host_));
}

RawDevice::~RawDevice() {
  zeMemFree(context(), host_);
  zeMemFree(context(), sum_);
}

Owned<ze_kernel_handle_t> RawDevice::create_kernel() const {
  auto kernel = bench::create_kernel(module_.get(), "add");
  ZE_CHECK(zeKernelSetGroupSize(kernel.get(), 1, 1, 1));
  return kernel;
}

void RawDevice::cycle_memory(size_t bytes) const {
  ze_device_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void *memory = nullptr;
  ZE_CHECK(zeMemAllocDevice(context(), &desc, bytes, 64, device(), &memory));
  ZE_CHECK(zeMemFree(context(), memory));
}

RawLauncher::RawLauncher(const RawDevice &device)
    : device_(device), kernel_(device.create_kernel()), event_(device.create_event()),
      list_(device.create_list()), sum_(device.sum()) {
  ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), 0, sizeof(sum_), &sum_));
  ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), 1, sizeof(value_), &value_));
}

RawLauncher::~RawLauncher() { zeCommandListHostSynchronize(list_.get(), UINT64_MAX); }

void RawLauncher::launch() {
  ++value_;
  ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), 1, sizeof(value_), &value_));
  launch_again();
}

void RawLauncher::launch_after(std::vector<ze_event_handle_t> &events) {
  ++value_;
  ZE_CHECK(zeKernelSetArgumentValue(kernel_.get(), 1, sizeof(value_), &value_));
  const ze_group_count_t groups{1, 1, 1};
  ZE_CHECK(zeCommandListAppendLaunchKernel(list_.get(), kernel_.get(), &groups, nullptr,
                                           static_cast<uint32_t>(events.size()), events.data()));
}

ze_event_handle_t RawLauncher::signal() {
  ZE_CHECK(zeCommandListAppendSignalEvent(list_.get(), event_.event.get()));
  return event_.event.get();
}

void RawLauncher::launch_again() {
  const ze_group_count_t groups{1, 1, 1};
  ZE_CHECK(
      zeCommandListAppendLaunchKernel(list_.get(), kernel_.get(), &groups, nullptr, 0, nullptr));
}

void RawLauncher::launch_with_arguments() {
  ++value_;
  void *arguments[] = {&sum_, &value_};
  ZE_CHECK(zeCommandListAppendLaunchKernelWithArguments(
      list_.get(), kernel_.get(), {1, 1, 1}, {1, 1, 1}, arguments, nullptr, nullptr, 0, nullptr));
}

void RawLauncher::copy_in() {
  ZE_CHECK(zeCommandListAppendMemoryCopy(list_.get(), sum_, device_.host(), sizeof(int), nullptr, 0,
                                         nullptr));
}

void RawLauncher::copy_out() {
  ZE_CHECK(zeCommandListAppendMemoryCopy(list_.get(), device_.host(), sum_, sizeof(int), nullptr, 0,
                                         nullptr));
}

void RawLauncher::synchronize() { ZE_CHECK(zeCommandListHostSynchronize(list_.get(), UINT64_MAX)); }

void RawLaunchers::grow_to(size_t count) {
  while (all_.size() < count)
    all_.push_back(std::make_unique<RawLauncher>(device_));
}

void RawLaunchers::launch_on_each() {
  for (auto &launcher : all_)
    launcher->launch();
}

void RawLaunchers::launch_after_all(RawLauncher &last) {
  events_.clear();
  for (auto &launcher : all_)
    events_.push_back(launcher->signal());
  last.launch_after(events_);
}

} // namespace bench
