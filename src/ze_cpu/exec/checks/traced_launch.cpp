#include "traced_launch.h"

#include "../execute.h"
#include "findings.h"
#include "segments.h"
#include "source_places.h"

#include <algorithm>
#include <atomic>
#include <format>

namespace ze_cpu {
namespace {

std::atomic<uint32_t> launches = 0;
// In hot loops the same race is found again and again.
constexpr size_t most_findings = 100;

const char *doing(uint32_t flags) {
  const bool writes = flags & traced::write;
  return flags & traced::atomic && writes ? "changes" : writes ? "writes" : "reads";
}

std::string_view class_of(TraceFinding::Kind kind) {
  switch (kind) {
  case TraceFinding::Kind::race:
    return "races";
  case TraceFinding::Kind::unwritten:
    return "uninitialised";
  default:
    return "synchronisation";
  }
}

} // namespace

TracedLaunch::TracedLaunch(const KernelCode &code, const uint32_t (&groups)[3],
                           const uint32_t (&group_size)[3])
    : code_(code), groups_{groups[0], groups[1], groups[2]},
      group_size_{group_size[0], group_size[1], group_size[2]},
      number_(launches.fetch_add(1, std::memory_order_relaxed)),
      start_(Segments::instance().last()) {}

TracedLaunch::~TracedLaunch() {
  for (const TraceFinding &finding : findings_)
    tell_finding(class_of(finding.kind), common::readable_name(code_.name), key_of(finding),
                 text_of(finding));
}

uint64_t TracedLaunch::before_grid_barrier(uint32_t index) {
  const std::lock_guard lock(mutex_);
  while (grid_barriers_.size() <= index)
    grid_barriers_.push_back(Segments::instance().last());
  return grid_barriers_[index];
}

void TracedLaunch::found(const TraceFinding &finding) {
  const auto [first, second] = std::minmax(finding.place, finding.other_place);
  const Key key(finding.kind, finding.is_local, first, second);
  const std::lock_guard lock(mutex_);
  if (findings_.size() < most_findings && known_.insert(key).second)
    findings_.push_back(finding);
}

std::string TracedLaunch::key_of(const TraceFinding &finding) {
  std::string first = key_of_place(finding.place), second = key_of_place(finding.other_place);
  if (second < first)
    std::swap(first, second);
  return std::format("{} {} {} {}", int(finding.kind), finding.is_local, first, second);
}

std::string TracedLaunch::name_of(const TracedItem &item) const {
  if (item.launch != number_)
    return "a work-item of another launch that runs at the same time";
  const uint32_t *size = group_size_, *count = groups_;
  return std::format("work-item ({}, {}, {}) of group ({}, {}, {})", item.lane % size[0],
                     item.lane / size[0] % size[1], item.lane / size[0] / size[1],
                     item.group % count[0], item.group / count[0] % count[1],
                     item.group / count[0] / count[1]);
}

std::string TracedLaunch::text_of(const TraceFinding &finding) const {
  using Kind = TraceFinding::Kind;
  const std::string item = name_of(finding.item), at = at_place(finding.place),
                    other_at = at_place(finding.other_place);
  std::string text = label(code_) + ": ";
  if (finding.kind == Kind::other_barrier)
    return text + std::format("{} waits at a barrier{}, and {} at another{}: not all work-items of "
                              "the group reach either",
                              item, at, name_of(finding.other),
                              !at.empty() && at == other_at ? " of that line" : other_at);
  if (finding.kind == Kind::no_barrier)
    return text + std::format("{} waits at a barrier{}, which {} has gone around", item, at,
                              name_of(finding.other));
  if (finding.kind == Kind::not_named)
    return text + std::format("{} is not in the mask {:#x} with which it calls a function of its "
                              "warp{}",
                              item, finding.address, at);
  if (finding.kind == Kind::absent)
    return text +
           std::format("{} names by the mask {:#x} those that call a function of the warp{}, "
                       "and {} does not call it",
                       item, finding.address, at, name_of(finding.other));
  const std::string place = finding.is_local
                                ? std::format("at offset {} of work-group memory", finding.address)
                                : std::format("at address {:#x}", finding.address);
  const std::string allocation = finding.is_local ? std::string() : where_it_lies(finding.address);
  if (finding.kind == Kind::unwritten)
    return text + std::format("{} reads {} bytes {}{}, of which nobody has written the first{}",
                              item, finding.bytes, place, at, allocation);
  return text +
         std::format("race: {} {} {} bytes {}{}, which {} {}{}, and nothing orders the two{}", item,
                     doing(finding.flags), finding.bytes, place, at, name_of(finding.other),
                     finding.other_atomic  ? "changed atomically"
                     : finding.other_wrote ? "wrote"
                                           : "read",
                     other_at, allocation);
}

} // namespace ze_cpu
