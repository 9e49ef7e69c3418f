// The kernel handles of one queue, or of one recording. Handles carry state and are not safe to share between threads, so each
// has its own. They remember what they were last given: a launch with the same needs only the append.
#pragma once

#include "../ze/command_list.h"
#include "kernel_target.h"
#include "spill_arena.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace chip {

/// Not thread-safe: the lock of its queue guards it.
class KernelInstances {
public:
  /// Appends a launch. `arguments` points to one value per parameter that the caller of a launch passes (KernelTarget). Spilled
  /// ones are copied to the arena. Throws SpillArena::Full, and hipErrorCooperativeLaunchTooLarge for more groups of a
  /// cooperative launch than can run at once; then nothing is appended.
  void launch(ze::Appender &list, SpillArena &arena, const KernelTarget &target, const LaunchShape &shape,
              void *const *arguments, ze::Waits waits);

  /// Destroys the handle of a kernel that is about to go away; its launches are complete.
  void forget(uint32_t kernel_id) {
    if (kernel_id < instances_.size())
      instances_[kernel_id].reset();
  }

private:
  struct Instance {
    static constexpr uint64_t nothing_set = UINT64_MAX;
    ze::Kernel handle;
    // What the handle was last given.
    uint64_t memory_epoch = nothing_set;
    ze_group_size_t group_size{0, 0, 0};
    std::vector<std::byte> values;         // of the arguments, one after the other
    std::vector<uint32_t> value_bytes;     // of each argument
    std::vector<SpillArena::Block> spills; // last block of each spilled parameter
  };

  Instance &instance(const KernelTarget &target) {
    if (target.id < instances_.size() && instances_[target.id]) [[likely]]
      return *instances_[target.id];
    return make_instance(target);
  }
  Instance &make_instance(const KernelTarget &target);
  void **copy_arguments(SpillArena &arena, Instance &instance, const KernelTarget &target, const LaunchShape &shape,
                        void *const *arguments);
  static bool remember(Instance &instance, void *const *arguments, std::vector<uint32_t> &changed);
  void set_arguments(Instance &instance, const KernelTarget &target, void *const *arguments, bool all);

  std::vector<std::unique_ptr<Instance>> instances_; // by kernel id
  // Scratch of one launch.
  std::vector<void *> argument_pointers_;
  std::vector<void *> spill_pointers_; // the values of spilled parameters
  std::vector<uint32_t> changed_;      // arguments that the handle does not have
  size_t local_bytes_ = 0;             // the value of the local parameter
};

} // namespace chip
