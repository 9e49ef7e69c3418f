// Devices that lack what most have. A library before the loader's says so (support/ze_lesser.cpp), of the CPU driver's device. Each
// test case runs in a process of its own.
#include "fixture.h"

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace fixture;

namespace {

int attribute(hipDeviceAttribute_t attribute) {
  int value = -1;
  REQUIRE_HIP(hipDeviceGetAttribute(&value, attribute, 0));
  return value;
}

void check_warp_size(int width) {
  setenv("ZE_LESSER", ("warp_" + std::to_string(width)).c_str(), 1);
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == width);
  CHECK(attribute(hipDeviceAttributeWarpSize) == width);
  CHECK(p.maxBlocksPerMultiProcessor == std::max(1, p.maxThreadsPerMultiProcessor / width));
  CHECK(p.maxThreadsPerMultiProcessor >= p.maxThreadsPerBlock);
  int grid = 0, block = 0;
  REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, function("nothing"), 0, 0));
  CHECK(block % width == 0);
  CHECK(grid > 0);
  // A limit that is no multiple of the width: sizes below it go down to one.
  REQUIRE_HIP(
      hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, function("nothing"), 0, width + 1));
  CHECK(block <= width + 1);
  REQUIRE_HIP(hipModuleLaunchKernel(function("nothing"), 1, 1, 1, unsigned(width), 1, 1, 0, nullptr,
                                    nullptr, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
}

} // namespace

TEST_CASE(
    "lesser: a device of another driver than GPUs' and the CPU's has its place in CHIP_DEVICE") {
  setenv("ZE_LESSER", "opencl", 1);
  const std::string driver = std::getenv("ZE_ENABLE_ALT_DRIVERS");
  setenv("ZE_ENABLE_ALT_DRIVERS", (driver + " ").c_str(), 1); // the user's own
  setenv("CHIP_DEVICE", "cpu", 1);
  int count = 0;
  CHECK(hipGetDeviceCount(&count) == hipErrorNoDevice);
}

TEST_CASE("lesser: CHIP_DEVICE=opencl is for the devices of the driver over OpenCL") {
  setenv("ZE_LESSER", "opencl", 1);
  setenv("ZE_ENABLE_ALT_DRIVERS", (std::string(std::getenv("ZE_ENABLE_ALT_DRIVERS")) + " ").c_str(),
         1);
  setenv("CHIP_DEVICE", "gpu,opencl,cpu", 1);
  setenv("OCL_ICD_VENDORS", "/nowhere", 1); // the driver itself, which is beside libCHIP, has none
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  CHECK(count == 1);
}

TEST_CASE(
    "lesser: a device of OpenCL is used where the program does not say and there is no other") {
  setenv("ZE_LESSER", "opencl", 1);
  unsetenv("CHIP_DEVICE");
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  CHECK(count == 1);
}

TEST_CASE("lesser: a warp of 8") { check_warp_size(8); }
TEST_CASE("lesser: a warp of 16") { check_warp_size(16); }
TEST_CASE("lesser: a warp of 64") { check_warp_size(64); }

TEST_CASE(
    "lesser: without sub-groups, warps are those of the device contract and have no functions") {
  setenv("ZE_LESSER", "sub_groups", 1);
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == 32);
  CHECK(!p.arch.hasWarpVote);
  CHECK(!p.arch.hasWarpBallot);
  CHECK(!p.arch.hasWarpShuffle);
}

TEST_CASE("lesser: what a device has not, attributes say") {
  setenv("ZE_LESSER", "fp64,atomics64,managed,host,pageable,cooperative,images", 1);
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  CHECK(!p.arch.hasDoubles);
  CHECK(!p.arch.hasGlobalInt64Atomics);
  CHECK(!p.arch.hasSharedInt64Atomics);
  CHECK(p.arch.hasWarpShuffle);
  CHECK(attribute(hipDeviceAttributeManagedMemory) == 0);
  CHECK(attribute(hipDeviceAttributeCanMapHostMemory) == 0);
  CHECK(attribute(hipDeviceAttributePageableMemoryAccess) == 0);
  CHECK(attribute(hipDeviceAttributeCooperativeLaunch) == 0);
  CHECK(attribute(hipDeviceAttributeImageSupport) == 1); // textures are memory that kernels read
  CHECK(hipModuleLaunchCooperativeKernel(function("nothing"), 1, 1, 1, 1, 1, 1, 0, nullptr,
                                         nullptr) == hipErrorNotSupported);
}
