// The README says which functions are missing: it and the tables agree, whatever is added to
// either.
#include "support.h"

#include <dlfcn.h>

#include <array>
#include <map>
#include <regex>
#include <set>

namespace {

std::string text_of_file(const std::string &path) {
  const auto bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

/// The functions of a table, in its order, for each function that hands a table out.
std::map<std::string, std::vector<std::string>> tables_of(const std::string &header) {
  std::map<std::string, std::vector<std::string>> by_type, by_getter;
  const std::regex table(R"(typedef struct _(ze_\w+_dditable_t)\s*\{([^}]*)\})");
  const std::regex entry(R"(\bze_pfn(\w+)_t\s)");
  const std::regex getter(R"(\b(zeGet\w+ProcAddrTable)\s*\([^)]*?\b(ze_\w+_dditable_t)\s*\*)");
  const auto each = [](const std::string &text, const std::regex &pattern, auto visit) {
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
      visit(*match);
  };
  each(header, table, [&](const std::smatch &found) {
    auto &functions = by_type[found[1]];
    each(found[2].str(), entry,
         [&](const std::smatch &function) { functions.push_back("ze" + function[1].str()); });
  });
  each(header, getter,
       [&](const std::smatch &found) { by_getter[found[1]] = by_type.at(found[2]); });
  return by_getter;
}

/// What stands in backquotes in the last column of the table of supported functions, and names
/// functions: a whole name, or the beginning of several and a star.
std::set<std::string> said_to_be_missing(const std::string &readme) {
  const size_t begin = readme.find("## Supported functions");
  REQUIRE(begin != readme.npos);
  const std::string chapter = readme.substr(begin, readme.find("\n## ", begin + 1) - begin);
  const std::regex row(R"(\n\|[^|]*\|[^|]*\|([^|\n]*)\|)"), name(R"(`(ze[A-Z]\w*\*?)`)");
  std::set<std::string> names;
  for (std::sregex_iterator r(chapter.begin(), chapter.end(), row), end; r != end; ++r) {
    const std::string column = (*r)[1];
    for (std::sregex_iterator n(column.begin(), column.end(), name); n != end; ++n)
      names.insert((*n)[1]);
  }
  return names;
}

bool is_named(const std::string &pattern, const std::string &function) {
  return pattern.ends_with('*') ? function.starts_with(pattern.substr(0, pattern.size() - 1))
                                : function == pattern;
}

} // namespace

TEST_CASE("ze_cpu: the README names all core functions that are missing, and no others",
          "[front]") {
  const auto tables = tables_of(text_of_file(LEVEL_ZERO_HEADER));
  const auto missing = said_to_be_missing(text_of_file(ZE_CPU_README));
  REQUIRE(tables.size() > 30);
  REQUIRE(tables.at("zeGetMemProcAddrTable").front() == "zeMemAllocShared");
  REQUIRE(!missing.empty());

  void *library = dlopen(driver_library().c_str(), RTLD_NOW);
  REQUIRE(library != nullptr);
  std::set<std::string> used;
  for (const auto &[getter, functions] : tables) {
    using GetTable = ze_result_t (*)(ze_api_version_t, void *);
    const auto get = reinterpret_cast<GetTable>(dlsym(library, getter.c_str()));
    INFO(getter);
    REQUIRE(get != nullptr);
    std::array<void *, 128> table{};
    REQUIRE_ZE(get(ZE_API_VERSION_CURRENT, table.data()));
    for (size_t i = 0; i < functions.size(); ++i) {
      INFO(functions[i]);
      bool named = false;
      for (const std::string &pattern : missing)
        if (is_named(pattern, functions[i])) {
          named = true;
          used.insert(pattern);
        }
      CHECK((table[i] == nullptr) == named);
    }
  }
  for (const std::string &pattern : missing) {
    INFO(pattern);
    CHECK(used.contains(pattern)); // else there is no such function
  }
}
