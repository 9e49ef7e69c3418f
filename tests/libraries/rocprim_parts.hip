// rocPRIM's parts for blocks and warps.
#include "check.h"

#include <rocprim/rocprim.hpp>

using namespace library_test;

constexpr unsigned block_size = 256, items = 4, blocks = 5, count = block_size * items * blocks;

__global__ void scan_blocks(const int *in, int *out) {
  using Scan = rocprim::block_scan<int, block_size>;
  __shared__ Scan::storage_type storage;
  int values[items];
  const unsigned first = (blockIdx.x * block_size + threadIdx.x) * items;
  for (unsigned i = 0; i < items; ++i)
    values[i] = in[first + i];
  Scan().inclusive_scan(values, values, storage);
  for (unsigned i = 0; i < items; ++i)
    out[first + i] = values[i];
}

__global__ void sort_blocks(const unsigned *in, unsigned *out) {
  using Load = rocprim::block_load<unsigned, block_size, items, rocprim::block_load_method::block_load_transpose>;
  using Sort = rocprim::block_radix_sort<unsigned, block_size, items>;
  using Store = rocprim::block_store<unsigned, block_size, items, rocprim::block_store_method::block_store_transpose>;
  __shared__ union {
    Load::storage_type load;
    Sort::storage_type sort;
    Store::storage_type store;
  } storage;
  unsigned keys[items];
  const unsigned first = blockIdx.x * block_size * items;
  Load().load(in + first, keys, storage.load);
  rocprim::syncthreads();
  Sort().sort(keys, storage.sort);
  rocprim::syncthreads();
  Store().store(out + first, keys, storage.store);
}

__global__ void reduce_blocks(const int *in, int *out) {
  using Reduce = rocprim::block_reduce<int, block_size>;
  __shared__ Reduce::storage_type storage;
  int sum;
  Reduce().reduce(in[blockIdx.x * block_size + threadIdx.x], sum, storage);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

/// Sums before each thread and in all, and the order of the values, in warps of a given number of threads; and a value of another
/// thread by rocPRIM's shuffles of structures.
struct Pair {
  double real;
  char letter;
};
template <unsigned warp_size> __global__ void use_warps(const int *in, int *before, int *sums, int *sorted, int *permuted) {
  using Scan = rocprim::warp_scan<int, warp_size>;
  using Reduce = rocprim::warp_reduce<int, warp_size, true>;
  using Sort = rocprim::warp_sort<int, warp_size>;
  __shared__ typename Scan::storage_type scan[block_size / warp_size];
  __shared__ typename Reduce::storage_type reduce[block_size / warp_size];
  __shared__ typename Sort::storage_type sort[block_size / warp_size];
  const unsigned i = blockIdx.x * block_size + threadIdx.x, warp = threadIdx.x / warp_size;
  Scan().exclusive_scan(in[i], before[i], 0, scan[warp]);
  Reduce().reduce(in[i], sums[i], reduce[warp]);
  int key = in[i];
  Sort().sort(key, sort[warp]);
  sorted[i] = key;
  const unsigned lane = threadIdx.x % warp_size;
  const Pair mine{in[i] + 0.5, char(lane)};
  const Pair sent = rocprim::warp_permute(mine, int((lane + 3) % warp_size), warp_size);
  const Pair across = rocprim::detail::warp_swizzle_shuffle(sent, 2, warp_size);
  permuted[i] = int(across.real * 2) * 64 + across.letter;
}

template <unsigned warp_size> void check_warps(const std::vector<int> &in) {
  Device<int> input(in), before(count), sums(count), sorted(count), permuted(count);
  use_warps<warp_size><<<count / block_size, block_size>>>(input.get(), before.get(), sums.get(), sorted.get(), permuted.get());
  CALL(hipGetLastError());
  std::vector<int> expected_before(count), expected_sums(count), expected_sorted = in, expected_permuted(count);
  for (size_t first = 0; first < count; first += warp_size) {
    const auto begin = in.begin() + long(first), end = begin + warp_size;
    std::exclusive_scan(begin, end, expected_before.begin() + long(first), 0);
    std::fill_n(expected_sums.begin() + long(first), warp_size, std::accumulate(begin, end, 0));
    std::sort(expected_sorted.begin() + long(first), expected_sorted.begin() + long(first) + warp_size);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const unsigned from = ((lane ^ 2) + warp_size - 3) % warp_size;
      expected_permuted[first + lane] = (in[first + from] * 2 + 1) * 64 + int(from);
    }
  }
  CHECK(before.host() == expected_before);
  CHECK(sums.host() == expected_sums);
  CHECK(sorted.host() == expected_sorted);
  CHECK(permuted.host() == expected_permuted);
}

int main() {
  const std::vector<int> in = numbers<int>(count, 1000);
  const std::vector<unsigned> keys = numbers<unsigned>(count, 1u << 24);
  Device<int> input(in), scanned(count), sums(count / block_size);
  Device<unsigned> unsorted(keys), sorted(count);
  scan_blocks<<<blocks, block_size>>>(input.get(), scanned.get());
  CALL(hipGetLastError());
  sort_blocks<<<blocks, block_size>>>(unsorted.get(), sorted.get());
  CALL(hipGetLastError());
  reduce_blocks<<<count / block_size, block_size>>>(input.get(), sums.get());
  CALL(hipGetLastError());
  std::vector<int> expected_scan(count), expected_sums;
  std::vector<unsigned> expected_keys = keys;
  for (long first = 0; first < long(count); first += block_size * items) {
    std::inclusive_scan(in.begin() + first, in.begin() + first + block_size * items, expected_scan.begin() + first);
    std::sort(expected_keys.begin() + first, expected_keys.begin() + first + block_size * items);
  }
  for (long first = 0; first < long(count); first += block_size)
    expected_sums.push_back(std::accumulate(in.begin() + first, in.begin() + first + block_size, 0));
  CHECK(scanned.host() == expected_scan);
  CHECK(sorted.host() == expected_keys);
  CHECK(sums.host() == expected_sums);
  check_warps<32>(in);
  check_warps<16>(in);
  return device_test::result();
}
