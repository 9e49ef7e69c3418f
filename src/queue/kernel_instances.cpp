#include "kernel_instances.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <numeric>

namespace chip {
namespace {

// As memcmp and memcpy, without a call for the sizes that most arguments have.
bool equal(const std::byte *a, const void *b, size_t bytes) {
  const auto as = [](auto type, const void *value) {
    std::memcpy(&type, value, sizeof type);
    return type;
  };
  if (bytes == 8)
    return as(uint64_t(), a) == as(uint64_t(), b);
  if (bytes == 4)
    return as(uint32_t(), a) == as(uint32_t(), b);
  return std::memcmp(a, b, bytes) == 0;
}
void assign(std::byte *to, const void *from, size_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes == 4)
    std::memcpy(to, from, 4);
  else
    std::memcpy(to, from, bytes);
}

bool equal(const ze_group_size_t &a, const ze_group_size_t &b) {
  return a.groupSizeX == b.groupSizeX && a.groupSizeY == b.groupSizeY && a.groupSizeZ == b.groupSizeZ;
}

void launch_cooperative(ze::Appender &list, ze_kernel_handle_t kernel, const LaunchShape &shape, ze::Waits waits) {
  const uint64_t asked = uint64_t(shape.groups.groupCountX) * shape.groups.groupCountY * shape.groups.groupCountZ;
  if (const uint32_t limit = ze::max_cooperative_groups(kernel); asked > limit)
    throw Error(hipErrorCooperativeLaunchTooLarge,
                std::format("a cooperative launch asks for {} blocks, {} can run at once", asked, limit));
  list.launch_cooperative(kernel, shape.groups, waits);
}

void *spill(SpillArena &arena, SpillArena::Block &last, const void *value, size_t bytes) {
  // Loops often launch with the same large arguments again and again: the block of the last launch then serves.
  if (last && std::memcmp(last.data(), value, bytes) == 0 && arena.share(last))
    return last.data();
  last = arena.allocate(bytes);
  std::memcpy(last.data(), value, bytes);
  return last.data();
}

} // namespace

KernelInstances::Instance &KernelInstances::make_instance(const KernelTarget &target) {
  if (target.id >= instances_.size())
    instances_.resize(target.id + 1);
  auto instance = std::make_unique<Instance>();
  instance->handle = ze::create_kernel(target.module, target.name);
  size_t count = target.parameters.size(), bytes = 0;
  for (const Parameter &parameter : target.parameters) {
    instance->value_bytes.push_back(uint32_t(parameter.bytes_in_handle()));
    bytes += instance->value_bytes.back();
  }
  instance->values.resize(bytes);
  instance->spills.resize(count);
  argument_pointers_.resize(std::max(argument_pointers_.size(), count));
  spill_pointers_.resize(std::max(spill_pointers_.size(), count));
  instances_[target.id] = std::move(instance);
  return *instances_[target.id];
}

/// The arguments as the driver takes them, where those of the caller are not.
void **KernelInstances::copy_arguments(SpillArena &arena, Instance &instance, const KernelTarget &target,
                                       const LaunchShape &shape, void *const *arguments) {
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    const Parameter &parameter = target.parameters[i];
    switch (parameter.kind) {
    case ParameterKind::spilled:
      spill_pointers_[i] = spill(arena, instance.spills[i], arguments[i], parameter.bytes);
      argument_pointers_[i] = &spill_pointers_[i];
      break;
    case ParameterKind::local:
      local_bytes_ = std::max<size_t>(shape.dynamic_local_bytes, 1); // none at all is no valid size
      argument_pointers_[i] = &local_bytes_;
      break;
    default:
      argument_pointers_[i] = arguments[i];
    }
  }
  return argument_pointers_.data();
}

/// Notes the arguments that the handle does not have. Whether there are any.
bool KernelInstances::remember(Instance &instance, void *const *arguments, std::vector<uint32_t> &changed) {
  changed.clear();
  uint32_t index = 0;
  std::byte *last = instance.values.data();
  for (const uint32_t bytes : instance.value_bytes) {
    if (!equal(last, arguments[index], bytes)) {
      assign(last, arguments[index], bytes);
      changed.push_back(index);
    }
    last += bytes;
    ++index;
  }
  return !changed.empty();
}

/// Gives the handle the arguments that have changed, or all.
void KernelInstances::set_arguments(Instance &instance, const KernelTarget &target, void *const *arguments, bool all) {
  if (all) {
    changed_.resize(target.parameters.size());
    std::iota(changed_.begin(), changed_.end(), 0);
  }
  for (const uint32_t i : changed_) {
    if (target.parameters[i].kind == ParameterKind::local)
      ze::set_argument(instance.handle.get(), i, local_bytes_, nullptr);
    else
      ze::set_argument(instance.handle.get(), i, instance.value_bytes[i], arguments[i]);
  }
}

void KernelInstances::launch(ze::Appender &list, SpillArena &arena, const KernelTarget &target,
                             const LaunchShape &shape, void *const *arguments, ze::Waits waits) {
  Instance &kernel = instance(target);
  void **values = target.needs_copies ? copy_arguments(arena, kernel, target, shape, arguments)
                                      : const_cast<void **>(arguments);
  const uint64_t epoch = ze::memory_epoch();
  const bool changed = remember(kernel, values, changed_);
  // A pointer that looks the same may mean a new allocation if memory has been freed since; the driver has to see it.
  const bool all = kernel.memory_epoch != epoch;
  const bool resized = all || !equal(kernel.group_size, shape.group_size);
  if (changed || resized) {
    kernel.memory_epoch = Instance::nothing_set; // until all is set
    kernel.group_size = shape.group_size;
    if (list.launches_with_arguments() && !shape.cooperative) {
      list.launch(kernel.handle.get(), shape.groups, shape.group_size, values, waits);
      kernel.memory_epoch = epoch;
      return;
    }
    if (resized)
      ze::set_group_size(kernel.handle.get(), shape.group_size);
    set_arguments(kernel, target, values, all);
    kernel.memory_epoch = epoch;
  }
  if (shape.cooperative)
    launch_cooperative(list, kernel.handle.get(), shape, waits);
  else
    list.launch(kernel.handle.get(), shape.groups, waits);
}

} // namespace chip
