// HIP API reference: Profiler control.
#include "../runtime/code/program.h"
#include "../runtime/streams/stream.h"
#include "entry.h"

#include <tuple>

using namespace chip;
using chip::hip::entry;

// Made from gates/api_numbers.txt.
extern "C" {
[[gnu::visibility("hidden")]] extern const char *const chip_api_names[];
[[gnu::visibility("hidden")]] extern const size_t chip_api_name_count;
}

// A profiler that is attached sees the calls themselves; there is nothing to tell it beside them.
hipError_t hipProfilerStart() {
  return entry([] { Platform::get(); });
}
hipError_t hipProfilerStop() {
  return entry([] { Platform::get(); });
}

// hiprtc keeps what it compiles, and finds its headers precompiled where it needs them: programs get none.
void __hipGetPCH(const char **pch, unsigned int *size) {
  if (pch)
    *pch = nullptr;
  if (size)
    *size = 0;
}

const char *hipApiName(uint32_t id) {
  const char *const name = id < chip_api_name_count ? chip_api_names[id] : nullptr;
  return name ? name : "unknown";
}

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
