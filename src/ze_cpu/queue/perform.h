// What commands do on the processors.
#pragma once

#include "../../ze_driver/records/command.h"
#include "../exec/execute.h"

#include <functional>

namespace ze_cpu {

/// Does what the command is for (all but what QueueBackend::step() sees to), a launch with the
/// threads of `device`. A fault of a kernel is returned.
Fault perform(ze_driver::Command &command, unsigned device);

/// Does launches of one work-group each, the first and then those that `next()` returns after each,
/// up to null or a launch of another kind. A fault is that of the last one. Less work than
/// perform() for each.
Fault perform_launches(ze_driver::Command &first, unsigned device,
                       const std::function<ze_driver::Command *()> &next);

} // namespace ze_cpu
