#include "facts.h"

#include "contract/program.h"
#include "exec/checking.h"
#include "exec/execute.h"
#include "exec/pool.h"

#include "../ze_driver/events/clock.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <format>
#include <fstream>
#include <string>
#include <string_view>

namespace ze_cpu {

using ze_driver::DeviceFacts;

namespace {

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
  // Never destroyed: threads may ask until the process is gone.
  static const auto &name = *new std::string([] {
    std::string model = processor_info("model name");
    if (!model.empty())
      return model;
    utsname system{};
    return uname(&system) == 0 ? std::string(system.machine) + " processor"
                               : std::string("processor");
  }());
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

/// The counter that kernels read as the clock of the device (jit/codegen/counter.h).
uint64_t read_counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
#error "What counts steadily on this processor is to be read here, and by jit/codegen/counter.h."
#endif
}

/// The counter and the time of the host, read at the same time.
struct Reading {
  uint64_t ticks = 0, ns = 0;

  /// A thread may lose its processor between two readings: the closest ones of a few count.
  static Reading now() {
    Reading best;
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 5; ++i) {
      const uint64_t before = ze_driver::now_ns(), ticks = read_counter(),
                     apart = ze_driver::now_ns() - before;
      if (apart < shortest) {
        shortest = apart;
        best = {ticks, before + apart / 2};
      }
    }
    return best;
  }
};

const Reading at_load = Reading::now();

/// That of the counter: what a processor runs at changes all the time.
uint32_t clock_mhz() {
  static const uint32_t mhz = [] {
    constexpr uint64_t long_enough = 250'000; // for an error of a few hundredths of a percent
    Reading now;
    do
      now = Reading::now();
    while (now.ns - at_load.ns < long_enough);
    const double ticks_per_ns =
        static_cast<double>(now.ticks - at_load.ticks) / static_cast<double>(now.ns - at_load.ns);
    return static_cast<uint32_t>(ticks_per_ns * 1000 + 0.5);
  }();
  return mhz;
}

uint64_t cache_bytes() {
  for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(level); bytes > 0)
      return static_cast<uint64_t>(bytes);
  return 0;
}

constexpr ze_device_fp_flags_t full_floating_point =
    ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
    ZE_DEVICE_FP_FLAG_FMA | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;

constexpr ze_device_fp_atomic_ext_flags_t full_atomics =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE |
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;

constexpr ze_memory_access_cap_flags_t full_access =
    ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;

} // namespace

DeviceFacts facts_of(unsigned index, uint64_t memory_bytes) {
  DeviceFacts facts;
  facts.name = processor_name();
  if (Pool::count() > 1) // as many programs tell devices apart by their names
    facts.name = std::format("{} #{}", facts.name.substr(0, ZE_MAX_DEVICE_NAME - 5), index);
  static constexpr uint8_t uuid[ZE_MAX_DEVICE_UUID_SIZE] = {'z', 'e', '_', 'c', 'p',
                                                            'u', 'd', 'e', 'v', 0};
  std::memcpy(facts.uuid, uuid, sizeof uuid);
  facts.uuid[sizeof uuid - 1] = static_cast<uint8_t>(index);
  facts.vendor_id = vendor_id();
  facts.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
  facts.clock_mhz = clock_mhz();
  const unsigned processors = ze_driver::processor_count();
  facts.subslices = std::min(Pool::of(index).width(), processors);
  // As many as can wait for each other in a cooperative launch, in sub-groups.
  facts.threads_per_unit = max_resident_items(processors) / facts.subslices / facts.sub_group_size;

  facts.max_group_size = max_group_size;
  facts.max_local_bytes = 64 * 1024;
  facts.max_argument_bytes = 4096;
  facts.vector_bytes = 16; // that every processor we run on has at least

  facts.spirv_version = ZE_MAKE_VERSION(1, 4);
  facts.module_flags =
      ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  facts.fp16 = facts.fp32 = facts.fp64 = full_floating_point;
  facts.fp16_atomics = facts.fp32_atomics = facts.fp64_atomics = full_atomics;

  facts.memory_name = "system memory";
  facts.memory_bytes = memory_bytes;
  facts.memory_bus_bits = 64;
  facts.cache_bytes = cache_bytes();
  facts.device_access = facts.host_access = facts.shared_access = full_access;
  facts.system_access = is_checking() ? 0 : full_access;
  // One memory.
  facts.peer = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  facts.enforces_read_only = true;

  facts.images = {.max_1d = 65536,
                  .max_2d = 65536,
                  .max_3d = 16384,
                  .max_layers = 16384,
                  .max_buffer_bytes = INT32_MAX, // what a texel's index reaches
                  .pitch_alignment = 64};        // others work too
  return facts;
}

} // namespace ze_cpu
