// Parts of the CPU driver below the interface.
#include "../../src/ze_cpu/memory/processor_memory.h"
#include "../../src/ze_driver/memory/allocations.h"

#include <catch2/catch_test_macros.hpp>

using namespace ze_cpu;
using namespace ze_driver;

TEST_CASE("ze_cpu: guarded allocations remember what was freed, and where everything ends") {
  ProcessorMemory host(true);
  Allocations allocations(host);
  const int owner = 0;
  auto *memory = static_cast<char *>(allocations.allocate(100, 0, MemoryKind::shared, &owner));
  const auto base = reinterpret_cast<uintptr_t>(memory);
  const auto contains = [](const std::string &text, const char *part) {
    return text.find(part) != text.npos;
  };
  CHECK(base % 64 == 0);
  CHECK((base + 100 + 63) / 64 * 64 % page_bytes() == 0);
  CHECK(allocations.covers(base, 100));
  CHECK(allocations.covers(base + 99, 1));
  CHECK_FALSE(allocations.covers(base, 101));
  CHECK_FALSE(allocations.covers(base + 1, SIZE_MAX));
  CHECK_FALSE(allocations.covers(base - 1, 1));
  CHECK_FALSE(allocations.overrun(memory, 100));
  CHECK(allocations.overrun(memory + 10, 91) == base + 100);
  CHECK(allocations.overrun(memory - 1, 1) == base - 1);
  CHECK_FALSE(allocations.overrun(&owner, 1000));
  CHECK(contains(allocations.describe(base + 100), "0 bytes behind the 100-byte shared"));
  CHECK_FALSE(contains(allocations.describe(base + 100), "program itself"));
  CHECK(contains(allocations.describe(reinterpret_cast<uintptr_t>(&owner)), "program itself"));

  CHECK(allocations.free(memory, &owner));
  CHECK_FALSE(allocations.covers(base, 1));
  CHECK(contains(allocations.describe(base + 50), "inside the 100-byte shared allocation"));
  CHECK(contains(allocations.describe(base + 50), "was freed"));
  CHECK_FALSE(allocations.free(memory, &owner));

  const int variable[2] = {};
  const auto address = reinterpret_cast<uintptr_t>(variable);
  allocations.add_variable(variable, sizeof variable, "two");
  CHECK(allocations.covers(address + 4, 4));
  CHECK_FALSE(allocations.covers(address + 4, 5));
  CHECK(allocations.describe(address + 7) == "inside the variable two");
  CHECK_FALSE(allocations.overrun(variable, 8));
  CHECK(allocations.overrun(&variable[1], 5) == address + 8);
  allocations.remove_variable(variable);
  CHECK_FALSE(allocations.covers(address + 4, 4));
}
