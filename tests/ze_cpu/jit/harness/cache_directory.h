// A cache of a test's own.
#pragma once

#include "../common/object_cache.h"
#include "harness.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

namespace test {

namespace fs = std::filesystem;
using disk_cache::Hash;
using disk_cache::ObjectCache;

inline constexpr uint64_t megabyte = 1 << 20;

class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name))
      old_ = old;
    set(value);
  }
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }
  void set(const char *value) { value ? setenv(name_, value, 1) : unsetenv(name_); }

private:
  const char *name_;
  std::optional<std::string> old_;
};

// A directory of the test's own, which the compiler uses as its cache.
class Directory {
public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "ze_cpu_cache_test.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path = name;
    variable_.set(path.c_str());
  }
  ~Directory() { fs::remove_all(path); }

  ObjectCache cache(uint64_t limit = 100 * megabyte) const { return ObjectCache({path, limit}); }
  std::set<fs::path> entries() const { return with_extension(".entry"); }
  std::set<fs::path> unfinished() const {
    std::set<fs::path> found;
    for (const auto &file : fs::directory_iterator(path))
      if (file.path().filename().string().starts_with("unfinished."))
        found.insert(file.path());
    return found;
  }
  uint64_t bytes() const {
    uint64_t total = 0;
    for (const fs::path &entry : entries())
      total += fs::file_size(entry);
    return total;
  }

  fs::path path;

private:
  std::set<fs::path> with_extension(const char *extension) const {
    std::set<fs::path> found;
    for (const auto &file : fs::directory_iterator(path))
      if (file.path().extension() == extension)
        found.insert(file.path());
    return found;
  }
  Variable variable_{"ZE_CPU_CACHE", nullptr};
};

inline Hash key_of(const fs::path &entry) {
  const std::string name = entry.stem().string();
  Hash key;
  for (size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<uint8_t>(std::stoul(name.substr(2 * i, 2), nullptr, 16));
  return key;
}

} // namespace test
