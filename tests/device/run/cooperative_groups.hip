// Groups of cooperative_groups that need no cooperative launch: blocks, tiles and coalesced threads.
#include "device_test.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;
using namespace device_test;

constexpr unsigned threads = 96;

struct Pair {
  short a;
  double b;
};

template <class Group> __device__ unsigned sum_of(const Group &group, unsigned value) {
  for (unsigned distance = group.size() / 2; distance > 0; distance /= 2)
    value += group.shfl_down(value, distance);
  return group.shfl(value, 0);
}
// Takes a tile of any parent, and tells its size.
template <unsigned size> __device__ unsigned size_of(const cg::thread_block_tile<size> &) { return size; }

__global__ void blocks(unsigned *out, bool *good) {
  cg::thread_block block = cg::this_thread_block();
  const cg::thread_group group = block;
  const unsigned rank = block.thread_rank();
  out[block.group_index().y * block.size() + rank] = rank;
  __shared__ unsigned shared[threads];
  shared[rank] = rank;
  group.sync();
  bool ok = shared[(rank + 1) % threads] == (rank + 1) % threads;
  block.sync();
  shared[rank] = 2 * rank;
  cg::sync(block);
  ok &= shared[(rank + 40) % threads] == 2 * ((rank + 40) % threads);
  ok &= group.size() == threads && cg::group_size(block) == threads && block.num_threads() == threads;
  ok &= group.thread_rank() == rank && cg::thread_rank(group) == rank && group.is_valid() && cg::is_valid(block);
  ok &= block.group_dim().x == 16 && block.dim_threads().z == 2 && block.thread_index().y == threadIdx.y;
  const cg::thread_group alone = cg::this_thread();
  ok &= alone.size() == 1 && alone.thread_rank() == 0;
  // What a grid knows without a cooperative launch.
  const cg::grid_group grid = cg::this_grid();
  ok &= grid.size() == 2 * threads && grid.num_blocks() == 2 && grid.block_rank() == blockIdx.y &&
        grid.thread_rank() == blockIdx.y * threads + rank && grid.group_dim().y == 3 && grid.is_valid();
  cg::multi_grid_group grids = cg::this_multi_grid();
  ok &= grids.num_grids() == 1 && grids.grid_rank() == 0 && !grids.is_valid() && grids.size() == 2 * threads;
  good[block.group_index().y * threads + rank] = ok;
}

template <unsigned size> __global__ void tiles(bool *good) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const unsigned in_block = block.thread_rank(), rank = in_block % size, first = in_block - rank;
  const unsigned long long all = size == 32 ? 0xffffffffull : (1ull << size) - 1;
  bool ok = tile.size() == size && tile.num_threads() == size && tile.thread_rank() == rank && size_of(tile) == size;
  ok &= tile.meta_group_rank() == in_block / size && tile.meta_group_size() == threads / size;
  ok &= tile.shfl(in_block, 1) == first + 1 % size && tile.shfl(in_block, -1) == first + size - 1;
  ok &= tile.shfl_up(in_block, 1) == (rank == 0 ? in_block : in_block - 1);
  ok &= tile.shfl_down(in_block, 1) == (rank == size - 1 ? in_block : in_block + 1);
  ok &= size == 1 || tile.shfl_xor(in_block, 1) == (in_block ^ 1);
  ok &= tile.shfl(rank + 0.25, 0) == 0.25 && tile.shfl(-1.5f, 0) == -1.5f;
  ok &= tile.shfl(static_cast<unsigned char>(in_block), 0) == first;
  const Pair pair = tile.shfl(Pair{static_cast<short>(in_block), in_block + 0.5}, 0);
  ok &= pair.a == short(first) && pair.b == first + 0.5;
  ok &= sum_of(tile, in_block) == size * first + size * (size - 1) / 2;
  ok &= tile.ballot(rank == 0) == 1 && tile.ballot(true) == all && tile.ballot(false) == 0;
  ok &= tile.any(rank == size - 1) && !tile.any(false) && tile.all(true) && (size == 1 || !tile.all(rank == 0));
  unsigned long long expected = 0;
  for (unsigned i = rank % 3; i < size; i += 3)
    expected |= 1ull << i;
  ok &= tile.match_any(rank % 3) == expected;
  ok &= tile.match_any(static_cast<double>(rank % 3)) == expected;
  // Each tile has a value of its own, so all are equal in each.
  int same = -1;
  ok &= tile.match_all(in_block / size, same) == all && same == 1;
  ok &= tile.match_all(rank == 0 ? 1.0f : 2.0f, same) == (size == 1 ? all : 0) && same == (size == 1);

  const cg::thread_block_tile<size> any_parent = tile;
  ok &= any_parent.meta_group_rank() == in_block / size && any_parent.thread_rank() == rank;
  __shared__ unsigned shared[threads];
  shared[in_block] = rank;
  tile.sync();
  ok &= shared[first + (rank + 1) % size] == (rank + 1) % size;

  if constexpr (size >= 4) {
    const auto quarter = cg::tiled_partition<size / 4>(tile);
    ok &= quarter.thread_rank() == rank % (size / 4) && quarter.meta_group_rank() == rank / (size / 4) &&
          quarter.meta_group_size() == 4;
  }
  const cg::coalesced_group odd = cg::binary_partition(tile, rank % 2);
  ok &= odd.size() == (size == 1 ? 1 : size / 2) && odd.thread_rank() == rank / 2;
  const cg::coalesced_group label = cg::labeled_partition(tile, static_cast<int>(rank % 3));
  ok &= label.thread_rank() == rank / 3 && label.size() == unsigned(__popcll(expected));
  good[in_block] = ok;
}

// Sizes known only here, from groups whose kind is known only to the group.
__global__ void runtime_tiles(bool *good, unsigned size) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned in_block = block.thread_rank();
  const cg::thread_group tile = cg::tiled_partition(block, size);
  const unsigned tail = blockDim.x % size;
  bool ok = tile.size() == (tail != 0 && in_block >= blockDim.x - tail ? tail : size);
  ok &= tile.thread_rank() == in_block % size;
  tile.sync();
  const cg::thread_group half = cg::tiled_partition(tile, size / 2);
  ok &= half.thread_rank() == in_block % (size / 2);
  ok &= cg::tiled_partition(half, 32).thread_rank() == half.thread_rank();
  const cg::thread_group general = block;
  ok &= cg::tiled_partition(general, size).thread_rank() == in_block % size;
  const cg::tiled_group warp = cg::tiled_partition<32>(block);
  const cg::tiled_group part = cg::tiled_partition(warp, size);
  ok &= part.size() == size && part.thread_rank() == in_block % size;
  good[in_block] = ok;
}

__global__ void coalesced(bool *good) {
  const unsigned lane = threadIdx.x % 32, first = threadIdx.x - lane;
  bool ok = true;
  const cg::coalesced_group all = cg::coalesced_threads();
  ok &= all.size() == 32 && all.thread_rank() == lane && all.shfl(lane, 7) == 7;
  if (lane % 3 == 1) { // 1, 4, ..., 31: eleven lanes
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned rank = lane / 3;
    ok &= group.size() == 11 && group.thread_rank() == rank && group.is_valid();
    ok &= group.meta_group_rank() == 0 && group.meta_group_size() == 1;
    ok &= group.shfl(lane, 2) == 7 && group.shfl(lane, 13) == 7;
    ok &= group.shfl_up(lane, 2) == (rank < 2 ? lane : lane - 6);
    ok &= group.shfl_down(lane, 3) == (rank > 7 ? lane : lane + 9);
    ok &= group.shfl_down(lane, ~0u) == lane;
    ok &= group.ballot(rank % 2) == 0x2aa && group.any(lane == 31) && !group.any(lane == 30) && group.all(lane != 0);
    ok &= group.match_any(rank % 4) == (0x111ull << (rank % 4) & 0x7ff);
    int same = -1;
    ok &= group.match_all(threadIdx.x / 32, same) == 0x7ff && same == 1;
    ok &= group.match_all(lane, same) == 0 && same == 0;

    const cg::coalesced_group part = cg::tiled_partition(group, 4);
    ok &= part.size() == (rank < 8 ? 4 : 3) && part.thread_rank() == rank % 4;
    ok &= part.meta_group_rank() == rank / 4 && part.meta_group_size() == 3;
    ok &= part.shfl(rank, 1) == rank / 4 * 4 + 1;
    ok &= cg::tiled_partition<2>(part).thread_rank() == rank % 2;
    const cg::thread_group general = group;
    ok &= cg::tiled_partition(general, 4).thread_rank() == rank % 4;

    const cg::coalesced_group small = cg::binary_partition(group, rank < 3);
    ok &= small.size() == (rank < 3 ? 3 : 8) && small.thread_rank() == (rank < 3 ? rank : rank - 3);
    const cg::coalesced_group label = cg::labeled_partition(group, rank / 5);
    ok &= label.size() == (rank < 10 ? 5 : 1) && label.thread_rank() == rank % 5;

    __shared__ unsigned shared[128];
    shared[threadIdx.x] = lane;
    group.sync();
    ok &= shared[first + (lane + 3) % 33] == (lane + 3) % 33;
  }
  good[threadIdx.x] = ok;
}

template <class Kernel, class... Arguments>
void launch(const char *what, Kernel kernel, dim3 block, Arguments... arguments) {
  const unsigned count = block.x * block.y * block.z;
  Array<bool> good(count);
  kernel<<<1, block>>>(good.get(), arguments...);
  wait();
  int wrong = 0;
  for (size_t i = 0; i < count; ++i)
    wrong += !good[i];
  if (wrong && !unchecked())
    std::printf("%s: %d threads of %u found something wrong\n", what, wrong, count);
  CHECK(wrong == 0);
}

int main() {
  Array<unsigned> ranks(2 * threads);
  Array<bool> good(2 * threads);
  blocks<<<dim3(1, 2), dim3(16, 3, 2)>>>(ranks.get(), good.get());
  wait();
  bool ranked = true, all = true;
  for (size_t i = 0; i < 2 * threads; ++i) {
    ranked &= ranks[i] == i % threads;
    all &= good[i];
  }
  CHECK(ranked);
  CHECK(all);
  launch("tiles of 1", tiles<1>, threads);
  launch("tiles of 2", tiles<2>, threads);
  launch("tiles of 8", tiles<8>, threads);
  launch("tiles of 16", tiles<16>, threads);
  launch("tiles of 32", tiles<32>, threads);
  launch("tiles of 16 in a block of three dimensions", tiles<16>, dim3(4, 6, 4));
  launch("tiles of 32 in a block of two dimensions", tiles<32>, dim3(3, 32));
  launch("run-time tiles of 8", runtime_tiles, 64, 8u);
  launch("run-time tiles of 32, with a tail", runtime_tiles, 64 + 8, 32u);
  launch("coalesced threads", coalesced, 128);
  return result();
}
