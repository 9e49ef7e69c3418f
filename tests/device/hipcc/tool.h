// Running the compiler of this build, and looking at what it makes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace device_test {

using Arguments = std::vector<std::string>;

struct Result {
  int exit_code = 0; ///< As a shell shows it: 128 + n for signal n
  std::string out, err;
};

/// A directory that is gone, with all in it, at the end of the test.
class Directory {
public:
  Directory();
  ~Directory();
  Directory(const Directory &) = delete;
  Directory &operator=(const Directory &) = delete;

  std::string operator/(const std::string &name) const { return path_ / name; }
  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &text) const;
  std::vector<std::string> files() const;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Runs a program in `directory`, with `environment` ("NAME=value") added to ours.
Result run(const Directory &directory, const std::string &program, const Arguments &arguments,
           const Arguments &environment = {});

/// The hipcc of this build.
Result hipcc(const Directory &directory, const Arguments &arguments,
             const Arguments &environment = {});

std::string read(const std::string &file);

/// The SPIR-V in a bundle of device code; fails the test if there is none.
std::string spirv_in_bundle(const std::string &bundle);

/// Compiles device code, which must give no message, validates it, and returns its disassembly.
std::string assembly_of(const std::string &source, const Arguments &options = {});

/// The lines of an assembly that have the text in them.
std::vector<std::string> lines_with(const std::string &assembly, const std::string &text);

/// The instructions of a function, by its name in the OpName or OpEntryPoint.
std::string function_in(const std::string &assembly, const std::string &name);

bool has(const std::string &text, const std::string &part);

} // namespace device_test
