// Memory of hipMemCreate between processes, which pass its file descriptors on themselves.
#include "mapped.h"
#include "processes.h"

#include "../../support/random.h"

using namespace fixture;

namespace {

int export_memory(hipMemGenericAllocationHandle_t handle) {
  int descriptor = -1;
  REQUIRE_HIP(hipMemExportToShareableHandle(&descriptor, handle, as_descriptor, 0));
  return descriptor;
}

/// Takes over what another process exports, and closes the descriptor.
hipMemGenericAllocationHandle_t import_memory(Channel &channel) {
  int descriptor = channel.receive_descriptor();
  hipMemGenericAllocationHandle_t handle = nullptr;
  REQUIRE_HIP(hipMemImportFromShareableHandle(&handle, &descriptor, as_descriptor));
  REQUIRE(close(descriptor) == 0);
  return handle;
}

} // namespace

TEST_CASE("hip exported memory: [child] imports and uses memory", "[.]") {
  Channel parent = channel_to_parent();
  Addresses addresses(3);
  const auto handle = import_memory(parent);
  addresses.map(1, 2, handle);
  CHECK(hipMemRelease(handle) == hipSuccess);
  CHECK(read_int(addresses.at(2)) == 40);
  REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(2), 2));
  REQUIRE_HIP(hipDeviceSynchronize());
  parent.tell();
  parent.await();
  CHECK(read_int(addresses.at(2)) == 50);
}

TEST_CASE("hip exported memory: two processes use the same memory", "[results]") {
  Process child("hip exported memory: \\[child] imports and uses memory");
  Addresses addresses(2);
  const auto handle = create_memory(2, as_descriptor);
  addresses.map(0, 2, handle);
  write_int(addresses.at(1), 40);
  const int descriptor = export_memory(handle);
  child.channel.send_descriptor(descriptor);
  CHECK(close(descriptor) == 0);
  CHECK(hipMemRelease(handle) == hipSuccess);
  child.channel.await();
  CHECK(read_int(addresses.at(1)) == 42);
  write_int(addresses.at(1), 50);
  child.channel.tell();
  CHECK(child.passes());
}

TEST_CASE("hip exported memory: [child] exports memory and lives on", "[.]") {
  Channel parent = channel_to_parent();
  Addresses addresses(1);
  const auto handle = create_memory(1, as_descriptor);
  addresses.map(0, 1, handle);
  write_int(addresses.at(0), 17);
  parent.send_descriptor(export_memory(handle));
  parent.await();
}

TEST_CASE("hip exported memory: it outlives the process that made it", "[results]") {
  for (const bool before_the_import : {false, true}) {
    Process child("hip exported memory: \\[child] exports memory and lives on");
    Addresses addresses(1);
    int descriptor = child.channel.receive_descriptor();
    if (before_the_import)
      child.kill();
    hipMemGenericAllocationHandle_t handle = nullptr;
    REQUIRE_HIP(hipMemImportFromShareableHandle(&handle, &descriptor, as_descriptor));
    CHECK(close(descriptor) == 0);
    addresses.map(0, 1, handle);
    child.kill();
    CHECK(read_int(addresses.at(0)) == 17);
    REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(), 3));
    CHECK(read_int(addresses.at(0)) == 20);
    CHECK(hipMemRelease(handle) == hipSuccess);
  }
}

TEST_CASE("hip exported memory: [child] maps and uses imported memory again and again", "[.]") {
  Channel parent = channel_to_parent();
  const auto handle = import_memory(parent);
  for (;;) {
    Addresses addresses(1);
    addresses.map(0, 1, handle);
    REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(), 1));
    parent.tell();
    REQUIRE_HIP(hipMemset(addresses.at(0) + 64, 1, 64));
  }
}

TEST_CASE("hip exported memory: a process that is killed leaves the others the memory",
          "[results]") {
  test::Random<int> random(7);
  Addresses addresses(1);
  const auto handle = create_memory(1, as_descriptor);
  addresses.map(0, 1, handle);
  for (int round = 0; round < 6; ++round) {
    write_int(addresses.at(0), 0);
    Process child("hip exported memory: \\[child] maps and uses imported memory again and again");
    const int descriptor = export_memory(handle);
    child.channel.send_descriptor(descriptor);
    CHECK(close(descriptor) == 0);
    const int steps = 1 + random.below(20);
    for (int step = 0; step < steps; ++step)
      child.channel.await();
    child.kill();
    const int counted = read_int(addresses.at(0));
    CHECK(counted >= steps - 1); // the last one may not have run
    REQUIRE_HIP(launch(function("add"), nullptr, 1, addresses.ints(), 100));
    CHECK(read_int(addresses.at(0)) == counted + 100);
  }
  CHECK(hipMemRelease(handle) == hipSuccess);
}
