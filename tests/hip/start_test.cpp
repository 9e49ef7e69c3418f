// What is decided before HIP's first call, and at it. Each test case needs a process of its own.
#include "fixture.h"

#include <level_zero/ze_api.h>

#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

extern char **environ;

using namespace fixture;

namespace {

constexpr const char *drivers = "ZE_ENABLE_ALT_DRIVERS";

std::string drivers_variable() {
  const char *value = std::getenv(drivers);
  return value ? value : "";
}

/// Whether another test case passes in a child process, which inherits the environment.
bool child_passes(std::string test) {
  char program[] = "/proc/self/exe";
  char *arguments[] = {program, test.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  REQUIRE(posix_spawn(&child, program, nullptr, nullptr, arguments, environ) == 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The CPU driver's numbers of the devices that HIP has now, in HIP's order.
std::vector<int> devices() {
  int count = 0;
  std::vector<int> numbers;
  if (hipGetDeviceCount(&count) != hipSuccess)
    return numbers;
  for (int i = 0; i < count; ++i) {
    hipUUID uuid;
    REQUIRE_HIP(hipDeviceGetUuid(&uuid, i));
    numbers.push_back(uuid.bytes[sizeof uuid.bytes - 1]);
  }
  return numbers;
}

} // namespace

// ---- The driver

TEST_CASE("start: loading libCHIP chooses the CPU driver") { CHECK(drivers_variable().ends_with("/libze_cpu.so")); }

TEST_CASE("start: HIP has its device though others have started Level Zero before it") {
  // As MPI libraries do in MPI_Init.
  (void)zeInit(ZE_INIT_FLAG_GPU_ONLY);
  uint32_t count = 0;
  (void)zeDriverGet(&count, nullptr);
  CHECK(count == 1);
  CHECK(devices() == std::vector{0});
}

TEST_CASE("[child] has no choice made", "[.]") { CHECK(std::getenv(drivers) == nullptr); }
TEST_CASE("[child] has the user's choice", "[.]") { CHECK(drivers_variable() == "a user's own"); }

TEST_CASE("start: a child process with CHIP_DEVICE=gpu does not keep its parent's choice") {
  setenv("CHIP_DEVICE", "gpu", 1);
  CHECK(child_passes("\\[child] has no choice made"));
}

TEST_CASE("start: loading libCHIP leaves the user's own choice of drivers alone") {
  setenv(drivers, "a user's own", 1);
  CHECK(child_passes("\\[child] has the user's choice"));
  setenv("CHIP_DEVICE", "gpu", 1);
  CHECK(child_passes("\\[child] has the user's choice"));
}

TEST_CASE("start: loading libCHIP with a wrong CHIP_DEVICE says nothing, and the first call of HIP fails") {
  unsetenv(drivers);
  setenv("CHIP_DEVICE", "tpu", 1);
  int count = 1;
  CHECK(hipGetDeviceCount(&count) == hipErrorNoDevice);
  CHECK(count == 0);
}

// ---- Devices

TEST_CASE("start: HIP_VISIBLE_DEVICES chooses devices, and their order") {
  setenv("ZE_CPU_DEVICES", "3", 1);
  setenv("HIP_VISIBLE_DEVICES", "2,0", 1);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1); // HIP's goes before it
  CHECK(devices() == std::vector{2, 0});
  HostMemory<int> flag{1, 1};
  REQUIRE_HIP(hipSetDevice(1));
  CHECK(hipSetDevice(2) == hipErrorInvalidDevice);
  REQUIRE_HIP(launch(function("wait_for_flag"), nullptr, 1, flag.get()));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("start: CUDA_VISIBLE_DEVICES chooses devices by UUID") {
  setenv("ZE_CPU_DEVICES", "3", 1);
  setenv("CUDA_VISIBLE_DEVICES", "GPU-7a655f63-7075-6465-7600-000000000001", 1);
  CHECK(devices() == std::vector{1});
}

TEST_CASE("start: HIP_VISIBLE_DEVICES counts what ROCR_VISIBLE_DEVICES leaves") {
  setenv("ZE_CPU_DEVICES", "4", 1);
  setenv("ROCR_VISIBLE_DEVICES", "3,1,2", 1);
  setenv("HIP_VISIBLE_DEVICES", "1,2", 1);
  CHECK(devices() == std::vector{1, 2});
}

TEST_CASE("start: HIP_VISIBLE_DEVICES without a device is hipErrorNoDevice") {
  for (const char *none : {"", "-1", "-1,0", "7"}) {
    INFO("'" << none << "'");
    setenv("HIP_VISIBLE_DEVICES", none, 1);
    int count = 1;
    CHECK(hipGetDeviceCount(&count) == hipErrorNoDevice);
    CHECK(count == 0);
    void *memory = nullptr;
    CHECK(hipMalloc(&memory, 1) == hipErrorNoDevice);
  }
}

TEST_CASE("start: HIP_VISIBLE_DEVICES counts what ZE_AFFINITY_MASK leaves") {
  setenv("ZE_CPU_DEVICES", "4", 1);
  setenv("ZE_AFFINITY_MASK", "1,3", 1);
  setenv("HIP_VISIBLE_DEVICES", "1", 1);
  CHECK(devices() == std::vector{3});
}

// ---- Launches

TEST_CASE("start: HIP_LAUNCH_BLOCKING lets a launch wait for its kernel") {
  setenv("HIP_LAUNCH_BLOCKING", "1", 1);
  HostMemory<int> flag{1};
  Streams streams{1, hipStreamNonBlocking};
  hipFunction_t kernel = function("wait_for_flag");
  for (hipStream_t stream : {hipStream_t(nullptr), streams[0]}) {
    std::atomic_ref<int> value(flag[0]);
    value = 0;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      value = 1;
    });
    const hipError_t result = launch(kernel, stream, 1, flag.get());
    const int seen = value;
    other.join();
    CHECK(result == hipSuccess);
    CHECK(seen == 1);
    CHECK(hipStreamQuery(stream) == hipSuccess);
  }
}
