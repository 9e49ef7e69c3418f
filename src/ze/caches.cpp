#include "caches.h"
#include "environment.h"

#include <algorithm>

namespace chip::ze {
namespace {

Caches read() {
  constexpr const char *name = "CHIP_CACHES";
  constexpr std::string_view known[] = {"modules", "queues", "memory", "arguments"};
  Caches caches;
  const std::string_view list = common::variable(name);
  if (list.empty())
    return caches;
  const auto off = list == "0" ? std::vector<std::string_view>(std::begin(known), std::end(known))
                               : common::list_entries(list);
  if (!std::ranges::all_of(
          off, [&](std::string_view word) { return std::ranges::contains(known, word); })) {
    settings.complain(name, "lists what is no cache to switch off",
                      "0, for all, or a comma-separated list of modules, queues, memory and "
                      "arguments");
    return caches;
  }
  const auto keeps = [&](std::string_view word) { return !std::ranges::contains(off, word); };
  return {.modules = keeps("modules"),
          .queues = keeps("queues"),
          .memory = keeps("memory"),
          .arguments = keeps("arguments")};
}

} // namespace

const Caches &Caches::of_process() {
  static const Caches caches = read();
  return caches;
}

} // namespace chip::ze
