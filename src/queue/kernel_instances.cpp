#include "kernel_instances.h"
#include "../ze/caches.h"

#include <algorithm>
#include <cstring>
#include <format>

namespace chip {
namespace {

/// The handle has been given what the launch needs.
void check_cooperative(ze_kernel_handle_t kernel, const LaunchShape &shape) {
  const uint64_t asked =
      uint64_t(shape.groups.groupCountX) * shape.groups.groupCountY * shape.groups.groupCountZ;
  if (const uint32_t limit = ze::max_cooperative_groups(kernel); asked > limit)
    throw Error(
        hipErrorCooperativeLaunchTooLarge,
        std::format("a cooperative launch asks for {} blocks, {} can run at once", asked, limit));
}

/// None at all is no valid size.
size_t local_bytes(const Parameter &parameter, const LaunchShape &shape) {
  return std::max<size_t>(size_t(shape.dynamic_local_bytes) + parameter.bytes, 1);
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

KernelInstances::Instance &KernelInstances::make_instance(const ze::Appender &list,
                                                          const KernelTarget &target) {
  if (target.id >= instances_.size())
    instances_.resize(target.id + 1);
  auto instance = std::make_unique<Instance>();
  instance->handle = ze::create_kernel(target.module, target.name);
  size_t count = target.parameters.size(), bytes = 0;
  for (const Parameter &parameter : target.parameters) {
    instance->value_bytes.push_back(uint32_t(parameter.bytes_in_handle()));
    bytes += instance->value_bytes.back();
  }
  instance->count = uint32_t(count);
  instance->forgets = !ze::Caches::of_process().arguments;
  instance->is_plain = !target.needs_copies && count <= 64 && !instance->forgets;
  for (size_t i = 0; i < count && instance->is_plain; ++i) {
    instance->is_plain = instance->value_bytes[i] == 4 || instance->value_bytes[i] == 8;
    instance->wide |= uint64_t(instance->value_bytes[i] == 8) << i;
  }
  instance->values = std::make_unique<uint64_t[]>(std::max(count, (bytes + 7) / 8));
  instance->spills.resize(count);
  if (!list.launches_with_arguments())
    instance->cheap_changes = uint32_t(count);
  else if (count <= 64)
    instance->cheap_changes = uint32_t(3 * count + 2) / 4;
  argument_pointers_.resize(std::max(argument_pointers_.size(), count));
  spill_pointers_.resize(std::max(spill_pointers_.size(), count));
  instances_[target.id] = std::move(instance);
  return *instances_[target.id];
}

/// The arguments as the driver takes them, where those of the caller are not.
void **KernelInstances::copy_arguments(SpillArena &arena, Instance &instance,
                                       const KernelTarget &target, const LaunchShape &shape,
                                       void *const *arguments) {
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    const Parameter &parameter = target.parameters[i];
    switch (parameter.kind) {
    case ParameterKind::spilled:
      spill_pointers_[i] = spill(arena, instance.spills[i], arguments[i], parameter.bytes);
      argument_pointers_[i] = &spill_pointers_[i];
      break;
    case ParameterKind::local:
      local_bytes_ = local_bytes(parameter, shape);
      argument_pointers_[i] = &local_bytes_;
      break;
    default:
      argument_pointers_[i] = arguments[i];
    }
  }
  return argument_pointers_.data();
}

void KernelInstances::set_argument(Instance &instance, const KernelTarget &target,
                                   void *const *arguments, uint32_t i) {
  if (target.parameters[i].kind == ParameterKind::local)
    ze::set_argument(instance.handle.get(), i, local_bytes_, nullptr);
  else
    ze::set_argument(instance.handle.get(), i, instance.value_bytes[i], arguments[i]);
}

KernelInstances::Changes KernelInstances::remember(Instance &instance, void *const *arguments) {
  if (instance.is_plain)
    return remember_words(instance, arguments);
  Changes changes;
  auto *last = reinterpret_cast<std::byte *>(instance.values.get());
  for (uint32_t i = 0; i < instance.count; ++i) {
    const uint32_t bytes = instance.value_bytes[i];
    if (std::memcmp(last, arguments[i], bytes) != 0) {
      std::memcpy(last, arguments[i], bytes);
      changes.mask |= uint64_t(1) << i % 64;
      ++changes.count;
    }
    last += bytes;
  }
  return changes;
}

/// Appends a launch of which the handle may lack anything.
void KernelInstances::launch_any(const Request &request) {
  const auto &[list, arena, target, shape, given, waits] = request;
  Instance *const found = find_instance(target);
  Instance &instance = found ? *found : make_instance(list, target);
  if (instance.forgets) {
    instance.memory_epoch = Instance::nothing_set;
    std::ranges::fill(instance.spills, SpillArena::Block());
  }
  void **const arguments = target.needs_copies
                               ? copy_arguments(arena, instance, target, shape, given)
                               : const_cast<void **>(given);
  const Changes changes = remember(instance, arguments);
  const uint64_t epoch = ze::memory_epoch();
  const bool all = instance.memory_epoch != epoch;
  const bool resized = all || !equal(instance.group_size, shape.group_size);
  if (resized || changes.count) {
    instance.memory_epoch = Instance::nothing_set; // until all is set
    instance.group_size = shape.group_size;
    if (list.launches_with_arguments() && !shape.cooperative &&
        (resized || changes.count > instance.cheap_changes)) {
      list.launch(instance.handle.get(), shape.groups, shape.group_size, arguments, waits);
      instance.memory_epoch = epoch;
      return;
    }
    if (resized)
      ze::set_group_size(instance.handle.get(), shape.group_size);
    for (uint32_t i = 0; i < instance.count; ++i)
      if (all || instance.count > 64 || (changes.mask >> i & 1))
        set_argument(instance, target, arguments, i);
    instance.memory_epoch = epoch;
  }
  if (!shape.cooperative)
    return list.launch(instance.handle.get(), shape.groups, waits);
  check_cooperative(instance.handle.get(), shape);
  list.launch_cooperative(instance.handle.get(), shape.groups, waits);
}

void check_cooperative(const KernelTarget &target, const LaunchShape &shape) {
  const ze::Kernel kernel = ze::create_kernel(target.module, target.name);
  ze::set_group_size(kernel.get(), shape.group_size);
  for (uint32_t i = 0; i < target.parameters.size(); ++i)
    if (const Parameter &parameter = target.parameters[i]; parameter.kind == ParameterKind::local)
      ze::set_argument(kernel.get(), i, local_bytes(parameter, shape), nullptr);
  check_cooperative(kernel.get(), shape);
}

} // namespace chip
