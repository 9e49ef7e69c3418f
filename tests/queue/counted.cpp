#include "counted.h"
#include "ze_counter.h"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

namespace {

template <class Function> Function preloaded(const char *name) {
  auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  INFO("ze_counter is not preloaded");
  REQUIRE(function != nullptr);
  return function;
}

// Both are used inside of malloc and of locks.
thread_local uint64_t allocation_count = 0;
constexpr size_t most_locks = 4096;
struct Locks {
  size_t count;
  const void *mutexes[most_locks];
};
thread_local Locks locks;

int no_depth() { return 0; }
std::atomic<int (*)()> driver_depth{no_depth};

// The code of libCHIP, between these addresses.
std::atomic<uintptr_t> code_begin{0}, code_end{0};

[[maybe_unused]] void count_allocation() {
  if (driver_depth.load(std::memory_order_relaxed)() == 0)
    ++allocation_count;
}

[[maybe_unused]] void count_lock(const void *mutex, void *caller) {
  auto address = reinterpret_cast<uintptr_t>(caller);
  if (address >= code_begin.load(std::memory_order_relaxed) &&
      address < code_end.load(std::memory_order_relaxed) && locks.count < most_locks)
    locks.mutexes[locks.count++] = mutex;
}

void find_code() {
  if (code_begin.load())
    return;
  auto visit = [](dl_phdr_info *info, size_t, void *) {
    const auto hip = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "hipInit"));
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto &segment = info->dlpi_phdr[i];
      const uintptr_t begin = info->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
      if (segment.p_type == PT_LOAD && hip >= begin && hip < end) {
        code_end = end;
        code_begin = begin;
        return 1;
      }
    }
    return 0;
  };
  dl_iterate_phdr(visit, nullptr);
  REQUIRE(code_begin.load() != 0);
}

} // namespace

namespace counted {

Calls all_calls() {
  static const auto functions = preloaded<decltype(&ze_counter_functions)>("ze_counter_functions");
  static const auto name = preloaded<decltype(&ze_counter_name)>("ze_counter_name");
  static const auto calls = preloaded<decltype(&ze_counter_calls)>("ze_counter_calls");
  Calls all;
  for (uint32_t i = 0; i < functions(); ++i)
    if (uint64_t count = calls(i))
      all[name(i)] = count;
  return all;
}

Failing::Failing(const char *name, uint32_t result) : name_(name) {
  REQUIRE(preloaded<decltype(&ze_counter_fail)>("ze_counter_fail")(name, result));
}

Failing::~Failing() { preloaded<decltype(&ze_counter_fail)>("ze_counter_fail")(name_, 0); }

Telling::Telling() {
  driver_depth = preloaded<int (*)()>("ze_counter_depth");
  preloaded<void (*)(bool)>("ze_counter_track_depth")(true);
}

Telling::~Telling() { preloaded<void (*)(bool)>("ze_counter_track_depth")(false); }

uint64_t thread_allocations() { return allocation_count; }

void forget_locks() {
  find_code();
  locks.count = 0;
}

std::vector<const void *> thread_locks() {
  return std::vector<const void *>(locks.mutexes, locks.mutexes + locks.count);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const bool can_count_memory_and_locks = false;
#else
const bool can_count_memory_and_locks = true;
#endif

} // namespace counted

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

template <class Function> Function next(std::atomic<Function> &cached, const char *name) {
  Function function = cached.load(std::memory_order_relaxed);
  if (!function) {
    function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    cached.store(function, std::memory_order_relaxed);
  }
  return function;
}

} // namespace

// The C library's functions under their own names, so that every use in the process passes here and is counted.
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}
void *realloc(void *pointer, size_t size) {
  count_allocation();
  return __libc_realloc(pointer, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **pointer, size_t alignment, size_t size) {
  count_allocation();
  *pointer = __libc_memalign(alignment, size);
  return *pointer ? 0 : ENOMEM;
}

#define COUNTED_LOCK(name, type)                                                                   \
  int name(type *mutex) {                                                                          \
    static std::atomic<int (*)(type *)> real{nullptr};                                             \
    count_lock(mutex, __builtin_return_address(0));                                                \
    return next(real, #name)(mutex);                                                               \
  }
COUNTED_LOCK(pthread_mutex_lock, pthread_mutex_t)
COUNTED_LOCK(pthread_mutex_trylock, pthread_mutex_t)
COUNTED_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
COUNTED_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
}
#endif
