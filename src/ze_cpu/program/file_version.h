// Whether a file is still the one that it was.
#pragma once

#include <cstdint>
#include <string>

namespace ze_cpu {

/// A file, and what changes with it.
struct FileVersion {
  std::string path;
  uint64_t device = 0, inode = 0, size = 0;
  int64_t seconds = 0, nanoseconds = 0; // of its last change

  /// That of a file that is not there is empty but for its path.
  static FileVersion of(std::string path);
  bool operator==(const FileVersion &) const = default;
};

} // namespace ze_cpu
