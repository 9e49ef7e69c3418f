// A tool that prints what it is told of marks and ranges.
#include "../../src/common/tool.h"

#include <cinttypes>
#include <cstdio>

extern "C" [[gnu::visibility("default")]] int chip_tool_attach(const chip_tool_interface *) {
  return 0;
}

extern "C" [[gnu::visibility("default")]] void chip_tool_marker(uint32_t kind, const char *message,
                                                                uint64_t id) {
  std::printf("%" PRIu32 " '%s' %" PRIu64 "\n", kind, message ? message : "", id);
}
