// The tool that CHIP_TOOL names (common/tool.h), and AMD's.
#include "../../common/environment.h"
#include "work.h"

#include <cstdlib>
#include <dlfcn.h>
#include <format>

extern "C" {
[[gnu::visibility("hidden")]] extern void *chip_gates[];
[[gnu::visibility("hidden")]] extern const char *const chip_gate_names[];
[[gnu::visibility("hidden")]] extern const size_t chip_gate_count;
}

namespace {

constexpr const char *tool_variable = "CHIP_TOOL";

void refuse(std::string_view why) {
  common::Settings("libCHIP").complain(tool_variable, std::format("is ignored ({})", why),
                                       "the full path of a library that has chip_tool_attach()");
}

std::string_view last_dl_error() {
  const char *const text = dlerror();
  return text ? text : "it cannot be loaded";
}

void attach_tool() {
  const std::string path(common::variable(tool_variable));
  // Who runs a program with the rights of another user does not choose its code.
  if (path.empty() || !secure_getenv(tool_variable))
    return;
  if (!path.starts_with('/'))
    return refuse("it is no full path");
  void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return refuse(last_dl_error());
  const auto attach =
      reinterpret_cast<decltype(&chip_tool_attach)>(dlsym(library, "chip_tool_attach"));
  if (!attach) {
    refuse("it has no chip_tool_attach()");
    dlclose(library);
    return;
  }
  static const chip_tool_interface interface{.size = sizeof interface,
                                             .version = CHIP_TOOL_VERSION,
                                             .reserved = 0,
                                             .function_count = chip_gate_count,
                                             .function_names = chip_gate_names,
                                             .functions = chip_gates,
                                             .observe_work = chip::hip::observe_work,
                                             .flush_work = chip::hip::flush_work,
                                             .correlation_of_thread =
                                                 chip::hip::correlation_of_thread};
  chip::hip::prepare_records();
  attach(&interface);
}

// As the library is loaded: programs register their kernels before main(), and a tool is to see that, too.
[[gnu::constructor]] void attach_when_loaded() {
  try {
    attach_tool();
    chip::hip::register_with_rocprofiler();
  } catch (...) {
    // No memory to say what is wrong: the program runs without the tool.
  }
}

} // namespace

const chip::hip::Gates &chip::hip::gates() {
  static const Gates all{chip_gate_count, chip_gate_names, chip_gates};
  return all;
}
