#include "environment.h"
#include "error.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <format>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace chip::ze {
namespace {

namespace fs = std::filesystem;

constexpr const char *device_variable = "CHIP_DEVICE";

/// What CHIP_DEVICE lists; nothing if that is not a list of different kinds of devices.
std::optional<std::vector<DeviceKind>> wanted_kinds() {
  std::string wanted(common::variable(device_variable));
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  std::vector<DeviceKind> kinds;
  if (wanted.empty())
    return kinds;
  for (const std::string_view word : common::list_entries(wanted)) {
    const DeviceKind kind = word == "cpu" ? DeviceKind::cpu : DeviceKind::gpu;
    if ((word != "cpu" && word != "gpu") || std::ranges::contains(kinds, kind))
      return std::nullopt;
    kinds.push_back(kind);
  }
  return kinds;
}

// A render node of Intel's (vendor 0x8086), or a simulated GPU that the driver's debug variables bring up.
bool has_intel_gpu() {
  if (!common::variable("ProductFamilyOverride").empty() ||
      !common::variable("SetCommandStreamReceiver").empty())
    return true;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator("/sys/class/drm", error)) {
    if (!entry.path().filename().string().starts_with("renderD"))
      continue;
    std::ifstream file(entry.path() / "device/vendor");
    std::string vendor;
    if (file >> vendor && vendor == "0x8086")
      return true;
  }
  return false;
}

fs::path cpu_driver() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void *>(&choose_drivers), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  auto self = fs::canonical(info.dli_fname, error); // libamdhip64.so is a link to us
  return error ? fs::path() : self.parent_path() / "libze_cpu.so";
}

constexpr const char *drivers_variable = "ZE_ENABLE_ALT_DRIVERS";

// The loader looks for these by itself, but no longer once it is told of any other.
constexpr std::string_view gpu_drivers = "libze_intel_gpu.so.1,libze_intel_gpu_legacy1.so.1";

enum class Choice { made, unknown_device, driver_missing };

Choice choose() {
  const auto wanted = wanted_kinds();
  if (!wanted)
    return Choice::unknown_device;
  const fs::path cpu = cpu_driver();
  const std::string both = std::format("{},{}", gpu_drivers, cpu.native());
  const std::string_view set = common::variable(drivers_variable);
  const bool is_ours = !cpu.empty() && (set == cpu.native() || set == both);
  if (std::getenv(drivers_variable) && (wanted->empty() || !is_ours))
    return Choice::made;
  const bool has_cpu =
      wanted->empty() ? !has_intel_gpu() : std::ranges::contains(*wanted, DeviceKind::cpu);
  if (!has_cpu) {
    unsetenv(drivers_variable);
    return Choice::made;
  }
  std::error_code error;
  if (!fs::exists(cpu, error))
    return Choice::driver_missing;
  setenv(drivers_variable, wanted->size() > 1 ? both.c_str() : cpu.c_str(), 1);
  return Choice::made;
}

[[gnu::constructor]] void choose_when_loaded() {
  try {
    choose();
  } catch (...) {
    // No memory. The first call of HIP tries again, and tells.
  }
}

} // namespace

std::vector<DeviceKind> choose_drivers() {
  switch (choose()) {
  case Choice::made:
    break;
  case Choice::unknown_device:
    refuse_wanted_devices("is no list of different kinds of devices");
  case Choice::driver_missing:
    tell_user_once(std::format("the CPU driver {} is missing: install libCHIP completely",
                               cpu_driver().string()));
  }
  return *wanted_kinds();
}

void refuse_wanted_devices(std::string_view consequence) {
  const std::string text =
      common::complaint(device_variable, common::variable(device_variable), consequence,
                        "cpu, gpu, or a comma-separated list of both");
  tell_user_once(text);
  throw Error(hipErrorNoDevice, text);
}

} // namespace chip::ze
