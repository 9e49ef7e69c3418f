// Linked into the process that compiles: what its code, which is instrumented for libFuzzer, calls
// there. Only the counters are of use.
#include "coverage.h"

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr uintptr_t page = 4096;

uint8_t *shared_memory(void *at, size_t bytes, size_t offset) {
  const char *path = std::getenv(fuzz::coverage_variable);
  const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0)
    return nullptr;
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file,
                      static_cast<off_t>(offset));
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<uint8_t *>(memory);
}

void count_report(const char *) {
  if (auto *memory = shared_memory(nullptr, fuzz::reports_bytes, fuzz::coverage_bytes))
    __atomic_fetch_add(reinterpret_cast<uint64_t *>(memory), 1, __ATOMIC_RELAXED);
}

} // namespace

extern "C" {

[[gnu::weak]] void __asan_set_error_report_callback(void (*callback)(const char *));

// The counters become the shared memory, but for those on the section's first and last page, which
// have other variables on them.
[[gnu::visibility("default")]] void __sanitizer_cov_8bit_counters_init(uint8_t *begin,
                                                                       uint8_t *end) {
  const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page;
  const uintptr_t last = reinterpret_cast<uintptr_t>(end) / page * page;
  if (first < last && last - first <= fuzz::coverage_bytes)
    shared_memory(reinterpret_cast<void *>(first), last - first, 0);
  if (__asan_set_error_report_callback)
    __asan_set_error_report_callback(count_report);
}

#define ZE_CPU_IGNORED(name, ...)                                                                  \
  [[gnu::visibility("default")]] void __sanitizer_cov_##name(__VA_ARGS__) {}
ZE_CPU_IGNORED(pcs_init, const uintptr_t *, const uintptr_t *)
ZE_CPU_IGNORED(trace_pc_indir, uintptr_t)
ZE_CPU_IGNORED(trace_cmp1, uint8_t, uint8_t)
ZE_CPU_IGNORED(trace_cmp2, uint16_t, uint16_t)
ZE_CPU_IGNORED(trace_cmp4, uint32_t, uint32_t)
ZE_CPU_IGNORED(trace_cmp8, uint64_t, uint64_t)
ZE_CPU_IGNORED(trace_const_cmp1, uint8_t, uint8_t)
ZE_CPU_IGNORED(trace_const_cmp2, uint16_t, uint16_t)
ZE_CPU_IGNORED(trace_const_cmp4, uint32_t, uint32_t)
ZE_CPU_IGNORED(trace_const_cmp8, uint64_t, uint64_t)
ZE_CPU_IGNORED(trace_switch, uint64_t, uint64_t *)
ZE_CPU_IGNORED(trace_div4, uint32_t)
ZE_CPU_IGNORED(trace_div8, uint64_t)
ZE_CPU_IGNORED(trace_gep, uintptr_t)
}

// Which the compiler's code otherwise gets from libFuzzer.
extern "C" [[gnu::visibility("default")]] thread_local uintptr_t __sancov_lowest_stack =
    UINTPTR_MAX;
