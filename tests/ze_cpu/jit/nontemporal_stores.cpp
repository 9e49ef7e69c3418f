// Stores past the caches (jit/loops/nontemporal_stores.h). The whole suite runs with
// ZE_CPU_NONTEMPORAL_KB=1 too, where small launches do so.
#include "contract/kernel_code.h"
#include "exec/caches.h"
#include "harness/harness.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cstdlib>
#include <numeric>

namespace {

using namespace test;

TEST_CASE("ze_cpu: jit: kernels are compiled to store past the caches where they can") {
  // While memory is checked each access may end the kernel.
  const uint32_t unchecked = std::getenv("ZE_CPU_CHECK") == nullptr;
  // For the processors that the environment chooses, and for each that can be compiled for.
  using ze_cpu::Architecture;
  std::vector<Architecture> architectures = levels();
  architectures.push_back(ze_cpu::architecture_from_environment());
  const Architecture architecture = GENERATE_COPY(from_range(architectures));
  const std::string name = ze_cpu::name_of(architecture);
  INFO(name);
  const auto program = fresh_program("nontemporal_stores", "-ze-cpu-arch=" + name);
  const auto bytes = [&](const char *kernel) { return code(*program, kernel).nontemporal_bytes; };
  // What is guarded takes stores with masks. Of AArch64's processors, those with SVE have them.
  const bool has_masks = architecture != Architecture::native
                             ? architecture != Architecture::x86_64_v2
                         : levels().empty() ? bytes("guarded") != 0
                                            : ze_cpu::is_executable(Architecture::x86_64_v3);
  const uint32_t masked = unchecked && has_masks;
  CHECK(bytes("add") == 4 * unchecked);
  CHECK(bytes("widen") == 8 * unchecked);
  // Many numbers become bytes in few instructions only where there is AVX-512 VBMI, which no level
  // has.
  if (unchecked && architecture == Architecture::native)
    CHECK((bytes("narrow") == 0 || bytes("narrow") == 1));
  else
    CHECK(bytes("narrow") == 0);
  CHECK(bytes("split") == 8 * unchecked);
  CHECK(bytes("rows") == 4 * unchecked);
  CHECK(bytes("guarded") == 4 * masked);
  CHECK(bytes("partly_guarded") == 8 * masked);
  CHECK(bytes("signal_too") == 0);
  CHECK(bytes("in_place") == 0);
  CHECK(bytes("every_second") == 0);
  CHECK(bytes("backwards") == 0);
  CHECK(bytes("again_and_again") == 0);
  CHECK(bytes("some") == 0);
  CHECK(bytes("five") == 0);
  CHECK(bytes("by_local") == 0);
}

TEST_CASE("ze_cpu: jit: launches that write more than the caches hold store past them") {
  const ze_cpu::KernelCode &add = code("nontemporal_stores", "add");
  const uint64_t groups = (ze_cpu::nontemporal_threshold() + 1023) / 1024;
  REQUIRE(groups <= UINT32_MAX);
  ze_cpu::GroupContext group = {};
  ze_cpu::Launch launch = {&add, nullptr, {uint32_t(groups), 1, 1}, {256, 1, 1}, {}, 0};
  describe(launch, group);
  CHECK((group.nontemporal_stores != 0) == (add.nontemporal_bytes != 0));
  launch.groups[0] -= 1;
  launch.groups[0] = std::max(launch.groups[0], 1u);
  launch.group_size[0] = 255;
  describe(launch, group);
  CHECK(group.nontemporal_stores == 0);
  launch.code = &code("nontemporal_stores", "in_place");
  launch.groups[0] = UINT32_MAX;
  describe(launch, group);
  CHECK(group.nontemporal_stores == 0);
}

// Wherever the memory begins, and however much of it a group writes.
TEST_CASE("ze_cpu: jit: stores past the caches write what they are to, and nothing else") {
  const uint32_t size = GENERATE(1u, 16u, 100u, 256u, 1024u), groups = 9;
  const size_t shift = GENERATE(0u, 1u, 3u, 8u, 16u);
  const size_t count = size_t{size} * groups;
  std::vector<int> in(count), raw(count + 64, -1), raw_too = raw;
  std::iota(in.begin(), in.end(), 1000);
  int *out = raw.data(), *too = raw_too.data();
  while (reinterpret_cast<uintptr_t>(out) % 64 != 0)
    ++out;
  while (reinterpret_cast<uintptr_t>(too) % 64 != 0)
    ++too;
  out += shift;

  run("nontemporal_stores", "split", line(groups, size), in.data(), out, too);
  for (size_t i = 0; i < count; ++i) {
    REQUIRE(out[i] == in[i] + 7);
    REQUIRE(too[i] == in[i] - 7);
  }
  run("nontemporal_stores", "rows", {{3, 3, 1}, {size, 1, 1}}, in.data(), out);
  for (size_t i = 0; i < count; ++i)
    REQUIRE(out[i] == 3 * in[i] + int(i / (3 * size)));
  std::vector<float> from(count);
  std::iota(from.begin(), from.end(), 1.0f);
  auto *floats = reinterpret_cast<float *>(out);
  const int guarded = int(count) - 5;
  std::memset(out, 0, count * sizeof *out);
  run("nontemporal_stores", "guarded", line(groups, size), from.data(), floats, guarded);
  for (int i = 0; i < int(count); ++i)
    REQUIRE(floats[i] == (i < guarded ? -from[size_t(i)] : 0));
  std::memset(out, 0, count * sizeof *out);
  std::memset(too, 0, count * sizeof *too);
  run("nontemporal_stores", "partly_guarded", line(groups, size), in.data(), out, too, guarded);
  for (int i = 0; i < int(count); ++i) {
    REQUIRE(out[i] == i);
    REQUIRE(too[i] == (i < guarded ? in[size_t(i)] - i : 0));
  }
  CHECK(std::all_of(raw.data(), out, [](int value) { return value == -1; }));
  CHECK(std::all_of(out + count, raw.data() + raw.size(), [](int value) { return value == -1; }));
  CHECK(std::all_of(too + count, raw_too.data() + raw_too.size(),
                    [](int value) { return value == -1; }));
}

} // namespace
