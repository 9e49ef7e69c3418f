// A launch whose accesses are traced.
#pragma once

#include "../../contract/kernel_code.h"

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ze_cpu {

/// A work-item, as a report names it.
struct TracedItem {
  uint32_t launch = 0, group = 0, lane = 0;
  bool is_known = false;
};

struct TraceFinding {
  enum class Kind : uint8_t { race, unwritten, other_barrier, no_barrier, not_named, absent } kind;
  bool is_local = false;
  uint32_t flags = 0; // of the access (traced::)
  bool other_wrote = false, other_atomic = false;
  TracedItem item{}, other{};
  uint32_t place = 0, other_place = 0;
  uintptr_t address = 0; // or the offset in work-group memory, or a mask of lanes
  uint64_t bytes = 0;
};

/// Exists while the launch runs, and tells what was found in it when it ends: the text is put together then, since a fiber has
/// little stack.
class TracedLaunch {
public:
  TracedLaunch(const KernelCode &code, const uint32_t (&groups)[3],
               const uint32_t (&group_size)[3]);
  TracedLaunch(const TracedLaunch &) = delete;
  ~TracedLaunch();

  uint32_t number() const { return number_; }
  /// Segments up to this one are ordered before the launch.
  uint64_t start() const { return start_; }
  /// Segments up to this one were before the grid's barrier of that index, which at least one group has passed.
  uint64_t before_grid_barrier(uint32_t index);

  /// Each pair of places once.
  void found(const TraceFinding &finding);
  bool has_found_any() const { return !findings_.empty(); }

private:
  using Key = std::tuple<TraceFinding::Kind, bool, uint32_t, uint32_t>;

  static std::string key_of(const TraceFinding &finding);
  std::string text_of(const TraceFinding &finding) const;
  std::string name_of(const TracedItem &item) const;

  const KernelCode &code_;
  uint32_t groups_[3], group_size_[3];
  uint32_t number_;
  uint64_t start_;
  std::mutex mutex_;
  std::vector<uint64_t> grid_barriers_;
  std::set<Key> known_;
  std::vector<TraceFinding> findings_;
};

} // namespace ze_cpu
