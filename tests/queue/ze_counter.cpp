#include "ze_counter.h"

#include <cstring>
#include <dlfcn.h>

// One entry per function of the loader: ze_functions.inc is a list of ZE_FUNCTION(name), made from the loader's own symbols.
namespace {

enum Index : uint32_t {
#define ZE_FUNCTION(name) index_##name,
#include "ze_functions.inc"
#undef ZE_FUNCTION
  function_count
};

constexpr const char *names[] = {
#define ZE_FUNCTION(name) #name,
#include "ze_functions.inc"
#undef ZE_FUNCTION
};

} // namespace

// Read and written by the entries below, which know nothing of the functions' signatures: they count, and jump on.
extern "C" {
[[gnu::visibility("hidden")]] uint64_t ze_counter_counts[function_count];
[[gnu::visibility("hidden")]] void *ze_counter_real[function_count];
[[gnu::visibility("hidden")]] uint32_t ze_counter_failures[function_count];
}

#if defined(__x86_64__)
#define ZE_ENTRY(name, index)                                                                      \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                          \
      "  endbr64\n"                                                                                \
      "  lock incq ze_counter_counts+8*" #index "(%rip)\n"                                         \
      "  movl ze_counter_failures+4*" #index "(%rip), %eax\n"                                      \
      "  testl %eax, %eax\n"                                                                       \
      "  jnz 1f\n"                                                                                 \
      "  jmp *ze_counter_real+8*" #index "(%rip)\n"                                                \
      "1: ret\n.size " #name ", .-" #name "\n");
#elif defined(__aarch64__)
#define ZE_ENTRY(name, index)                                                                      \
  asm(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n"                          \
      "  adrp x16, ze_counter_counts+8*" #index "\n"                                               \
      "  add x16, x16, :lo12:ze_counter_counts+8*" #index "\n"                                     \
      "1: ldxr x17, [x16]\n  add x17, x17, #1\n  stxr w15, x17, [x16]\n  cbnz w15, 1b\n"           \
      "  adrp x16, ze_counter_failures+4*" #index "\n"                                             \
      "  ldr w16, [x16, :lo12:ze_counter_failures+4*" #index "]\n"                                 \
      "  cbnz w16, 2f\n"                                                                           \
      "  adrp x16, ze_counter_real+8*" #index "\n"                                                 \
      "  ldr x16, [x16, :lo12:ze_counter_real+8*" #index "]\n"                                     \
      "  br x16\n"                                                                                 \
      "2: mov w0, w16\n  ret\n.size " #name ", .-" #name "\n");
#else
#error "ze_counter has no entry code for this processor"
#endif
#define ZE_FUNCTION_NUMBERED(name, index) ZE_ENTRY(name, index)
#include "ze_functions_numbered.inc"

namespace {

[[gnu::constructor]] void find_real_functions() {
  for (uint32_t i = 0; i < function_count; ++i)
    ze_counter_real[i] = dlsym(RTLD_NEXT, names[i]);
}

} // namespace

uint32_t ze_counter_functions() { return function_count; }

const char *ze_counter_name(uint32_t function) { return names[function]; }

uint64_t ze_counter_calls(uint32_t function) {
  return __atomic_load_n(&ze_counter_counts[function], __ATOMIC_RELAXED);
}

bool ze_counter_fail(const char *name, uint32_t result) {
  for (uint32_t i = 0; i < function_count; ++i)
    if (std::strcmp(names[i], name) == 0) {
      __atomic_store_n(&ze_counter_failures[i], result, __ATOMIC_RELAXED);
      return true;
    }
  return false;
}
