/// The groups of cooperative_groups. A group of the warp's threads is a mask of lanes, whether it
/// came from a tile or from the threads that happened to be active together.
#pragma once

#include <hip/spirv_detail/coordinates.h>
#include <hip/spirv_detail/sync.h>
#include <hip/spirv_detail/warp_sync.h>

#define CHIP_GROUP __device__ __forceinline__

namespace cooperative_groups {

namespace internal {

typedef enum {
  cg_invalid,
  cg_multi_grid,
  cg_grid,
  cg_workgroup,
  cg_tiled_group,
  cg_coalesced_group
} group_type;

CHIP_GROUP unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
CHIP_GROUP unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
CHIP_GROUP unsigned int block_count() { return gridDim.x * gridDim.y * gridDim.z; }
CHIP_GROUP unsigned int block_rank() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
CHIP_GROUP unsigned int rank_in_grid() { return block_rank() * block_size() + rank_in_block(); }

/// All threads of the grid arrive, and see each other's writes. The kernel must have been launched
/// by hipLaunchCooperativeKernel: only then all blocks are there at the same time.
CHIP_GROUP void sync_grid() {
  __spirv_ControlBarrier(chip_device::device_scope, chip_device::device_scope,
                         chip_device::all_memory);
}

/// The lanes of this thread's tile: `size` is a power of two, at most the warp's.
CHIP_GROUP unsigned int tile_lanes(unsigned int size) {
  return ~0u >> (warpSize - size) << (__lane_id() & ~(size - 1));
}

/// Makes groups of the warp's threads out of others.
struct __Partition;

/// The bits of `bits` that stand where `lanes` has one, moved together.
CHIP_GROUP unsigned long long by_rank(unsigned int lanes, unsigned long long bits) {
  unsigned long long result = 0;
  for (unsigned int rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
    result |= (bits >> __builtin_ctz(lanes) & 1) << rank;
  return result;
}

} // namespace internal

/// Any group. One of the warp's threads knows its lanes, and which part it is of what was divided.
class thread_group {
protected:
  internal::group_type type_;
  unsigned int size_;
  unsigned int lanes_;
  unsigned int meta_rank_ = 0;
  unsigned int meta_size_ = 1;

  CHIP_GROUP thread_group(internal::group_type type, unsigned int size, unsigned int lanes = 0)
      : type_(type), size_(size), lanes_(lanes) {}

  friend struct internal::__Partition;

public:
  CHIP_GROUP uint32_t size() const { return size_; }
  CHIP_GROUP uint32_t num_threads() const { return size_; }
  CHIP_GROUP unsigned int cg_type() const { return type_; }

  /// This thread's place in the group, from 0 on.
  CHIP_GROUP uint32_t thread_rank() const {
    switch (type_) {
    case internal::cg_multi_grid:
    case internal::cg_grid:
      return internal::rank_in_grid();
    case internal::cg_workgroup:
      return internal::rank_in_block();
    default:
      return __popcll(lanes_ & __lanemask_lt());
    }
  }

  /// Whether the group can synchronise.
  CHIP_GROUP bool is_valid() const {
    return type_ != internal::cg_invalid && type_ != internal::cg_multi_grid;
  }

  /// All threads of the group arrive, and see each other's writes.
  CHIP_GROUP void sync() const {
    switch (type_) {
    case internal::cg_multi_grid:
    case internal::cg_grid:
      internal::sync_grid();
      break;
    case internal::cg_workgroup:
      __syncthreads();
      break;
    default:
      __syncwarp(lanes_);
    }
  }
};

/// The grids of one launch on several devices, which no device has: there is one, and it is not
/// valid.
class multi_grid_group : public thread_group {
  friend CHIP_GROUP multi_grid_group this_multi_grid();

protected:
  explicit CHIP_GROUP multi_grid_group(uint32_t size)
      : thread_group(internal::cg_multi_grid, size) {}

public:
  CHIP_GROUP uint32_t num_grids() { return 1; }
  CHIP_GROUP uint32_t grid_rank() { return 0; }
};

CHIP_GROUP multi_grid_group this_multi_grid() {
  return multi_grid_group(internal::block_count() * internal::block_size());
}

/// All threads of a kernel that was launched by hipLaunchCooperativeKernel.
class grid_group : public thread_group {
  friend CHIP_GROUP grid_group this_grid();

protected:
  explicit CHIP_GROUP grid_group(uint32_t size) : thread_group(internal::cg_grid, size) {}

public:
  /// Of a block, in threads.
  CHIP_GROUP dim3 group_dim() const { return blockDim; }
  CHIP_GROUP dim3 dim_blocks() const { return gridDim; }
  CHIP_GROUP dim3 block_index() const { return blockIdx; }
  CHIP_GROUP uint32_t num_blocks() const { return internal::block_count(); }
  CHIP_GROUP uint32_t block_rank() const { return internal::block_rank(); }
};

CHIP_GROUP grid_group this_grid() {
  return grid_group(internal::block_count() * internal::block_size());
}

/// All threads of a block.
class thread_block : public thread_group {
  friend CHIP_GROUP thread_block this_thread_block();

protected:
  explicit CHIP_GROUP thread_block(uint32_t size) : thread_group(internal::cg_workgroup, size) {}

public:
  static CHIP_GROUP dim3 group_index() { return blockIdx; }
  static CHIP_GROUP dim3 thread_index() { return threadIdx; }
  static CHIP_GROUP dim3 group_dim() { return blockDim; }
  static CHIP_GROUP dim3 dim_threads() { return blockDim; }
  static CHIP_GROUP uint32_t thread_rank() { return internal::rank_in_block(); }
  static CHIP_GROUP uint32_t size() { return internal::block_size(); }
  static CHIP_GROUP uint32_t num_threads() { return internal::block_size(); }
  static CHIP_GROUP bool is_valid() { return true; }
  static CHIP_GROUP void sync() { __syncthreads(); }
};

CHIP_GROUP thread_block this_thread_block() { return thread_block(internal::block_size()); }

/// A part of a block whose size, a power of two and at most the warp's, is known when it runs.
class tiled_group : public thread_group {
  friend struct internal::__Partition;

protected:
  explicit CHIP_GROUP tiled_group(unsigned int tile_size)
      : thread_group(internal::cg_tiled_group, tile_size, internal::tile_lanes(tile_size)) {}
};

/// The threads of a warp that were active together, or a part of them.
class coalesced_group : public thread_group {
  friend struct internal::__Partition;
  friend CHIP_GROUP coalesced_group coalesced_threads();

  CHIP_GROUP unsigned int lane_of(unsigned int rank) const {
    return size_ == warpSize
               ? rank
               : static_cast<unsigned int>(chip_device::nth_bit(lanes_, static_cast<int>(rank)));
  }

protected:
  explicit CHIP_GROUP coalesced_group(unsigned long long lanes)
      : thread_group(internal::cg_coalesced_group, __popcll(lanes),
                     static_cast<unsigned int>(lanes)) {}

public:
  /// Which part of the divided group this one is, and how many parts there are.
  CHIP_GROUP unsigned int meta_group_rank() const { return meta_rank_; }
  CHIP_GROUP unsigned int meta_group_size() const { return meta_size_; }

  // Values of other threads, counted by rank. Where there is none, a thread gets its own.

  template <class T> CHIP_GROUP T shfl(T value, int rank) const {
    return chip_device::value_from(value, lane_of(static_cast<unsigned int>(rank) % size_));
  }
  template <class T> CHIP_GROUP T shfl_up(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank();
    return chip_device::value_from(value, lane_of(distance > rank ? rank : rank - distance));
  }
  template <class T> CHIP_GROUP T shfl_down(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank(), above = size_ - rank - 1;
    return chip_device::value_from(value, lane_of(distance > above ? rank : rank + distance));
  }

  // Votes; bits of the results are counted by rank.

  CHIP_GROUP unsigned long long ballot(int predicate) const {
    return internal::by_rank(lanes_, __ballot_sync(lanes_, predicate));
  }
  CHIP_GROUP int any(int predicate) const { return __any_sync(lanes_, predicate); }
  CHIP_GROUP int all(int predicate) const { return __all_sync(lanes_, predicate); }
  template <typename T> CHIP_GROUP unsigned long long match_any(T value) const {
    return internal::by_rank(lanes_, __match_any_sync(lanes_, value));
  }
  template <typename T> CHIP_GROUP unsigned long long match_all(T value, int &predicate) const {
    return internal::by_rank(lanes_, __match_all_sync(lanes_, value, &predicate));
  }
};

CHIP_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// A part of a block whose size is known to the compiler, of a parent of any type.
template <unsigned int tile_size, class __Parent = void> class thread_block_tile;

template <unsigned int tile_size> class thread_block_tile<tile_size, void> : public tiled_group {
  static_assert(tile_size != 0 && (tile_size & (tile_size - 1)) == 0 && tile_size <= warpSize,
                "the size of a tile is a power of two, and at most that of a warp");

  static CHIP_GROUP unsigned int lanes() { return internal::tile_lanes(tile_size); }
  static CHIP_GROUP unsigned long long by_rank(unsigned long long bits) {
    return bits >> (__lane_id() & ~(tile_size - 1));
  }

protected:
  CHIP_GROUP thread_block_tile(unsigned int parent_rank, unsigned int parent_size)
      : tiled_group(tile_size) {
    meta_rank_ = parent_rank / tile_size;
    meta_size_ = (parent_size + tile_size - 1) / tile_size;
  }

public:
  static CHIP_GROUP unsigned int thread_rank() { return __lane_id() & (tile_size - 1); }
  static CHIP_GROUP unsigned int size() { return tile_size; }
  static CHIP_GROUP unsigned int num_threads() { return tile_size; }
  static CHIP_GROUP void sync() { __syncwarp(); }

  /// Which part of the divided group this one is, and how many parts there are.
  CHIP_GROUP unsigned int meta_group_rank() const { return meta_rank_; }
  CHIP_GROUP unsigned int meta_group_size() const { return meta_size_; }

  // Values of other threads. Where there is none, a thread gets its own.

  template <class T> CHIP_GROUP T shfl(T value, int rank) const {
    return chip_device::value_from(value, chip_device::lane_of(rank, tile_size));
  }
  template <class T> CHIP_GROUP T shfl_up(T value, unsigned int distance) const {
    return chip_device::value_from(value, chip_device::lane_below(distance, tile_size));
  }
  template <class T> CHIP_GROUP T shfl_down(T value, unsigned int distance) const {
    return chip_device::value_from(value, chip_device::lane_above(distance, tile_size));
  }
  template <class T> CHIP_GROUP T shfl_xor(T value, unsigned int mask) const {
    return chip_device::value_from(value,
                                   chip_device::lane_across(static_cast<int>(mask), tile_size));
  }

  // Votes; bits of the results are counted by rank.

  CHIP_GROUP unsigned long long ballot(int predicate) const {
    return by_rank(__ballot_sync(lanes(), predicate));
  }
  CHIP_GROUP int any(int predicate) const { return __any_sync(lanes(), predicate); }
  CHIP_GROUP int all(int predicate) const { return __all_sync(lanes(), predicate); }
  template <typename T> CHIP_GROUP unsigned long long match_any(T value) const {
    return by_rank(__match_any_sync(lanes(), value));
  }
  template <typename T> CHIP_GROUP unsigned long long match_all(T value, int &predicate) const {
    return by_rank(__match_all_sync(lanes(), value, &predicate));
  }
};

/// With the parent's type known. It can be passed where a tile of any parent is wanted.
template <unsigned int tile_size, class __Parent>
class thread_block_tile : public thread_block_tile<tile_size, void> {
  template <unsigned int size, class __Group>
  friend CHIP_GROUP thread_block_tile<size, __Group> tiled_partition(const __Group &parent);

protected:
  explicit CHIP_GROUP thread_block_tile(const __Parent &parent)
      : thread_block_tile<tile_size, void>(parent.thread_rank(), parent.size()) {}
};

// Dividing groups

namespace internal {

struct __Partition {
  static CHIP_GROUP thread_group this_thread() {
    return thread_group(cg_coalesced_group, 1, 1u << __lane_id());
  }

  /// A block's last tile has what is left of it.
  static CHIP_GROUP thread_group tile(const thread_group &parent, unsigned int tile_size) {
    if (parent.type_ == cg_tiled_group && parent.size_ <= tile_size)
      return parent;
    if (parent.type_ == cg_coalesced_group)
      return tile(static_cast<const coalesced_group &>(parent), tile_size);
    const unsigned int part = parent.thread_rank() / tile_size;
    const unsigned int left = parent.size_ - part * tile_size;
    thread_group result(cg_tiled_group, left < tile_size ? left : tile_size, tile_lanes(tile_size));
    result.meta_rank_ = part;
    result.meta_size_ = (parent.size_ + tile_size - 1) / tile_size;
    return result;
  }

  static CHIP_GROUP tiled_group tile(const tiled_group &parent, unsigned int tile_size) {
    tiled_group result(parent);
    thread_group &base = result;
    base = tile(static_cast<const thread_group &>(parent), tile_size);
    return result;
  }

  /// By rank: the first `tile_size` threads, the next ones, and so on.
  static CHIP_GROUP coalesced_group tile(const coalesced_group &parent, unsigned int tile_size) {
    const unsigned int part = parent.thread_rank() / tile_size;
    const unsigned int first = part * tile_size, end = first + tile_size;
    unsigned int lanes = parent.lanes_ & ~0u << parent.lane_of(first);
    if (end < parent.size_)
      lanes &= (1u << parent.lane_of(end)) - 1;
    coalesced_group result(lanes);
    result.meta_rank_ = part;
    result.meta_size_ = (parent.size_ + tile_size - 1) / tile_size;
    return result;
  }

  static CHIP_GROUP coalesced_group by_predicate(const thread_group &parent, bool predicate) {
    const unsigned long long holds = __ballot_sync(parent.lanes_, predicate);
    return coalesced_group(predicate ? holds : parent.lanes_ ^ holds);
  }

  template <typename __Label>
  static CHIP_GROUP coalesced_group by_label(const thread_group &parent, __Label label) {
    return coalesced_group(__match_any_sync(parent.lanes_, label));
  }
};

} // namespace internal

CHIP_GROUP thread_group this_thread() { return internal::__Partition::this_thread(); }

/// Tiles of `size` threads, a power of two and at most the warp's. A tile of a smaller tile is that
/// tile.
CHIP_GROUP thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  return internal::__Partition::tile(parent, size);
}
CHIP_GROUP thread_group tiled_partition(const thread_block &parent, unsigned int size) {
  return internal::__Partition::tile(parent, size);
}
CHIP_GROUP tiled_group tiled_partition(const tiled_group &parent, unsigned int size) {
  return internal::__Partition::tile(parent, size);
}
CHIP_GROUP coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
  return internal::__Partition::tile(parent, size);
}
template <unsigned int size, class __Parent>
CHIP_GROUP thread_block_tile<size, __Parent> tiled_partition(const __Parent &parent) {
  return thread_block_tile<size, __Parent>(parent);
}
template <unsigned int size>
CHIP_GROUP coalesced_group tiled_partition(const coalesced_group &parent) {
  return internal::__Partition::tile(parent, size);
}

/// The threads whose predicate holds, and the others.
CHIP_GROUP coalesced_group binary_partition(const coalesced_group &parent, bool predicate) {
  return internal::__Partition::by_predicate(parent, predicate);
}
template <unsigned int size, class __Parent>
CHIP_GROUP coalesced_group binary_partition(const thread_block_tile<size, __Parent> &parent,
                                            bool predicate) {
  return internal::__Partition::by_predicate(parent, predicate);
}

/// The threads that have the same label.
template <typename __Label>
CHIP_GROUP coalesced_group labeled_partition(const coalesced_group &parent, __Label label) {
  return internal::__Partition::by_label(parent, label);
}
template <unsigned int size, class __Parent, typename __Label>
CHIP_GROUP coalesced_group labeled_partition(const thread_block_tile<size, __Parent> &parent,
                                             __Label label) {
  return internal::__Partition::by_label(parent, label);
}

// Of any group

template <class __Group> CHIP_GROUP uint32_t group_size(const __Group &group) {
  return group.size();
}
template <class __Group> CHIP_GROUP uint32_t thread_rank(const __Group &group) {
  return group.thread_rank();
}
template <class __Group> CHIP_GROUP bool is_valid(const __Group &group) { return group.is_valid(); }
template <class __Group> CHIP_GROUP void sync(const __Group &group) { group.sync(); }

} // namespace cooperative_groups

#undef CHIP_GROUP
