#include "object_cache.h"
#include "environment.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <format>
#include <memory>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace disk_cache {
namespace {

struct Header {
  char magic[8];
  uint64_t bytes; // of the content, which follows
  Hash key;
  Hash content;
};
constexpr char magic[8] = {'O', 'B', 'J', 'C', 'A', 'C', 'H', '\2'};

constexpr std::string_view entry_suffix = ".entry";
constexpr std::string_view unfinished_prefix = "unfinished.";
constexpr std::string_view sweep_mark = "swept";

// Entries' times are only as exact as this, so that using one writes nothing in steady state.
constexpr time_t use_precision = 60 * 60;
// Nobody takes this long to write an entry.
constexpr time_t unfinished_age = 60 * 60;
constexpr time_t sweep_interval = 10 * 60;

constexpr uint64_t default_limit_mb = 1024;

class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

private:
  int descriptor_;
};

bool is_entry(std::string_view name) {
  // Keys of earlier versions had 32 bytes.
  return name.ends_with(entry_suffix) && (name.size() == 2 * sizeof(Hash) + entry_suffix.size() ||
                                          name.size() == 2 * 32 + entry_suffix.size());
}

bool read_all(const File &file, char *to, size_t bytes) {
  while (bytes != 0) {
    const ssize_t count = read(file.get(), to, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    to += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

bool write_all(const File &file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

// Of this user, and nobody else may change it.
bool is_ours(const struct stat &status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// What a program with more rights than its user is told, its user may not decide.
std::string value_of(const std::string &name) {
  const char *text = secure_getenv(name.c_str());
  return text ? std::string(common::trimmed(text)) : std::string();
}

// The directory and those above it that are not there.
bool make_directory(const std::string &path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)
    return true;
  const size_t slash = path.rfind('/');
  return errno == ENOENT && slash != std::string::npos && slash != 0 &&
         make_directory(path.substr(0, slash)) &&
         (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

// Written by this process since it last looked how much there is.
std::atomic<uint64_t> unaccounted_bytes = 0;

} // namespace

ObjectCache::Settings ObjectCache::settings(const std::string &variable,
                                            const std::string &folder) {
  Settings settings;
  if (const std::string chosen = value_of(variable); !chosen.empty()) {
    // Not in a directory that changes with the program's: anything but a full path turns it off.
    if (chosen.starts_with('/')) {
      settings.directory = chosen;
      settings.variable = variable;
    }
  } else if (const std::string caches = value_of("XDG_CACHE_HOME"); caches.starts_with('/')) {
    settings.directory = caches + "/" + folder;
  } else if (const std::string home = value_of("HOME"); home.starts_with('/')) {
    settings.directory = home + "/.cache/" + folder;
  }
  uint64_t megabytes = default_limit_mb;
  if (const std::string limit = variable + "_MB"; !value_of(limit).empty())
    megabytes = common::Settings(folder.c_str())
                    .number(limit.c_str(), 1, UINT64_MAX >> 20)
                    .value_or(megabytes);
  settings.limit = megabytes << 20;
  return settings;
}

ObjectCache::ObjectCache(Settings settings) : settings_(std::move(settings)) {
  std::string &directory = settings_.directory;
  while (directory.size() > 1 && directory.ends_with('/'))
    directory.pop_back();
  struct stat status;
  if (directory.empty() || !make_directory(directory) || stat(directory.c_str(), &status) != 0 ||
      !S_ISDIR(status.st_mode) || !is_ours(status)) {
    directory.clear();
    static std::atomic<bool> told = false;
    if (!settings_.variable.empty() && !told.exchange(true))
      common::Settings("cache of compiled code")
          .complain(settings_.variable.c_str(), "is ignored, and nothing is kept",
                    "the full path of a directory that can be made, or that only this user may "
                    "change, or 0 "
                    "to keep nothing");
  }
}

std::string ObjectCache::file_of(const Hash &key) const {
  std::string name = settings_.directory + "/";
  for (const uint8_t byte : key)
    name += std::format("{:02x}", byte);
  return name.append(entry_suffix);
}

std::optional<std::string> ObjectCache::find(const Hash &key) const {
  if (settings_.directory.empty())
    return std::nullopt;
  // Not blocking, should it be something other than a file.
  const File file(
      open(file_of(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status;
  Header header;
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_ours(status) ||
      static_cast<uint64_t>(status.st_size) < sizeof header ||
      !read_all(file, reinterpret_cast<char *>(&header), sizeof header) ||
      std::memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key ||
      header.bytes != static_cast<uint64_t>(status.st_size) - sizeof header ||
      header.bytes > settings_.limit)
    return std::nullopt;
  std::string content(header.bytes, 0);
  if (!read_all(file, content.data(), content.size()) || hash_of({content}) != header.content)
    return std::nullopt;
  if (status.st_mtime + use_precision < time(nullptr))
    (void)futimens(file.get(), nullptr);
  return content;
}

void ObjectCache::store(const Hash &key, std::string_view content) const {
  // Beyond the limit for files, writing would end the process.
  rlimit longest;
  if (settings_.directory.empty() || content.size() > settings_.limit ||
      getrlimit(RLIMIT_FSIZE, &longest) != 0 || longest.rlim_cur < sizeof(Header) + content.size())
    return;
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = static_cast<uint64_t>(getpid());
  const std::string aside =
      std::format("{}/{}{:X}", settings_.directory, unfinished_prefix, number);
  Header header = {{}, content.size(), key, hash_of({content})};
  std::memcpy(header.magic, magic, sizeof magic);
  {
    const File file(open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file)
      return;
    if (!write_all(file, {reinterpret_cast<const char *>(&header), sizeof header}) ||
        !write_all(file, content)) {
      unlink(aside.c_str());
      return;
    }
  }
  if (rename(aside.c_str(), file_of(key).c_str()) != 0) {
    unlink(aside.c_str());
    return;
  }
  sweep_when_due(sizeof header + content.size());
}

// When this process has written much, or for a while no process has looked.
void ObjectCache::sweep_when_due(uint64_t written) const {
  const uint64_t unaccounted = unaccounted_bytes += written;
  const std::string mark = settings_.directory + "/" + std::string(sweep_mark);
  struct stat status;
  const bool recent = stat(mark.c_str(), &status) == 0 && status.st_mtime <= time(nullptr) &&
                      status.st_mtime + sweep_interval > time(nullptr);
  if (recent && unaccounted < settings_.limit / 8)
    return;
  unaccounted_bytes = 0;
  // First, so that not all the processes that write now do the same.
  const File file(
      open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (file)
    (void)futimens(file.get(), nullptr);
  sweep();
}

void ObjectCache::sweep() const {
  if (settings_.directory.empty())
    return;
  const std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(settings_.directory.c_str()),
                                                       closedir);
  if (!directory)
    return;
  const int at = dirfd(directory.get());
  struct Entry {
    timespec used;
    uint64_t bytes;
    std::string name;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  while (const dirent *found = readdir(directory.get())) {
    const std::string_view name = found->d_name;
    const bool unfinished = name.starts_with(unfinished_prefix);
    // The directory may hold what others put there.
    if (!unfinished && !is_entry(name))
      continue;
    struct stat status;
    if (fstatat(at, found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (unfinished) {
      if (status.st_mtime + unfinished_age < time(nullptr))
        unlinkat(at, found->d_name, 0);
      continue;
    }
    const uint64_t bytes = static_cast<uint64_t>(status.st_blocks) * 512;
    total += bytes;
    entries.push_back({status.st_mtim, bytes, std::string(name)});
  }
  if (total <= settings_.limit)
    return;
  std::ranges::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec) < std::tie(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry &entry : entries) {
    if (total <= settings_.limit / 4 * 3)
      break;
    unlinkat(at, entry.name.c_str(), 0);
    total -= entry.bytes;
  }
}

} // namespace disk_cache
