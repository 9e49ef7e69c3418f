#include "workspace.h"

#include "error.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace chip::hiprtc {

namespace fs = std::filesystem;

Workspace::Workspace() {
  const char *chosen = secure_getenv("TMPDIR");
  for (const char *place : {chosen, "/tmp", "/var/tmp", "/dev/shm"}) {
    if (!place || *place != '/')
      continue;
    std::string name = std::string(place) + "/hiprtc-XXXXXX";
    if (mkdtemp(name.data())) {
      path_ = std::move(name);
      return;
    }
  }
  throw Error(HIPRTC_ERROR_INTERNAL_ERROR,
              "there is no directory for temporary files: set TMPDIR to one");
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Workspace::without_path(std::string text) const {
  const std::string prefix = path_.string() + "/";
  for (size_t at = 0; (at = text.find(prefix, at)) != text.npos;)
    text.erase(at, prefix.size());
  return text;
}

bool read_file(const fs::path &path, std::string &content) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return false;
  std::ifstream file(path, std::ios::binary);
  content.assign(std::istreambuf_iterator<char>(file), {});
  return file.good() || file.eof();
}

void write_file(const fs::path &path, std::string_view content) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), std::streamsize(content.size()));
  if (!file.flush())
    throw Error(HIPRTC_ERROR_INTERNAL_ERROR, "cannot write " + path.string());
}

} // namespace chip::hiprtc
