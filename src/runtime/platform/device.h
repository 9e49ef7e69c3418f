// A HIP device: one Level Zero device and its scheduler.
#pragma once

#include "../../common/guarded.h"
#include "../../queue/scheduler.h"

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <memory>
#include <vector>

namespace chip {

class Bridge;
class Capture;
class DeviceServices;
class MemoryPool;

class Device {
public:
  Device(int ordinal, const ze::Driver &driver, const ze::DeviceInfo &info);
  ~Device();

  int ordinal() const { return ordinal_; }
  const ze::DeviceInfo &info() const { return info_; }
  const ze::Driver &driver() const { return driver_; }
  Scheduler &scheduler() { return scheduler_; }
  const Scheduler &scheduler() const { return scheduler_; }
  /// What hipMallocAsync takes memory from, unless the program has set another pool.
  MemoryPool &default_pool() { return default_pool_; }
  /// What hipMalloc takes small blocks from.
  MemoryPool &small_pool() { return small_pool_; }

  /// What lets its streams wait for work of other drivers.
  Bridge &bridge() { return *bridge_; }
  /// What kernels ask for while they run.
  DeviceServices &services() { return *services_; }

  /// hipGetDeviceProperties: Level Zero's facts in HIP's terms.
  void fill_properties(hipDeviceProp_t &properties) const;
  /// hipDeviceGetAttribute. Throws hipErrorInvalidValue for an attribute that does not exist.
  int attribute(hipDeviceAttribute_t attribute) const;
  /// Free and all memory in bytes; what is free is estimated from our own allocations.
  std::pair<size_t, size_t> memory_info() const;

  /// Bytes of device memory that hipMalloc has given out.
  std::atomic<size_t> allocated_bytes{0};
  /// Refuses what is asked of the null stream while a stream that is ordered with it is captured; else null.
  std::atomic<Capture *> null_stream_capture{nullptr};
  std::atomic<unsigned> flags{hipDeviceScheduleAuto};
  /// A hint that only reads back.
  std::atomic<hipFuncCache_t> cache_config{hipFuncCachePreferNone};
  /// hipDevicePrimaryCtxRetain.
  std::atomic<unsigned> primary_references{0};
  std::atomic<hipSynchronizationPolicy> null_stream_policy{hipSyncPolicyAuto}; // a hint
  /// Whose memory the program has let kernels of this device use.
  common::Guarded<std::vector<const Device *>> peers;
  /// All pools with memory of the device, and the one that hipMallocAsync takes memory from.
  common::Guarded<std::vector<MemoryPool *>> pools;
  std::atomic<MemoryPool *> current_pool;
  /// Whether pools look for what they can do without when the program waits for the device.
  std::atomic<bool> visits_pools{false};

private:
  const int ordinal_;
  const ze::Driver &driver_;
  const ze::DeviceInfo &info_;
  Scheduler scheduler_;
  std::unique_ptr<Bridge> bridge_;
  std::unique_ptr<DeviceServices> services_;
  MemoryPool &default_pool_;
  MemoryPool &small_pool_;
};

/// Whether Level Zero's events and memory of one device mean anything to the other.
inline bool have_one_driver(const Device &a, const Device &b) { return &a.driver() == &b.driver(); }

} // namespace chip
