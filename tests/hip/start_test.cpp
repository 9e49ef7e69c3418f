// What is decided before HIP's first call, and at it. Each test case needs a process of its own.
#include "child.h"
#include "fixture.h"

#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

using namespace fixture;
using child::child_passes;
using child::Complaint;

namespace {

constexpr const char *drivers = "ZE_ENABLE_ALT_DRIVERS";

std::string drivers_variable() {
  const char *value = std::getenv(drivers);
  return value ? value : "";
}

std::string missing(const char *kind, const std::filesystem::path &file) {
  return std::string("libCHIP: the ") + kind + " driver " + file.string() +
         " is missing: install libCHIP completely\n";
}

struct Directory {
  Directory() {
    std::string name = std::filesystem::temp_directory_path() / "start_test-XXXXXX";
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~Directory() { std::filesystem::remove_all(path); }
  Directory(const Directory &) = delete;
  std::filesystem::path path;
};

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

TEST_CASE("start: loading libCHIP chooses the CPU driver") {
  CHECK(drivers_variable().ends_with("/libze_cpu.so"));
}

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

TEST_CASE("[child] has an empty choice", "[.]") {
  CHECK(std::getenv(drivers) != nullptr);
  CHECK(drivers_variable().empty());
}
TEST_CASE("[child] has a child with CHIP_DEVICE=gpu", "[.]") {
  setenv("CHIP_DEVICE", "gpu", 1);
  CHECK(child_passes("\\[child] has no choice made"));
}

TEST_CASE("start: a child process with CHIP_DEVICE=gpu does not keep its parent's choice") {
  for (const char *list : {"cpu", "gpu,cpu", "opencl,cpu"}) {
    setenv("CHIP_DEVICE", list, 1);
    CHECK(child_passes("\\[child] has a child with CHIP_DEVICE=gpu"));
  }
}

TEST_CASE("start: where nothing is asked for, a simulated GPU goes before the CPU") {
  const std::string chosen = drivers_variable();
  unsetenv("CHIP_DEVICE");
  for (const char *simulated : {"ProductFamilyOverride", "SetCommandStreamReceiver"}) {
    setenv(simulated, "1", 1);
    unsetenv(drivers);
    CHECK(child_passes("\\[child] has no choice made"));
    setenv(drivers, chosen.c_str(), 1); // by a parent process or the user
    CHECK(child_passes("start: loading libCHIP chooses the CPU driver"));
    unsetenv(simulated);
  }
}

TEST_CASE("start: where nothing is asked for and there is no GPU, there is the CPU") {
  unsetenv("CHIP_DEVICE");
  unsetenv(drivers);
  const bool has_cpu = child_passes("start: loading libCHIP chooses the CPU driver");
  if (std::filesystem::exists("/sys/class/drm/renderD128")) // there may be a GPU
    CHECK(has_cpu != child_passes("\\[child] has no choice made"));
  else
    CHECK(has_cpu);
}

TEST_CASE("start: the CPU driver is the one beside the library, and told where there is none") {
  Dl_info info{};
  REQUIRE(dladdr(reinterpret_cast<void *>(&hipInit), &info) != 0);
  const Directory directory;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname),
                              other = directory.path / library.filename();
  const char *path = std::getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (directory.path.string() + ':' + (path ? path : "")).c_str(), 1);
  unsetenv(drivers);
  std::filesystem::create_symlink(library, other);
  CHECK(child_passes("start: loading libCHIP chooses the CPU driver"));
  std::filesystem::remove(other);
  std::filesystem::copy_file(library, other);
  Complaint complaint;
  CHECK(child_passes("\\[child] has no choice made"));
  CHECK(complaint.text().empty());
  CHECK(!child_passes("\\[child] calls HIP"));
  CHECK(complaint.text() == missing("CPU", directory.path / "libze_cpu.so"));
}

TEST_CASE("[child] has the driver over OpenCL", "[.]") {
  CHECK(drivers_variable().ends_with("/libze_opencl.so"));
  CHECK(!drivers_variable().contains(','));
}
TEST_CASE("[child] has all kinds of drivers", "[.]") {
  CHECK(drivers_variable().starts_with("libze_intel_gpu.so.1,"));
  CHECK(drivers_variable().find("/libze_opencl.so,/") < drivers_variable().find("/libze_cpu.so"));
}

TEST_CASE(
    "start: the driver over OpenCL is chosen by CHIP_DEVICE alone, and told where there is none") {
  Dl_info info{};
  REQUIRE(dladdr(reinterpret_cast<void *>(&hipInit), &info) != 0);
  const Directory directory;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname),
                              cpu = library.parent_path() / "libze_cpu.so",
                              opencl = directory.path / "libze_opencl.so";
  const char *path = std::getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (directory.path.string() + ':' + (path ? path : "")).c_str(), 1);
  unsetenv(drivers);
  std::filesystem::copy_file(library, directory.path / library.filename());
  for (const char *file : {"libze_cpu.so", "libze_cpu_jit.so"})
    std::filesystem::create_symlink(library.parent_path() / file, directory.path / file);
  {
    setenv("CHIP_DEVICE", "opencl", 1);
    Complaint complaint;
    CHECK(!child_passes("\\[child] calls HIP"));
    CHECK(complaint.text().starts_with(missing("OpenCL", opencl)));
  }
  {
    setenv("CHIP_DEVICE", "opencl,cpu", 1); // the next kind is taken
    Complaint complaint;
    CHECK(child_passes("\\[child] calls HIP"));
    CHECK(complaint.text() == missing("OpenCL", opencl));
  }
  // Which file it is does not matter to the choice.
  std::filesystem::create_symlink(cpu, opencl);
  setenv("CHIP_DEVICE", "OpenCL", 1);
  CHECK(child_passes("\\[child] has the driver over OpenCL"));
  for (const char *list : {"gpu,opencl,cpu", "cpu,opencl,gpu"}) {
    setenv("CHIP_DEVICE", list, 1);
    CHECK(child_passes("\\[child] has all kinds of drivers"));
  }
  unsetenv("CHIP_DEVICE");
  if (!std::filesystem::exists("/sys/class/drm/renderD128"))
    CHECK(child_passes("start: loading libCHIP chooses the CPU driver"));
}

TEST_CASE("start: CHIP_DEVICE=opencl without a device says what to install") {
  setenv("CHIP_DEVICE", "opencl", 1);
  setenv(drivers, "/no/libze_opencl.so", 1);
  Complaint complaint;
  CHECK(!child_passes("\\[child] calls HIP"));
  CHECK(complaint.text().starts_with("libCHIP: no OpenCL device that takes SPIR-V: install "));
}

TEST_CASE("[child] has both kinds of drivers", "[.]") {
  CHECK(drivers_variable().starts_with("libze_intel_gpu.so.1,"));
  CHECK(drivers_variable().ends_with("/libze_cpu.so"));
}

TEST_CASE("start: CHIP_DEVICE lists kinds of devices, in HIP's order") {
  // Whatever a parent process has chosen.
  for (const char *list : {"gpu,cpu", "CPU , gpu\n"}) {
    setenv("CHIP_DEVICE", list, 1);
    CHECK(child_passes("\\[child] has both kinds of drivers"));
    CHECK(child_passes("\\[child] calls HIP")); // without a GPU there is the CPU
  }
  setenv(drivers, "a user's own", 1);
  CHECK(child_passes("\\[child] has the user's choice"));
}

TEST_CASE("start: a kind of device that the drivers at hand do not have is told") {
  std::string same = drivers_variable(); // but a user's own
  same.insert(same.rfind('/'), "/");
  setenv(drivers, same.c_str(), 1);
  setenv("CHIP_DEVICE", "gpu", 1);
  Complaint complaint;
  CHECK(!child_passes("\\[child] calls HIP"));
  CHECK(complaint.text().starts_with(
      "libCHIP: CHIP_DEVICE='gpu' names no device that Level Zero has here: use cpu"));
}

TEST_CASE("start: loading libCHIP leaves the user's own choice of drivers alone") {
  setenv(drivers, "a user's own", 1);
  CHECK(child_passes("\\[child] has the user's choice"));
  setenv("CHIP_DEVICE", "gpu", 1);
  CHECK(child_passes("\\[child] has the user's choice"));
  setenv(drivers, "", 1); // none but those that Level Zero finds by itself
  setenv("CHIP_DEVICE", "cpu", 1);
  CHECK(child_passes("\\[child] has an empty choice"));
  unsetenv("CHIP_DEVICE");
  CHECK(child_passes("\\[child] has an empty choice"));
}

TEST_CASE("[child] does nothing", "[.]") { SUCCEED(); }
TEST_CASE("[child] calls HIP", "[.]") {
  int count = 0;
  CHECK(hipGetDeviceCount(&count) == hipSuccess);
}

TEST_CASE("start: CHIP_DEVICE is read in capitals and with white space around it, too") {
  for (const char *cpu : {"CPU", "Cpu", " cpu", "cpu\n"}) {
    INFO("'" << cpu << "'");
    setenv("CHIP_DEVICE", cpu, 1);
    unsetenv(drivers);
    CHECK(child_passes("start: loading libCHIP chooses the CPU driver"));
  }
  setenv("CHIP_DEVICE", "GPU\n", 1);
  CHECK(child_passes("\\[child] has no choice made"));
}

TEST_CASE("start: loading libCHIP with a wrong CHIP_DEVICE says nothing, and the first call of HIP "
          "says what is wrong") {
  for (const char *choice : {"", "a user's own"}) {
    if (*choice)
      setenv(drivers, choice, 1);
    else
      unsetenv(drivers);
    for (const std::string wrong :
         {"tpu", "cpu,tpu", "cpu,", ",cpu", "gpu,,cpu", "cpu,CPU", "opencl,OpenCL", "open"}) {
      setenv("CHIP_DEVICE", wrong.c_str(), 1);
      Complaint complaint;
      CHECK(child_passes("\\[child] does nothing"));
      CHECK(complaint.text().empty());
      CHECK(!child_passes("\\[child] calls HIP"));
      CHECK(complaint.text() ==
            "libCHIP: CHIP_DEVICE='" + wrong +
                "' is no list of different kinds of devices: use cpu, gpu, opencl, or a "
                "comma-separated list of them, or leave it unset\n");
    }
  }
}

TEST_CASE("start: CHIP_WITHOUT that lists what cannot be left out is told") {
  setenv("CHIP_WITHOUT", "arguments,counter_events,device_synchronize,host_functions,command_lists",
         1);
  Complaint complaint;
  CHECK(child_passes("\\[child] calls HIP"));
  CHECK(complaint.text().empty());
  setenv("CHIP_WITHOUT", "arguments,argument", 1);
  CHECK(child_passes("\\[child] calls HIP"));
  CHECK(complaint.text().starts_with(
      "libCHIP: CHIP_WITHOUT='arguments,argument' lists what is no function to leave out: use "));
}

TEST_CASE("start: a ZE_AFFINITY_MASK that leaves no device is named") {
  setenv("ZE_CPU_DEVICES", "2", 1);
  for (const char *mask : {"2", "x\n", ",", "-1"}) {
    setenv("ZE_AFFINITY_MASK", mask, 1);
    Complaint complaint;
    CHECK(!child_passes("\\[child] calls HIP"));
    CHECK(complaint.text().starts_with("libCHIP: ZE_AFFINITY_MASK='"));
    CHECK(complaint.text().find("leaves no Level Zero device") != std::string::npos);
  }
  for (const char *mask : {"", " ", "\n", "1\n"}) {
    setenv("ZE_AFFINITY_MASK", mask, 1);
    CHECK(child_passes("\\[child] calls HIP"));
  }
}

TEST_CASE("start: a list of visible devices that names none is told, unless it asks for none") {
  for (const char *name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
    for (const char *list : {"7", "x,0", "GPU-ffff"}) {
      setenv(name, list, 1);
      Complaint complaint;
      CHECK(!child_passes("\\[child] calls HIP"));
      const std::string begin =
          std::string("libCHIP: ") + name + "='" + list + "' leaves none of 1 devices: use ";
      CHECK(complaint.text().starts_with(begin));
    }
    for (const char *none : {"", "-1", "\n", " -1\n"}) {
      setenv(name, none, 1);
      Complaint complaint;
      CHECK(!child_passes("\\[child] calls HIP"));
      CHECK(complaint.text().empty());
    }
    setenv(name, " 0\n", 1);
    CHECK(child_passes("\\[child] calls HIP"));
    unsetenv(name);
  }
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
  setenv("HIP_VISIBLE_DEVICES", "2,0", 1);
  CHECK(devices() == std::vector{2, 3});
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
    // Whose other errors have a code of their own for bad streams.
    const auto event = reinterpret_cast<hipEvent_t>(&memory);
    CHECK(hipStreamWaitEvent(hipStreamPerThread, event, 0) == hipErrorNoDevice);
  }
}

TEST_CASE("start: without a device, calls say so whatever is wrong with their arguments") {
  setenv("HIP_VISIBLE_DEVICES", "-1", 1);
  int number = 0;
  unsigned flags = 0;
  hipStream_t stream = nullptr;
  hipGraph_t graph = nullptr;
  hipPointerAttribute_t attributes;
  hipMipmappedArray_t array = nullptr;
  const hipChannelFormatDesc element = {32, 0, 0, 0, hipChannelFormatKindFloat};
  CHECK(hipFree(nullptr) == hipErrorNoDevice);
  CHECK(hipHostFree(nullptr) == hipErrorNoDevice);
  CHECK(hipExtMallocWithFlags(nullptr, 128, 0) == hipErrorNoDevice);
  CHECK(hipHostMalloc(nullptr, 0, ~0u) == hipErrorNoDevice);
  CHECK(hipPointerGetAttributes(&attributes, nullptr) == hipErrorNoDevice);
  CHECK(hipMallocMipmappedArray(&array, &element, {}, 0, 0) == hipErrorNoDevice);
  CHECK(hipDeviceGetByPCIBusId(&number, "") == hipErrorNoDevice);
  CHECK(hipStreamGetFlags(nullptr, &flags) == hipErrorNoDevice);
  CHECK(hipStreamGetPriority(nullptr, &number) == hipErrorNoDevice);
  CHECK(hipExtStreamCreateWithCUMask(&stream, 0, nullptr) == hipErrorNoDevice);
  CHECK(hipGraphCreate(&graph, 0) == hipErrorNoDevice);
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

TEST_CASE("start: what is neither on nor off is told, and off") {
  for (const char *value : {"2", "-1", "true"}) {
    setenv("HIP_LAUNCH_BLOCKING", value, 1);
    Complaint complaint;
    CHECK(child_passes("\\[child] calls HIP"));
    CHECK(complaint.text() == std::string("libCHIP: HIP_LAUNCH_BLOCKING='") + value +
                                  "' is ignored: use 0 or 1, or leave it unset\n");
  }
}

TEST_CASE("start: HIP begins where the program traps floating-point exceptions") {
  const auto traps = [](auto &&work) {
    feenableexcept(FE_ALL_EXCEPT);
    const hipError_t result = work();
    fedisableexcept(FE_ALL_EXCEPT);
    return result;
  };
  int *data = nullptr;
  CHECK(traps([&] { return hipMalloc(reinterpret_cast<void **>(&data), 64); }) == hipSuccess);
  hipModule_t module = nullptr;
  CHECK(traps([&] { return hipModuleLoad(&module, TEST_KERNELS); }) == hipSuccess);
  hipFunction_t function = nullptr;
  CHECK(traps([&] { return hipModuleGetFunction(&function, module, "nothing"); }) == hipSuccess);
  CHECK(traps([&] {
          return hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
        }) == hipSuccess);
  CHECK(traps([] { return hipDeviceSynchronize(); }) == hipSuccess);
  REQUIRE_HIP(hipFree(data));
}
