#include "platform.h"

#include "../../common/environment.h"
#include "../memory/probe.h"
#include "enumeration.h"
#include "error.h"
#include "facts.h"
#include "selection.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <expected>
#include <format>
#include <mutex>
#include <set>

namespace ze_opencl {
namespace {

constexpr const char *devices_variable = "ZE_OPENCL_DEVICES";

using Devices = std::vector<std::unique_ptr<Device>>;

/// What `get` enumerates, or its error.
template <class Id, class Get> std::expected<std::vector<Id>, cl_int> list_of(Get get) {
  cl_uint count = 0;
  if (const cl_int error = get(0, nullptr, &count); error != CL_SUCCESS)
    return std::unexpected(error);
  constexpr cl_uint most = 1024; // more cannot be meant
  if (count > most)
    return std::unexpected(CL_INVALID_VALUE);
  std::vector<Id> ids(count);
  if (count == 0)
    return ids;
  if (const cl_int error = get(count, ids.data(), nullptr); error != CL_SUCCESS)
    return std::unexpected(error);
  std::erase(ids, nullptr);
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

const char *text_of(MemoryModel model) {
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

/// Gives the platform the best memory that works on all its devices. One line says what does not work. False: there is none.
bool choose_memory(Platform &platform, const Devices &devices) {
  std::vector<cl_device_id> ids;
  for (const auto &device : devices)
    ids.push_back(device->id);
  std::string failures;
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
      if (!failures.empty())
        tell(std::format("platform {} is used with {}: {}", platform.name, text_of(model),
                         failures));
      return true;
    }
    failures.append(failures.empty() ? "" : "; ").append(text_of(model)).append(": " + failure);
  }
  tell(std::format(
      "platform {} is left out: kernels of it cannot follow pointers in memory ({})", platform.name,
      failures.empty() ? "no unified shared memory, no buffer device addresses, and no "
                         "shared virtual memory"
                       : failures));
  return false;
}

using Uuid = std::array<uint8_t, ZE_MAX_DEVICE_UUID_SIZE>;

/// The implementation's, or one made of names where it has none: the same whatever is selected. PoCL 7.1 says that all bytes are 0.
Uuid uuid_of(cl_device_id device, std::string_view platform) {
  Uuid uuid{};
  static_assert(sizeof uuid == CL_UUID_SIZE_KHR);
  if (api().GetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid.data(), nullptr) ==
          CL_SUCCESS &&
      uuid != Uuid{})
    return uuid;
  const std::string names = std::format("{}\n{}", platform, name_of(device));
  const XXH128_hash_t hash = XXH3_128bits(names.data(), names.size());
  static_assert(sizeof hash == sizeof uuid);
  std::memcpy(uuid.data(), &hash, sizeof hash);
  return uuid;
}

/// The search, which a thread of its own may be at for ever.
struct Search {
  Selection selection;
  Devices found;
  std::mutex mutex;
  std::string platform;                // whose devices are being looked at
  std::string without_devices;         // names of platforms that have none
  std::set<Uuid> uuids;                // of all devices, also of those that are not selected
  std::vector<Selection::Names> names; // of those

  /// Devices of one name, and one device that two implementations have, differ in the end.
  void set_uuid(Device &device) {
    Uuid uuid = uuid_of(device.id, device.platform->name);
    while (!uuids.insert(uuid).second)
      ++uuid.back();
    std::ranges::copy(uuid, device.facts.uuid);
  }
  void look_at(const std::string &name) {
    const std::lock_guard lock(mutex);
    platform = name;
  }
};

/// The devices of a platform that can be used; a line for what cannot.
Devices devices_of(Platform &platform, Search &search) {
  const auto ids = list_of<cl_device_id>(
      [&](auto... args) { return api().GetDeviceIDs(platform.id, CL_DEVICE_TYPE_ALL, args...); });
  if (!ids && ids.error() != CL_DEVICE_NOT_FOUND) {
    tell(std::format("platform {} is left out: it does not tell its devices: {}", platform.name,
                     error_name(ids.error())));
    return {};
  }
  if (!ids || ids->empty()) {
    search.without_devices.append(search.without_devices.empty() ? "" : ", ").append(platform.name);
    return {};
  }
  Devices found;
  for (const cl_device_id id : *ids) {
    auto device = std::make_unique<Device>();
    device->id = id;
    device->platform = &platform;
    search.set_uuid(*device);
    search.names.emplace_back(platform.names, name_of(id));
    if (!search.selection.rank(platform.names, name_of(id)))
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

/// Memory of the host is for all devices of a driver: platforms that can use any memory go together, and with one that has memory
/// of its own which the host can use.
class Companions {
public:
  /// False, after one line for the platform: it is left out.
  bool admit(const Platform &platform) {
    const Platform *&own = uses_any_memory(platform) ? any_ : owner_;
    const Platform *other = nullptr;
    if (&platform == owner_)
      return true;
    if (uses_any_memory(platform))
      other = owner_ && !has_host_memory(*owner_) ? owner_ : nullptr;
    else
      other = owner_ ? owner_ : has_host_memory(platform) ? nullptr : any_;
    if (!other) {
      own = &platform;
      return true;
    }
    if (left_out_.insert(&platform).second)
      tell(std::format("platform {} is left out: its memory is not that of platform {}; {}={} "
                       "selects it",
                       platform.name, other->name, devices_variable, platform.name));
    return false;
  }

private:
  static bool uses_any_memory(const Platform &platform) {
    return platform.memory_model == MemoryModel::system;
  }
  static bool has_host_memory(const Platform &platform) {
    return platform.memory_model < MemoryModel::buffers;
  }

  const Platform *any_ = nullptr;   // one that uses any memory
  const Platform *owner_ = nullptr; // of the memory, if it is not the process's own
  std::set<const Platform *> left_out_;
};

/// A line for entries of the selection that name no device, with those that there are. False if there is no such entry.
bool tell_unused_entries(const Search &search) {
  std::string unused, devices;
  const auto add = [](std::string &list, const std::string &text) {
    list.append(list.empty() ? "" : ", ").append(text);
  };
  for (const std::string &entry : search.selection.without_device(search.names))
    add(unused, std::format("'{}'", entry));
  if (unused.empty())
    return false;
  for (const Selection::Names &names : search.names)
    add(devices,
        std::format("{} ({})", names.device, names.platform.substr(0, names.platform.find('\n'))));
  tell(std::format("{} names no device with {}: there {}", devices_variable, unused,
                   devices.empty() ? "is none" : "are " + devices));
  return true;
}

/// Everything there is, in the order of the selection.
Devices find_all(Search &search) {
  const Selection &selection = search.selection;
  const auto platforms =
      list_of<cl_platform_id>([](auto... args) { return api().GetPlatformIDs(args...); });
  if (!platforms || platforms->empty()) {
    tell("there is no OpenCL platform: install one (Debian: pocl-opencl-icd), or name its folder "
         "with OCL_ICD_VENDORS");
    return {};
  }
  const auto rank = [&](const std::unique_ptr<Device> &device) {
    return selection.rank(device->platform->names, device->facts.name).value_or(0);
  };
  Devices found;
  for (const cl_platform_id id : *platforms) {
    auto *const platform = new Platform; // it lives as long as the process
    platform->id = id;
    platform->name = name_of(id);
    platform->names = names_of(id);
    search.look_at(platform->name);
    try {
      std::ranges::move(devices_of(*platform, search), std::back_inserter(found));
    } catch (const std::exception &error) {
      tell(std::format("platform {} is left out: {}", platform->name, error.what()));
    }
  }
  search.look_at("");
  const bool is_one_missed = tell_unused_entries(search);
  // A platform may well find no device of its kind, as long as another has one.
  if ((found.empty() || is_one_missed) && !search.without_devices.empty())
    tell(std::format("no device is found by OpenCL platform {}{}", search.without_devices,
                     search.without_devices.contains("rusticl")
                         ? "; RUSTICL_ENABLE chooses the driver that rusticl uses, as "
                           "RUSTICL_ENABLE=llvmpipe for the processor"
                         : ""));
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
  const auto search = std::make_shared<Search>(Selection(common::variable(devices_variable)));
  const std::chrono::seconds limit = start_limit();
  if (!run_with_limit(limit, [search] { search->found = find_all(*search); })) {
    const std::lock_guard lock(search->mutex);
    tell(std::format(
        "OpenCL is not used: {} does not come back within {} seconds, or six times that "
        "at work (ZE_OPENCL_START_SECONDS); those installed are {}",
        search->platform.empty() ? "an implementation" : "platform " + search->platform,
        limit.count(), installed_implementations()));
    return {};
  }
  if (search->found.empty())
    tell_missing_implementations();
  const auto is_selected = [&](const Selection::Names &names) {
    return search->selection.rank(names.platform, names.device).has_value();
  };
  if (search->found.empty() && !common::variable(devices_variable).empty() &&
      std::ranges::any_of(search->names, is_selected))
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
