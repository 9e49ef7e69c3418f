// A tool of common/tool.h that changes nothing: it remembers hipGetDevice as it is behind its gate.
#include "common/tool.h"

#include <string_view>

extern "C" {
[[gnu::visibility("default")]] void *ungated_get_device;

[[gnu::visibility("default")]] int chip_tool_attach(const chip_tool_interface *interface) {
  for (size_t i = 0; i < interface->function_count; ++i)
    if (std::string_view(interface->function_names[i]) == "hipGetDevice")
      ungated_get_device = interface->functions[i];
  return ungated_get_device ? 0 : 1;
}
}
