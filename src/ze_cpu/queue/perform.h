// What commands do on the processors.
#pragma once

#include "../../ze_driver/records/command.h"
#include "../exec/execute.h"

namespace ze_cpu {

/// Does what the command is for (all but what QueueBackend::step() sees to), a launch with the
/// threads of `device`. A fault of a kernel is returned.
Fault perform(ze_driver::Command &command, unsigned device);

} // namespace ze_cpu
