// A directory in which what was compiled is found again by other processes.
//
// An entry is a file named by its key. It is written aside and renamed, so that at every moment it
// is there as a whole or not at all; nothing is locked. What is found is still believed only if it
// is a file of this user that nobody else can write, and its contents have the hash that it names.
// Whatever does not work (no directory, no space, no permission) only means that nothing is kept.
#pragma once

#include "hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace disk_cache {

class ObjectCache {
public:
  /// No directory: finds and keeps nothing.
  struct Settings {
    std::string directory;
    uint64_t limit = 0;     // bytes; more may lie there for a while
    std::string variable{}; // that has named the directory; empty: nobody has
  };

  /// The directory and the limit that the environment asks for: `variable` is a full path, or
  /// anything else to turn the cache off; unset, it is `folder` below XDG_CACHE_HOME or ~/.cache.
  /// `variable`_MB is the limit.
  static Settings settings(const std::string &variable, const std::string &folder);

  /// Makes the directory, readable for this user only, if it is not there. One that was named and cannot be used is told of,
  /// once in a process.
  explicit ObjectCache(Settings settings);

  /// What store() was given for `key`.
  std::optional<std::string> find(const Hash &key) const;

  void store(const Hash &key, std::string_view content) const;

  /// Removes the entries that were not used for longest until three quarters of the limit are
  /// left, and what processes left behind that died while they wrote.
  void sweep() const;

private:
  std::string file_of(const Hash &key) const;
  void sweep_when_due(uint64_t written) const;

  Settings settings_;
};

} // namespace disk_cache
