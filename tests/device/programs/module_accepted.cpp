// Creates a module from each file of device code, and every kernel in it, on the first Level Zero device: what the driver and
// its compiler have to say about what the device compiler made. With the simulated device (scripts/pvc-sim) it is Intel's.
//
//   module_accepted FILE...     bundles as `hipcc --genco` makes them, or SPIR-V
#include <level_zero/ze_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

void check(ze_result_t result, const char *call) {
  if (result == ZE_RESULT_SUCCESS)
    return;
  char text[32];
  std::snprintf(text, sizeof text, ": 0x%x", static_cast<unsigned int>(result));
  throw std::runtime_error(call + std::string(text));
}
#define CHECKED(call) check((call), #call)

std::string read(const char *name) {
  std::ifstream file(name, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

uint64_t number_at(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  if (at > bytes.size() || bytes.size() - at < sizeof value)
    throw std::runtime_error("the bundle ends early");
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The SPIR-V of a bundle, or the bytes themselves if they are none.
std::string_view spirv_in(std::string_view bytes) {
  constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
  if (!bytes.starts_with(magic))
    return bytes;
  const uint64_t count = number_at(bytes, magic.size());
  size_t at = magic.size() + 8;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = number_at(bytes, at), size = number_at(bytes, at + 8),
                   length = number_at(bytes, at + 16);
    if (length > bytes.size() - at - 24)
      throw std::runtime_error("the bundle ends early");
    const std::string_view id = bytes.substr(at + 24, length);
    at += 24 + length;
    if (!id.starts_with("hip-spirv64"))
      continue;
    if (offset > bytes.size() || size > bytes.size() - offset)
      throw std::runtime_error("the bundle ends early");
    return bytes.substr(offset, size);
  }
  throw std::runtime_error("no SPIR-V in the bundle");
}

struct Device {
  ze_context_handle_t context = nullptr;
  ze_device_handle_t device = nullptr;

  Device() {
    CHECKED(zeInit(0));
    uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    CHECKED(zeDriverGet(&count, &driver));
    count = 1;
    CHECKED(zeDeviceGet(driver, &count, &device));
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    CHECKED(zeDeviceGetProperties(device, &properties));
    std::printf("device: %s\n", properties.name);
    ze_context_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
    CHECKED(zeContextCreate(driver, &description, &context));
  }
};

std::string log_of(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (!log || zeModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || size == 0)
    return {};
  std::string text(size, '\0');
  CHECKED(zeModuleBuildLogGetString(log, &size, text.data()));
  return text.c_str();
}

/// The number of kernels that were created.
uint32_t try_module(const Device &on, std::string_view spirv) {
  ze_module_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  description.format = ZE_MODULE_FORMAT_IL_SPIRV;
  description.inputSize = spirv.size();
  description.pInputModule = reinterpret_cast<const uint8_t *>(spirv.data());
  description.pBuildFlags = "";
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const ze_result_t result = zeModuleCreate(on.context, on.device, &description, &module, &log);
  const std::string text = log_of(log);
  if (log)
    CHECKED(zeModuleBuildLogDestroy(log));
  if (!text.empty())
    std::printf("  %s\n", text.c_str());
  CHECKED(result);

  uint32_t count = 0;
  CHECKED(zeModuleGetKernelNames(module, &count, nullptr));
  std::vector<const char *> names(count);
  CHECKED(zeModuleGetKernelNames(module, &count, names.data()));
  uint32_t created = 0;
  for (const char *name : names) {
    // Intel's driver lists its table of symbols as if it were a kernel.
    if (std::string_view(name) == "Intel_Symbol_Table_Void_Program")
      continue;
    ze_kernel_desc_t kernel_description{};
    kernel_description.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
    kernel_description.pKernelName = name;
    ze_kernel_handle_t kernel = nullptr;
    CHECKED(zeKernelCreate(module, &kernel_description, &kernel));
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    CHECKED(zeKernelGetProperties(kernel, &properties));
    std::printf("  %s: %u arguments, sub-groups of %u\n", name, properties.numKernelArgs,
                properties.requiredSubgroupSize);
    if (properties.requiredSubgroupSize != 32)
      throw std::runtime_error("a kernel does not have sub-groups of 32");
    CHECKED(zeKernelDestroy(kernel));
    ++created;
  }
  CHECKED(zeModuleDestroy(module));
  return created;
}

} // namespace

int main(int argc, char **argv) {
  const char *current = "device";
  try {
    if (argc < 2)
      throw std::runtime_error("no file given");
    const Device device;
    for (int i = 1; i < argc; ++i) {
      current = argv[i];
      std::printf("%s\n", current);
      const std::string bytes = read(current);
      if (try_module(device, spirv_in(bytes)) == 0)
        throw std::runtime_error("no kernel in the module");
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", current, error.what());
    return 1;
  }
  return 0;
}
