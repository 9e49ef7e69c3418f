// Variables that a user sets: read in one way, and what is wrong with one told in one form.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace common {

/// Scripts and files leave white space around what they pass on, a trailing newline most often.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(space);
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// The variable's value without white space around it; empty if it is not set.
inline std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? trimmed(value) : std::string_view();
}

/// The entries of a comma-separated list, each without white space around it. An empty list has one
/// entry, which is empty.
inline std::vector<std::string_view> list_entries(std::string_view list) {
  std::vector<std::string_view> entries;
  for (;;) {
    const size_t comma = list.find(',');
    entries.push_back(trimmed(list.substr(0, comma)));
    if (comma == list.npos)
      return entries;
    list.remove_prefix(comma + 1);
  }
}

/// What to tell a user about a variable: its name and value, what comes of it, what can be set.
inline std::string complaint(std::string_view name, std::string_view value,
                             std::string_view consequence, std::string_view use) {
  std::string text(name);
  text.append("='").append(trimmed(value)).append("' ").append(consequence);
  return text.append(": use ").append(use).append(", or leave it unset");
}

/// Digits, or 0x and hexadecimal ones, and nothing else.
inline std::optional<uint64_t> parse_number(std::string_view text) {
  text = trimmed(text);
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal)
    text.remove_prefix(2);
  uint64_t value = 0;
  const char *const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, is_hexadecimal ? 16 : 10);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

/// Reads variables and says on stderr, in the name of `reader`, that a value cannot be meant; it is
/// then as good as unset.
class Settings {
public:
  explicit constexpr Settings(const char *reader) : reader_(reader) {}

  void complain(const char *name, std::string_view consequence, std::string_view use) const {
    const std::string text = complaint(name, variable(name), consequence, use);
    std::fprintf(stderr, "%s: %s\n", reader_, text.c_str());
  }

  /// The number that a variable names.
  std::optional<uint64_t> number(const char *name, uint64_t least, uint64_t most) const {
    const std::string_view text = variable(name);
    if (text.empty())
      return std::nullopt;
    const auto value = parse_number(text);
    if (value && *value >= least && *value <= most)
      return value;
    complain(name, "is ignored",
             "a number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }

  /// Whether a variable is on, which is 1; off is 0.
  bool is_on(const char *name) const {
    const std::string_view text = variable(name);
    if (text.empty())
      return false;
    const auto value = parse_number(text);
    if (!value || *value > 1)
      complain(name, "is ignored", "0 or 1");
    return value == 1u;
  }

private:
  const char *reader_;
};

} // namespace common
