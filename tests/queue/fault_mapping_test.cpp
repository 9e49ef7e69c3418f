// What virtual memory and what is shared between processes do when a driver call below them fails (faults.h).
#include "faults.h"

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <unistd.h>
#include <vector>

using namespace faults;

namespace {

constexpr auto as_descriptor = hipMemHandleTypePosixFileDescriptor;

/// One mapping, from the first call to the last.
struct MappedMemory {
  hipMemAllocationProp properties{};
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  size_t unit = 0;
  void *address = nullptr;
  hipMemGenericAllocationHandle_t handle = nullptr, imported = nullptr;
  int descriptor = -1;

  MappedMemory() {
    properties.type = hipMemAllocationTypePinned;
    properties.requestedHandleType = as_descriptor;
    properties.location = access.location;
    DEMAND_HIP(
        hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
  }
  MappedMemory(const MappedMemory &) = delete;

  /// All of them succeed again when one has failed.
  std::vector<std::function<hipError_t()>> steps() {
    return {
        [this] { return hipMemAddressReserve(&address, 4 * unit, 0, nullptr, 0); },
        [this] { return hipMemCreate(&handle, 4 * unit, &properties, 0); },
        [this] { return hipMemMap(address, 4 * unit, 0, handle, 0); },
        [this] { return hipMemSetAccess(address, 4 * unit, &access, 1); },
        [this] { return hipMemsetD8(address, 1, 4 * unit); },
        [this] { return hipMemExportToShareableHandle(&descriptor, handle, as_descriptor, 0); },
        [this] { return hipMemImportFromShareableHandle(&imported, &descriptor, as_descriptor); },
        [this] { return hipMemRelease(imported); },
        [this] { return hipMemUnmap(address, 4 * unit); },
        [this] { return hipMemRelease(handle); },
        [this] { return hipMemAddressFree(address, 4 * unit); }};
  }
};

} // namespace

TEST_CASE("faults: each call for a mapping may fail at any driver call") {
  constexpr size_t step_count = 11;
  for (size_t chosen = 0; chosen < step_count; ++chosen)
    inject([=](Attempt &attempt) {
      World w(attempt);
      MappedMemory memory;
      const auto steps = memory.steps();
      DEMAND(steps.size() == step_count);
      for (size_t i = 0; i < steps.size() && !attempt.lost(); ++i)
        if (i == chosen)
          attempt.run(steps[i]);
        else
          DEMAND_HIP(steps[i]());
      close(memory.descriptor);
      // What a lost device leaves goes with the process.
      if (attempt.lost())
        return;
      DEMAND(alive("reservations") == 0);
      DEMAND(alive("mappings") == 0);
      DEMAND(alive("physical memories") == 0);
    });
}

TEST_CASE("faults: reserving aligned addresses may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    MappedMemory memory;
    const size_t alignment = memory.unit << 12;
    attempt.run(
        [&] { return hipMemAddressReserve(&memory.address, memory.unit, alignment, nullptr, 0); });
    if (!attempt.lost())
      DEMAND_HIP(hipMemAddressFree(memory.address, memory.unit));
  });
}

TEST_CASE("faults: the end of a process with mapped memory may fail at any driver call") {
  inject([](Attempt &attempt) {
    MappedMemory memory;
    const auto steps = memory.steps();
    for (size_t i = 0; i < 5; ++i)
      DEMAND_HIP(steps[i]());
    attempt.run_exit();
  });
}

TEST_CASE("faults: making a handle for other processes may fail at any driver call") {
  inject([](Attempt &attempt) {
    World w(attempt);
    hipIpcMemHandle_t handle{};
    attempt.run([&] { return hipIpcGetMemHandle(&handle, w.device); });
  });
}

TEST_CASE("faults: recording an event of several processes may fail at any driver call") {
  for (const bool busy : {false, true})
    inject([=](Attempt &attempt) {
      World w(attempt);
      hipEvent_t event = nullptr;
      DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
      if (busy)
        w.close(w.blocking[0]);
      for (const hipStream_t stream : {w.blocking[0], w.blocking[1]})
        DEMAND_HIP(w.add(stream, stream == w.blocking[0]));
      attempt.run([&] { return hipEventRecord(event, w.blocking[0]); });
      if (!attempt.lost()) {
        w.open_and_finish();
        DEMAND_HIP(hipEventSynchronize(event));
      }
      DEMAND_HIP(hipEventDestroy(event));
    });
}
