// What tells this driver from others, for all folders of the front.
#pragma once

#include "../../common/environment.h"

#include <level_zero/ze_api.h>

#include <cstdint>

namespace ze_driver {

/// By what a driver is known, to programs, to people and to other processes.
struct Identity {
  const char *name; // in what it reports
  /// The names of environment variables that the front reads: chaos.h, clock.h.
  struct Variables {
    const char *chaos, *timestamp_bits, *timestamp_start;
  } variables;
  uint32_t version;
  uint8_t uuid[ZE_MAX_DRIVER_UUID_SIZE];
  char ipc_magic[4];    // of handles for other processes
  char binary_magic[8]; // of native binaries
};

/// The driver's own: Backend::identity().
const Identity &identity();

/// Reads variables that a user sets, and complains in the driver's name.
inline common::Settings settings() { return common::Settings(identity().name); }

} // namespace ze_driver
