#include "group_trace.h"

#include "../../contract/sanitizers.h"
#include "segments.h"
#include "source_places.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

namespace ze_cpu {
namespace {

/// What the writers of words that order others have told: segments up to a number. Words share an
/// entry by chance; that orders too much, never too little.
class Told {
public:
  static Told &instance() {
    static auto *const all = new Told;
    return *all;
  }
  uint64_t at(uintptr_t address) const {
    return entry(address).load(std::memory_order_acquire) >> tag_bits;
  }
  /// The same if it was not the one with that tag who wrote last, or else 0.
  uint64_t by_others(uintptr_t address, uint32_t tag) const {
    const uint64_t told = entry(address).load(std::memory_order_acquire);
    return (told & tags) == tag ? 0 : told >> tag_bits;
  }
  void raise(uintptr_t address, uint64_t segment, uint32_t tag) {
    std::atomic<uint64_t> &told = entry(address);
    uint64_t before = told.load(std::memory_order_relaxed), behind;
    do
      behind = std::max(before >> tag_bits, segment) << tag_bits | tag;
    while (before != behind &&
           !told.compare_exchange_weak(before, behind, std::memory_order_acq_rel));
  }
  static constexpr unsigned tag_bits = 28;
  static constexpr uint32_t tags = (1u << tag_bits) - 1;

private:
  static constexpr unsigned bits = 18;
  Told()
      : entries_(static_cast<std::atomic<uint64_t> *>(reserve_zeroes(sizeof(uint64_t) << bits))) {}
  std::atomic<uint64_t> &entry(uintptr_t address) const {
    return entries_[(address >> 2) * 0x9E3779B97F4A7C15u >> (64 - bits)];
  }
  std::atomic<uint64_t> *entries_;
};

// Pairs of places at which values differed to the end.
class WaitedFor {
public:
  static WaitedFor &instance() {
    static auto *const all = new WaitedFor;
    return *all;
  }
  bool contains(uint32_t place, uint32_t other) {
    const std::lock_guard lock(mutex_);
    return pairs_.contains(std::minmax(place, other));
  }
  void add(uint32_t place, uint32_t other) {
    const std::lock_guard lock(mutex_);
    pairs_.insert(std::minmax(place, other));
  }

private:
  std::mutex mutex_;
  std::set<std::pair<uint32_t, uint32_t>> pairs_;
};

uint32_t bytes_mask(uint32_t first, uint64_t bytes) {
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(bytes, cell_bytes - first));
  return ((1u << count) - 1) << first;
}

bool is_within(uintptr_t address, const std::byte *low, uint64_t size) {
  return address - reinterpret_cast<uintptr_t>(low) < size;
}

} // namespace

struct GroupTrace::Touched {
  SubGroup &sub_group;
  uint32_t lane;
  uint32_t flags;
  uint32_t place;
  bool is_local;
  uintptr_t address; // as reports tell it
  uint64_t bytes;
  uint64_t value;
  uintptr_t begin; // of the access in memory
  uint64_t stale;  // segments up to this one are of before

  bool is_flag() const {
    return (flags & traced::is_volatile) ||
           (sub_group.has_fenced && (flags & (traced::write | traced::atomic)) == traced::write);
  }
  bool is_atomic() const { return flags & traced::atomic; }
};

GroupTrace::GroupTrace(const Checks &checks)
    : shadow_(Shadow::instance()), row_code_(row_code()), races_(checks.races),
      uninitialised_(checks.uninitialised), synchronisation_(checks.synchronisation) {}

void GroupTrace::begin(TracedLaunch &launch, const GroupContext &context, uint32_t sub_group_size,
                       uint32_t group) {
  launch_ = &launch;
  group_ = group;
  const uint64_t *size = context.group_size;
  lanes_ = static_cast<uint32_t>(size[0] * size[1] * size[2]);
  width_bits_ = static_cast<uint32_t>(std::countr_zero(sub_group_size));
  sub_groups_.assign((lanes_ + sub_group_size - 1) >> width_bits_, {});
  for (uint32_t i = 0; SubGroup &sub_group : sub_groups_) {
    sub_group.known = launch.start();
    sub_group.tag = (launch.number() * 31 + group_ * 64 + i++) & Told::tags;
  }
  arrived_.begin(lanes_);
  around_.begin(lanes_);
  epochs_.assign(lanes_, 0);
  namings_.clear();
  epoch_ = grid_barriers_ = 0;
  begin_segments();
  first_segment_ = first_of_epoch_;
  if (const size_t cells = context.local_bytes / cell_bytes + 1; cells > local_reads_) {
    local_marks_.assign(2 * cells, 0);
    local_reads_ = cells;
  }
  if (uninitialised_)
    local_unwritten_.assign(context.local_bytes / 8 + 1, 255);
}

void GroupTrace::begin_segments() {
  Segments &segments = Segments::instance();
  const auto count = static_cast<uint32_t>(sub_groups_.size());
  first_of_epoch_ = segments.take(count);
  for (uint32_t i = 0; i < count; ++i) {
    sub_groups_[i].segment = first_of_epoch_ + i;
    sub_groups_[i].has_accessed = sub_groups_[i].has_fenced = false;
    set_marking(sub_groups_[i]);
    segments.describe(first_of_epoch_ + i, {launch_->number(), group_, epoch_, i << width_bits_});
  }
}

void GroupTrace::set_marking(SubGroup &sub_group) {
  const uint64_t known = (sub_group.known + 1) * Mark::of_segment,
                 epoch = first_of_epoch_ * Mark::of_segment,
                 start = (launch_->start() + 1) * Mark::of_segment,
                 own = sub_group.segment * Mark::of_segment, kept = std::max(known, epoch);
  sub_group.marking[0] = {own, kept, start, known};
  sub_group.marking[1] = {own, kept, epoch, kept};
}

void GroupTrace::next_epoch(bool of_grid) {
  ++epoch_;
  uint64_t known = 0;
  for (const SubGroup &sub_group : sub_groups_)
    known = std::max(known, sub_group.known);
  if (of_grid)
    known = std::max(known, launch_->before_grid_barrier(grid_barriers_++));
  for (SubGroup &sub_group : sub_groups_)
    sub_group.known = known;
  arrived_.forget();
  around_.forget();
  begin_segments();
}

void GroupTrace::acquire(SubGroup &sub_group, uintptr_t address) {
  sub_group.known = std::max(sub_group.known, Told::instance().at(address));
  sub_group.acquired = address;
  set_marking(sub_group);
}

// An update is told of before it is made: what it finds may have been told of in between. So the word is looked at once more when
// something stands against the first access behind it.
void GroupTrace::acquire_late(SubGroup &sub_group) {
  if (sub_group.acquired == 0 || sub_group.has_accessed)
    return;
  const uint64_t told = Told::instance().by_others(sub_group.acquired, sub_group.tag);
  sub_group.known = std::max(sub_group.known, told);
  set_marking(sub_group);
}

// Of a segment in which nothing was accessed yet, all before it is told.
void GroupTrace::release(SubGroup &sub_group, uintptr_t address, uint32_t lane) {
  const uint64_t done = sub_group.segment - (sub_group.has_accessed ? 0 : 1);
  Told::instance().raise(address, std::max(done, sub_group.known), sub_group.tag);
  if (!sub_group.has_accessed)
    return;
  Segments &segments = Segments::instance();
  sub_group.segment = segments.take(1);
  set_marking(sub_group);
  sub_group.has_accessed = false;
  segments.describe(sub_group.segment,
                    {launch_->number(), group_, epoch_, lane >> width_bits_ << width_bits_});
}

/// Whether what the mark stands for is of another and not ordered before the access.
bool GroupTrace::races(Mark mark, const Touched &touched, Segment &whose) {
  const uint64_t segment = mark.segment();
  SubGroup &sub_group = touched.sub_group;
  if (segment > sub_group.known)
    acquire_late(sub_group);
  if (segment <= touched.stale || segment <= sub_group.known ||
      !Segments::instance().find(segment, whose))
    return false;
  if (whose.launch != launch_->number())
    return !touched.is_local; // it ran while this one did, so nothing orders the two
  if (whose.group != group_)
    return !touched.is_local;
  return whose.epoch == epoch_ && whose.first_lane >> width_bits_ != touched.lane >> width_bits_;
}

void GroupTrace::tell(Mark mark, const Segment &whose, const Touched &touched, bool wrote) {
  TraceFinding finding{};
  finding.kind = TraceFinding::Kind::race;
  finding.is_local = touched.is_local;
  finding.flags = touched.flags;
  finding.other_wrote = wrote;
  finding.other_atomic = wrote && mark.touch() == Touch::atomic;
  finding.item = item(touched.lane);
  finding.other = {whose.launch, whose.group, whose.first_lane + mark.lane_in_sub_group(), true};
  finding.place = touched.place;
  finding.other_place = mark.place();
  finding.address = touched.address;
  finding.bytes = touched.bytes;
  launch_->found(finding);
}

void GroupTrace::check_against(Mark mark, const Touched &touched, uint32_t mask, bool wrote) {
  Segment whose;
  if (mark.segment() != touched.sub_group.segment && (mark.bytes() & mask) != 0 &&
      races(mark, touched, whose))
    tell(mark, whose, touched, wrote);
}

void GroupTrace::read(Cell cell, const Touched &touched, uint32_t mask) {
  SubGroup &sub_group = touched.sub_group;
  const Mark written = cell.last_write();
  const bool by_other = written.segment() != sub_group.segment && written.segment() > touched.stale;
  const bool orders = written.touch() == Touch::atomic || written.touch() == Touch::flag;
  if (by_other && written.touch() == Touch::plain &&
      !(touched.flags & (traced::atomic | traced::is_volatile)))
    check_against(written, touched, mask, true);
  // Elsewhere programs read what others count up, and can do with what they get.
  else if (by_other && touched.is_local && written.touch() == Touch::atomic &&
           !(touched.flags & (traced::atomic | traced::is_volatile | traced::beside_atomic)))
    check_against(written, touched, mask, true);
  if (by_other && orders)
    acquire(sub_group, touched.begin);
  if (touched.flags & (traced::atomic | traced::is_volatile | traced::beside_atomic))
    return;
  // The first of several that nothing orders is kept: a write comes after all of them.
  const Mark before = cell.a_read();
  const uint64_t segment = before.segment();
  if (segment == sub_group.segment) {
    if ((before.bytes() & mask) == mask)
      return;
    mask |= before.bytes();
  } else if (segment >= first_of_epoch_ && segment > sub_group.known) {
    return;
  }
  cell.set_read(
      Mark(sub_group.segment, lane_in_sub_group(touched.lane), mask, Touch::plain, touched.place));
}

/// Whether the value that is to be written stands there, as another wrote it. An access is told of before it is made, so that of a group
/// which runs at the same time may be on its way: for each pair of places it is waited for, but not again if it did not come.
bool GroupTrace::is_there(const Touched &touched, uintptr_t address, uint32_t mask, Mark written,
                          const Segment &whose) {
  const auto stands = [&] {
    return std::memcmp(reinterpret_cast<const char *>(&touched.value) + (address - touched.begin),
                       reinterpret_cast<const void *>(address),
                       static_cast<size_t>(std::popcount(mask))) == 0;
  };
  if (stands())
    return true;
  if ((whose.launch == launch_->number() && whose.group == group_) ||
      WaitedFor::instance().contains(touched.place, written.place()))
    return false;
  // As long as others may take the processor from a thread that is about to write.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  do {
    std::this_thread::yield();
    if (stands())
      return true;
  } while (std::chrono::steady_clock::now() < end);
  WaitedFor::instance().add(touched.place, written.place());
  return false;
}

void GroupTrace::write(Cell cell, const Touched &touched, uintptr_t address, uint32_t mask) {
  SubGroup &sub_group = touched.sub_group;
  const bool atomic = touched.is_atomic(), flag = !atomic && touched.is_flag();
  Touch touch = atomic ? Touch::atomic : flag ? Touch::flag : Touch::plain;
  const Mark written = cell.last_write();
  if (!flag && written.segment() != sub_group.segment && written.segment() > touched.stale &&
      (written.bytes() & mask) != 0 && written.touch() != Touch::repeated &&
      written.touch() != Touch::flag && !(atomic && written.touch() == Touch::atomic)) {
    Segment whose;
    if (races(written, touched, whose)) {
      if (!atomic && (touched.flags & traced::has_value) && written.touch() == Touch::plain &&
          is_there(touched, address, mask, written, whose))
        touch = Touch::repeated;
      else
        tell(written, whose, touched, true);
    }
  }
  if (!flag && touch != Touch::repeated && (!atomic || touched.is_local))
    check_against(cell.a_read(), touched, mask, false);
  if (written.segment() == sub_group.segment && written.touch() == touch)
    mask |= written.bytes();
  cell.set_write(
      Mark(sub_group.segment, lane_in_sub_group(touched.lane), mask, touch, touched.place));
}

void GroupTrace::set_local_written(uintptr_t offset, uint64_t bytes) {
  const uintptr_t end = offset + bytes;
  while (offset < end)
    if (offset % 8 == 0 && end - offset >= 8) {
      const uint64_t whole = (end - offset) / 8;
      std::fill_n(&local_unwritten_[offset / 8], whole, uint8_t(0));
      offset += whole * 8;
    } else {
      local_unwritten_[offset / 8] &= static_cast<uint8_t>(~(1u << offset % 8));
      ++offset;
    }
}

void GroupTrace::check_written(const Touched &touched, uint64_t bytes, uint64_t value) {
  const uint64_t wanted = touched.flags & traced::has_value ? value : ~uint64_t(0);
  for (uint64_t i = 0; i < bytes; ++i) {
    if (i < 64 && !(wanted >> i & 1))
      continue;
    const uintptr_t place = touched.address + i;
    const bool unwritten = touched.is_local ? local_unwritten_[place / 8] >> (place & 7) & 1
                                            : shadow_.first_unwritten(place, 1) != 0;
    if (!unwritten)
      continue;
    TraceFinding finding{};
    finding.kind = TraceFinding::Kind::unwritten;
    finding.is_local = touched.is_local;
    finding.flags = touched.flags;
    finding.item = item(touched.lane);
    finding.place = touched.place;
    finding.address = touched.address;
    finding.bytes = touched.bytes;
    return launch_->found(finding);
  }
}

void GroupTrace::access_unusual(const GroupContext &context, const Access &access) {
  const auto [lane, address, whole, flags, source, value] = access;
  if (whole == 0)
    return;
  uint64_t bytes = whole;
  const bool is_local = is_within(address, context.local, context.local_bytes);
  if (!is_local && is_within(address, context.stack_low,
                             static_cast<uint64_t>(context.stack_high - context.stack_low)))
    return;
  SubGroup &sub_group = sub_group_of(lane);
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(context.local);
  const uintptr_t local_end = std::min<uint64_t>(offset + bytes, context.local_bytes);
  if (is_local)
    bytes = local_end - offset;
  const Touched touched{.sub_group = sub_group,
                        .lane = lane,
                        .flags = flags,
                        .place = number_of(source),
                        .is_local = is_local,
                        .address = is_local ? offset : address,
                        .bytes = bytes,
                        .value = value,
                        .begin = address,
                        .stale = is_local ? first_segment_ - 1 : launch_->start()};
  if (uninitialised_) {
    if (flags & traced::read && !(flags & traced::only_copied))
      check_written(touched, bytes, value);
    if (flags & traced::write) {
      if (is_local)
        set_local_written(offset, bytes);
      else
        shadow_.set_unwritten(address, bytes, false);
    }
  }
  if (!races_)
    return;
  const bool orders = flags & (traced::atomic | traced::is_volatile);
  if (orders && flags & traced::read)
    acquire(sub_group, address);
  Cell cell;
  for (uintptr_t at = address, end = address + bytes; at < end;) {
    const uint32_t first = at % cell_bytes;
    if (!cell || (at & (Shadow::chunk_bytes - 1)) < cell_bytes)
      cell = cell_at(is_local, is_local ? at - reinterpret_cast<uintptr_t>(context.local) : at);
    if (!cell)
      return;
    const uint32_t mask = bytes_mask(first, end - at);
    if (flags & traced::write)
      write(cell, touched, at, mask);
    else
      read(cell, touched, mask);
    cell = cell + 1;
    at += cell_bytes - first;
  }
  if (flags & traced::write && (orders || touched.is_flag()))
    release(sub_group, address, lane);
  else if (!orders)
    sub_group.has_accessed = true;
}

// Places matter only to check_barrier().
void GroupTrace::arrive(uint32_t lane, SourcePlace *place, uint32_t step, uint64_t mask) {
  arrived_.add(synchronisation_ ? place : nullptr, lane, step, mask);
}

// Lanes that do so together have come to the same barrier.
void GroupTrace::pass(uint32_t lane, bool of_grid) {
  if (!arrived_.has(lane)) // another has passed before
    return;
  if (synchronisation_)
    check_barrier();
  next_epoch(of_grid);
}

// The first that goes on has not passed as many barriers as the group.
void GroupTrace::meet(uint32_t lane, uint32_t count, bool of_grid) {
  if (epochs_[lane] == static_cast<uint8_t>(epoch_))
    next_epoch(of_grid);
  std::fill_n(&epochs_[lane], count, static_cast<uint8_t>(epoch_));
}

void GroupTrace::go_around(uint32_t lane, SourcePlace *place, uint32_t step, uint64_t mask) {
  if (synchronisation_)
    around_.add(place, lane, step, mask);
}

// All lanes have come to a barrier, or have ended.
void GroupTrace::check_barrier() {
  if (arrived_.are_at_one_place() && around_.is_empty())
    return;
  // Copies of one barrier, of a loop that is unrolled or a function that is inlined twice, have one place in the source. What a
  // column is not known of may be such a copy.
  const auto same = [](const SourcePlace *a, const SourcePlace *b) {
    return a == b || (a && b && a->line != 0 && a->line == b->line &&
                      (a->column == b->column || a->column == 0 || b->column == 0) && a->file &&
                      b->file && std::strcmp(a->file, b->file) == 0);
  };
  uint32_t first = 0;
  while (!arrived_.has(first))
    ++first;
  SourcePlace *const place = arrived_.place_of(first);
  for (uint32_t i = 0; i < lanes_; ++i) {
    const bool is_there = arrived_.has(i);
    SourcePlace *const around = around_.place_of(i);
    if (is_there ? same(arrived_.place_of(i), place) : !around || !same(around, place))
      continue;
    TraceFinding finding{};
    finding.kind = is_there ? TraceFinding::Kind::other_barrier : TraceFinding::Kind::no_barrier;
    finding.item = item(first);
    finding.other = item(i);
    finding.place = number_of(place);
    finding.other_place = number_of(is_there ? arrived_.place_of(i) : around);
    return launch_->found(finding);
  }
}

} // namespace ze_cpu
