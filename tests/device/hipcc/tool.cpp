#include "tool.h"

#include <catch2/catch_test_macros.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace device_test {

Directory::Directory() {
  std::string name = std::filesystem::temp_directory_path() / "device-test-XXXXXX";
  REQUIRE(mkdtemp(name.data()));
  path_ = name;
}

Directory::~Directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Directory::write(const std::string &name, const std::string &text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text;
  file.close();
  REQUIRE(file);
  return path_ / name;
}

std::vector<std::string> Directory::files() const {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename());
  return names;
}

std::string read(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  INFO(file);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Result run(const Directory &directory, const std::string &program, const Arguments &arguments,
           const Arguments &environment) {
  // Not in the directory itself, whose files the test may count.
  Directory output;
  const std::string out = output / "out", err = output / "err";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_CREAT | O_WRONLY, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_CREAT | O_WRONLY, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, directory.path().c_str());

  Arguments words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv, envp;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  Arguments added = environment;
  // The first of two settings counts.
  for (std::string &setting : added)
    envp.push_back(setting.data());
  for (char **setting = environ; *setting; ++setting)
    envp.push_back(*setting);
  envp.push_back(nullptr);

  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  INFO(program << ": " << std::strerror(error));
  REQUIRE(error == 0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    REQUIRE(errno == EINTR);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(out), read(err)};
}

Result hipcc(const Directory &directory, const Arguments &arguments, const Arguments &environment) {
  return run(directory, TEST_HIPCC, arguments, environment);
}

namespace {

uint64_t number_at(const std::string &bytes, size_t at) {
  uint64_t value = 0;
  REQUIRE(bytes.size() >= at + sizeof value);
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

} // namespace

std::string spirv_in_bundle(const std::string &bundle) {
  // clang's format: magic, count, then offset, size, length of the id and the id of each entry.
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  REQUIRE(bundle.starts_with(magic));
  size_t at = magic.size();
  const uint64_t count = number_at(bundle, at);
  at += 8;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = number_at(bundle, at), size = number_at(bundle, at + 8),
                   length = number_at(bundle, at + 16);
    REQUIRE(length <= bundle.size() - at - 24);
    const std::string id = bundle.substr(at + 24, length);
    at += 24 + length;
    if (!id.starts_with("hip-spirv64"))
      continue;
    REQUIRE(offset <= bundle.size());
    REQUIRE(size <= bundle.size() - offset);
    return bundle.substr(offset, size);
  }
  FAIL("no SPIR-V in the bundle");
  return {};
}

std::string assembly_of(const std::string &source, const Arguments &options) {
  Directory directory;
  Arguments arguments{"--genco", "-O2", directory.write("code.hip", source), "-o",
                      directory / "code"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Result compiled = hipcc(directory, arguments);
  INFO(source << '\n' << compiled.err);
  REQUIRE(compiled.exit_code == 0);
  REQUIRE(compiled.err.empty());
  const std::string binary = directory.write("code.spv", spirv_in_bundle(read(directory / "code")));
  const Result validated = run(directory, TEST_SPIRV_VAL, {"--target-env", "spv1.4", binary});
  INFO(validated.out << validated.err);
  REQUIRE(validated.exit_code == 0);
  const Result disassembled = run(directory, TEST_SPIRV_DIS, {"--no-color", binary});
  REQUIRE(disassembled.exit_code == 0);
  return disassembled.out;
}

std::vector<std::string> lines_with(const std::string &assembly, const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(assembly);
  for (std::string line; std::getline(stream, line);)
    if (has(line, text))
      lines.push_back(line);
  return lines;
}

std::string function_in(const std::string &assembly, const std::string &name) {
  const size_t begin = assembly.find("%" + name + " = OpFunction ");
  INFO(name << " in\n" << assembly);
  REQUIRE(begin != std::string::npos);
  const size_t end = assembly.find("OpFunctionEnd", begin);
  REQUIRE(end != std::string::npos);
  return assembly.substr(begin, end - begin);
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace device_test
