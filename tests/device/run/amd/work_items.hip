// Where a thread is, by the builtins of AMD's compiler: each thread writes to the place that these say it has.
#include "../device_test.h"

using namespace device_test;

__global__ void write_own_place(unsigned *written) {
  const unsigned x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                     __builtin_amdgcn_workitem_id_x();
  const unsigned y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() +
                     __builtin_amdgcn_workitem_id_y();
  const unsigned z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() +
                     __builtin_amdgcn_workitem_id_z();
  const unsigned place =
      (z * __builtin_amdgcn_grid_size_y() + y) * __builtin_amdgcn_grid_size_x() + x;
  atomicAdd(&written[place], 1000000 * (x + 1) + 1000 * (y + 1) + z + 1);
  if (place == 0)
    written[gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z] = __builtin_amdgcn_grid_size_z();
}

int main() {
  constexpr dim3 grid(3, 5, 2), block(8, 4, 3);
  constexpr unsigned width = grid.x * block.x, height = grid.y * block.y, depth = grid.z * block.z;
  Array<unsigned> written(width * height * depth + 1);
  write_own_place<<<grid, block>>>(written.get());
  wait();
  for (unsigned z = 0; z < depth; ++z)
    for (unsigned y = 0; y < height; ++y)
      for (unsigned x = 0; x < width; ++x)
        CHECK(written[(z * height + y) * width + x] == 1000000 * (x + 1) + 1000 * (y + 1) + z + 1);
  CHECK(written[width * height * depth] == depth);
  return result();
}
