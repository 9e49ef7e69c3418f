// What every handle points to begins with four table pointers, so that the loader can dispatch by
// the handle alone (extension ZE_extension_driver_ddi_handles): no wrapper objects, whatever other
// drivers are loaded.
#pragma once

#include <level_zero/ze_ddi_common.h>

namespace ze_driver {

/// The tables that handles point to.
extern ze_handle_t handle_tables;

/// First base of everything that the application gets a handle of. Not polymorphic: the tables come
/// first in memory.
struct Handle {
  ze_handle_t tables = handle_tables;
};

} // namespace ze_driver
