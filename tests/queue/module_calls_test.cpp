// Modules of equal content are built once, and each load has its own variables all the same.
#include "counted.h"
#include "fixture.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace fixture;
using counted::Calls;
using counted::calls_of;

namespace {

std::vector<char> read(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Load {
  hipModule_t module = nullptr;
  explicit Load(const std::vector<char> &image) {
    REQUIRE_HIP(hipModuleLoadData(&module, image.data()));
  }
  ~Load() { CHECK(hipModuleUnload(module) == hipSuccess); }
  Load(const Load &) = delete;
  hipFunction_t function(const char *name) const {
    hipFunction_t function = nullptr;
    REQUIRE_HIP(hipModuleGetFunction(&function, module, name));
    return function;
  }
};

} // namespace

TEST_CASE("queue modules: loading the same code again makes no driver call", "[calls]") {
  auto image = read(TEST_KERNELS);
  Streams streams(1);
  HostMemory<int> number(1);
  auto cycle = [&] {
    Load load(image);
    REQUIRE_HIP(launch(load.function("add"), streams[0], 1, number.get(), 1));
  };
  cycle();
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(calls_of([&] {
            Load first(image), second(image); // nothing in it can be written: one build serves both
            REQUIRE(first.module != second.module);
            (void)first.function("add");
          }) == Calls{});
  uint64_t calls = 0;
  for (auto &[name, count] : calls_of(cycle))
    calls += count;
  REQUIRE(calls == 1); // the launch; the kernel's handle is still there, and has the arguments
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue modules: variables are set anew by one copy for all that lie together",
          "[calls]") {
  auto image = read(TEST_VARIABLES);
  {
    Load load(image);
  }
  REQUIRE_HIP(hipDeviceSynchronize());
  const bool cpu = std::getenv(
      "CHIP_DEVICE"); // this driver does not tell which of the three variables lie together
  auto calls = calls_of([&] { Load load(image); });
  REQUIRE(calls == Calls{{"zeCommandListAppendMemoryCopy", cpu ? 3 : 1},
                         {"zeCommandListHostSynchronize", 1}});
}

TEST_CASE("queue modules: variables have their initial values at each load") {
  auto image = read(TEST_VARIABLES);
  HostMemory<int> seen(1);
  auto count = [&](const Load &load) {
    REQUIRE_HIP(launch(load.function("count"), nullptr, 1, seen.get()));
    REQUIRE_HIP(hipDeviceSynchronize());
    return seen[0];
  };
  auto address = [](const Load &load) {
    hipDeviceptr_t at = nullptr;
    size_t bytes = 0;
    REQUIRE_HIP(hipModuleGetGlobal(&at, &bytes, load.module, "counter"));
    return at;
  };
  for (int round = 0; round < 3; ++round) {
    Load first(image), second(image);
    REQUIRE(address(first) != address(second));
    REQUIRE(count(first) == 41);
    REQUIRE(count(first) == 42);
    REQUIRE(count(second) == 41);
    // Pointers in initial values point into the same load.
    REQUIRE_HIP(launch(first.function("count_through_pointer"), nullptr, 1, seen.get()));
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE(seen[0] == 43);
  }
}

TEST_CASE("queue modules: state that the host cannot name makes each load a build of its own") {
  auto image = read(TEST_HIDDEN_STATE);
  HostMemory<int> seen(1);
  for (int round = 0; round < 2; ++round) {
    Load load(image);
    for (int expected : {1, 2}) {
      REQUIRE_HIP(launch(load.function("count_calls"), nullptr, 1, seen.get()));
      REQUIRE_HIP(hipDeviceSynchronize());
      REQUIRE(seen[0] == expected);
    }
  }
}

TEST_CASE("queue modules: unloading with work pending lets the work end") {
  auto image = read(TEST_KERNELS);
  Streams streams(1);
  HostMemory<long long> order(1);
  {
    Load load(image);
    REQUIRE_HIP(
        launch(load.function("slow_append_digit"), streams[0], 1, order.get(), 5, 2'000'000));
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(order[0] == 5);
}
