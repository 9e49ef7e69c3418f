// libroctx64.so: hands marks and ranges of a program to the tool that observes it (chip_tool_marker() of common/tool.h).
#include "../common/environment.h"
#include "../common/tool.h"

#include <roctracer/roctx.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

#include <dlfcn.h>

namespace {

using Marker = decltype(&chip_tool_marker);

// What a tool that libCHIP has loaded exports is not in the scope that all see. A tool that it has refused is not
// loaded, and a program without libCHIP has none.
void *find_in_attached_tool() {
  if (!secure_getenv("CHIP_TOOL"))
    return nullptr;
  try {
    const std::string path(common::variable("CHIP_TOOL"));
    void *const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, "chip_tool_marker") : nullptr;
  } catch (...) {
    return nullptr; // there is no memory
  }
}

/// The library that tells collectors of ITT, such as VTune's, lies beside this one.
void *find_for_itt() {
  const char *const collector = secure_getenv("INTEL_LIBITTNOTIFY64");
  Dl_info own;
  if (!collector || *collector == '\0' ||
      dladdr(reinterpret_cast<void *>(&find_for_itt), &own) == 0 || !own.dli_fname)
    return nullptr;
  try {
    const std::string path(own.dli_fname);
    void *const library = dlopen((path.substr(0, path.rfind('/') + 1) + "libchip_itt.so").c_str(),
                                 RTLD_LAZY | RTLD_LOCAL);
    return library ? dlsym(library, "chip_tool_marker") : nullptr;
  } catch (...) {
    return nullptr; // there is no memory
  }
}

void look_up(uint32_t kind, const char *message, uint64_t id);

// The first call looks for those who want to know; those that come later jump to what it has found.
std::atomic<Marker> marker = look_up;
std::atomic<Marker> itt_marker;

void nobody(uint32_t, const char *, uint64_t) {}
std::atomic<Marker> tool_marker = nobody;

void tell_itt_too(uint32_t kind, const char *message, uint64_t id) {
  tool_marker.load(std::memory_order_relaxed)(kind, message, id);
  itt_marker.load(std::memory_order_relaxed)(kind, message, id);
}

void look_up(uint32_t kind, const char *message, uint64_t id) {
  void *found = dlsym(RTLD_DEFAULT, "chip_tool_marker");
  if (!found)
    found = find_in_attached_tool();
  auto function = found ? reinterpret_cast<Marker>(found) : nobody;
  if (void *const itt = find_for_itt()) {
    tool_marker.store(function, std::memory_order_relaxed);
    itt_marker.store(reinterpret_cast<Marker>(itt), std::memory_order_relaxed);
    function = tell_itt_too;
  }
  marker.store(function, std::memory_order_release);
  function(kind, message, id);
}

void tell(chip_tool_marker_kind kind, const char *message, uint64_t id) {
  marker.load(std::memory_order_acquire)(kind, message, id);
}

const char *or_empty(const char *message) { return message ? message : ""; }

thread_local int level;

/// The ranges of the process that have begun and not ended. Never destroyed: programs end ranges until they have ended.
struct Ranges {
  std::mutex mutex;
  std::set<roctx_range_id_t> open;
  roctx_range_id_t last = 0;
};
Ranges &ranges() {
  static Ranges &all = *new Ranges;
  return all;
}

} // namespace

uint32_t roctx_version_major() { return ROCTX_VERSION_MAJOR; }
uint32_t roctx_version_minor() { return ROCTX_VERSION_MINOR; }

void roctxMarkA(const char *message) { tell(CHIP_TOOL_MARKER_POINT, or_empty(message), 0); }

int roctxRangePushA(const char *message) {
  tell(CHIP_TOOL_MARKER_PUSH, or_empty(message), 0);
  return level++;
}

int roctxRangePop() {
  if (level == 0)
    return -1;
  tell(CHIP_TOOL_MARKER_POP, nullptr, 0);
  return --level;
}

roctx_range_id_t roctxRangeStartA(const char *message) {
  roctx_range_id_t id = 0;
  try {
    Ranges &all = ranges();
    const std::lock_guard lock(all.mutex);
    all.open.insert(all.last + 1);
    id = ++all.last;
  } catch (...) {
    return 0; // there is no memory
  }
  tell(CHIP_TOOL_MARKER_START, or_empty(message), id);
  return id;
}

void roctxRangeStop(roctx_range_id_t id) {
  bool was_open = false;
  try {
    Ranges &all = ranges();
    const std::lock_guard lock(all.mutex);
    was_open = all.open.erase(id) != 0;
  } catch (...) {
    return; // there is no memory for any range
  }
  if (was_open)
    tell(CHIP_TOOL_MARKER_STOP, nullptr, id);
}
