// AMD's profilers learn of HIP's functions from librocprofiler-register: who wants to see calls changes a table of pointers. The
// tables are made from the gates, and what comes back is put into them.
#include "../../common/environment.h"
#include "../../runtime/platform/platform.h"
#include "work.h"

#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <format>
#include <span>
#include <strings.h>
#include <sys/auxv.h>
#include <vector>

extern "C" {
[[gnu::visibility("hidden")]] extern const int chip_registered_hip[];
[[gnu::visibility("hidden")]] extern const size_t chip_registered_hip_count;
[[gnu::visibility("hidden")]] extern const int chip_registered_hip_compiler[];
[[gnu::visibility("hidden")]] extern const size_t chip_registered_hip_compiler_count;
}

namespace {

using chip::LogLevel;

constexpr const char *library_name = "librocprofiler-register.so.0";

using ImportFunction = uint32_t (*)();
using RegisterFunction = int (*)(const char *library, ImportFunction import, uint32_t version,
                                 void **tables, uint64_t table_count, uint64_t *identifier);

uint32_t version() {
  return 10000 * HIP_VERSION_MAJOR + 100 * HIP_VERSION_MINOR + HIP_VERSION_PATCH;
}

hipError_t lacking_function() { return hipErrorNotSupported; }

/// AMD's spellings of no.
bool is_off(std::string_view text) {
  const std::string value(text);
  return std::ranges::any_of(std::array{"0", "off", "false", "no", "n", "f"},
                             [&](const char *no) { return strcasecmp(value.c_str(), no) == 0; });
}

bool is_wanted() {
  // Who runs a program with the rights of another user does not choose its code.
  if (getauxval(AT_SECURE) != 0 || is_off(common::variable("ROCPROFILER_REGISTER_ENABLED")))
    return false;
  const std::string_view forced = common::variable("ROCPROFILER_REGISTER_FORCE_LOAD");
  if ((!forced.empty() && !is_off(forced)) || !common::variable("ROCP_TOOL_LIBRARIES").empty())
    return true;
  const bool is_there = dlsym(RTLD_DEFAULT, "rocprofiler_configure");
  dlerror(); // the program is not to find that nothing is there
  return is_there;
}

void tell(std::string_view what) {
  chip::log(LogLevel::warn, [&] {
    return std::format("rocprofiler does not see this program's calls ({}): put {} where libraries "
                       "are found, or set ROCPROFILER_REGISTER_ENABLED=0",
                       what, library_name);
  });
}

/// A table as its users know it: its size in bytes, and pointers. It lives as long as the process, as they may keep it.
std::vector<void *> &make_table(std::span<const int> gates) {
  static auto &tables = *new std::array<std::vector<void *>, 2>;
  std::vector<void *> &table = *std::ranges::find_if(tables, &std::vector<void *>::empty);
  table.push_back(reinterpret_cast<void *>((gates.size() + 1) * sizeof(void *)));
  for (const int gate : gates)
    table.push_back(gate < 0 ? reinterpret_cast<void *>(lacking_function)
                             : chip::hip::gates().functions[gate]);
  return table;
}

/// The library may call HIP meanwhile, and goes through the gates as they were.
void register_table(RegisterFunction function, const char *name, std::span<const int> gates) {
  std::vector<void *> &table = make_table(gates);
  const std::vector<void *> before = table;
  std::array<void *, 1> tables{table.data()};
  uint64_t identifier = 0;
  if (const int error =
          function(name, version, version(), tables.data(), tables.size(), &identifier))
    return tell(std::format("{} answers {} to the table {}", library_name, error, name));
  for (size_t i = 0; i < gates.size(); ++i)
    if (void *const changed = table[i + 1]; gates[i] >= 0 && changed && changed != before[i + 1])
      __atomic_store_n(&chip::hip::gates().functions[gates[i]], changed, __ATOMIC_RELEASE);
}

} // namespace

void chip::hip::register_with_rocprofiler() {
  if (!is_wanted())
    return;
  void *const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  const auto function = reinterpret_cast<RegisterFunction>(
      library ? dlsym(library, "rocprofiler_register_library_api_table") : nullptr);
  if (!function) {
    const char *const text = dlerror();
    return tell(text ? text : "it cannot be loaded");
  }
  register_table(function, "hip", {chip_registered_hip, chip_registered_hip_count});
  register_table(function, "hip_compiler",
                 {chip_registered_hip_compiler, chip_registered_hip_compiler_count});
}
