#include "cache.h"

#include "compiler.h"
#include "workspace.h"

#include <cstdint>
#include <cstring>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace chip::hiprtc {
namespace {

namespace fs = std::filesystem;
using disk_cache::bytes_of;
using disk_cache::hash_of;

// Texts one after the other, each behind its length.
class Texts {
public:
  Texts &operator<<(std::string_view text) {
    const uint64_t size = text.size();
    bytes_.append(reinterpret_cast<const char *>(&size), sizeof size);
    bytes_ += text;
    return *this;
  }
  Texts &operator<<(const std::vector<std::string> &texts) {
    *this << std::to_string(texts.size());
    for (const std::string &text : texts)
      *this << text;
    return *this;
  }
  const std::string &bytes() const { return bytes_; }

private:
  std::string bytes_;
};

std::vector<std::string> split(std::string_view bytes) {
  std::vector<std::string> texts;
  uint64_t size = 0;
  while (bytes.size() >= sizeof size) {
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    if (size > bytes.size())
      break;
    texts.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return texts;
}

bool changed_since(const fs::path &file, const timespec &start) {
  struct stat status;
  auto later = [&](const timespec &time) {
    return std::tie(time.tv_sec, time.tv_nsec) > std::tie(start.tv_sec, start.tv_nsec);
  };
  return stat(file.c_str(), &status) != 0 || later(status.st_mtim) || later(status.st_ctim);
}

} // namespace

Hash key_of(const Source &source, const Options &options) {
  Texts all;
  all << identity_of_compiler() << source.name << source.text << source.name_expressions
      << options.arguments << options.macros;
  for (const auto &[name, text] : source.headers)
    all << name << text;
  if (options.depends_on_directory) {
    std::error_code unknown;
    all << fs::current_path(unknown).string();
  }
  return hash_of({all.bytes()});
}

std::string hex(const Hash &hash) {
  std::string text;
  for (uint8_t byte : hash)
    for (int shift : {4, 0})
      text += "0123456789abcdef"[byte >> shift & 15];
  return text;
}

std::vector<fs::path> files_in_rule(std::string_view rule, const fs::path &apart) {
  std::vector<fs::path> files;
  std::string name;
  auto finish = [&] {
    if (!name.empty() && !name.starts_with(apart.string() + "/"))
      files.emplace_back(name);
    name.clear();
  };
  const size_t colon = rule.find(": ");
  if (colon == rule.npos)
    return files;
  for (size_t i = colon + 2; i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next == '\n')
      ++i, finish();
    else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$'))
      name += rule[++i];
    else if (c == ' ' || c == '\n')
      finish();
    else
      name += c;
  }
  finish();
  return files;
}

Cache::Cache() : entries_(disk_cache::ObjectCache::settings("CHIP_RTC_CACHE", "libchip/hiprtc")) {}

std::optional<Compiled> Cache::find(const Hash &key) const {
  const std::optional<std::string> content = entries_.find(key);
  if (!content)
    return std::nullopt;
  const std::vector<std::string> texts = split(*content);
  if (texts.size() < 4)
    return std::nullopt;
  Compiled compiled{texts[0], texts[1], texts[2], {}};
  const size_t names_end = 4 + 2 * std::strtoul(texts[3].c_str(), nullptr, 10);
  if (names_end > texts.size() || (texts.size() - names_end) % 2 != 0)
    return std::nullopt;
  for (size_t i = 4; i < names_end; i += 2)
    compiled.lowered_names.emplace(texts[i], texts[i + 1]);
  for (size_t i = names_end; i < texts.size(); i += 2) {
    std::string now;
    if (!read_file(texts[i], now) || bytes_of(hash_of({now})) != texts[i + 1])
      return std::nullopt;
  }
  return compiled;
}

void Cache::store(const Hash &key, const Compiled &compiled, const std::vector<fs::path> &files,
                  const Watch &watch) const {
  Texts all;
  all << compiled.log << compiled.code << compiled.bitcode
      << std::to_string(compiled.lowered_names.size());
  for (const auto &[expression, name] : compiled.lowered_names)
    all << expression << name;
  for (const fs::path &file : files) {
    std::string content;
    if (!read_file(file, content) || changed_since(file, watch.start))
      return;
    all << file.string() << bytes_of(hash_of({content}));
  }
  entries_.store(key, all.bytes());
}

} // namespace chip::hiprtc
