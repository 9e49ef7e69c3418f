// Masks of functions such as __shfl_sync: all lanes that one names, and that have not ended, make the call together.
#include "../checking.h"
#include "group_trace.h"
#include "source_places.h"

#include <algorithm>
#include <bit>

namespace ze_cpu {

GroupTrace::Naming &GroupTrace::naming_at(uint32_t lane, SourcePlace *place) {
  const uint32_t sub_group = lane >> width_bits_;
  const auto known = std::ranges::find_if(namings_, [&](const Naming &naming) {
    return naming.place == place && naming.sub_group == sub_group;
  });
  return known != namings_.end() ? *known : namings_.emplace_back(place, sub_group);
}

void GroupTrace::tell_naming(TraceFinding::Kind kind, uint32_t by, uint32_t other, uint32_t named,
                             SourcePlace *place) {
  TraceFinding finding{};
  finding.kind = kind;
  finding.item = item(by);
  finding.other = item(other);
  finding.place = finding.other_place = number_of(place);
  finding.address = named;
  launch_->found(finding);
}

// Lanes that were named and are not here may have ended, or be about to come in vain. Only what they do next tells.
void GroupTrace::name_lanes(uint32_t lane, uint32_t named, uint32_t here, SourcePlace *place) {
  if (!checks().synchronisation)
    return;
  const uint32_t first = lane >> width_bits_ << width_bits_, own = 1u << (lane - first);
  if (!(named & own))
    return tell_naming(TraceFinding::Kind::not_named, lane, lane, named, place);
  Naming &naming = naming_at(lane, place);
  naming.awaited &= ~own;
  naming.behind &= ~own;
  const uint32_t width = std::min(1u << width_bits_, lanes_ - first);
  const uint32_t absent = named & ~here & (~0u >> (32 - width));
  if (absent == 0)
    return;
  if (const uint32_t missed = absent & naming.behind)
    return tell_naming(TraceFinding::Kind::absent, lane,
                       first + static_cast<uint32_t>(std::countr_zero(missed)), named, place);
  naming.awaited |= absent;
  naming.by = lane;
  naming.named = named;
}

void GroupTrace::come_behind(uint32_t lane, SourcePlace *place) {
  Naming &naming = naming_at(lane, place);
  const uint32_t own = 1u << (lane & ((1u << width_bits_) - 1));
  if (naming.awaited & own)
    tell_naming(TraceFinding::Kind::absent, naming.by, lane, naming.named, place);
  naming.awaited &= ~own;
  naming.behind |= own;
}

} // namespace ze_cpu

using ze_cpu::GroupContext;
using ze_cpu::GroupTrace;
using ze_cpu::SourcePlace;
using ze_cpu::trace_lanes;

void ze_cpu_trace_named_lanes(const GroupContext *group, uint64_t lane, const uint64_t *named,
                              const uint64_t *here, SourcePlace *place, uint64_t step,
                              uint64_t mask) {
  trace_lanes(group, lane, step, mask, [&](GroupTrace &trace, uint32_t each, uint64_t i) {
    trace.name_lanes(each, static_cast<uint32_t>(named[i]), static_cast<uint32_t>(here[i]), place);
  });
}

void ze_cpu_trace_named(const GroupContext *group, uint64_t lane, uint64_t named, uint64_t here,
                        SourcePlace *place) {
  ze_cpu_trace_named_lanes(group, lane, &named, &here, place, 0, 1);
}

void ze_cpu_trace_behind_lanes(const GroupContext *group, uint64_t lane, SourcePlace *place,
                               uint64_t step, uint64_t mask) {
  trace_lanes(group, lane, step, mask,
              [&](GroupTrace &trace, uint32_t each, uint64_t) { trace.come_behind(each, place); });
}

void ze_cpu_trace_behind(const GroupContext *group, uint64_t lane, SourcePlace *place) {
  ze_cpu_trace_behind_lanes(group, lane, place, 0, 1);
}
