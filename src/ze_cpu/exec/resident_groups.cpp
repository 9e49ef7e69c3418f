#include "resident_groups.h"
#include "../../common/align.h"

#include "execute.h"

#include <algorithm>
#include <new>

namespace ze_cpu {
namespace {

#ifdef ZE_CPU_ASAN
constexpr bool may_share_stacks = false;
#else
constexpr bool may_share_stacks = true;
#endif

uint64_t local_stride(const KernelCode &code, uint32_t local_bytes) {
  return common::round_up(uint64_t{local_bytes}, code.local_alignment);
}

} // namespace

uint64_t ResidentGroups::bytes(const KernelCode &code, uint32_t group_items, uint32_t local_bytes) {
  return uint64_t(group_items) * code.stack_bytes + local_stride(code, local_bytes);
}

ResidentGroups::ResidentGroups(const Launch &launch, unsigned teams) {
  const KernelCode &code = *launch.code;
  const uint32_t items = group_items(launch);
  const uint64_t count = uint64_t(launch.groups[0]) * launch.groups[1] * launch.groups[2];
  const uint64_t team_count = may_share_stacks ? std::min<uint64_t>(count, teams) : count;
  const uint64_t stride = local_stride(code, launch.local_bytes);
  shares_stacks_ = team_count < count;
  if (!stacks_.reserve(team_count * items, code.stack_bytes, !code.stack_is_bounded))
    throw std::bad_alloc();
  if (stride != 0) {
    void *const memory = std::aligned_alloc(code.local_alignment, count * stride);
    local_.reset(static_cast<std::byte *>(memory));
    if (!local_)
      throw std::bad_alloc();
  }
  teams_.resize(team_count);
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
    if (launch.traced) {
      group.trace = std::make_unique<GroupTrace>();
      group.trace->begin(*launch.traced, context, code.sub_group_size,
                         static_cast<uint32_t>(index));
      context.trace = group.trace.get();
    }
    const uint64_t team = index % team_count;
    group.fibers.reserve(items);
    context.fibers = &group.fibers;
    context.calls = group.fibers.calls();
    group.fibers.start(code, context, stacks_, team * items);
    teams_[team].push_back(&group);
  }
}

ZE_CPU_SWITCHES_STACKS void ResidentGroups::run(uint64_t first, uint64_t last) {
  for (; first < last; ++first)
    for (Group *group : teams_[first]) {
      if (shares_stacks_)
        group->fibers.restore_stacks(group->stacks);
      group->ended = !group->fibers.resume();
      if (shares_stacks_)
        group->fibers.save_stacks(group->stacks);
    }
}

void ResidentGroups::next_phase() {
  for (std::vector<Group *> &team : teams_)
    std::erase_if(team, [](const Group *group) { return group->ended; });
  std::erase_if(teams_, [](const std::vector<Group *> &team) { return team.empty(); });
}

} // namespace ze_cpu
