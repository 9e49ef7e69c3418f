#include "devices.h"
#include "graphs/executable.h"
#include "memory/memory.h"
#include "platform/platform.h"
#include "streams/event.h"
#include "textures/texture.h"

namespace chip {

int choose_device(const hipDeviceProp_t &wanted) {
  Platform &platform = Platform::get();
  int best = 0, best_score = -1;
  for (int i = 0; i < platform.device_count(); ++i) {
    hipDeviceProp_t found;
    platform.device(i).fill_properties(found);
    const int score = (found.totalGlobalMem >= wanted.totalGlobalMem) * 4 +
                      (found.multiProcessorCount >= wanted.multiProcessorCount) * 2 +
                      (found.major > wanted.major ||
                       (found.major == wanted.major && found.minor >= wanted.minor));
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

unsigned checked_device_flags(unsigned flags) {
  constexpr unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
  const unsigned schedule = flags & hipDeviceScheduleMask;
  if ((flags & ~known) || (schedule & (schedule - 1)))
    throw Error(hipErrorInvalidValue, "`flags` is unknown, or has several ways to wait");
  return flags;
}

void reset_device(Device &device) {
  synchronize(device);
  destroy_executables(device);
  destroy_streams(device);
  destroy_events(device);
  // The memory of textures and arrays is freed with all other.
  forget_textures(device);
  forget_arrays(device);
  free_all_memory(device);
  device.flags = hipDeviceScheduleAuto;
  device.cache_config = hipFuncCachePreferNone;
  device.peers.lock()->clear();
}

} // namespace chip
