#include "ipc_handle.h"
#include "../../common/processes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <compare>
#include <map>
#include <mutex>

namespace ze_driver {
namespace {

struct FileIdentity {
  uint64_t file_system, inode;
  auto operator<=>(const FileIdentity &) const = default;
};

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

int duplicate_own(const IpcContent &content) {
  return fcntl(content.descriptor, F_DUPFD_CLOEXEC, 0);
}

int open_at(const IpcContent &content) {
  return common::reopen_descriptor(content.process, content.descriptor);
}

/// Where /proc is not mounted, or shows others only as a debugger may see them.
int fetch_from(const IpcContent &content) {
  return common::fetch_descriptor(content.process, content.descriptor);
}

/// `file`, or the same one that is in use already: a program that opens a handle often has one
/// descriptor of it.
std::shared_ptr<SharedFile> only_one(const FileIdentity &identity,
                                     std::shared_ptr<SharedFile> file) {
  struct Known {
    std::mutex mutex;
    std::map<FileIdentity, std::weak_ptr<SharedFile>> files;
  };
  static Known &known = *new Known; // threads may outlive static objects
  std::lock_guard lock(known.mutex);
  std::erase_if(known.files, [](const auto &entry) { return entry.second.expired(); });
  auto &kept = known.files[identity];
  if (auto same = kept.lock())
    return same;
  kept = file;
  return file;
}

} // namespace

std::optional<IpcContent> ipc_content(int descriptor, size_t offset, size_t size, IpcType type) {
  const auto file = identity_of(descriptor);
  if (!file)
    return std::nullopt;
  IpcContent content{.descriptor = descriptor,
                     .magic = {},
                     .process = getpid(),
                     .type = type,
                     .file_system = file->file_system,
                     .inode = file->inode,
                     .offset = offset,
                     .size = size};
  std::memcpy(content.magic, identity().ipc_magic, sizeof content.magic);
  return content;
}

std::expected<std::shared_ptr<SharedFile>, ze_result_t> file_of(const IpcContent &content) {
  const FileIdentity wanted{content.file_system, content.inode};
  bool denied = false;
  for (const auto &get : {&duplicate_own, &open_at, &fetch_from}) {
    errno = 0;
    const int descriptor = get(content);
    if (descriptor < 0) {
      denied = denied || errno == EACCES || errno == EPERM;
      continue;
    }
    auto file = SharedFile::adopt(descriptor);
    const uint64_t bytes = file->bytes();
    if (identity_of(descriptor) == wanted && content.offset < bytes &&
        content.size <= bytes - content.offset)
      return only_one(wanted, std::move(file));
  }
  return std::unexpected(denied ? ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS
                                : ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

} // namespace ze_driver
