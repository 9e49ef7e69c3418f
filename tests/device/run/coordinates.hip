// Where a thread is: indices and sizes in one, two and three dimensions, also with odd sizes.
#include "device_test.h"

using namespace device_test;

struct Place {
  unsigned thread[3], block[3], block_size[3], grid[3];
};

__global__ void where(Place *places) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  places[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = {
      {threadIdx.x, threadIdx.y, threadIdx.z},
      {blockIdx.x, blockIdx.y, blockIdx.z},
      {blockDim.x, blockDim.y, blockDim.z},
      {gridDim.x, gridDim.y, gridDim.z}};
}

void test(dim3 grid, dim3 block) {
  size_t threads = size_t(block.x) * block.y * block.z, blocks = size_t(grid.x) * grid.y * grid.z;
  Array<Place> places(threads * blocks);
  where<<<grid, block>>>(places.get());
  wait();
  bool good = true;
  for (size_t b = 0; b < blocks; ++b)
    for (size_t t = 0; t < threads; ++t) {
      const Place &p = places[b * threads + t];
      good &= p.thread[0] == t % block.x && p.thread[1] == t / block.x % block.y &&
              p.thread[2] == t / (block.x * block.y);
      good &= p.block[0] == b % grid.x && p.block[1] == b / grid.x % grid.y &&
              p.block[2] == b / (grid.x * grid.y);
      good &= p.block_size[0] == block.x && p.block_size[1] == block.y && p.block_size[2] == block.z;
      good &= p.grid[0] == grid.x && p.grid[1] == grid.y && p.grid[2] == grid.z;
    }
  CHECK(good);
}

__global__ void warps(int *size, int *lane) {
  *size = warpSize;
  lane[threadIdx.x] = int(threadIdx.x % warpSize);
}

int main() {
  test(1, 1);
  test(5, 33);
  test(dim3(3, 2), dim3(7, 5));
  test(dim3(2, 3, 4), dim3(4, 3, 5));
  test(1000, 256);
  Array<int> size(1), lane(64);
  warps<<<1, 64>>>(size.get(), lane.get());
  wait();
  CHECK(size[0] == 32);
  CHECK(lane[33] == 1);
  return result();
}
