#include "managed.h"
#include "../../common/align.h"
#include "../../common/probe.h"
#include "../operations/enqueue.h"
#include "../platform/platform.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace chip {
namespace {

/// What advice holds for at least, since devices have memory in pages.
constexpr size_t page_bytes = 4096;

[[noreturn]] void refuse_memory() {
  throw Error(hipErrorInvalidValue, "`address` is not in memory of hipMallocManaged");
}

void check_device(int device) {
  if (device != hipCpuDeviceId)
    Platform::get().device(device);
}

void check_advice(hipMemoryAdvise advice) {
  if (advice < hipMemAdviseSetReadMostly ||
      (advice > hipMemAdviseUnsetAccessedBy && advice != hipMemAdviseSetCoarseGrain &&
       advice != hipMemAdviseUnsetCoarseGrain))
    throw Error(hipErrorInvalidValue, "`advice` is not a hipMemoryAdvise");
}

/// Whether the bytes, of which there are some, are the program's own, and the device reaches all that it has. Of such memory
/// nothing is remembered: HIP does not see it go.
bool is_own_memory(const Device &device, const void *address, size_t bytes) {
  const auto access = device.info().access.sharedSystemAllocCapabilities;
  return bytes != 0 && (access & ZE_MEMORY_ACCESS_CAP_FLAG_RW) && !find_allocation(address) &&
         common::is_readable(address, bytes);
}

/// Calls `look(uses, begin, end, allocation)` for managed memory, with the offsets of its bytes, of which there is at least one.
/// Throws for other memory, and for a range that goes past its end.
template <class Look> void look_at_managed(const void *address, size_t bytes, const Look &look) {
  const bool found =
      look_at_allocation(address, [&](const Allocation &allocation, AllocationTraits &traits) {
        if (allocation.kind != AllocationKind::managed)
          refuse_memory();
        if (bytes == 0)
          throw Error(hipErrorInvalidValue, "`count` is 0");
        check_range(allocation, address, bytes);
        const auto begin = size_t(static_cast<const std::byte *>(address) -
                                  static_cast<const std::byte *>(allocation.base));
        look(traits.uses, begin, begin + bytes, allocation);
      });
  if (!found)
    refuse_memory();
}

/// Calls `change(use)` for all parts of the pages that the bytes lie in.
template <class Change> void change_use(const void *address, size_t bytes, const Change &change) {
  look_at_managed(address, bytes,
                  [&](ManagedUses &uses, size_t begin, size_t end, const Allocation &allocation) {
                    uses.change(begin / page_bytes * page_bytes,
                                std::min(common::round_up(end, page_bytes), allocation.bytes),
                                change);
                  });
}

/// Calls `look(use)` for all parts of a range.
template <class Look> void look_at_use(const void *address, size_t bytes, const Look &look) {
  look_at_managed(address, bytes,
                  [&](const ManagedUses &uses, size_t begin, size_t end, const Allocation &) {
                    uses.look(begin, end, look);
                  });
}

/// What `member` is in all parts of the range; `otherwise` if it is not the same in all.
template <class Value>
int common_value(const void *address, size_t bytes, Value ManagedUse::*member, int otherwise) {
  std::optional<int> value;
  look_at_use(address, bytes, [&](const ManagedUse &use) {
    const int own = use.*member;
    value = !value || *value == own ? own : otherwise;
  });
  return value.value_or(otherwise);
}

/// The devices that were named for all parts of the range.
std::vector<int> devices_that_access(const void *address, size_t bytes) {
  std::optional<std::vector<int>> devices;
  look_at_use(address, bytes, [&](const ManagedUse &use) {
    if (devices)
      std::erase_if(*devices,
                    [&](int device) { return !std::ranges::contains(use.accessed_by, device); });
    else
      devices = use.accessed_by;
  });
  return devices.value_or(std::vector<int>());
}

/// How memory that is not managed is kept coherent, which is settled when it is allocated; nothing for managed memory, and for
/// memory that HIP does not know.
std::optional<int> settled_coherency(const void *address, size_t bytes) {
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->kind == AllocationKind::managed)
    return {};
  if (bytes == 0)
    throw Error(hipErrorInvalidValue, "`count` is 0");
  check_range(*allocation, address, bytes);
  const unsigned flags = allocation->flags;
  bool is_coarse_grained = false;
  switch (allocation->kind) {
  case AllocationKind::host:
    is_coarse_grained = flags & hipHostMallocNonCoherent;
    break;
  case AllocationKind::registered:
    is_coarse_grained = flags & hipExtHostRegisterCoarseGrained;
    break;
  case AllocationKind::signal:
    break;
  default:
    is_coarse_grained =
        !(flags & hipDeviceMallocFinegrained); // a bit of hipDeviceMallocUncached as well
  }
  return is_coarse_grained ? hipMemRangeCoherencyModeCoarseGrain
                           : hipMemRangeCoherencyModeFineGrain;
}

void check_query(const RangeQuery &query) {
  if (!query.data)
    throw Error(hipErrorInvalidValue, "a pointer that must be given is null");
  switch (query.attribute) {
  case hipMemRangeAttributeAccessedBy:
    if (query.data_bytes == 0 || query.data_bytes % sizeof(int32_t) != 0)
      throw Error(hipErrorInvalidValue, "the size of the data is not a multiple of 4");
    return;
  case hipMemRangeAttributeReadMostly:
  case hipMemRangeAttributePreferredLocation:
  case hipMemRangeAttributeLastPrefetchLocation:
  case hipMemRangeAttributeCoherencyMode:
    if (query.data_bytes != sizeof(int32_t))
      throw Error(hipErrorInvalidValue, "the size of the data is not 4");
    return;
  }
  throw Error(hipErrorInvalidValue, "the attribute is not a hipMemRangeAttribute");
}

void store(const RangeQuery &query, const void *address, size_t bytes) {
  auto *const values = static_cast<int32_t *>(query.data);
  switch (query.attribute) {
  case hipMemRangeAttributeReadMostly:
    *values = common_value(address, bytes, &ManagedUse::is_read_mostly, 0);
    return;
  case hipMemRangeAttributePreferredLocation:
    *values = common_value(address, bytes, &ManagedUse::preferred_location, hipInvalidDeviceId);
    return;
  case hipMemRangeAttributeLastPrefetchLocation:
    *values = common_value(address, bytes, &ManagedUse::last_prefetch, hipInvalidDeviceId);
    return;
  case hipMemRangeAttributeCoherencyMode:
    if (const auto settled = settled_coherency(address, bytes)) {
      *values = *settled;
      return;
    }
    *values = common_value(address, bytes, &ManagedUse::is_coarse_grained,
                           hipMemRangeCoherencyModeIndeterminate);
    return;
  case hipMemRangeAttributeAccessedBy: {
    const std::vector<int> devices = devices_that_access(address, bytes);
    for (size_t i = 0; i < query.data_bytes / sizeof(int32_t); ++i)
      values[i] = i < devices.size() ? devices[i] : hipInvalidDeviceId;
    return;
  }
  }
}

} // namespace

static_assert(hipMemRangeCoherencyModeFineGrain == 0 && hipMemRangeCoherencyModeCoarseGrain == 1,
              "ManagedUse::is_coarse_grained is stored as it is");

void advise(const void *address, size_t bytes, hipMemoryAdvise advice, int device) {
  if (advice != hipMemAdviseSetReadMostly && advice != hipMemAdviseUnsetReadMostly)
    check_device(device);
  check_advice(advice);
  if (is_own_memory(Platform::current_device(), address, bytes))
    return;
  change_use(address, bytes, [&](ManagedUse &use) {
    switch (advice) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      use.is_read_mostly = advice == hipMemAdviseSetReadMostly;
      return;
    case hipMemAdviseSetPreferredLocation:
      use.preferred_location = device;
      return;
    case hipMemAdviseUnsetPreferredLocation:
      use.preferred_location = hipInvalidDeviceId;
      return;
    case hipMemAdviseSetAccessedBy:
      if (!std::ranges::contains(use.accessed_by, device))
        use.accessed_by.push_back(device);
      return;
    case hipMemAdviseUnsetAccessedBy:
      std::erase(use.accessed_by, device);
      return;
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      use.is_coarse_grained = advice == hipMemAdviseSetCoarseGrain;
      return;
    }
  });
}

void check_prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device) {
  if (!is_own_memory(*stream.device, address, bytes))
    look_at_use(address, bytes, [](const ManagedUse &) {});
  check_device(device);
}

void prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device) {
  check_prefetch(stream, address, bytes, device);
  if (is_own_memory(*stream.device, address, bytes))
    return;
  if (device != hipCpuDeviceId && Platform::get().has_one_driver()) // several use it where it is
    enqueue(stream, operations::Prefetch{address, bytes});
  change_use(address, bytes, [&](ManagedUse &use) { use.last_prefetch = device; });
}

void store_range_attributes(std::span<const RangeQuery> queries, const void *address,
                            size_t bytes) {
  std::ranges::for_each(queries, check_query);
  // Nothing is stored if one of them is refused.
  for (const RangeQuery &query : queries)
    if (query.attribute != hipMemRangeAttributeCoherencyMode || !settled_coherency(address, bytes))
      look_at_use(address, bytes, [](const ManagedUse &) {});
  for (const RangeQuery &query : queries)
    store(query, address, bytes);
}

void check_attachment(const StreamTarget &stream, const void *address, size_t length) {
  if (is_own_memory(*stream.device, address, length))
    return;
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->kind != AllocationKind::managed)
    refuse_memory();
  if (length != 0 && length != allocation->bytes)
    throw Error(hipErrorInvalidValue, "`length` is neither 0 nor the size of the allocation");
}

} // namespace chip
