// A collector of ITT that writes what it is told to stderr, a line each. It leaves domains or string handles to its caller where
// COLLECTOR_LEAVES names them, and wants no task of the domain that COLLECTOR_IGNORES names.
#include "../../src/chip_prof/itt_interface.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace chip::itt;

namespace {

bool says(const char *variable, const char *word) {
  const char *const value = std::getenv(variable);
  return value && std::strcmp(value, word) == 0;
}

Domain *create_domain(const char *name) {
  return new Domain{!says("COLLECTOR_IGNORES", name), name, nullptr, 0, nullptr, nullptr};
}
StringHandle *create_handle(const char *text) {
  return new StringHandle{strdup(text), nullptr, 0, nullptr, nullptr};
}
void begin(const Domain *domain, Id, Id, StringHandle *name) {
  std::fprintf(stderr, "begin %s: %s\n", domain->name, name->text);
}
void end(const Domain *domain) { std::fprintf(stderr, "end %s\n", domain->name); }
void begin_overlapped(const Domain *domain, Id task, Id, StringHandle *name) {
  std::fprintf(stderr, "begin %llu %s: %s\n", task.words[0], domain->name, name->text);
}
void end_overlapped(const Domain *domain, Id task) {
  std::fprintf(stderr, "end %llu %s\n", task.words[0], domain->name);
}
void mark(const Domain *domain, Id, StringHandle *name, Scope scope) {
  std::fprintf(stderr, "mark %s: %s %d\n", domain->name, name->text, static_cast<int>(scope));
}

struct Known {
  const char *name;
  void *function;
};

} // namespace

extern "C" [[gnu::visibility("default")]] void __itt_api_init(Global *global, int groups) {
  if (std::memcmp(global->magic, magic, sizeof magic) != 0 || groups == 0 ||
      !global->mutex_initialized || !global->library)
    std::abort();
  const Known all[] = {{"__itt_domain_create", reinterpret_cast<void *>(create_domain)},
                       {"__itt_string_handle_create", reinterpret_cast<void *>(create_handle)},
                       {"__itt_task_begin", reinterpret_cast<void *>(begin)},
                       {"__itt_task_end", reinterpret_cast<void *>(end)},
                       {"__itt_task_begin_overlapped", reinterpret_cast<void *>(begin_overlapped)},
                       {"__itt_task_end_overlapped", reinterpret_cast<void *>(end_overlapped)},
                       {"__itt_marker", reinterpret_cast<void *>(mark)}};
  for (Function *function = global->functions; function->name; ++function)
    for (const Known &known : all)
      if (std::strcmp(known.name, function->name) == 0 && !says("COLLECTOR_LEAVES", known.name))
        *function->pointer = known.function;
}
