#include "environment.h"
#include "error.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <format>
#include <fstream>
#include <string>
#include <string_view>

namespace chip::ze {
namespace {

namespace fs = std::filesystem;

constexpr const char *device_variable = "CHIP_DEVICE";

std::string wanted_device() {
  std::string wanted(common::variable(device_variable));
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  return wanted;
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
  if (!dladdr(reinterpret_cast<void *>(&choose_driver), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  auto self = fs::canonical(info.dli_fname, error); // libamdhip64.so is a link to us
  return error ? fs::path() : self.parent_path() / "libze_cpu.so";
}

constexpr const char *drivers_variable = "ZE_ENABLE_ALT_DRIVERS";

enum class Choice { made, unknown_device, driver_missing };

Choice choose() {
  const std::string wanted = wanted_device();
  if (!wanted.empty() && wanted != "cpu" && wanted != "gpu")
    return Choice::unknown_device;
  if (wanted == "gpu") {
    if (auto driver = cpu_driver();
        !driver.empty() && common::variable(drivers_variable) == driver.native())
      unsetenv(drivers_variable);
    return Choice::made;
  }
  if (std::getenv(drivers_variable))
    return Choice::made;
  if (wanted.empty() && has_intel_gpu())
    return Choice::made;
  const fs::path driver = cpu_driver();
  std::error_code error;
  if (!fs::exists(driver, error))
    return Choice::driver_missing;
  setenv(drivers_variable, driver.c_str(), 0);
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

void choose_driver() {
  switch (choose()) {
  case Choice::made:
    return;
  case Choice::unknown_device: {
    const std::string text = common::complaint(device_variable, common::variable(device_variable),
                                               "names no kind of device", "cpu or gpu");
    tell_user_once(text);
    throw Error(hipErrorNoDevice, text);
  }
  case Choice::driver_missing:
    tell_user_once(std::format("the CPU driver {} is missing: install libCHIP completely",
                               cpu_driver().string()));
  }
}

} // namespace chip::ze
