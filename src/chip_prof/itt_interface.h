// Intel's interface for instrumentation and tracing (ITT), as collectors of VTune and others know it: names, layouts and values. A
// collector is a library that exports __itt_api_init(); it is given a list of functions, and sets the pointers of those that it
// has.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace chip::itt {

struct Domain {
  volatile int flags; // 0: the collector does not want what belongs to it
  const char *name;
  void *wide_name;
  int extra1;
  void *extra2;
  Domain *next;
};

struct StringHandle {
  const char *text;
  void *wide_text;
  int extra1;
  void *extra2;
  StringHandle *next;
};

/// All zero: none.
struct Id {
  unsigned long long words[3];
};

enum class Scope : int { unknown, global, process, thread, task, marker };

struct Function {
  const char *name;
  void **pointer;
  void *init_function; // what is called before there is a collector
  void *null_function; // what is called without one
  int group;
};

struct Global {
  unsigned char magic[8];
  unsigned long version_major, version_minor, version_build;
  volatile long api_initialized, mutex_initialized, atomic_counter;
  pthread_mutex_t mutex;
  void *library;
  void *error_handler;
  const char **library_path;
  Function *functions; // the last has no name
  Global *next;
  void *threads;
  Domain *domains;
  StringHandle *strings;
  int collection_state;
  void *counters;
  unsigned int ipt_collect_events;
  void *histograms;
  // Later versions have more here, which they look for from the version on that has it.
};
static_assert(sizeof(pthread_mutex_t) != 40 ||
              (offsetof(Global, functions) == 120 && sizeof(Global) == 192));

constexpr unsigned char magic[8] = {0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30};
constexpr int structure_group = 1 << 12; // of tasks, domains and markers
constexpr int all_groups = -1;

using ApiInit = void (*)(Global *, int groups);
using DomainCreate = Domain *(*)(const char *name);
using StringHandleCreate = StringHandle *(*)(const char *text);
using TaskBegin = void (*)(const Domain *, Id task, Id parent, StringHandle *name);
using TaskEnd = void (*)(const Domain *);
using TaskEndOverlapped = void (*)(const Domain *, Id task);
using Marker = void (*)(const Domain *, Id, StringHandle *name, Scope);

} // namespace chip::itt
