#include "standard_input.h"

#include <algorithm>
#include <cerrno>
#include <format>
#include <functional>
#include <string_view>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace chip::hipcc {
namespace {

[[noreturn]] void fail(const char *what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string read_standard_input() {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count > 0)
      text.append(buffer, size_t(count));
    else if (count == 0)
      return text;
    else if (errno != EINTR)
      fail("cannot read standard input");
  }
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(to, text.data(), text.size());
    if (count >= 0)
      text.remove_prefix(size_t(count));
    else if (errno != EINTR)
      fail("cannot keep standard input");
  }
}

} // namespace

void keep_standard_input(std::vector<std::string> &arguments, size_t index) {
  // Messages name what clang calls standard input.
  const std::string text = "#line 1 \"<stdin>\"\n" + read_standard_input();
  // It stays open in the program that replaces this one, and is gone with it.
  const int file = memfd_create("stdin", 0);
  if (file < 0)
    fail("cannot keep standard input");
  write_all(file, text);
  arguments[index] = std::format("/proc/self/fd/{}", file);
  // clang tells translation units apart by the names of their files, calls outputs by them, and
  // looks for headers beside them.
  std::vector<std::string> more{std::format("-cuid={:016x}", std::hash<std::string>()(text)),
                                "-iquote", "."};
  const auto given = [&](std::string_view option) {
    return std::ranges::contains(arguments, option);
  };
  if (given("-c") && !given("-o"))
    more.insert(more.end(), {"-o", "-.o"});
  arguments.insert(arguments.begin(), more.begin(), more.end());
}

} // namespace chip::hipcc
