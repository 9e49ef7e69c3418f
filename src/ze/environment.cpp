#include "environment.h"
#include "error.h"

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

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

// A render node of Intel's (vendor 0x8086), or a simulated GPU that the driver's debug variables bring up.
bool has_intel_gpu() {
  if (!variable("ProductFamilyOverride").empty() || !variable("SetCommandStreamReceiver").empty())
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
  const std::string_view wanted = variable("CHIP_DEVICE");
  if (wanted == "gpu") {
    if (auto driver = cpu_driver(); !driver.empty() && variable(drivers_variable) == driver.native())
      unsetenv(drivers_variable);
    return Choice::made;
  }
  if (std::getenv(drivers_variable))
    return Choice::made;
  if (!wanted.empty() && wanted != "cpu")
    return Choice::unknown_device;
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
  case Choice::unknown_device:
    throw Error(hipErrorNoDevice, std::format("CHIP_DEVICE is '{}': use cpu or gpu, or leave it unset",
                                              variable("CHIP_DEVICE")));
  case Choice::driver_missing:
    tell_user_once(std::format("the CPU driver {} is missing: install libCHIP completely",
                               cpu_driver().string()));
  }
}

} // namespace chip::ze
