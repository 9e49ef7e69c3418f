// What the device says of itself: the machine's processors and memory in the words of a GPU,
// because that is what programs look for.
#include "affinity_mask.h"
#include "entry_points.h"
#include "../memory/external_memory.h"
#include "../memory/image.h"
#include "objects.h"

#include "../../ze_cpu/exec/pool.h"
#include "../memory/allocations.h"
#include "../../ze_cpu/exec/checking.h"

#include <level_zero/ze_api.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <format>
#include <fstream>
#include <string>
#include <string_view>

namespace ze_cpu {
namespace {

constexpr uint32_t sub_group_size = 32;
constexpr uint32_t vector_bytes = 16; // that every processor we run on has at least
constexpr uint32_t max_arguments_bytes = 4096;

/// The value of the first line of /proc/cpuinfo that begins with `key`.
std::string processor_info(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key))
      continue;
    const size_t colon = line.find(':');
    const size_t value = colon == line.npos ? line.npos : line.find_first_not_of(" \t", colon + 1);
    if (value != line.npos)
      return line.substr(value);
  }
  return {};
}

const std::string &processor_name() {
  static const std::string name = [] {
    std::string model = processor_info("model name");
    if (!model.empty())
      return model;
    utsname system{};
    return uname(&system) == 0 ? std::string(system.machine) + " processor"
                               : std::string("processor");
  }();
  return name;
}

/// The PCI identity of who made the processor; 0 if unknown.
uint32_t vendor_id() {
  static const uint32_t id = [] {
    const std::string vendor = processor_info("vendor_id");
    return vendor == "GenuineIntel" ? 0x8086u : vendor == "AuthenticAMD" ? 0x1022u : 0u;
  }();
  return id;
}

uint32_t clock_mhz() {
  static const uint32_t mhz = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    uint64_t khz = 0;
    if (file >> khz)
      return static_cast<uint32_t>(khz / 1000);
    const std::string now = processor_info("cpu MHz");
    return now.empty() ? 1000u : static_cast<uint32_t>(std::strtod(now.c_str(), nullptr));
  }();
  return mhz;
}

template <size_t size> void copy_text(char (&to)[size], std::string_view from) {
  const size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  std::memset(to + length, 0, size - length);
}

constexpr ze_device_fp_flags_t full_floating_point =
    ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
    ZE_DEVICE_FP_FLAG_FMA | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;

constexpr ze_memory_access_cap_flags_t full_access =
    ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;

/// The checks that all queries of one structure share.
template <class Properties, class Fill>
ze_result_t query(ze_device_handle_t device, Properties *properties, Fill fill) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!properties)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const auto stype = properties->stype;
    void *next = properties->pNext;
    *properties = {};
    properties->stype = stype;
    properties->pNext = next;
    fill(*properties);
    return ZE_RESULT_SUCCESS;
  });
}

/// The same for queries that return one structure per group, memory or cache.
template <class Properties, class Fill>
ze_result_t query_each(ze_device_handle_t device, uint32_t available, uint32_t *count,
                       Properties *properties, Fill fill) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return enumerate(available, count, properties, [&](uint32_t i, Properties &item) {
      const auto stype = item.stype;
      void *next = item.pNext;
      item = {};
      item.stype = stype;
      item.pNext = next;
      fill(i, item);
    });
  });
}
template <class Properties, class Fill>
ze_result_t query_one(ze_device_handle_t device, uint32_t *count, Properties *properties,
                      Fill fill) {
  return query_each(device, 1, count, properties, [&](uint32_t, Properties &item) { fill(item); });
}

} // namespace

ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *handles) {
  return entry([&]() -> ze_result_t {
    if (!driver)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const std::vector<unsigned> &visible = visible_devices();
    return enumerate(
        static_cast<uint32_t>(visible.size()), count, handles,
        [&](uint32_t i, auto &handle) { handle = handle_of(devices()[visible[i]]); });
  });
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!root)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *root = nullptr; // it is one itself
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t device, uint32_t *count,
                                  ze_device_handle_t *) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *count = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  return query(device, properties, [&](ze_device_properties_t &p) {
    const unsigned index = object<Device>(device).index;
    p.type = ZE_DEVICE_TYPE_GPU;
    p.vendorId = vendor_id();
    p.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
    p.coreClockRate = clock_mhz();
    p.maxMemAllocSize = machine_memory_bytes();
    p.maxHardwareContexts = queues_per_group;
    p.maxCommandQueuePriority = 0;
    p.physicalEUSimdWidth = sub_group_size;
    p.numEUsPerSubslice = 1;
    p.numSubslicesPerSlice = std::min(Pool::of(index).width(), processor_count());
    // As many as can wait for each other in a cooperative launch, in sub-groups.
    p.numThreadsPerEU =
        max_resident_items(processor_count()) / p.numSubslicesPerSlice / sub_group_size;
    p.numSlices = 1;
    // Nanoseconds per tick, or ticks per second, by the version of the structure.
    p.timerResolution = p.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000 : 1;
    p.timestampValidBits = p.kernelTimestampValidBits = device_time_bits();
    static constexpr uint8_t uuid[ZE_MAX_DEVICE_UUID_SIZE] = {'z', 'e', '_', 'c', 'p',
                                                              'u', 'd', 'e', 'v', 0};
    std::memcpy(p.uuid.id, uuid, sizeof uuid);
    p.uuid.id[sizeof uuid - 1] = static_cast<uint8_t>(index);
    std::string name = processor_name();
    if (devices().size() > 1) // as many programs tell devices apart by their names
      name = std::format("{} #{}", name.substr(0, sizeof p.name - 5), index);
    copy_text(p.name, name);
    if (auto *changes = find_output<ze_mutable_command_list_exp_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES)) {
      changes->mutableCommandListFlags = 0;
      changes->mutableCommandFlags = 0x7f; // all but the arguments of graphs
    }
    if (auto *events = find_output<ze_device_event_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_DEVICE_EVENT_PROPERTIES))
      events->flags = ZE_DEVICE_EVENT_PROPERTIES_FLAG_COUNTER_BASED_IPC;
    if (auto *pages = find_output<ze_device_readonly_memory_ext_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_DEVICE_READONLY_MEMORY_EXT_PROPERTIES))
      pages->readonlyCapability = ZE_DEVICE_READONLY_MEMORY_CAPABILITY_ENFORCED;
    if (auto *graphs = find_output<ze_record_replay_graph_ext_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_RECORD_REPLAY_GRAPH_EXT_PROPERTIES))
      graphs->graphFlags = ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_IMMUTABLE_GRAPH |
                           ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_SUBGRAPHS |
                           ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_APPEND_COMMANDLIST;
  });
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t device,
                                         ze_device_compute_properties_t *properties) {
  return query(device, properties, [](ze_device_compute_properties_t &p) {
    p.maxTotalGroupSize = max_group_size;
    p.maxGroupSizeX = p.maxGroupSizeY = p.maxGroupSizeZ = max_group_size;
    p.maxGroupCountX = p.maxGroupCountY = p.maxGroupCountZ = INT32_MAX;
    p.maxSharedLocalMemory = max_local_bytes;
    p.numSubGroupSizes = 1;
    p.subGroupSizes[0] = sub_group_size;
  });
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t device,
                                        ze_device_module_properties_t *properties) {
  return query(device, properties, [](ze_device_module_properties_t &p) {
    p.spirvVersionSupported = ZE_MAKE_VERSION(1, 4);
    p.flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 |
              ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
    p.fp16flags = p.fp32flags = p.fp64flags = full_floating_point;
    p.maxArgumentsSize = max_arguments_bytes;
    p.printfBufferSize = 1 << 20;
    if (auto *hints = find_output<ze_scheduling_hint_exp_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES))
      hints->schedulingHintFlags = all_scheduling_hints;
    if (auto *atomics = find_output<ze_float_atomic_ext_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)) {
      constexpr ze_device_fp_atomic_ext_flags_t all =
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX |
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD |
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
      atomics->fp16Flags = atomics->fp32Flags = atomics->fp64Flags = all;
    }
  });
}

ze_result_t
zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                       ze_command_queue_group_properties_t *properties) {
  return query_each(device, queue_group_count, count, properties,
                    [](uint32_t group, ze_command_queue_group_properties_t &p) {
                      p.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
                      if (group != copy_group)
                        p.flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                                   ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
                      p.maxMemoryFillPatternSize = max_pattern_bytes;
                      p.numQueues = queues_per_group;
                    });
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                        ze_device_memory_properties_t *properties) {
  return query_one(device, count, properties, [](ze_device_memory_properties_t &p) {
    p.maxClockRate = 0; // the machine does not tell
    p.maxBusWidth = 64;
    p.totalSize = machine_memory_bytes();
    copy_text(p.name, "system memory");
  });
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                              ze_device_memory_access_properties_t *properties) {
  return query(device, properties, [](ze_device_memory_access_properties_t &p) {
    p.hostAllocCapabilities = p.deviceAllocCapabilities = p.sharedSingleDeviceAllocCapabilities =
        p.sharedCrossDeviceAllocCapabilities = full_access;
    p.sharedSystemAllocCapabilities = is_checking() ? 0 : full_access;
  });
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                       ze_device_cache_properties_t *properties) {
  return query_one(device, count, properties, [](ze_device_cache_properties_t &p) {
    for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
      const long bytes = sysconf(level);
      if (bytes > 0) {
        p.cacheSize = static_cast<size_t>(bytes);
        return;
      }
    }
  });
}

ze_result_t zeDeviceGetImageProperties(ze_device_handle_t device,
                                       ze_device_image_properties_t *properties) {
  return query(device, properties, [](ze_device_image_properties_t &p) {
    p.maxImageDims1D = max_image_1d;
    p.maxImageDims2D = max_image_2d;
    p.maxImageDims3D = max_image_3d;
    p.maxImageBufferSize = max_image_buffer_bytes;
    p.maxImageArraySlices = max_image_layers;
    // As many as there is room for among the arguments.
    p.maxSamplers = p.maxReadImageArgs = p.maxWriteImageArgs = max_arguments_bytes / sizeof(void *);
    if (auto *linear = find_output<ze_device_pitched_alloc_exp_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES))
      linear->maxImageLinearWidth = linear->maxImageLinearHeight = max_image_2d;
    if (auto *pitch = find_output<ze_pitched_alloc_2dimage_linear_pitch_exp_info_t>(
            p.pNext, ZE_STRUCTURE_TYPE_PITCHED_ALLOC_2DIMAGE_LINEAR_PITCH_EXP_INFO)) {
      pitch->pitchAlign = 1;
      pitch->maxSupportedPitch = UINT32_MAX;
    }
  });
}

ze_result_t
zeDeviceGetExternalMemoryProperties(ze_device_handle_t device,
                                    ze_device_external_memory_properties_t *properties) {
  return query(device, properties,
               [](ze_device_external_memory_properties_t &p) {
                 p.memoryAllocationImportTypes = p.memoryAllocationExportTypes = file_types;
               });
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t device, ze_device_handle_t peer,
                                     ze_device_p2p_properties_t *properties) {
  if (device && !peer)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return query(device, properties, [](ze_device_p2p_properties_t &p) {
    p.flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  });
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t device, ze_device_handle_t peer,
                                  ze_bool_t *value) {
  return entry([&]() -> ze_result_t {
    if (any_null(device, peer))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!value)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *value = true; // one memory
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t device) {
  // A faulting kernel loses its list, never the device.
  return entry([&]() -> ze_result_t {
    return device ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  });
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host,
                                        uint64_t *device_ticks) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(host, device_ticks))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *host = now_ns(); // one clock
    *device_ticks = device_time(*host);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceSynchronize(ze_device_handle_t device) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (const Point &point : submitted_work(object<Device>(device))) {
      point.counter->wait(point.value, Deadline(UINT64_MAX));
      if (point.is_lost())
        result = ZE_RESULT_ERROR_DEVICE_LOST;
    }
    return result;
  });
}

ze_result_t zeDeviceGetCounterBasedEventMaxValue(ze_device_handle_t device, uint64_t *value) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!value)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *value = UINT64_MAX;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t
zeDeviceGetVectorWidthPropertiesExt(ze_device_handle_t device, uint32_t *count,
                                    ze_device_vector_width_properties_ext_t *properties) {
  return query_one(device, count, properties, [](ze_device_vector_width_properties_ext_t &p) {
    // Kernels are vectorised across work-items: a kernel's own vectors gain nothing.
    p.preferred_vector_width_char = p.preferred_vector_width_short = p.preferred_vector_width_int =
        p.preferred_vector_width_long = p.preferred_vector_width_float =
            p.preferred_vector_width_double = p.preferred_vector_width_half = 1;
    constexpr uint32_t bytes = vector_bytes;
    p.vector_width_size = bytes;
    p.native_vector_width_char = bytes;
    p.native_vector_width_short = p.native_vector_width_half = bytes / 2;
    p.native_vector_width_int = p.native_vector_width_float = bytes / 4;
    p.native_vector_width_long = p.native_vector_width_double = bytes / 8;
  });
}

} // namespace ze_cpu
