#include "resident_groups.h"

#include "execute.h"

#include <algorithm>
#include <new>

namespace ze_cpu {
namespace {

uint64_t local_stride(uint32_t local_bytes) {
  return (local_bytes + local_alignment - 1) / local_alignment * local_alignment;
}

} // namespace

uint64_t ResidentGroups::bytes(const KernelCode &code, uint32_t group_items, uint32_t local_bytes) {
  return group_items * FiberStacks::stride(code.stack_bytes, !code.stack_is_bounded) +
         local_stride(local_bytes);
}

ResidentGroups::ResidentGroups(const Launch &launch) {
  const KernelCode &code = *launch.code;
  const uint32_t items = group_items(launch);
  const uint64_t count = uint64_t(launch.groups[0]) * launch.groups[1] * launch.groups[2];
  const uint64_t stride = local_stride(launch.local_bytes);
  if (!stacks_.reserve(count * items, code.stack_bytes, !code.stack_is_bounded))
    throw std::bad_alloc();
  if (stride != 0) {
    local_.reset(static_cast<std::byte *>(std::aligned_alloc(local_alignment, count * stride)));
    if (!local_)
      throw std::bad_alloc();
  }
  unfinished_.reserve(count);
  for (uint64_t index = 0; index < count; ++index) {
    Group &group = groups_.emplace_back();
    GroupContext &context = group.context;
    context = {};
    describe(launch, context);
    context.group[0] = index % launch.groups[0];
    context.group[1] = index / launch.groups[0] % launch.groups[1];
    context.group[2] = index / launch.groups[0] / launch.groups[1];
    context.local = local_.get() + index * stride;
    context.stack_low = stacks_.low();
    context.stack_high = stacks_.high();
    context.fibers = &group.fibers;
    group.fibers.reserve(items);
    group.fibers.start(code, context, stacks_, index * items);
    unfinished_.push_back(&group);
  }
}

ZE_CPU_SWITCHES_STACKS void ResidentGroups::run(uint64_t first, uint64_t last) {
  for (; first < last; ++first)
    unfinished_[first]->ended = !unfinished_[first]->fibers.resume();
}

void ResidentGroups::next_phase() {
  std::erase_if(unfinished_, [](const Group *group) { return group->ended; });
}

} // namespace ze_cpu
