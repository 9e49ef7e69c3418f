// What the benchmark programs share: numbers on the command line, files, and how they end.
#pragma once

#include "measure.h"

#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Throws std::runtime_error when it is none.
inline int positive_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw std::runtime_error(std::format("'{}' is not a positive number", text));
  return number;
}

/// Code objects and modules lie beside the program.
inline std::string path_beside_program(const char *name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

/// Throws std::runtime_error when it cannot be read.
template <typename Byte> std::vector<Byte> read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Prints the results, and writes them to a file if it has a name.
inline void report(const Results &results, const std::string &json) {
  results.print();
  if (!json.empty())
    results.write_json(json);
}

/// What main returns: of a program that says on standard error why it fails.
template <typename Body> int run_program(const char *name, Body body) {
  try {
    body();
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

} // namespace bench
