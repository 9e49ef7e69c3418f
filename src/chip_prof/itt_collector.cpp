#include "itt_collector.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include <dlfcn.h>

namespace chip::itt {
namespace {

DomainCreate domain_create;
StringHandleCreate string_handle_create;
TaskBegin task_begin, task_begin_overlapped;
TaskEnd task_end;
TaskEndOverlapped task_end_overlapped;
Marker marker;

template <class F> constexpr Function entry(const char *name, F &pointer) {
  return {name, reinterpret_cast<void **>(&pointer), nullptr, nullptr, structure_group};
}

Function functions[] = {entry("__itt_domain_create", domain_create),
                        entry("__itt_string_handle_create", string_handle_create),
                        entry("__itt_task_begin", task_begin),
                        entry("__itt_task_end", task_end),
                        entry("__itt_task_begin_overlapped", task_begin_overlapped),
                        entry("__itt_task_end_overlapped", task_end_overlapped),
                        entry("__itt_marker", marker),
                        {}};

// The collector keeps a pointer to it.
Global global;

bool load() {
  const char *const path = secure_getenv("INTEL_LIBITTNOTIFY64");
  void *const library = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library)
    return false;
  const auto init = reinterpret_cast<ApiInit>(dlsym(library, "__itt_api_init"));
  if (!init)
    return false;
  std::memcpy(global.magic, magic, sizeof magic);
  // The version whose layout Global has.
  global.version_major = 3;
  global.version_minor = 22;
  global.version_build = 20180723;
  global.mutex_initialized = 1;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&global.mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  global.library = library;
  global.functions = functions;
  init(&global, all_groups);
  global.api_initialized = 1;
  return task_begin && task_end;
}

/// Whoever has no function for it reads the lists of Global.
template <class T> T *append(T *&list, T *made) {
  pthread_mutex_lock(&global.mutex);
  T **end = &list;
  while (*end)
    end = &(*end)->next;
  *end = made;
  pthread_mutex_unlock(&global.mutex);
  return made;
}

StringHandle *make_handle(const char *text) {
  if (string_handle_create)
    return string_handle_create(text);
  return append(
      global.strings,
      new StringHandle{
          .text = text, .wide_text = nullptr, .extra1 = 0, .extra2 = nullptr, .next = nullptr});
}

Id id_of(uint64_t number) { return {{number, 0, 0}}; }

} // namespace

bool has_collector() noexcept {
  static const bool loaded = load();
  return loaded;
}

Domain *make_domain(const char *name) {
  if (domain_create)
    return domain_create(name);
  return append(global.domains, new Domain{.flags = 1,
                                           .name = name,
                                           .wide_name = nullptr,
                                           .extra1 = 0,
                                           .extra2 = nullptr,
                                           .next = nullptr});
}

StringHandle *handle_of(const char *text) noexcept {
  // Never destroyed: calls are made until the process has ended. The keys' texts lie in the nodes, and stay where they are.
  struct Handles {
    std::shared_mutex mutex;
    std::unordered_map<std::string_view, StringHandle *> of;
  };
  try {
    static auto &handles = *new Handles;
    {
      const std::shared_lock guard(handles.mutex);
      if (const auto found = handles.of.find(text); found != handles.of.end())
        return found->second;
    }
    const std::lock_guard guard(handles.mutex);
    if (const auto found = handles.of.find(text); found != handles.of.end())
      return found->second;
    const auto &kept = *new std::string(text);
    return handles.of[kept] = make_handle(kept.c_str());
  } catch (...) {
    return nullptr;
  }
}

bool begin_task(const Domain *domain, StringHandle *name) {
  if (!domain || domain->flags == 0 || !name)
    return false;
  task_begin(domain, {}, {}, name);
  return true;
}

void end_task(const Domain *domain) { task_end(domain); }

void begin_overlapped_task(const Domain *domain, uint64_t number, StringHandle *name) {
  if (task_begin_overlapped && domain && domain->flags != 0 && name)
    task_begin_overlapped(domain, id_of(number), {}, name);
}

void end_overlapped_task(const Domain *domain, uint64_t number) {
  if (task_end_overlapped && domain && domain->flags != 0)
    task_end_overlapped(domain, id_of(number));
}

void mark(const Domain *domain, StringHandle *name) {
  if (marker && domain && domain->flags != 0 && name)
    marker(domain, {}, name, Scope::thread);
}

} // namespace chip::itt
