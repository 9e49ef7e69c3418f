// Variables that a user sets (src/common/environment.h).
#include "common/environment.h"

#include <catch2/catch_test_macros.hpp>

using Entries = std::vector<std::string_view>;

namespace {
constexpr const char *name = "CHIP_TEST_VARIABLE";
constexpr common::Settings settings("test");

void set(const char *value) { setenv(name, value, 1); }
} // namespace

TEST_CASE("environment: a value has no white space around it") {
  unsetenv(name);
  CHECK(common::variable(name).empty());
  for (const char *value : {"cpu", " cpu", "cpu\n", "\t cpu \r\n\n"}) {
    set(value);
    CHECK(common::variable(name) == "cpu");
  }
  for (const char *value : {"", " ", "\n", " \t\r\n"}) {
    set(value);
    CHECK(common::variable(name).empty());
  }
  set("a b\n");
  CHECK(common::variable(name) == "a b");
}

TEST_CASE("environment: the entries of a list have no white space around them") {
  CHECK(common::list_entries("") == Entries{""});
  CHECK(common::list_entries("1") == Entries{"1"});
  CHECK(common::list_entries(" 1 ,\t2\n,,3\n") == Entries{"1", "2", "", "3"});
  CHECK(common::list_entries(",") == Entries{"", ""});
}

TEST_CASE("environment: a number is digits and nothing else") {
  CHECK(common::parse_number("17") == 17u);
  CHECK(common::parse_number(" 0x1F\n") == 31u);
  CHECK(common::parse_number("0") == 0u);
  CHECK(common::parse_number("18446744073709551615") == UINT64_MAX);
  for (const char *wrong :
       {"", "-1", "+1", "1x", "x", "0x", "1 2", "1.0", "18446744073709551616"}) {
    INFO("'" << wrong << "'");
    CHECK(!common::parse_number(wrong));
  }
}

TEST_CASE("environment: a number outside of its bounds is as good as unset") {
  unsetenv(name);
  CHECK(!settings.number(name, 1, 8));
  for (const char *value : {"1", "8", " 4\n"}) {
    set(value);
    CHECK(settings.number(name, 1, 8).has_value());
  }
  for (const char *value : {"", "0", "9", "-1", "four"}) {
    set(value);
    CHECK(!settings.number(name, 1, 8));
  }
}

TEST_CASE("environment: a variable is on if its value is 1") {
  for (const char *value : {"1", "1\n", " 1", "01", "0x1"}) {
    set(value);
    CHECK(settings.is_on(name));
  }
  for (const char *value : {"", "0", " 0\n", "2", "-1", "yes", "-", "18446744073709551617"}) {
    set(value);
    CHECK(!settings.is_on(name));
  }
  unsetenv(name);
  CHECK(!settings.is_on(name));
}

TEST_CASE("environment: a complaint names the variable, its value, what comes of it and what can "
          "be set") {
  CHECK(common::complaint("CHIP_DEVICE", "tpu\n", "names no device", "cpu or gpu") ==
        "CHIP_DEVICE='tpu' names no device: use cpu or gpu, or leave it unset");
}
