// Which devices HIP sees, what they can do, and whether the host's view agrees with the device's own.
// What they lack, and what of HIP that costs, chip-info says.
//
//   hipcc -O2 device_info.hip -o device_info && ./device_info
#include "check.h"

#include <cstddef>

struct Seen {
  int warp_size;
  int block_size;
  int grid_size;
};

__global__ void look(Seen *seen) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *seen = {warpSize, static_cast<int>(blockDim.x), static_cast<int>(gridDim.x)};
}

// The sum over the lanes of a warp.
__global__ void exchange(int *lane_sum) {
  int sum = threadIdx.x;
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_xor(sum, distance);
  if (threadIdx.x == 0)
    *lane_sum = sum;
}

// Whether lanes pass values to each other; a device that cannot says so when the kernel is to be launched.
static bool exchanges_values(int warp_size) {
  int *on_device, sum = 0;
  HIP_CHECK(hipMalloc(&on_device, sizeof(int)));
  exchange<<<1, warp_size>>>(on_device);
  const hipError_t launched = hipGetLastError();
  if (launched == hipSuccess)
    HIP_CHECK(hipMemcpy(&sum, on_device, sizeof(int), hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(on_device));
  if (launched == hipErrorSharedObjectInitFailed) {
    std::printf("  lacks                  exchange within warps: __shfl, __ballot, __any, __all\n");
    return true;
  }
  HIP_CHECK(launched);
  return sum == warp_size * (warp_size - 1) / 2;
}

static bool looks_right(int device, const hipDeviceProp_t &properties) {
  HIP_CHECK(hipSetDevice(device));
  Seen *on_device, seen{};
  HIP_CHECK(hipMalloc(&on_device, sizeof(Seen)));
  const int block_size = properties.warpSize * 2, grid_size = 3;
  look<<<grid_size, block_size>>>(on_device);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(&seen, on_device, sizeof(Seen), hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(on_device));
  if (seen.block_size != block_size || seen.grid_size != grid_size)
    return false;
  // Kernels are compiled for warps of one width. Where the device has another, that is told as a lack.
  return properties.warpSize != seen.warp_size || exchanges_values(seen.warp_size);
}

int main() {
  int count = 0, runtime = 0, driver = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  HIP_CHECK(hipRuntimeGetVersion(&runtime));
  HIP_CHECK(hipDriverGetVersion(&driver));
  std::printf("HIP run-time version %d, driver version %d, devices: %d\n", runtime, driver, count);

  bool right = count > 0;
  for (int device = 0; device < count; ++device) {
    hipDeviceProp_t p;
    HIP_CHECK(hipGetDeviceProperties(&p, device));
    size_t free_bytes = 0, total_bytes = 0;
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipMemGetInfo(&free_bytes, &total_bytes));

    constexpr double mib = 1024.0 * 1024.0;
    std::printf("\nDevice %d: %s (%s)\n", device, p.name, p.gcnArchName);
    std::printf("  PCI address            %04x:%02x:%02x\n", p.pciDomainID, p.pciBusID,
                p.pciDeviceID);
    std::printf("  compute units          %d at %d MHz\n", p.multiProcessorCount,
                p.clockRate / 1000);
    std::printf("  warp size              %d\n", p.warpSize);
    std::printf("  threads per block      %d, at most %d x %d x %d\n", p.maxThreadsPerBlock,
                p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    std::printf("  blocks per grid        at most %d x %d x %d\n", p.maxGridSize[0],
                p.maxGridSize[1], p.maxGridSize[2]);
    std::printf("  global memory          %.0f MiB, %.0f MiB of it free\n", p.totalGlobalMem / mib,
                free_bytes / mib);
    std::printf("  shared memory          %zu KiB per block\n", p.sharedMemPerBlock / 1024);
    std::printf("  level-2 cache          %d KiB\n", p.l2CacheSize / 1024);
    std::printf("  managed memory         %s\n", p.managedMemory ? "yes" : "no");
    std::printf("  cooperative launch     %s\n", p.cooperativeLaunch ? "yes" : "no");

    right = right && p.name[0] != '\0' && p.totalGlobalMem > 0 &&
            p.maxThreadsPerBlock >= 2 * p.warpSize && looks_right(device, p);
  }
  std::puts("");
  return report(right);
}
