// What devices say of themselves: what they are (device_facts.h) and what the front makes possible on
// any.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "../backend.h"
#include "../lists/command_list.h"
#include "../memory/external_memory.h"
#include "../memory/image.h"
#include "../modules/module.h"
#include "affinity_mask.h"

#include "../memory/allocations.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace ze_driver {
namespace {

const DeviceFacts &facts_of(ze_device_handle_t device) {
  return object<Device>(device).backend.facts();
}

template <size_t size> void copy_text(char (&to)[size], std::string_view from) {
  const size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  std::memset(to + length, 0, size - length);
}

/// The checks that all queries of one structure share.
template <class Properties, class Fill>
ze_result_t query(ze_device_handle_t device, Properties *properties, Fill fill) {
  return entry(required(device, properties), [&]() -> ze_result_t {
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
  return entry(required(device, count), [&]() -> ze_result_t {
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
  return entry(required(driver, count), [&]() -> ze_result_t {
    const std::vector<unsigned> &visible = visible_devices();
    return enumerate(static_cast<uint32_t>(visible.size()), count, handles,
                     [&](uint32_t i, auto &handle) { handle = handle_of(devices()[visible[i]]); });
  });
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root) {
  return entry(required(device, root), [&]() -> ze_result_t {
    *root = nullptr; // it is one itself
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t device, uint32_t *count,
                                  ze_device_handle_t *) {
  return entry(required(device, count), [&]() -> ze_result_t {
    *count = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  return query(device, properties, [&](ze_device_properties_t &p) {
    const DeviceFacts &facts = facts_of(device);
    p.type = ZE_DEVICE_TYPE_GPU; // what programs look for
    p.vendorId = facts.vendor_id;
    p.flags = facts.flags;
    p.coreClockRate = facts.clock_mhz;
    p.maxMemAllocSize =
        facts.max_allocation_bytes ? facts.max_allocation_bytes : facts.memory_bytes;
    p.maxHardwareContexts = queues_per_group;
    p.maxCommandQueuePriority = 0;
    p.numThreadsPerEU = facts.threads_per_unit;
    p.physicalEUSimdWidth = facts.sub_group_size;
    p.numEUsPerSubslice = facts.execution_units;
    p.numSubslicesPerSlice = facts.subslices;
    p.numSlices = facts.slices;
    // Nanoseconds per tick, or ticks per second, by the version of the structure.
    p.timerResolution = p.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000 : 1;
    p.timestampValidBits = p.kernelTimestampValidBits = device_time_bits();
    std::memcpy(p.uuid.id, facts.uuid, sizeof facts.uuid);
    copy_text(p.name, facts.name);
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
      pages->readonlyCapability = facts.enforces_read_only
                                      ? ZE_DEVICE_READONLY_MEMORY_CAPABILITY_ENFORCED
                                      : ZE_DEVICE_READONLY_MEMORY_CAPABILITY_NONE;
    if (auto *graphs = find_output<ze_record_replay_graph_ext_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_RECORD_REPLAY_GRAPH_EXT_PROPERTIES))
      graphs->graphFlags = ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_IMMUTABLE_GRAPH |
                           ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_SUBGRAPHS |
                           ZE_RECORD_REPLAY_GRAPH_EXT_FLAG_APPEND_COMMANDLIST;
  });
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t device,
                                         ze_device_compute_properties_t *properties) {
  return query(device, properties, [&](ze_device_compute_properties_t &p) {
    const DeviceFacts &facts = facts_of(device);
    p.maxTotalGroupSize = facts.max_group_size;
    p.maxGroupSizeX = p.maxGroupSizeY = p.maxGroupSizeZ = facts.max_group_size;
    p.maxGroupCountX = p.maxGroupCountY = p.maxGroupCountZ = INT32_MAX;
    p.maxSharedLocalMemory = facts.max_local_bytes;
    p.numSubGroupSizes = facts.has_sub_groups ? 1 : 0;
    p.subGroupSizes[0] = facts.sub_group_size;
  });
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t device,
                                        ze_device_module_properties_t *properties) {
  return query(device, properties, [&](ze_device_module_properties_t &p) {
    const DeviceFacts &facts = facts_of(device);
    p.spirvVersionSupported = facts.spirv_version;
    p.flags = facts.module_flags;
    p.fp16flags = facts.fp16;
    p.fp32flags = facts.fp32;
    p.fp64flags = facts.fp64;
    p.maxArgumentsSize = facts.max_argument_bytes;
    p.printfBufferSize = 1 << 20;
    if (auto *hints = find_output<ze_scheduling_hint_exp_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES))
      hints->schedulingHintFlags = all_scheduling_hints;
    if (auto *atomics = find_output<ze_float_atomic_ext_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)) {
      atomics->fp16Flags = facts.fp16_atomics;
      atomics->fp32Flags = facts.fp32_atomics;
      atomics->fp64Flags = facts.fp64_atomics;
    }
  });
}

ze_result_t
zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                       ze_command_queue_group_properties_t *properties) {
  return query_each(device, queue_group_count, count, properties,
                    [&](uint32_t group, ze_command_queue_group_properties_t &p) {
                      p.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
                      if (group != copy_group)
                        p.flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
                      if (group != copy_group && facts_of(device).cooperative_launches)
                        p.flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
                      p.maxMemoryFillPatternSize = max_pattern_bytes;
                      p.numQueues = queues_per_group;
                    });
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                        ze_device_memory_properties_t *properties) {
  return query_one(device, count, properties, [&](ze_device_memory_properties_t &p) {
    const DeviceFacts &facts = facts_of(device);
    p.maxClockRate = 0; // not known
    p.maxBusWidth = facts.memory_bus_bits;
    p.totalSize = facts.memory_bytes;
    copy_text(p.name, facts.memory_name);
  });
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                              ze_device_memory_access_properties_t *properties) {
  return query(device, properties, [&](ze_device_memory_access_properties_t &p) {
    const DeviceFacts &facts = facts_of(device);
    p.deviceAllocCapabilities = facts.device_access;
    p.hostAllocCapabilities = facts.host_access;
    p.sharedSingleDeviceAllocCapabilities = p.sharedCrossDeviceAllocCapabilities =
        facts.shared_access;
    p.sharedSystemAllocCapabilities = facts.system_access;
  });
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                       ze_device_cache_properties_t *properties) {
  return query_one(device, count, properties, [&](ze_device_cache_properties_t &p) {
    p.cacheSize = facts_of(device).cache_bytes;
  });
}

ze_result_t zeDeviceGetImageProperties(ze_device_handle_t device,
                                       ze_device_image_properties_t *properties) {
  return query(device, properties, [&](ze_device_image_properties_t &p) {
    const ImageLimits &limits = facts_of(device).images;
    p.maxImageDims1D = limits.max_1d;
    p.maxImageDims2D = limits.max_2d;
    p.maxImageDims3D = limits.max_3d;
    p.maxImageBufferSize = limits.max_buffer_bytes;
    p.maxImageArraySlices = limits.max_layers;
    // As many as there is room for among the arguments.
    p.maxSamplers = p.maxReadImageArgs = p.maxWriteImageArgs =
        object<Device>(device).backend.images()
            ? static_cast<uint32_t>(facts_of(device).max_argument_bytes / sizeof(void *))
            : 0;
    if (auto *linear = find_output<ze_device_pitched_alloc_exp_properties_t>(
            p.pNext, ZE_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES))
      linear->maxImageLinearWidth = linear->maxImageLinearHeight = limits.max_2d;
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
  return query(device, properties, [](ze_device_external_memory_properties_t &p) {
    p.memoryAllocationImportTypes = p.memoryAllocationExportTypes = file_types;
  });
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t device, ze_device_handle_t peer,
                                     ze_device_p2p_properties_t *properties) {
  if (device && !peer)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return query(device, properties, [&](ze_device_p2p_properties_t &p) {
    p.flags = device == peer
                  ? ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS
                  : facts_of(device).peer;
  });
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t device, ze_device_handle_t peer,
                                  ze_bool_t *value) {
  return entry(required(device, peer, value), [&]() -> ze_result_t {
    *value = device == peer || (facts_of(device).peer & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS) != 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t device) {
  // A faulting kernel loses its list, never the device.
  return entry(required(device));
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host,
                                        uint64_t *device_ticks) {
  return entry(required(device, host, device_ticks), [&]() -> ze_result_t {
    *host = now_ns(); // one clock
    *device_ticks = device_time(*host);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeDeviceSynchronize(ze_device_handle_t device) {
  return entry(required(device), [&]() -> ze_result_t {
    return synchronize_queues(object<Device>(device)) ? ZE_RESULT_SUCCESS
                                                      : ZE_RESULT_ERROR_DEVICE_LOST;
  });
}

ze_result_t zeDeviceGetCounterBasedEventMaxValue(ze_device_handle_t device, uint64_t *value) {
  return entry(required(device, value), [&]() -> ze_result_t {
    *value = UINT64_MAX;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t
zeDeviceGetVectorWidthPropertiesExt(ze_device_handle_t device, uint32_t *count,
                                    ze_device_vector_width_properties_ext_t *properties) {
  return query_one(device, count, properties, [&](ze_device_vector_width_properties_ext_t &p) {
    // Kernels are vectorised across work-items: a kernel's own vectors gain nothing.
    p.preferred_vector_width_char = p.preferred_vector_width_short = p.preferred_vector_width_int =
        p.preferred_vector_width_long = p.preferred_vector_width_float =
            p.preferred_vector_width_double = p.preferred_vector_width_half = 1;
    const uint32_t bytes = facts_of(device).vector_bytes;
    p.vector_width_size = bytes;
    p.native_vector_width_char = bytes;
    p.native_vector_width_short = p.native_vector_width_half = bytes / 2;
    p.native_vector_width_int = p.native_vector_width_float = bytes / 4;
    p.native_vector_width_long = p.native_vector_width_double = bytes / 8;
  });
}

} // namespace ze_driver
