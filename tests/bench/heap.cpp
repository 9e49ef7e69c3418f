// Counts the heap allocations of a launch. The functions of the C library are replaced for the
// whole process, the driver's and libCHIP's calls included; operator new ends in malloc.
#include "hip_launcher.h"
#include "sections.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace {
thread_local uint64_t allocations = 0;
}

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) noexcept {
  ++allocations;
  return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) noexcept {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace bench {
namespace {

/// Allocations of one operation, on average over a batch, in this thread.
template <typename Body> double allocations_each(int count, Body body) {
  const uint64_t before = allocations;
  for (int i = 0; i < count; ++i)
    body();
  return static_cast<double>(allocations - before) / count;
}

} // namespace

void count_heap_allocations(const Setting &setting) {
  RawLauncher raw(setting.raw);
  DeviceInt sum;
  HipLauncher hip(sum.get());
  // The same driver call on both sides: libCHIP takes the one with arguments where there is one.
  const auto launch_raw = [&] {
    if (setting.raw.has_launch_with_arguments())
      raw.launch_with_arguments();
    else
      raw.launch();
  };
  std::vector<double> by_raw, by_hip;
  for (int batch = -1; batch < setting.effort.batches; ++batch) {
    const double each_raw = allocations_each(setting.effort.batch_size, launch_raw);
    raw.synchronize();
    const double each_hip = allocations_each(setting.effort.batch_size, [&hip] { hip.launch(); });
    synchronize_device();
    if (batch >= 0) {
      by_raw.push_back(each_raw);
      by_hip.push_back(each_hip);
    }
  }
  const double driver = median(std::move(by_raw));
  setting.results.add("heap_allocs_per_raw_launch", driver);
  setting.results.add("heap_allocs_per_launch", median(std::move(by_hip)) - driver);
}

} // namespace bench
