// The tool that CHIP_TOOL names (common/tool.h), Intel's collectors, and AMD's tools.
#include "../../common/environment.h"
#include "../../runtime/platform/platform.h"
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
constexpr const char *declined = "it declines";

void refuse(std::string_view why) {
  common::Settings("libCHIP").complain(tool_variable, std::format("is ignored ({})", why),
                                       "the full path of a library that has chip_tool_attach()");
}

std::string_view last_dl_error() {
  const char *const text = dlerror();
  return text ? text : "it cannot be loaded";
}

/// Why the library is not attached; empty if it is.
std::string attach(const char *path) {
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::string(last_dl_error());
  const auto function =
      reinterpret_cast<decltype(&chip_tool_attach)>(dlsym(library, "chip_tool_attach"));
  if (!function) {
    dlclose(library);
    return "it has no chip_tool_attach()";
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
  // Once, as it would undo what a first library has done.
  [[maybe_unused]] static const bool prepared = (chip::hip::prepare_records(), true);
  return function(&interface) == 0 ? "" : declined;
}

// Who runs a program with the rights of another user does not choose its code: secure_getenv() finds nothing then.

void attach_tool() {
  const std::string path(common::variable(tool_variable));
  if (path.empty() || !secure_getenv(tool_variable))
    return;
  if (!path.starts_with('/'))
    return refuse("it is no full path");
  if (const std::string why = attach(path.c_str()); !why.empty() && why != declined)
    refuse(why);
}

/// The library that tells collectors of ITT, such as VTune's, lies beside this one. It comes before the tool, which then does not
/// see that it asks for names of kernels.
void attach_itt() {
  if (const char *const collector = secure_getenv("INTEL_LIBITTNOTIFY64");
      !collector || *collector == '\0')
    return;
  Dl_info own;
  if (dladdr(reinterpret_cast<void *>(&attach_itt), &own) == 0 || !own.dli_fname)
    return;
  const std::string path(own.dli_fname);
  const std::string why = attach((path.substr(0, path.rfind('/') + 1) + "libchip_itt.so").c_str());
  if (!why.empty())
    chip::log(chip::LogLevel::warn, [&] {
      return std::format(
          "INTEL_LIBITTNOTIFY64={}: the collector does not see this program's calls of HIP ({}): "
          "it has to be the full path of a library that has __itt_api_init()",
          secure_getenv("INTEL_LIBITTNOTIFY64"),
          why == declined ? "it cannot be loaded, or takes no tasks" : why);
    });
}

// As the library is loaded: programs register their kernels before main(), and a tool is to see that, too.
[[gnu::constructor]] void attach_when_loaded() {
  try {
    attach_itt();
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
