// A private directory for the files of one compilation.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace chip::hiprtc {

class Workspace {
public:
  /// In TMPDIR if that is there and can be written, else where temporary files usually are. Throws
  /// if there is no place.
  Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  /// Removes the directory with all that is in it, whoever made it.
  ~Workspace();

  const std::filesystem::path &path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path &name) const { return path_ / name; }

  /// Takes the directory's name out of messages: files in it then have their names as the program
  /// gave them.
  std::string without_path(std::string text) const;

private:
  std::filesystem::path path_;
};

/// The contents of a file; false if it cannot be read.
bool read_file(const std::filesystem::path &path, std::string &content);
/// Makes the file and the directories it lies in. Throws if that fails.
void write_file(const std::filesystem::path &path, std::string_view content);

} // namespace chip::hiprtc
