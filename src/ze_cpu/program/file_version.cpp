#include "file_version.h"

#include <sys/stat.h>

namespace ze_cpu {

FileVersion FileVersion::of(std::string path) {
  FileVersion version{.path = std::move(path)};
  struct stat status = {};
  if (stat(version.path.c_str(), &status) == 0) {
    version.device = status.st_dev;
    version.inode = status.st_ino;
    version.size = static_cast<uint64_t>(status.st_size);
    version.seconds = status.st_mtim.tv_sec;
    version.nanoseconds = status.st_mtim.tv_nsec;
  }
  return version;
}

} // namespace ze_cpu
