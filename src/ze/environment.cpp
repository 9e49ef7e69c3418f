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

struct Word {
  std::string_view word;
  DeviceKind kind;
};
constexpr Word words[] = {
    {"cpu", DeviceKind::cpu}, {"gpu", DeviceKind::gpu}, {"opencl", DeviceKind::opencl}};

/// What CHIP_DEVICE lists; nothing if that is not a list of different kinds of devices.
std::optional<std::vector<DeviceKind>> wanted_kinds() {
  std::string wanted(common::variable(device_variable));
  std::ranges::transform(wanted, wanted.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  std::vector<DeviceKind> kinds;
  if (wanted.empty())
    return kinds;
  for (const std::string_view entry : common::list_entries(wanted)) {
    const auto *known = std::ranges::find(words, entry, &Word::word);
    if (known == std::end(words) || std::ranges::contains(kinds, known->kind))
      return std::nullopt;
    kinds.push_back(known->kind);
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

/// Where libraries of ours lie: beside this one. Empty if that cannot be found out.
fs::path own_directory() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void *>(&choose_drivers), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  auto self = fs::canonical(info.dli_fname, error); // libamdhip64.so is a link to us
  return error ? fs::path() : self.parent_path();
}

constexpr const char *drivers_variable = "ZE_ENABLE_ALT_DRIVERS";

/// The drivers for a kind of device.
struct Candidate {
  DeviceKind kind;
  std::string files; // as the variable has them
  bool is_ours;      // one file, by its full path
};

/// In the order in which the loader is told of them. It looks for those of GPUs by itself, but no longer once it is told of any
/// other.
std::vector<Candidate> candidates() {
  const fs::path directory = own_directory();
  return {{DeviceKind::gpu, "libze_intel_gpu.so.1,libze_intel_gpu_legacy1.so.1", false},
          {DeviceKind::opencl, (directory / "libze_opencl.so").string(), true},
          {DeviceKind::cpu, (directory / "libze_cpu.so").string(), true}};
}

/// What the variable is for these kinds; empty where the loader finds all by itself.
std::string drivers_of(const std::vector<Candidate> &candidates,
                       const std::vector<DeviceKind> &kinds) {
  std::string all;
  bool any_of_ours = false;
  for (const Candidate &candidate : candidates)
    if (std::ranges::contains(kinds, candidate.kind)) {
      all.append(all.empty() ? "" : ",").append(candidate.files);
      any_of_ours |= candidate.is_ours;
    }
  return any_of_ours ? all : "";
}

/// Whether libCHIP would set the variable to this for any list.
bool is_our_choice(const std::vector<Candidate> &candidates, std::string_view set) {
  for (unsigned subset = 1; subset < 1u << candidates.size(); ++subset) {
    std::vector<DeviceKind> kinds;
    for (unsigned i = 0; i < candidates.size(); ++i)
      if (subset >> i & 1)
        kinds.push_back(candidates[i].kind);
    if (const std::string drivers = drivers_of(candidates, kinds); !drivers.empty())
      if (set == drivers)
        return true;
  }
  return false;
}

struct Choice {
  bool is_known = true;
  std::vector<std::string> missing; // what there is to tell of drivers that are not installed
};

Choice choose() {
  const auto wanted = wanted_kinds();
  if (!wanted)
    return {false, {}};
  const std::vector<Candidate> all = candidates();
  const std::string_view set = common::variable(drivers_variable);
  if (std::getenv(drivers_variable) && (wanted->empty() || !is_our_choice(all, set)))
    return {};
  std::vector<DeviceKind> kinds = *wanted;
  if (kinds.empty())
    kinds = {has_intel_gpu() ? DeviceKind::gpu : DeviceKind::cpu};
  Choice choice;
  for (const Candidate &candidate : all) {
    std::error_code error;
    if (!candidate.is_ours || !std::ranges::contains(kinds, candidate.kind) ||
        fs::exists(candidate.files, error))
      continue;
    choice.missing.push_back(std::format("the {} driver {} is missing: install libCHIP completely",
                                         candidate.kind == DeviceKind::cpu ? "CPU" : "OpenCL",
                                         candidate.files));
    if (kinds.size() > 1)
      std::erase(kinds, candidate.kind);
    else
      return choice; // the loader would say less of a file that it cannot find
  }
  if (const std::string drivers = drivers_of(all, kinds); drivers.empty())
    unsetenv(drivers_variable);
  else
    setenv(drivers_variable, drivers.c_str(), 1);
  return choice;
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
  const Choice choice = choose();
  if (!choice.is_known)
    refuse_wanted_devices("is no list of different kinds of devices");
  for (const std::string &missing : choice.missing)
    tell_user_once(missing);
  return *wanted_kinds();
}

void refuse_wanted_devices(std::string_view consequence) {
  const std::string text =
      common::complaint(device_variable, common::variable(device_variable), consequence,
                        "cpu, gpu, opencl, or a comma-separated list of them");
  tell_user_once(text);
  throw Error(hipErrorNoDevice, text);
}

} // namespace chip::ze
