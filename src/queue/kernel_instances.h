// The kernel handles of one queue, or of one recording. Handles carry state and are not safe to share between threads, so each
// has its own. They remember what they were last given: a launch with the same needs only the append.
#pragma once

#include "../ze/command_list.h"
#include "kernel_target.h"
#include "spill_arena.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace chip {

/// Not thread-safe: the lock of its queue guards it.
class KernelInstances {
public:
  /// Appends a launch. `arguments` points to one value per parameter that the caller of a launch passes (KernelTarget). Spilled
  /// ones are copied to the arena. Throws SpillArena::Full, and hipErrorCooperativeLaunchTooLarge for more groups of a
  /// cooperative launch than can run at once; then nothing is appended.
  [[gnu::always_inline]] void launch(ze::Appender &list, SpillArena &arena,
                                     const KernelTarget &target, const LaunchShape &shape,
                                     void *const *arguments, ze::Waits waits) {
    Instance *const kernel = find_instance(target);
    if (kernel && kernel->is_plain && is_current(*kernel, shape)) [[likely]] {
      const Changes changes = remember_words(*kernel, arguments);
      if (changes.count <= kernel->cheap_changes) [[likely]] {
        set_changed(*kernel, arguments, changes.mask);
        return list.launch(kernel->handle.get(), shape.groups, waits);
      }
      kernel->memory_epoch = Instance::nothing_set;
    }
    launch_any({list, arena, target, shape, arguments, waits});
  }

  /// Destroys the handle of a kernel that is about to go away; its launches are complete.
  void forget(uint32_t kernel_id) {
    if (kernel_id < instances_.size())
      instances_[kernel_id].reset();
  }

private:
  struct alignas(64) Instance {
    static constexpr uint64_t nothing_set = UINT64_MAX;
    // What the launch of a plain kernel reads comes first, in one cache line.
    ze::Kernel handle;
    // What the handle was last given.
    uint64_t memory_epoch = nothing_set;
    // A word for each argument of a plain kernel; of others, one argument's bytes after the other.
    std::unique_ptr<uint64_t[]> values;
    ze_group_size_t group_size{0, 0, 0};
    uint32_t count = 0; // of arguments
    uint64_t wide = 0;  // which arguments of a plain kernel have 8 bytes, by index
    // How many arguments are best set one by one; with more, the launch takes all, where it can.
    uint32_t cheap_changes = 0;
    // The arguments of a plain kernel have 4 or 8 bytes each, there are at most 64, and they are passed on as they are.
    bool is_plain = false;
    bool forgets = false; // each launch gives the handle everything; it is not plain then

    std::vector<uint32_t> value_bytes;     // of each argument
    std::vector<SpillArena::Block> spills; // last block of each spilled parameter

    /// Of an argument of a plain kernel.
    size_t bytes_of_word(uint32_t index) const { return 4 + 4 * (wide >> index & 1); }
  };
  /// The arguments that a handle does not have.
  struct Changes {
    uint64_t mask = 0; // by index, of a kernel that has no more than 64
    uint64_t count = 0;
  };

  static bool equal(const ze_group_size_t &a, const ze_group_size_t &b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  /// Whether a launch may lack nothing but arguments. A pointer that looks the same may mean a new allocation if memory has been
  /// freed since; the driver has to see it.
  static bool is_current(const Instance &instance, const LaunchShape &shape) {
    return instance.memory_epoch == ze::memory_epoch() &&
           equal(instance.group_size, shape.group_size) && !shape.cooperative;
  }
  template <class Value> static uint64_t load(const void *value) {
    Value loaded;
    std::memcpy(&loaded, value, sizeof loaded);
    return loaded;
  }
  /// Notes the arguments of a launch, and tells which of them are new. Of a plain kernel.
  static Changes remember_words(Instance &instance, void *const *arguments) {
    Changes changes;
    uint64_t *last = instance.values.get();
    const uint64_t wide = instance.wide; // once: for the compiler, it could be one of `values`
    for (uint32_t i = 0; i < instance.count; ++i) {
      const uint64_t now =
          wide >> i & 1 ? load<uint64_t>(arguments[i]) : load<uint32_t>(arguments[i]);
      const bool is_new = now != last[i];
      if (is_new) {
        last[i] = now;
        changes.mask |= uint64_t(1) << i;
        ++changes.count;
      }
    }
    return changes;
  }
  static Changes remember(Instance &instance, void *const *arguments);
  /// Sets arguments that were remembered. Of a plain kernel.
  [[gnu::always_inline]] static void set_changed(Instance &instance, void *const *arguments,
                                                 uint64_t mask) {
    try {
      for (; mask; mask &= mask - 1) {
        const auto i = uint32_t(std::countr_zero(mask));
        ze::set_argument(instance.handle.get(), i, instance.bytes_of_word(i), arguments[i]);
      }
    } catch (...) {
      instance.memory_epoch = Instance::nothing_set;
      throw;
    }
  }

  /// Null if there is none yet.
  Instance *find_instance(const KernelTarget &target) {
    return target.id < instances_.size() ? instances_[target.id].get() : nullptr;
  }
  Instance &make_instance(const ze::Appender &list, const KernelTarget &target);
  void **copy_arguments(SpillArena &arena, Instance &instance, const KernelTarget &target,
                        const LaunchShape &shape, void *const *arguments);
  void set_argument(Instance &instance, const KernelTarget &target, void *const *arguments,
                    uint32_t index);
  /// What launch() was given.
  struct Request {
    ze::Appender &list;
    SpillArena &arena;
    const KernelTarget &target;
    const LaunchShape &shape;
    void *const *arguments;
    ze::Waits waits;
  };
  void launch_any(const Request &request);

  std::vector<std::unique_ptr<Instance>> instances_; // by kernel id
  // Scratch of one launch.
  std::vector<void *> argument_pointers_;
  std::vector<void *> spill_pointers_; // the values of spilled parameters
  size_t local_bytes_ = 0;             // the value of the local parameter
};

/// Throws hipErrorCooperativeLaunchTooLarge for more groups of a cooperative launch than can run at once, where the launch itself
/// comes later.
void check_cooperative(const KernelTarget &target, const LaunchShape &shape);

} // namespace chip
