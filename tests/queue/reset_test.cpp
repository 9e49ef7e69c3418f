// What hipDeviceReset leaves behind: none of the driver's objects that a program's own stood for.
#include "../hip/memory/processes.h"
#include "fixture.h"
#include "ze_counter.h"

#include <dlfcn.h>
#include <unistd.h>

#include <map>
#include <string>
#include <thread>

using namespace fixture;

namespace {

constexpr size_t bytes = 1 << 20;

std::map<std::string, int64_t> objects_of_the_driver() {
  const auto kind =
      reinterpret_cast<decltype(&ze_counter_kind)>(dlsym(RTLD_DEFAULT, "ze_counter_kind"));
  const auto alive =
      reinterpret_cast<decltype(&ze_counter_alive)>(dlsym(RTLD_DEFAULT, "ze_counter_alive"));
  REQUIRE(kind);
  std::map<std::string, int64_t> all;
  for (uint32_t i = 0; const char *name = kind(i); ++i)
    all[name] = alive(name);
  return all;
}

// ---- What is made, and left to hipDeviceReset

void use_streams_and_events(hipFunction_t nothing) {
  static int *no_cells = nullptr;
  hipStream_t streams[5] = {nullptr, hipStreamPerThread};
  REQUIRE_HIP(hipStreamCreate(&streams[2]));
  REQUIRE_HIP(hipStreamCreateWithFlags(&streams[3], hipStreamNonBlocking));
  REQUIRE_HIP(hipStreamCreateWithPriority(&streams[4], hipStreamNonBlocking, -1));
  for (const unsigned flags :
       {hipEventDefault, hipEventDisableTiming, hipEventDisableTiming | hipEventInterprocess}) {
    hipEvent_t event = nullptr;
    REQUIRE_HIP(hipEventCreateWithFlags(&event, flags));
    for (size_t i = 0; i < std::size(streams); ++i) {
      REQUIRE_HIP(launch(nothing, streams[i], 1, no_cells, 0));
      REQUIRE_HIP(hipEventRecord(event, streams[i]));
      REQUIRE_HIP(hipStreamWaitEvent(streams[(i + 1) % std::size(streams)], event, 0));
    }
    if (hipIpcEventHandle_t handle; flags & hipEventInterprocess)
      REQUIRE_HIP(hipIpcGetEventHandle(&handle, event));
  }
  REQUIRE_HIP(hipLaunchHostFunc(streams[2], [](void *) {}, nullptr));
  std::thread([&] { REQUIRE_HIP(launch(nothing, hipStreamPerThread, 1, no_cells, 0)); }).join();
}

void use_memory() {
  void *memory = nullptr;
  for (const size_t size : {size_t(64), bytes}) {
    REQUIRE_HIP(hipMalloc(&memory, size));
    REQUIRE_HIP(hipMemset(memory, 0, size));
  }
  hipIpcMemHandle_t handle;
  REQUIRE_HIP(hipIpcGetMemHandle(&handle, memory));
  size_t pitch = 0;
  REQUIRE_HIP(hipMallocPitch(&memory, &pitch, 100, 100));
  REQUIRE_HIP(hipMallocManaged(&memory, bytes));
  REQUIRE_HIP(hipHostMalloc(&memory, bytes, 0));
  alignas(4096) static char registered[8192];
  REQUIRE_HIP(hipHostRegister(registered, sizeof registered, 0));
}

constexpr const char *other_process = "queue: memory for a process that is reset";

void use_memory_of_another_process() {
  Process other(other_process);
  const auto handle = other.channel.receive<hipIpcMemHandle_t>();
  void *opened = nullptr;
  REQUIRE_HIP(hipIpcOpenMemHandle(&opened, handle, hipIpcMemLazyEnablePeerAccess));
  REQUIRE_HIP(hipMemset(opened, 1, bytes));
  other.channel.tell();
  CHECK(other.passes());
}

void use_pools() {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  properties.handleTypes = hipMemHandleTypePosixFileDescriptor;
  hipMemPool_t pool = nullptr;
  REQUIRE_HIP(hipMemPoolCreate(&pool, &properties));
  int descriptor = -1;
  REQUIRE_HIP(hipMemPoolExportToShareableHandle(&descriptor, pool, properties.handleTypes, 0));
  close(descriptor);
  void *kept = nullptr, *freed = nullptr;
  REQUIRE_HIP(hipMallocFromPoolAsync(&kept, bytes, pool, nullptr));
  hipMemPoolPtrExportData exported;
  REQUIRE_HIP(hipMemPoolExportPointer(&exported, kept));
  REQUIRE_HIP(hipMallocAsync(&kept, bytes, nullptr));
  REQUIRE_HIP(hipMallocAsync(&freed, bytes, hipStreamPerThread));
  REQUIRE_HIP(hipFreeAsync(freed, hipStreamPerThread));
}

/// Returns addresses, which are of no device and stay reserved.
std::pair<void *, size_t> use_mapped_memory() {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, 0};
  size_t unit = 0;
  REQUIRE_HIP(
      hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
  hipMemGenericAllocationHandle_t memory = nullptr;
  void *address = nullptr;
  REQUIRE_HIP(hipMemCreate(&memory, unit, &properties, 0));
  int descriptor = -1;
  REQUIRE_HIP(
      hipMemExportToShareableHandle(&descriptor, memory, properties.requestedHandleType, 0));
  close(descriptor);
  REQUIRE_HIP(hipMemAddressReserve(&address, 2 * unit, 0, nullptr, 0));
  REQUIRE_HIP(hipMemMap(address, unit, 0, memory, 0));
  const hipMemAccessDesc access{properties.location, hipMemAccessFlagsProtReadWrite};
  REQUIRE_HIP(hipMemSetAccess(address, unit, &access, 1));
  REQUIRE_HIP(hipMemset(address, 0, unit));
  return {address, 2 * unit};
}

void use_arrays_and_textures() {
  const hipChannelFormatDesc element = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipResourceDesc resource{};
  hipTextureDesc texture{};
  hipTextureObject_t object = nullptr;
  hipSurfaceObject_t surface = nullptr;
  resource.resType = hipResourceTypeArray;
  REQUIRE_HIP(
      hipMallocArray(&resource.res.array.array, &element, 16, 16, hipArraySurfaceLoadStore));
  REQUIRE_HIP(hipCreateTextureObject(&object, &resource, &texture, nullptr));
  REQUIRE_HIP(hipCreateSurfaceObject(&surface, &resource));
  REQUIRE_HIP(hipMalloc3DArray(&resource.res.array.array, &element, {4, 4, 4}, hipArrayLayered));
  REQUIRE_HIP(hipCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.resType = hipResourceTypeMipmappedArray;
  REQUIRE_HIP(hipMallocMipmappedArray(&resource.res.mipmap.mipmap, &element, {16, 16, 0}, 3, 0));
  REQUIRE_HIP(hipCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {.devPtr = nullptr, .desc = element, .sizeInBytes = bytes};
  REQUIRE_HIP(hipMalloc(&resource.res.linear.devPtr, bytes));
  REQUIRE_HIP(hipCreateTextureObject(&object, &resource, &texture, nullptr));
}

/// Its nodes are kernels side by side, memory and host functions. The graph itself is not of the device.
hipGraph_t use_graphs(hipFunction_t nothing, int &ended_objects) {
  static int *no_cells = nullptr;
  hipStream_t first = nullptr, second = nullptr;
  hipEvent_t event = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  REQUIRE_HIP(hipStreamCreate(&first));
  REQUIRE_HIP(hipStreamCreate(&second));
  REQUIRE_HIP(hipEventCreate(&event));
  REQUIRE_HIP(hipStreamBeginCapture(first, hipStreamCaptureModeRelaxed));
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocAsync(&memory, bytes, first));
  REQUIRE_HIP(hipEventRecord(event, first));
  REQUIRE_HIP(hipStreamWaitEvent(second, event, 0));
  REQUIRE_HIP(launch(nothing, first, 1, no_cells, 0));
  REQUIRE_HIP(launch(nothing, second, 1, no_cells, 0));
  REQUIRE_HIP(hipMemsetAsync(memory, 0, bytes, second));
  REQUIRE_HIP(hipLaunchHostFunc(second, [](void *) {}, nullptr));
  REQUIRE_HIP(hipEventRecord(event, second));
  REQUIRE_HIP(hipStreamWaitEvent(first, event, 0));
  REQUIRE_HIP(hipFreeAsync(memory, first));
  REQUIRE_HIP(hipStreamEndCapture(first, &graph));
  hipUserObject_t object = nullptr;
  REQUIRE_HIP(hipUserObjectCreate(
      &object, &ended_objects, [](void *count) { ++*static_cast<int *>(count); }, 1,
      hipUserObjectNoDestructorSync));
  REQUIRE_HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  REQUIRE_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (hipStream_t stream : {first, second, first})
    REQUIRE_HIP(hipGraphLaunch(exec, stream));
  return graph;
}

void use_everything() {
  hipModule_t module = nullptr;
  hipFunction_t nothing = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetFunction(&nothing, module, "nothing"));
  use_streams_and_events(nothing);
  use_memory();
  use_pools();
  use_arrays_and_textures();
  int ended_objects = 0;
  const hipGraph_t graph = use_graphs(nothing, ended_objects);
  REQUIRE_HIP(hipDeviceReset());
  // What is not of the device stays until the program ends it.
  REQUIRE_HIP(hipGraphDestroy(graph));
  CHECK(ended_objects == 1);
  REQUIRE_HIP(hipModuleUnload(module));
}

template <class Use> void check_that_nothing_stays(Use &&use) {
  use();
  const auto first = objects_of_the_driver(); // the runtime keeps queues and events for what comes
  constexpr int more_rounds = 10;
  for (int round = 0; round < more_rounds; ++round)
    use();
  for (const auto &[kind, count] : objects_of_the_driver()) {
    CAPTURE(kind);
    CHECK(count < first.at(kind) + more_rounds);
  }
}

} // namespace

TEST_CASE(other_process, "[.process]") {
  void *memory = nullptr;
  hipIpcMemHandle_t handle;
  REQUIRE_HIP(hipMalloc(&memory, bytes));
  REQUIRE_HIP(hipIpcGetMemHandle(&handle, memory));
  Channel channel = channel_to_parent();
  channel.send(handle);
  channel.await();
}

TEST_CASE("queue: what a program leaves to hipDeviceReset leaves none of the driver's objects",
          "[calls]") {
  check_that_nothing_stays(use_everything);
}

// Apart from the rest, as Level Zero's layers do not support either.
TEST_CASE("queue: hipDeviceReset unmaps memory, and closes what is open of another process",
          "[calls][results]") {
  check_that_nothing_stays([] {
    const auto [addresses, reserved] = use_mapped_memory();
    use_memory_of_another_process();
    REQUIRE_HIP(hipDeviceReset());
    REQUIRE_HIP(hipMemAddressFree(addresses, reserved));
  });
}
