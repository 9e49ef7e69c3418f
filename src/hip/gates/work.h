// Records of what devices complete, for a tool that asks for them (common/tool.h).
#pragma once

#include "../../common/tool.h"

namespace chip::hip {

/// Puts functions that can tell of work behind the gates, before a tool changes them.
void prepare_records();

/// As chip_tool_interface has them.
int observe_work(chip_tool_work_function function, void *user);
void flush_work();
uint64_t *correlation_of_thread();

/// Gives rocprofiler the functions behind the gates, if that is asked for, and puts what it makes of them in their place.
void register_with_rocprofiler();

/// The exported functions by name, and what they jump to.
struct Gates {
  size_t count;
  const char *const *names;
  void **functions;
};
const Gates &gates();

} // namespace chip::hip
