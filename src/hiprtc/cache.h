// What was compiled, kept for other processes and later: CHIP_RTC_CACHE says where,
// CHIP_RTC_CACHE_MB how much.
#pragma once

#include "../common/object_cache.h"
#include "options.h"
#include "program.h"

#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace chip::hiprtc {

using disk_cache::Hash;

/// Of everything that a compilation depends on and that is known before it.
Hash key_of(const Source &source, const Options &options);
std::string hex(const Hash &hash);

/// The files that a rule for make names as prerequisites, except those below `apart`.
std::vector<std::filesystem::path> files_in_rule(std::string_view rule,
                                                 const std::filesystem::path &apart);

class Cache {
public:
  /// Since when a file must not have changed to be what the compiler has seen.
  struct Watch {
    Watch() { clock_gettime(CLOCK_REALTIME, &start); }
    timespec start;
  };

  Cache();

  /// What was stored, if all the files that it was made of have the contents that they had. A file
  /// that came into being where the compiler would now find it first is not noticed.
  std::optional<Compiled> find(const Hash &key) const;
  void store(const Hash &key, const Compiled &compiled,
             const std::vector<std::filesystem::path> &files, const Watch &watch) const;

private:
  disk_cache::ObjectCache entries_;
};

} // namespace chip::hiprtc
