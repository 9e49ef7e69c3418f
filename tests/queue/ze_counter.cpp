#include "ze_counter.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <iterator>

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
[[gnu::visibility("hidden")]] uint32_t ze_counter_armed;
/// What a call of a function shall return instead of being made; 0 lets it through, and to know when it ends, its return
/// address may be replaced by that of ze_counter_returned. Asked only while something is armed.
[[gnu::visibility("hidden"), gnu::used]] uint32_t ze_counter_intercept(uint32_t function,
                                                                       void **return_address);
[[gnu::visibility("hidden")]] void ze_counter_returned();
/// The return address that was replaced last.
[[gnu::visibility("hidden"), gnu::used]] void *ze_counter_leave();
}

// No ze function takes or returns floating-point values, so the entries save the general registers only.
#if defined(__x86_64__)
#define ZE_ENTRY(name, index)                                                                      \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                          \
      "  endbr64\n"                                                                                \
      "  lock incq ze_counter_counts+8*" #index "(%rip)\n"                                         \
      "  cmpl $0, ze_counter_armed(%rip)\n"                                                        \
      "  jne 1f\n"                                                                                 \
      "0: jmp *ze_counter_real+8*" #index "(%rip)\n"                                               \
      "1: push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n"              \
      "  sub $8, %rsp\n"                                                                           \
      "  mov $" #index ", %edi\n"                                                                  \
      "  lea 56(%rsp), %rsi\n"                                                                     \
      "  call ze_counter_intercept\n"                                                              \
      "  add $8, %rsp\n"                                                                           \
      "  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"                     \
      "  testl %eax, %eax\n"                                                                       \
      "  jz 0b\n"                                                                                  \
      "  ret\n.size " #name ", .-" #name "\n");
asm(".text\n.hidden ze_counter_returned\n.globl ze_counter_returned\n"
    ".type ze_counter_returned, @function\nze_counter_returned:\n"
    "  sub $16, %rsp\n  mov %rax, (%rsp)\n"
    "  call ze_counter_leave\n"
    "  mov %rax, %r11\n  mov (%rsp), %rax\n  add $16, %rsp\n"
    "  jmp *%r11\n.size ze_counter_returned, .-ze_counter_returned\n");
#elif defined(__aarch64__)
#define ZE_ENTRY(name, index)                                                                      \
  asm(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n"                          \
      "  adrp x16, ze_counter_counts+8*" #index "\n"                                               \
      "  add x16, x16, :lo12:ze_counter_counts+8*" #index "\n"                                     \
      "1: ldxr x17, [x16]\n  add x17, x17, #1\n  stxr w15, x17, [x16]\n  cbnz w15, 1b\n"           \
      "  adrp x16, ze_counter_armed\n"                                                             \
      "  ldr w16, [x16, :lo12:ze_counter_armed]\n"                                                 \
      "  cbnz w16, 3f\n"                                                                           \
      "2: adrp x16, ze_counter_real+8*" #index "\n"                                                \
      "  ldr x16, [x16, :lo12:ze_counter_real+8*" #index "]\n"                                     \
      "  br x16\n"                                                                                 \
      "3: stp x29, x30, [sp, #-80]!\n  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n"           \
      "  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"                                         \
      "  mov w0, #" #index "\n  add x1, sp, #8\n"                                                  \
      "  bl ze_counter_intercept\n"                                                                \
      "  mov w16, w0\n"                                                                            \
      "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n"                                         \
      "  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n  ldp x29, x30, [sp], #80\n"              \
      "  cbz w16, 2b\n"                                                                            \
      "  mov w0, w16\n  ret\n.size " #name ", .-" #name "\n");
asm(".text\n.hidden ze_counter_returned\n.globl ze_counter_returned\n"
    ".type ze_counter_returned, %function\nze_counter_returned:\n"
    "  stp x0, xzr, [sp, #-16]!\n"
    "  bl ze_counter_leave\n"
    "  mov x16, x0\n  ldr x0, [sp], #16\n"
    "  br x16\n.size ze_counter_returned, .-ze_counter_returned\n");
#else
#error "ze_counter has no entry code for this processor"
#endif
#define ZE_FUNCTION_NUMBERED(name, index) ZE_ENTRY(name, index)
#include "ze_functions_numbered.inc"

namespace {

uint32_t failures[function_count]; // by name: the result, or 0
uint64_t made_to_fail[function_count];

// What the loader's libraries call of one another while they start: never numbered.
bool internal[function_count];

bool numbering = false;
uint64_t last_number, number_to_fail;
uint32_t numbered_result;
const char *failed_function;

bool tracking = false;
constexpr int deepest = 8;
struct Depth {
  int calls;
  void *return_addresses[deepest];
};
// Read inside of malloc: it must not be made by it.
[[gnu::tls_model("initial-exec")]] thread_local Depth depth;

int report_descriptor = -1;
bool report_memory_too;

[[gnu::constructor]] void find_real_functions() {
  for (uint32_t i = 0; i < function_count; ++i) {
    ze_counter_real[i] = dlsym(RTLD_NEXT, names[i]);
    internal[i] =
        std::strstr(names[i], "ProcAddrTable") || std::strncmp(names[i], "zeLoader", 8) == 0;
  }
}

uint32_t find(const char *name) {
  uint32_t i = 0;
  while (i < function_count && std::strcmp(names[i], name) != 0)
    ++i;
  return i;
}

void update_armed() {
  bool any = numbering || tracking;
  for (uint32_t result : failures)
    any |= result != 0;
  __atomic_store_n(&ze_counter_armed, any, __ATOMIC_SEQ_CST);
}

int64_t sum(std::initializer_list<const char *> functions, bool with_failed) {
  int64_t total = 0;
  for (const char *name : functions)
    if (uint32_t i = find(name); i < function_count)
      total += int64_t(ze_counter_counts[i] - (with_failed ? 0 : made_to_fail[i]));
  return total;
}

struct Kind {
  const char *name;
  std::initializer_list<const char *> create, destroy;
  bool is_tried_again = false; // where destroying has failed
};
const Kind kinds[] = {
    {"contexts", {"zeContextCreate"}, {"zeContextDestroy"}},
    {"command queues", {"zeCommandQueueCreate"}, {"zeCommandQueueDestroy"}},
    {"command lists",
     {"zeCommandListCreate", "zeCommandListCreateImmediate"},
     {"zeCommandListDestroy"}},
    {"event pools", {"zeEventPoolCreate"}, {"zeEventPoolDestroy"}},
    {"events", {"zeEventCreate", "zeEventCounterBasedCreate"}, {"zeEventDestroy"}},
    {"fences", {"zeFenceCreate"}, {"zeFenceDestroy"}},
    {"modules", {"zeModuleCreate"}, {"zeModuleDestroy"}},
    {"build logs", {"zeModuleCreate"}, {"zeModuleBuildLogDestroy"}},
    {"kernels", {"zeKernelCreate"}, {"zeKernelDestroy"}},
    {"allocations",
     {"zeMemAllocDevice", "zeMemAllocHost", "zeMemAllocShared"},
     {"zeMemFree", "zeMemFreeExt"},
     true},
    {"reservations", {"zeVirtualMemReserve"}, {"zeVirtualMemFree"}, true},
    {"mappings", {"zeVirtualMemMap"}, {"zeVirtualMemUnmap"}, true},
    {"physical memories", {"zePhysicalMemCreate"}, {"zePhysicalMemDestroy"}},
    {"opened allocations", {"zeMemOpenIpcHandle"}, {"zeMemCloseIpcHandle"}},
};

int64_t alive(const Kind &kind) {
  return sum(kind.create, false) - sum(kind.destroy, !kind.is_tried_again || report_memory_too);
}

[[gnu::destructor]] void report() {
  if (report_descriptor < 0)
    return;
  dprintf(report_descriptor, "numbered %llu\n", static_cast<unsigned long long>(last_number));
  for (const Kind &kind : kinds)
    if (int64_t count = alive(kind))
      dprintf(report_descriptor, "%lld %s alive\n", static_cast<long long>(count), kind.name);
}

} // namespace

uint32_t ze_counter_intercept(uint32_t function, void **return_address) {
  uint32_t result = __atomic_load_n(&failures[function], __ATOMIC_RELAXED);
  if (numbering && !internal[function] &&
      __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED) == number_to_fail) {
    result = numbered_result;
    failed_function = names[function];
  }
  if (result)
    __atomic_add_fetch(&made_to_fail[function], 1, __ATOMIC_RELAXED);
  if (!result && tracking && depth.calls < deepest) {
    depth.return_addresses[depth.calls++] = *return_address;
    *return_address = reinterpret_cast<void *>(&ze_counter_returned);
  }
  return result;
}

void *ze_counter_leave() { return depth.return_addresses[--depth.calls]; }

void ze_counter_track_depth(bool on) {
  tracking = on;
  update_armed();
}

int ze_counter_depth() { return depth.calls; }

uint32_t ze_counter_functions() { return function_count; }

const char *ze_counter_name(uint32_t function) { return names[function]; }

uint64_t ze_counter_calls(uint32_t function) {
  return __atomic_load_n(&ze_counter_counts[function], __ATOMIC_RELAXED);
}

bool ze_counter_fail(const char *name, uint32_t result) {
  uint32_t function = find(name);
  if (function == function_count)
    return false;
  __atomic_store_n(&failures[function], result, __ATOMIC_RELAXED);
  update_armed();
  return true;
}

void ze_counter_number_calls(uint64_t number, uint32_t result) {
  last_number = 0;
  number_to_fail = number;
  numbered_result = result;
  failed_function = nullptr;
  numbering = true;
  update_armed();
}

uint64_t ze_counter_end_numbering(const char **failed) {
  numbering = false;
  update_armed();
  if (failed)
    *failed = failed_function;
  return last_number;
}

const char *ze_counter_kind(uint32_t number) {
  return number < std::size(kinds) ? kinds[number].name : nullptr;
}

int64_t ze_counter_alive(const char *name) {
  for (const Kind &kind : kinds)
    if (std::strcmp(kind.name, name) == 0)
      return alive(kind);
  return -1;
}

void ze_counter_report_at_exit(int descriptor, bool memory_too) {
  report_descriptor = descriptor;
  report_memory_too = memory_too;
}
