// CHIP_CACHES switches off what libCHIP keeps: the driver calls that each cache saves are made then, and only those. Each test
// runs with all caches, without each of them, and without any.
#include "../counted.h"
#include "../fixture.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

using namespace fixture;
using counted::Calls;
using counted::calls_of;

namespace {

bool is_off(std::string_view cache) {
  const char *set = std::getenv("CHIP_CACHES");
  const std::string_view list = set ? set : "";
  return list == "0" || list.find(cache) != list.npos;
}

/// The calls of one function, whatever form of it is called.
uint64_t count_of(const Calls &calls, std::string_view beginning) {
  uint64_t count = 0;
  for (const auto &[name, made] : calls)
    if (name.starts_with(beginning))
      count += made;
  return count;
}

hipStream_t create_stream() {
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  return stream;
}

} // namespace

TEST_CASE("queue caches: a module that is loaded again is built again without `modules` only") {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  hipModule_t module = nullptr;
  const auto cycle = [&] {
    REQUIRE_HIP(hipModuleLoadData(&module, image.data()));
    hipFunction_t function = nullptr;
    REQUIRE_HIP(hipModuleGetFunction(&function, module, "add"));
    REQUIRE_HIP(hipModuleUnload(module));
  };
  cycle();
  const Calls calls = calls_of(cycle);
  const uint64_t expected = is_off("modules") ? 1 : 0;
  CHECK(count_of(calls, "zeModuleCreate") == expected);
  CHECK(count_of(calls, "zeModuleDestroy") == expected);
  if (!is_off("modules"))
    CHECK(calls == Calls{});
}

TEST_CASE("queue caches: a stream has a command list of its own without `queues` only") {
  const auto cycle = [] { REQUIRE_HIP(hipStreamDestroy(create_stream())); };
  cycle();
  CHECK(calls_of(cycle) ==
        (is_off("queues") ? Calls{{"zeCommandListCreateImmediate", 1}, {"zeCommandListDestroy", 1}}
                          : Calls{}));
}

TEST_CASE("queue caches: a stream's list is destroyed when its work is done, and not before") {
  HostMemory<int> number(1);
  hipFunction_t add = function("add");
  for (int i = 0; i < 10; ++i) {
    hipStream_t stream = create_stream();
    REQUIRE_HIP(launch(add, stream, 1, number.get(), 1));
    REQUIRE_HIP(hipStreamDestroy(stream));
    REQUIRE_HIP(hipDeviceSynchronize());
    if (std::getenv("CHIP_DEVICE")) // on the simulated device nothing executes
      REQUIRE(number[0] == i + 1);
  }
}

TEST_CASE("queue caches: what was freed goes back to the driver without `memory` only") {
  constexpr int times = 10;
  hipStream_t stream = create_stream();
  const auto asynchronously = [&] {
    for (size_t bytes : {4096, 3 << 20})
      for (int i = 0; i < times; ++i) {
        void *memory = nullptr;
        REQUIRE_HIP(hipMallocAsync(&memory, bytes, stream));
        REQUIRE_HIP(hipFreeAsync(memory, stream));
      }
    REQUIRE_HIP(hipDeviceSynchronize());
  };
  const auto at_once = [] {
    for (int i = 0; i < times; ++i) {
      void *memory = nullptr;
      REQUIRE_HIP(hipMalloc(&memory, 4096));
      REQUIRE_HIP(hipFree(memory));
    }
  };
  asynchronously();
  at_once();
  const Calls ordered = calls_of(asynchronously), direct = calls_of(at_once);
  const uint64_t factor = is_off("memory") ? times : 0;
  CHECK(count_of(ordered, "zeMemAllocDevice") == 2 * factor);
  CHECK(count_of(ordered, "zeMemFree") == 2 * factor);
  CHECK(count_of(direct, "zeMemAllocDevice") == factor);
  CHECK(count_of(direct, "zeMemFree") == factor);
  REQUIRE_HIP(hipStreamDestroy(stream));
}

TEST_CASE("queue caches: a launch gives the driver what the kernel has without `arguments` only") {
  HostMemory<int> number(1);
  hipStream_t stream = create_stream();
  hipFunction_t add = function("add");
  const auto once = [&] { REQUIRE_HIP(launch(add, stream, 1, number.get(), 1)); };
  once();
  const char *const name = is_off("arguments") ? "zeCommandListAppendLaunchKernelWithArguments"
                                               : "zeCommandListAppendLaunchKernel";
  CHECK(calls_of(once) == Calls{{name, 1}});
  CHECK(calls_of(once) == Calls{{name, 1}});
  REQUIRE_HIP(hipStreamSynchronize(stream));
  if (std::getenv("CHIP_DEVICE"))
    CHECK(number[0] == 3);
  REQUIRE_HIP(hipStreamDestroy(stream));
}
