#include "platform.h"

#include "../../common/environment.h"
#include "../memory/probe.h"
#include "enumeration.h"
#include "error.h"
#include "facts.h"
#include "selection.h"

#include <algorithm>
#include <expected>
#include <format>
#include <set>

namespace ze_opencl {
namespace {

constexpr const char *devices_variable = "ZE_OPENCL_DEVICES";

using Devices = std::vector<std::unique_ptr<Device>>;

std::string text_of(cl_platform_id platform, cl_platform_info which) {
  size_t bytes = 0;
  if (api().GetPlatformInfo(platform, which, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  if (api().GetPlatformInfo(platform, which, bytes, text.data(), nullptr) != CL_SUCCESS)
    return {};
  text.resize(bytes - 1);
  return std::string(common::trimmed(text));
}

/// What `get` enumerates, or its error.
template <class Id, class Get> std::expected<std::vector<Id>, cl_int> list_of(Get get) {
  cl_uint count = 0;
  if (const cl_int error = get(0, nullptr, &count); error != CL_SUCCESS)
    return std::unexpected(error);
  std::vector<Id> ids(count);
  if (count == 0)
    return ids;
  if (const cl_int error = get(count, ids.data(), nullptr); error != CL_SUCCESS)
    return std::unexpected(error);
  return ids;
}

/// Those that all devices say they have, the best first.
std::vector<MemoryModel> memory_models_of(const Devices &devices) {
  const auto all = [&](auto has) { return std::ranges::all_of(devices, has); };
  const auto has_svm = [&](cl_device_svm_capabilities wanted) {
    return all(
        [=](const auto &device) { return (svm_capabilities(device->id) & wanted) == wanted; });
  };
  const auto has_extension = [&](std::string_view name) {
    return all([=](const auto &device) {
      return ze_opencl::has_extension(ze_opencl::text_of(device->id, CL_DEVICE_EXTENSIONS), name);
    });
  };
  std::vector<MemoryModel> models;
  if (has_svm(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    models.push_back(MemoryModel::system);
  if (has_extension("cl_intel_unified_shared_memory"))
    models.push_back(MemoryModel::unified);
  if (has_svm(CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    models.push_back(MemoryModel::fine_svm);
  if (devices.size() == 1 && has_extension("cl_ext_buffer_device_address"))
    models.push_back(MemoryModel::buffers);
  if (has_svm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    models.push_back(MemoryModel::coarse_svm);
  return models;
}

const char *name_of(MemoryModel model) {
  switch (model) {
  case MemoryModel::system:
    return "fine-grained system SVM";
  case MemoryModel::unified:
    return "cl_intel_unified_shared_memory";
  case MemoryModel::fine_svm:
    return "fine-grained SVM";
  case MemoryModel::buffers:
    return "cl_ext_buffer_device_address";
  case MemoryModel::coarse_svm:
    break;
  }
  return "coarse-grained SVM";
}

/// Gives the platform the best memory that works on all its devices. False, after a line for each that does not: there is none.
bool choose_memory(Platform &platform, const Devices &devices) {
  std::vector<cl_device_id> ids;
  for (const auto &device : devices)
    ids.push_back(device->id);
  for (const MemoryModel model : memory_models_of(devices)) {
    platform.memory_model = model;
    platform.memory = make_memory_access(platform, ids);
    std::string failure;
    if (!platform.memory)
      failure = "it lacks functions of the extension";
    for (const auto &device : devices)
      if (failure.empty())
        failure = probe_memory(*device);
    if (failure.empty()) {
      for (const auto &device : devices)
        describe_memory(*device);
      return true;
    }
    tell(std::format("{} of platform {} is not used: {}", name_of(model), platform.name, failure));
  }
  tell(std::format("platform {} is left out: kernels of it cannot follow pointers in memory (no "
                   "unified shared memory, no buffer device addresses, and no "
                   "shared virtual memory)",
                   platform.name));
  return false;
}

/// The implementation's, or one of the device's place: the same whatever is selected.
void set_uuid(Device &device, std::string_view platform, size_t index) {
  static_assert(sizeof device.facts.uuid == CL_UUID_SIZE_KHR);
  if (api().GetDeviceInfo(device.id, CL_DEVICE_UUID_KHR, CL_UUID_SIZE_KHR, device.facts.uuid,
                          nullptr) == CL_SUCCESS)
    return;
  constexpr std::string_view prefix = "ocl";
  std::ranges::fill(device.facts.uuid, uint8_t{0});
  std::ranges::copy(prefix, device.facts.uuid);
  std::ranges::copy(platform.substr(0, CL_UUID_SIZE_KHR - prefix.size() - 1),
                    device.facts.uuid + prefix.size());
  device.facts.uuid[CL_UUID_SIZE_KHR - 1] = static_cast<uint8_t>(index);
}

/// The devices of a platform that can be used; a line for what cannot.
Devices devices_of(Platform &platform, const Selection &selection) {
  const auto ids = list_of<cl_device_id>(
      [&](auto... args) { return api().GetDeviceIDs(platform.id, CL_DEVICE_TYPE_ALL, args...); });
  if (!ids) {
    if (ids.error() != CL_DEVICE_NOT_FOUND)
      tell(std::format("platform {} is left out: it does not tell its devices: {}", platform.name,
                       error_name(ids.error())));
    return {};
  }
  Devices found;
  for (size_t i = 0; i < ids->size(); ++i) {
    const cl_device_id id = (*ids)[i];
    auto device = std::make_unique<Device>();
    device->id = id;
    device->platform = &platform;
    set_uuid(*device, platform.name, i);
    if (!selection.rank(platform.name, ze_opencl::text_of(id, CL_DEVICE_NAME)))
      continue;
    if (const std::string lack = describe(*device); !lack.empty())
      tell(std::format("device {} of platform {} is left out: {}", device->facts.name,
                       platform.name, lack));
    else
      found.push_back(std::move(device));
  }
  if (found.empty())
    return found;
  std::vector<cl_device_id> used;
  for (const auto &device : found)
    used.push_back(device->id);
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform.id), 0};
  cl_int error = CL_SUCCESS;
  platform.context = api().CreateContext(properties, static_cast<cl_uint>(used.size()), used.data(),
                                         nullptr, nullptr, &error);
  if (error != CL_SUCCESS || !platform.context) {
    tell(std::format("platform {} is left out: it makes no context: {}", platform.name,
                     error_name(error)));
    return {};
  }
  return choose_memory(platform, found) ? std::move(found) : Devices();
}

/// Memory of the host is for all devices of a driver: platforms that can use any memory go together, and with one that cannot.
class Companions {
public:
  /// False, after one line for the platform: it is left out.
  bool admit(const Platform &platform) {
    if (platform.memory_model == MemoryModel::system || &platform == owner_)
      return true;
    if (!owner_) {
      owner_ = &platform;
      return true;
    }
    if (left_out_.insert(&platform).second)
      tell(std::format("platform {} is left out: its memory is not that of platform {}; {}={} "
                       "selects it",
                       platform.name, owner_->name, devices_variable, platform.name));
    return false;
  }

private:
  const Platform *owner_ = nullptr; // of the memory
  std::set<const Platform *> left_out_;
};

/// Everything there is, in the order of the selection.
Devices find_all(const Selection &selection) {
  const auto platforms =
      list_of<cl_platform_id>([](auto... args) { return api().GetPlatformIDs(args...); });
  if (!platforms || platforms->empty()) {
    tell("there is no OpenCL platform: install one (Debian: pocl-opencl-icd), or name its folder "
         "with OCL_ICD_VENDORS");
    return {};
  }
  const auto rank = [&](const std::unique_ptr<Device> &device) {
    return selection.rank(device->platform->name, device->facts.name).value_or(0);
  };
  Devices found;
  for (const cl_platform_id id : *platforms) {
    auto *const platform = new Platform; // it lives as long as the process
    platform->id = id;
    platform->name = text_of(id, CL_PLATFORM_NAME);
    std::ranges::move(devices_of(*platform, selection), std::back_inserter(found));
  }
  std::ranges::stable_sort(found, {}, rank);
  Companions companions;
  std::erase_if(found, [&](const auto &device) { return !companions.admit(*device->platform); });
  return found;
}

Devices find_devices() {
  std::string reason;
  if (!open_api(reason)) {
    tell("there is no OpenCL: " + reason);
    return {};
  }
  struct Search {
    Selection selection;
    Devices found;
  };
  const auto search = std::make_shared<Search>(Selection(common::variable(devices_variable)));
  if (!run_with_limit([search] { search->found = find_all(search->selection); })) {
    tell("OpenCL is not used: an implementation does not come back within 10 seconds, or 60 at "
         "work; those "
         "installed are " +
         installed_implementations());
    return {};
  }
  if (search->found.empty() && !common::variable(devices_variable).empty())
    common::Settings("ze_opencl")
        .complain(devices_variable, "names no device that can be used",
                  "parts of names of devices or platforms");
  return std::move(search->found);
}

} // namespace

const std::vector<std::unique_ptr<Device>> &devices() {
  static const auto *const all = new Devices(find_devices());
  return *all;
}

} // namespace ze_opencl
