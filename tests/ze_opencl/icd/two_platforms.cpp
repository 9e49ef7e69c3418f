// Two platforms at once: which of them go together, in which order, and that their devices work with each other.
#include "settings.h"

#include "device_check.h"

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using settings::Case;
using settings::Outcome;

namespace {

int failures = 0;

void must(ze_result_t result, const char *what) {
  if (result == ZE_RESULT_SUCCESS)
    return;
  std::printf("not so: %s: %#x\n", what, unsigned(result));
  ++failures;
}

struct Found {
  ze_device_handle_t handle;
  ze_device_properties_t properties;
};

std::vector<Found> find_devices(ze_driver_handle_t &driver) {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                  ZE_INIT_DRIVER_TYPE_FLAG_GPU};
  uint32_t drivers = 1, count = 0;
  if (zeInitDrivers(&drivers, &driver, &desc) != ZE_RESULT_SUCCESS || drivers == 0)
    return {};
  must(zeDeviceGet(driver, &count, nullptr), "the number of devices");
  std::vector<ze_device_handle_t> handles(count);
  must(zeDeviceGet(driver, &count, handles.data()), "the devices");
  std::vector<Found> found;
  for (const ze_device_handle_t handle : handles) {
    found.push_back({handle, {}});
    found.back().properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    must(zeDeviceGetProperties(handle, &found.back().properties), "properties");
  }
  return found;
}

/// A number goes from one device to the next and back, each list waiting for an event of the other one's.
void pass_number(ze_driver_handle_t driver, const std::array<ze_device_handle_t, 2> &devices) {
  ze_context_handle_t context = nullptr;
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  must(zeContextCreate(driver, &desc, &context), "a context");
  constexpr uint32_t rounds = 16;
  ze_event_pool_handle_t pool = nullptr;
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                       ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2 * rounds};
  must(zeEventPoolCreate(context, &pool_desc, 0, nullptr, &pool), "an event pool");
  std::array<ze_command_list_handle_t, 2> lists{};
  std::array<void *, 2> memory{};
  void *host = nullptr;
  const ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  must(zeMemAllocHost(context, &host_desc, rounds * sizeof(uint32_t), 64, &host), "host memory");
  for (size_t i = 0; i < 2; ++i) {
    const ze_command_queue_desc_t queue{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        nullptr,
                                        0,
                                        0,
                                        ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                        ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    must(zeCommandListCreateImmediate(context, devices[i], &queue, &lists[i]), "a list");
    must(zeMemAllocDevice(context, &device, 64, 64, devices[i], &memory[i]), "device memory");
  }
  ze_event_handle_t before = nullptr;
  std::vector<ze_event_handle_t> events;
  for (uint32_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < 2; ++i) {
      const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr,
                                       round * 2 + uint32_t(i), ZE_EVENT_SCOPE_FLAG_HOST, 0};
      events.emplace_back();
      must(zeEventCreate(pool, &event_desc, &events.back()), "an event");
      const uint32_t waits = before ? 1 : 0;
      if (i == 0)
        must(zeCommandListAppendMemoryFill(lists[0], memory[0], &round, sizeof round, sizeof round,
                                           events.back(), waits, &before),
             "a fill");
      else {
        must(zeCommandListAppendMemoryCopy(lists[1], memory[1], memory[0], sizeof round, nullptr,
                                           waits, &before),
             "a copy from the other device");
        must(zeCommandListAppendMemoryCopy(lists[1], static_cast<uint32_t *>(host) + round,
                                           memory[1], sizeof round, events.back(), 0, nullptr),
             "a copy to the host");
      }
      before = events.back();
    }
  for (const ze_command_list_handle_t list : lists)
    must(zeCommandListHostSynchronize(list, UINT64_MAX), "waiting for a list");
  for (uint32_t round = 0; round < rounds; ++round)
    if (static_cast<const uint32_t *>(host)[round] != round) {
      std::printf("not so: round %u\n", round);
      ++failures;
    }
  for (const ze_event_handle_t event : events)
    must(zeEventDestroy(event), "the end of an event");
  must(zeEventPoolDestroy(pool), "the end of a pool");
  for (size_t i = 0; i < 2; ++i) {
    must(zeCommandListDestroy(lists[i]), "the end of a list");
    must(zeMemFree(context, memory[i]), "a free");
  }
  must(zeMemFree(context, host), "a free");
  must(zeContextDestroy(context), "the end of the context");
}

/// Tells the devices, "device first|second UUID", and tries two that there are.
int look() {
  ze_driver_handle_t driver = nullptr;
  const std::vector<Found> found = find_devices(driver);
  for (const Found &device : found) {
    std::string uuid;
    for (const uint8_t byte : device.properties.uuid.id) {
      constexpr const char *digits = "0123456789abcdef";
      uuid += digits[byte >> 4];
      uuid += digits[byte & 15];
    }
    const bool is_second = std::string(device.properties.name) == "Second device";
    std::printf("device %s %s\n", is_second ? "second" : "first", uuid.c_str());
  }
  if (found.size() == 2) {
    pass_number(driver, {found[0].handle, found[1].handle});
    pass_number(driver, {found[1].handle, found[0].handle});
  }
  return failures == 0 ? right : wrong;
}

/// What must come of a case: the devices in order, and what the driver's only line has.
struct Expected {
  Case of;
  std::string devices;
  const char *line = nullptr;
};

const std::string unified = "system_svm", fine = unified + ",cl_intel_unified_shared_memory",
                  buffers = fine + ",fine_svm", coarse = buffers + ",cl_ext_buffer_device_address";

Case of(const std::string &name, settings::Variables variables) {
  variables["SHIM_TWO"] = "1";
  return {name, variables};
}
Case selected(const std::string &list) {
  return of("selected '" + list + "'", {{"ZE_OPENCL_DEVICES", list}});
}
Case hiding(const std::string &name, const std::string &first, const std::string &second,
            const std::string &list = "") {
  return of(name + (list.empty() ? "" : " selected '" + list + "'"),
            {{"SHIM_HIDE", first}, {"SHIM_HIDE_2", second}, {"ZE_OPENCL_DEVICES", list}});
}

const std::vector<Expected> all = {
    // The order is the implementation's, or that of the selection.
    {of("both", {}), "first second"},
    {selected("second"), "second"},
    {selected("portable"), "first"},
    {selected("second,portable"), "second first"},
    {selected(" SECOND DEVICE , ,Portable Computing"), "second first"},
    {selected("none such,portable,second"), "first second",
     "ZE_OPENCL_DEVICES names no device with 'none such': there are "},
    {selected("none such"), "", "Second device (Second platform)"},
    {selected(","), "first second"},
    {of("two devices each", {{"POCL_DEVICES", "cpu basic"}}), "first first second second"},
    {of("without uuids", {{"SHIM_HIDE", "uuid"}}), "first second"},
    // Each kind of memory beside system SVM, and beside itself.
    {hiding("unified and system", unified, "none"), "first second"},
    {hiding("system and unified", "none", unified), "first second"},
    {hiding("system and fine", "none", fine), "first second"},
    {hiding("unified and unified", unified, unified), "first",
     "platform Second platform is left out"},
    {hiding("unified and unified", unified, unified, "second,portable"), "second",
     "platform Portable Computing Language is left out"},
    {hiding("fine and unified", fine, unified), "first", "platform Second platform is left out"},
    {hiding("coarse and coarse", coarse, coarse), "first", "platform Second platform is left out"},
    {hiding("coarse and system", coarse, "none"), "first", "platform Second platform is left out"},
    {hiding("system and coarse", "none", coarse), "first", "platform Second platform is left out"},
    {hiding("system and coarse", "none", coarse, "second,portable"), "second",
     "platform Portable Computing Language is left out"},
    {hiding("buffers and system", buffers, "none"), "first",
     "platform Second platform is left out"},
    // One that cannot be used does not take the other with it.
    {hiding("no SPIR-V and system", "il", "none"), "second", "takes no SPIR-V"},
    {hiding("system and no SPIR-V", "none", "il"), "first", "takes no SPIR-V"},
};

std::map<std::string, std::string> uuids; // of devices, by what is hidden and their names

std::string judge(const Case &one, const Outcome &outcome) {
  const Expected *expected = nullptr;
  for (const Expected &candidate : all)
    if (candidate.of.name == one.name)
      expected = &candidate;
  std::string devices;
  std::vector<std::string> own;
  std::map<std::string, int> of_name;
  for (const std::string &line : outcome.lines("device ")) {
    const size_t space = line.rfind(' ');
    const std::string name = line.substr(7, space - 7), uuid = line.substr(space + 1);
    devices += (devices.empty() ? "" : " ") + name;
    for (const std::string &other : own)
      if (other == uuid)
        return "two devices have one UUID";
    own.push_back(uuid);
    const auto devices_of_pocl = one.variables.find("POCL_DEVICES");
    const std::string key = (devices_of_pocl == one.variables.end() ? "" : "other ") + name +
                            std::to_string(of_name[name]++);
    if (uuids.emplace(key, uuid).first->second != uuid)
      return "the UUID of a device depends on what else is selected";
  }
  if (outcome.status != right)
    return "it is not right";
  if (devices != expected->devices)
    return "there is: " + devices;
  const auto lines = outcome.lines("ze_opencl: ");
  if (lines.size() != (expected->line ? 1 : 0))
    return std::to_string(lines.size()) + " lines";
  return expected->line && !lines.front().contains(expected->line)
             ? std::string("no line with '") + expected->line + "'"
             : "";
}

} // namespace

/// Arguments: the driver, the shim's .icd file, the module.
int main(int argc, char **argv) {
  if (argc != 4)
    return wrong;
  prepare(argv[1], argv[2], argv[3]);
  std::vector<Case> cases;
  for (const Expected &expected : all)
    cases.push_back(expected.of);
  return settings::run(cases, [](const Case &) { return look(); }, judge) != 0;
}
