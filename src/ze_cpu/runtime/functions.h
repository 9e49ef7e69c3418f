// Functions of our own that generated code calls.
#pragma once

#include <span>

namespace ze_cpu {

struct RuntimeFunction {
  const char *name;
  void *address;
};

std::span<const RuntimeFunction> runtime_functions();

} // namespace ze_cpu
