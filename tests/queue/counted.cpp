#include "counted.h"
#include "ze_counter.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <dlfcn.h>

namespace {

template <class Function> Function preloaded(const char *name) {
  auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  INFO("ze_counter is not preloaded");
  REQUIRE(function != nullptr);
  return function;
}

thread_local uint64_t allocation_count = 0;

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

uint64_t thread_allocations() { return allocation_count; }

} // namespace counted

// The C library's allocator under its own names, so that every allocation in the process passes here and is counted.
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *malloc(size_t size) {
  ++allocation_count;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++allocation_count;
  return __libc_calloc(count, size);
}
void *realloc(void *pointer, size_t size) {
  ++allocation_count;
  return __libc_realloc(pointer, size);
}
#endif
}
