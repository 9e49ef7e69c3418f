// Counts the calls of each function of a library, and jumps on. functions.inc lists them. It stands in for the library, or, for
// libCHIP's functions, is a tool that CHIP_TOOL names. As the process ends, COUNTER_OUTPUT gets a line for each function that was
// called: its name and how often.
#include "common/tool.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <iterator>

#define NAME(name) #name
#define ENTRY(name, index) NAME(name),
static constexpr const char *names[] = {
#include "functions.inc"
};
#undef ENTRY

extern "C" {
[[gnu::visibility("hidden")]] uint64_t counter_counts[std::size(names)];
[[gnu::visibility("hidden")]] void *counter_real[std::size(names)];
[[gnu::visibility("hidden")]] extern void *const counter_entries[std::size(names)];
}

#if defined(__x86_64__)
#define ENTRY(name, index)                                                                         \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\ncounted_" #name ":\n"      \
      "  endbr64\n  lock incq counter_counts+8*" #index "(%rip)\n"                                 \
      "  jmp *counter_real+8*" #index "(%rip)\n.size " #name ", .-" #name "\n"                     \
      ".section .data.rel.ro.counter_entries,\"aw\"\n.quad counted_" #name "\n.text\n");
#define POINTERS_BEGIN                                                                             \
  asm(".section .data.rel.ro.counter_entries,\"aw\"\n.balign 8\n.hidden counter_entries\n"         \
      ".globl counter_entries\ncounter_entries:\n.text\n");
#elif defined(__aarch64__)
#define ENTRY(name, index)                                                                         \
  asm(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\ncounted_" #name ":\n"      \
      "  adrp x16, counter_counts+8*" #index "\n"                                                  \
      "  add x16, x16, :lo12:counter_counts+8*" #index "\n"                                        \
      "1: ldxr x17, [x16]\n  add x17, x17, #1\n  stxr w15, x17, [x16]\n  cbnz w15, 1b\n"           \
      "  adrp x16, counter_real+8*" #index "\n"                                                    \
      "  ldr x16, [x16, :lo12:counter_real+8*" #index "]\n  br x16\n.size " #name ", .-" #name     \
      "\n.section .data.rel.ro.counter_entries,\"aw\"\n.quad counted_" #name "\n.text\n");
#define POINTERS_BEGIN                                                                             \
  asm(".section .data.rel.ro.counter_entries,\"aw\"\n.balign 8\n.hidden counter_entries\n"         \
      ".globl counter_entries\ncounter_entries:\n.text\n");
#else
#error "the counter has no entry code for this processor"
#endif
POINTERS_BEGIN
#include "functions.inc"

namespace {

[[gnu::constructor(101)]] void find_real_functions() {
#ifdef REAL_LIBRARY
  void *const library = dlopen(REAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
#else
  void *const library = RTLD_NEXT;
#endif
  for (size_t i = 0; i < std::size(names); ++i)
    counter_real[i] = dlsym(library, names[i]);
}

[[gnu::destructor]] void report() {
  const char *const path = std::getenv("COUNTER_OUTPUT");
  std::FILE *const file = path ? std::fopen(path, "a") : nullptr;
  if (!file)
    return;
  for (size_t i = 0; i < std::size(names); ++i)
    if (counter_counts[i] != 0)
      std::fprintf(file, "%s %llu\n", names[i], static_cast<unsigned long long>(counter_counts[i]));
  std::fclose(file);
}

#ifndef REAL_LIBRARY
uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

/// Writes a line for each piece of work that was completed: its kind, bytes, correlation, whether its times can be right, and name.
void write_work(void *, const chip_tool_work *work) {
  if (std::FILE *const file = std::fopen(std::getenv("COUNTER_WORK"), "a")) {
    constexpr uint64_t tolerance = 10'000'000; // of how fast the clocks go
    const bool is_plausible = work->start_ns <= work->end_ns && work->start_ns >= work->submit_ns &&
                              work->end_ns <= now() + tolerance;
    std::fprintf(file, "%u %llu %llu %d %s\n", work->kind,
                 static_cast<unsigned long long>(work->bytes),
                 static_cast<unsigned long long>(work->correlation), is_plausible,
                 work->name ? work->name : "-");
    std::fclose(file);
  }
}
#endif

} // namespace

#ifndef REAL_LIBRARY
[[gnu::visibility("default")]] int chip_tool_attach(const chip_tool_interface *interface) {
  if (std::getenv("COUNTER_DECLINES"))
    return 1;
  if (interface->size < sizeof *interface || interface->version != CHIP_TOOL_VERSION)
    return 1;
  for (size_t i = 0; i < interface->function_count; ++i)
    for (size_t k = 0; k < std::size(names); ++k)
      if (std::strcmp(names[k], interface->function_names[i]) == 0) {
        counter_real[k] = interface->functions[i];
        interface->functions[i] = counter_entries[k];
      }
  if (std::getenv("COUNTER_WORK")) {
    *interface->correlation_of_thread() = 77;
    return interface->observe_work(write_work, nullptr);
  }
  return 0;
}
#endif
