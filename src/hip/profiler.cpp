// HIP API reference: Profiler control.
#include "../runtime/code/program.h"
#include "../runtime/streams/stream.h"
#include "entry.h"

#include <tuple>

using namespace chip;
using chip::hip::entry;

// The numbers are those that AMD's profilers give to functions: there are none here.
const char *hipApiName(uint32_t) { return "unknown"; }

const char *hipKernelNameRef(const hipFunction_t function) {
  const char *name = nullptr;
  if (function)
    std::ignore = entry([&] { name = find_function(function).target.name.c_str(); });
  return name;
}

const char *hipKernelNameRefByPtr(const void *function, hipStream_t stream) {
  const char *name = nullptr;
  std::ignore =
      entry([&] { name = find_kernel(function, *resolve(stream).device).target.name.c_str(); });
  return name;
}
