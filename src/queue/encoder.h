// What operations are appended to: a command list, and what they need beside it.
#pragma once

#include "../ze/command_list.h"
#include "kernel_instances.h"
#include "spill_arena.h"

namespace chip {

/// Of one queue, or of one recording. Not thread-safe: the lock of its queue guards it.
struct Encoder {
  ze::Appender list;
  SpillArena arena; // what commands read after the call that appended them
  KernelInstances kernels;
};

} // namespace chip
