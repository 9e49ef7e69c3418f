#include "facts.h"

#include "../../common/environment.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ze_opencl {
namespace {

template <class Number> Number number(cl_device_id device, cl_device_info which) {
  Number value{};
  if (api().GetDeviceInfo(device, which, sizeof value, &value, nullptr) != CL_SUCCESS)
    return {};
  return value;
}

ze_device_fp_flags_t fp_flags(cl_device_fp_config config) {
  constexpr std::pair<cl_device_fp_config, ze_device_fp_flag_t> names[] = {
      {CL_FP_DENORM, ZE_DEVICE_FP_FLAG_DENORM},
      {CL_FP_INF_NAN, ZE_DEVICE_FP_FLAG_INF_NAN},
      {CL_FP_ROUND_TO_NEAREST, ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST},
      {CL_FP_ROUND_TO_ZERO, ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO},
      {CL_FP_ROUND_TO_INF, ZE_DEVICE_FP_FLAG_ROUND_TO_INF},
      {CL_FP_FMA, ZE_DEVICE_FP_FLAG_FMA},
      {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT},
      {CL_FP_SOFT_FLOAT, ZE_DEVICE_FP_FLAG_SOFT_FLOAT}};
  ze_device_fp_flags_t flags = 0;
  for (const auto &[theirs, ours] : names)
    if (config & theirs)
      flags |= ours;
  return flags;
}

ze_device_fp_atomic_ext_flags_t fp_atomic_flags(cl_device_fp_atomic_capabilities_ext capabilities) {
  constexpr std::pair<cl_device_fp_atomic_capabilities_ext, ze_device_fp_atomic_ext_flag_t>
      names[] = {
          {CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT,
           ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE},
          {CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD},
          {CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX},
          {CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE},
          {CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD},
          {CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX}};
  ze_device_fp_atomic_ext_flags_t flags = 0;
  for (const auto &[theirs, ours] : names)
    if (capabilities & theirs)
      flags |= ours;
  return flags;
}

/// The number in "OpenCL 2.1 ...": 21; 0 if there is none.
int opencl_version(std::string_view text) {
  constexpr std::string_view prefix = "OpenCL ";
  if (!text.starts_with(prefix))
    return 0;
  int major = 0, minor = 0;
  const char *const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data() + prefix.size(), end, major);
  if (error != std::errc() || dot == end || *dot != '.' || major < 0 || major > 99)
    return 0;
  std::from_chars(dot + 1, end, minor);
  return major * 10 + std::clamp(minor, 0, 9);
}

/// The newest of "SPIR-V_1.0 SPIR-V_1.2 ...", as in a module's header; 0 if there is none.
uint32_t newest_spirv(std::string_view list) {
  constexpr std::string_view prefix = "SPIR-V_";
  uint32_t newest = 0;
  for (size_t at = list.find(prefix); at != list.npos; at = list.find(prefix, at + 1)) {
    const std::string_view version = list.substr(at + prefix.size());
    uint32_t major = 0, minor = 0;
    const char *const end = version.data() + version.size();
    const auto [dot, error] = std::from_chars(version.data(), end, major);
    if (error != std::errc() || dot == end || *dot != '.' || major > 255)
      continue;
    std::from_chars(dot + 1, end, minor);
    newest = std::max(newest, major << 16 | (minor & 255) << 8);
  }
  return newest;
}

bool has_sub_groups_of_32(cl_device_id device) {
  size_t bytes = 0;
  if (api().GetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes) !=
      CL_SUCCESS)
    return false;
  std::vector<size_t> sizes(std::min<size_t>(bytes / sizeof(size_t), 64));
  return api().GetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizes.size() * sizeof(size_t),
                             sizes.data(), nullptr) == CL_SUCCESS &&
         std::ranges::contains(sizes, size_t{32});
}

FloatAtomics float_atomics(ze_device_fp_atomic_ext_flags_t flags) {
  return {.add = (flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD) != 0,
          .min_max = (flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX) != 0};
}

/// The text that `ask` answers; empty if it does not, or if it is too long to be meant.
template <class Ask> std::string text_from(Ask ask) {
  constexpr size_t most_bytes = 1 << 20;
  size_t bytes = 0;
  if (ask(0, nullptr, &bytes) != CL_SUCCESS || bytes == 0 || bytes > most_bytes)
    return {};
  std::string text(bytes, '\0');
  if (ask(bytes, text.data(), nullptr) != CL_SUCCESS)
    return {};
  text.resize(std::strlen(text.c_str())); // it may lack an end
  return std::string(common::trimmed(text));
}

std::string readable(std::string name) {
  constexpr size_t most_bytes = ZE_MAX_DEVICE_NAME - 1;
  name.resize(std::min(name.size(), most_bytes));
  std::ranges::replace_if(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return name;
}

} // namespace

std::string text_of(cl_device_id device, cl_device_info which) {
  return text_from([&](size_t size, void *value, size_t *needed) {
    return api().GetDeviceInfo(device, which, size, value, needed);
  });
}

std::string name_of(cl_device_id device) { return readable(text_of(device, CL_DEVICE_NAME)); }

std::string text_of(cl_platform_id platform, cl_platform_info which) {
  return text_from([&](size_t size, void *value, size_t *needed) {
    return api().GetPlatformInfo(platform, which, size, value, needed);
  });
}

std::string name_of(cl_platform_id platform) {
  return readable(text_of(platform, CL_PLATFORM_NAME));
}

std::string names_of(cl_platform_id platform) {
  return name_of(platform) + '\n' + text_of(platform, CL_PLATFORM_VERSION);
}

cl_device_svm_capabilities svm_capabilities(cl_device_id device) {
  return number<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);
}

bool has_extension(std::string_view list, std::string_view name) {
  for (size_t at = list.find(name); at != list.npos; at = list.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' '))
      return true;
  }
  return false;
}

std::string describe(Device &device) {
  const cl_device_id id = device.id;
  Abilities &abilities = device.abilities;
  ze_driver::DeviceFacts &facts = device.facts;
  facts.name = name_of(id);
  if (facts.name.empty())
    return "it does not tell its name";
  if (number<cl_bool>(id, CL_DEVICE_AVAILABLE) != CL_TRUE ||
      number<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) != CL_TRUE)
    return "it, or its compiler, is not available";
  const int version = opencl_version(text_of(id, CL_DEVICE_VERSION));
  if (version < 21)
    return "it has no OpenCL 2.1 or later";
  abilities.spirv_version = newest_spirv(text_of(id, CL_DEVICE_IL_VERSION));
  if (abilities.spirv_version == 0)
    return "it takes no SPIR-V (cl_khr_il_program, or OpenCL 2.1)";
  if (number<cl_uint>(id, CL_DEVICE_ADDRESS_BITS) != 64)
    return "its addresses do not have 64 bits";
  const std::string extensions = text_of(id, CL_DEVICE_EXTENSIONS);
  const auto has = [&](std::string_view name) { return has_extension(extensions, name); };
  abilities.sub_groups = has("cl_intel_required_subgroup_size") && has_sub_groups_of_32(id);
  abilities.sub_group_ballot = has("cl_khr_subgroup_ballot");
  abilities.sub_group_shuffle =
      has("cl_khr_subgroup_shuffle") && has("cl_khr_subgroup_shuffle_relative");
  abilities.sub_group_arithmetic = has("cl_khr_subgroup_non_uniform_arithmetic");
  abilities.sub_group_vote = has("cl_khr_subgroup_non_uniform_vote");
  abilities.clock = has("cl_khr_kernel_clock");
  cl_device_atomic_capabilities scopes = CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  api().GetDeviceInfo(id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof scopes, &scopes, nullptr);
  abilities.all_devices_scope = (scopes & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) != 0;
  // Devices of OpenCL 2 have them all, and do not answer.
  cl_bool generic = CL_TRUE;
  api().GetDeviceInfo(id, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof generic, &generic,
                      nullptr);
  abilities.generic_pointers = generic == CL_TRUE;
  const auto fp64 = number<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG);
  const auto fp16 = number<cl_device_fp_config>(id, CL_DEVICE_HALF_FP_CONFIG);
  abilities.int64_atomics =
      has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics");

  facts.vendor_id = number<cl_uint>(id, CL_DEVICE_VENDOR_ID);
  const auto type = number<cl_device_type>(id, CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_CPU) || number<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY))
    facts.flags |= ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  // That of the counter which kernels read. Where the device has none, the driver's counts nanoseconds (program/kernel_clock.h):
  // programs divide one by the other to wait for a time.
  facts.clock_mhz = abilities.clock ? number<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY) : 1000;
  facts.subslices = std::max<cl_uint>(number<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS), 1);
  // Where there are none, what a work-item is in its own is computed for this size.
  facts.has_sub_groups = abilities.sub_groups;
  facts.cooperative_launches = false; // OpenCL promises no progress between work-groups
  facts.max_group_size = static_cast<uint32_t>(number<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  facts.threads_per_unit = std::max(facts.max_group_size / facts.sub_group_size, 1u);
  facts.max_local_bytes = static_cast<uint32_t>(number<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE));
  facts.max_argument_bytes =
      static_cast<uint32_t>(number<size_t>(id, CL_DEVICE_MAX_PARAMETER_SIZE));
  facts.spirv_version =
      ZE_MAKE_VERSION(abilities.spirv_version >> 16, abilities.spirv_version >> 8 & 255);
  const bool has_fp16 = fp16 != 0 && has("cl_khr_fp16");
  abilities.fp64 = fp64 != 0;
  abilities.fp16 = has_fp16;
  if (abilities.fp64)
    facts.module_flags |= ZE_DEVICE_MODULE_FLAG_FP64;
  if (has_fp16)
    facts.module_flags |= ZE_DEVICE_MODULE_FLAG_FP16;
  if (abilities.int64_atomics)
    facts.module_flags |= ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  facts.fp16 = has_fp16 ? fp_flags(fp16) : 0;
  facts.fp32 = fp_flags(number<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG));
  facts.fp64 = fp_flags(fp64);
  if (has("cl_ext_float_atomics")) {
    using Capabilities = cl_device_fp_atomic_capabilities_ext;
    facts.fp16_atomics =
        fp_atomic_flags(number<Capabilities>(id, CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT));
    facts.fp32_atomics =
        fp_atomic_flags(number<Capabilities>(id, CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT));
    facts.fp64_atomics =
        fp_atomic_flags(number<Capabilities>(id, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT));
  }
  abilities.fp16_atomics = float_atomics(facts.fp16_atomics);
  abilities.fp32_atomics = float_atomics(facts.fp32_atomics);
  abilities.fp64_atomics = float_atomics(facts.fp64_atomics);
  facts.memory_name = "global memory";
  facts.memory_bytes = number<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.cache_bytes = number<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  if (facts.max_group_size == 0 || facts.max_argument_bytes == 0 || facts.memory_bytes == 0)
    return "it does not tell its limits";
  device.has_profiling_timer = number<cl_ulong>(id, CL_DEVICE_PROFILING_TIMER_RESOLUTION) != 0;
  return {};
}

void describe_memory(Device &device) {
  ze_driver::DeviceFacts &facts = device.facts;
  constexpr ze_memory_access_cap_flags_t own =
      ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
  facts.device_access = own;
  facts.host_access = facts.shared_access = facts.system_access = 0;
  switch (device.platform->memory_model) {
  case MemoryModel::system:
  case MemoryModel::fine_svm:
    facts.host_access = own | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
    if (svm_capabilities(device.id) & CL_DEVICE_SVM_ATOMICS)
      facts.host_access |= ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
    facts.device_access = facts.shared_access = facts.host_access;
    if (device.platform->memory_model == MemoryModel::system)
      facts.system_access = facts.host_access;
    break;
  case MemoryModel::unified: {
    const auto access = [&](cl_device_info which) {
      const auto flags =
          number<cl_device_unified_shared_memory_capabilities_intel>(device.id, which);
      return static_cast<ze_memory_access_cap_flags_t>(flags & 15); // the same bits
    };
    static_assert(
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL == ZE_MEMORY_ACCESS_CAP_FLAG_RW &&
        CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL == ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC &&
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL == ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT &&
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL ==
            ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC);
    facts.device_access = access(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
    facts.host_access = access(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
    facts.shared_access = access(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    break;
  }
  case MemoryModel::buffers:
  case MemoryModel::coarse_svm:
    break;
  }
  facts.reaches_imported_memory = device.platform->memory_model == MemoryModel::system;
  if (device.platform->memory_model != MemoryModel::system)
    facts.max_allocation_bytes = number<cl_ulong>(device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}

} // namespace ze_opencl
