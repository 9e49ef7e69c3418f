// Runs kernels: work-groups over the worker threads, work-items of a group by loops or fibers.
#pragma once

#include "../../common/readable_name.h"
#include "../contract/program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ze_cpu {

/// Static facts of a compiled kernel, for zeKernelGetProperties and for laying out work-group
/// memory.
struct KernelFootprint {
  uint32_t local_bytes;   // work-group memory of variables declared in the kernel; dynamic memory
                          // follows it
  uint32_t private_bytes; // per work-item
  uint32_t sub_group_size;
};
KernelFootprint footprint(const KernelCode &code);

/// The most work-items a cooperative launch may have on a machine with so many processors: each has
/// room for a work-group of any size.
constexpr uint32_t max_resident_items(unsigned processors) {
  return std::max(65'536u, processors * 1'024);
}

/// How many work-groups of `group_items` work-items, with `local_bytes` of work-group memory each,
/// a cooperative launch of `code` may have, if it is to have no more than `items` work-items, in
/// whole sub-groups, and to take no more than `memory_bytes`. At least 1. Of a kernel whose groups wait for each other through memory:
/// how many groups may do so on a device of `threads` threads.
uint32_t max_cooperative_groups(const KernelCode &code, uint32_t group_items, uint32_t local_bytes,
                                uint32_t items, uint64_t memory_bytes, uint32_t threads);

class TracedLaunch;

struct Launch {
  const KernelCode *code;
  /// As Argument::offset lays them out; aligned to 8 bytes; must stay valid until execute()
  /// returns.
  const std::byte *arguments;
  uint32_t groups[3];
  uint32_t group_size[3];
  uint32_t global_offset[3];
  /// Static and dynamic work-group memory together. It begins at an address aligned to 128 bytes.
  uint32_t local_bytes;
  /// All work-groups exist at once and may wait for each other at barriers of the grid.
  bool cooperative = false;
  /// Whose threads work on it: Pool::of().
  unsigned device = 0;
  /// Set where accesses are traced (ZE_CPU_CHECK).
  TracedLaunch *traced = nullptr;
};

/// What a kernel did wrong; `address` is the faulting one where the machine tells.
struct Fault {
  bool happened = false;
  std::string description; // one line: kernel name, what, address
  std::optional<uintptr_t> address = std::nullopt;
  bool gave_up = false; // a work-item wrote to the trap's address
};

/// What messages call a kernel.
inline std::string label(const KernelCode &code) {
  return "kernel " + common::readable_name(code.name);
}

/// Runs the whole grid and returns when its last work-group has ended. Called from any number of
/// threads at a time: the worker threads are shared, the caller takes part. A fault in a kernel
/// ends the launch, not the process.
Fault execute(const Launch &launch);

/// Whether the launch has one work-group, of a kernel that runs as a loop on the calling thread's
/// own stack.
bool is_simple(const Launch &launch);

/// The same for launches that are simple, on the calling thread: `launch` as it is, and again after
/// each `next()` that returns true, which changes it.
Fault execute_simple(const Launch &launch, const std::function<bool()> &next);

} // namespace ze_cpu
