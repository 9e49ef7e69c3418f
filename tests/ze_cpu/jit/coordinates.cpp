#include "harness/harness.h"

#include <catch2/generators/catch_generators.hpp>

using namespace test;

TEST_CASE("ze_cpu: jit: a vector sum runs over many groups") {
  constexpr size_t n = 1 << 16;
  std::vector<float> a(n), b(n), c(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 0.5f * static_cast<float>(i);
  }
  run("coordinates", "add", line(n / 256, 256), a.data(), b.data(), c.data());
  for (size_t i = 0; i < n; ++i)
    REQUIRE(c[i] == 1.5f * static_cast<float>(i));
}

TEST_CASE("ze_cpu: jit: groups may have sizes that no vector divides") {
  uint32_t size = GENERATE(1u, 3u, 7u, 31u, 33u, 65u, 100u, 255u, 1024u);
  uint32_t n = 3 * size - 2;
  std::vector<int> in(3 * size), out(3 * size, -1);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * i);
  run("coordinates", "add_checked", line(3, size), in.data(), out.data(), n);
  for (uint32_t i = 0; i < 3 * size; ++i)
    REQUIRE(out[i] == (i < n ? in[i] + 1 : -1));
}

TEST_CASE("ze_cpu: jit: work-items know their coordinates in one, two and three dimensions") {
  Shape shape =
      GENERATE(Shape{{5, 1, 1}, {7, 1, 1}, {0, 0, 0}}, Shape{{3, 2, 1}, {5, 3, 1}, {0, 0, 0}},
               Shape{{2, 3, 4}, {3, 5, 2}, {10, 20, 30}}, Shape{{1, 1, 3}, {1, 1, 2}, {0, 0, 1}},
               Shape{{2, 3, 1}, {1, 40, 1}, {0, 0, 0}}, Shape{{2, 3, 4}, {1, 9, 2}, {10, 20, 30}});
  uint64_t total[3], items = 1;
  for (int d = 0; d < 3; ++d) {
    total[d] = uint64_t(shape.groups[d]) * shape.size[d];
    items *= total[d];
  }
  std::vector<uint64_t> out(items * 20, ~0ull);
  run("coordinates", "describe", shape, out.data());
  uint64_t dimensions = total[2] > 1 ? 3 : total[1] > 1 ? 2 : 1;
  for (uint64_t z = 0; z < total[2]; ++z)
    for (uint64_t y = 0; y < total[1]; ++y)
      for (uint64_t x = 0; x < total[0]; ++x) {
        uint64_t linear = (z * total[1] + y) * total[0] + x, at = linear * 20;
        uint64_t position[3] = {x, y, z}, local[3];
        for (int d = 0; d < 3; ++d) {
          local[d] = position[d] % shape.size[d];
          REQUIRE(out[at + d] == position[d] + shape.offset[d]);
          REQUIRE(out[at + 3 + d] == local[d]);
          REQUIRE(out[at + 6 + d] == position[d] / shape.size[d]);
          REQUIRE(out[at + 9 + d] == shape.size[d]);
          REQUIRE(out[at + 12 + d] == shape.groups[d]);
        }
        REQUIRE(out[at + 15] == dimensions);
        REQUIRE(out[at + 16] == (local[2] * shape.size[1] + local[1]) * shape.size[0] + local[0]);
        REQUIRE(out[at + 17] == linear);
        REQUIRE(out[at + 18] == 11); // beyond the third dimension: id 0, sizes 1
        REQUIRE(out[at + 19] == shape.size[0]);
      }
}

TEST_CASE("ze_cpu: jit: a dimension may be known only at run time") {
  for (uint32_t d = 0; d < 5; ++d) {
    std::vector<uint64_t> out(6);
    run("coordinates", "dimension_by_value", Shape{{1, 1, 1}, {3, 2, 1}}, out.data(), d);
    for (uint64_t i = 0; i < 6; ++i) {
      uint64_t id = d == 0 ? i % 3 : d == 1 ? i / 3 : 0, size = d == 0 ? 3 : d == 1 ? 2 : 1;
      REQUIRE(out[i] == id * 10 + size);
    }
  }
}

TEST_CASE("ze_cpu: jit: a grid without work-items runs nothing") {
  uint32_t counter = 0;
  for (Shape shape :
       {Shape{{0, 1, 1}, {8, 1, 1}}, Shape{{4, 0, 1}, {8, 1, 1}}, Shape{{4, 1, 1}, {8, 0, 1}}})
    run("coordinates", "count", shape, &counter);
  CHECK(counter == 0);
  run("coordinates", "count", line(1, 1), &counter);
  CHECK(counter == 1);
}

TEST_CASE("ze_cpu: jit: a launch of a million work-groups runs them all") {
  uint32_t counter = 0;
  run("coordinates", "count", Shape{{1024, 512, 2}, {1, 1, 1}}, &counter);
  CHECK(counter == 1u << 20);
}

TEST_CASE("ze_cpu: jit: more work-items than 64 bits count are refused") {
  const auto &nothing = code("coordinates", "nothing");
  ze_cpu::Launch launch = {&nothing, nullptr, {~0u, ~0u, ~0u}, {2, 1, 1}, {0, 0, 0}, 0};
  CHECK(execute(launch).happened);
}

TEST_CASE("ze_cpu: jit: a kernel's arguments and attributes are known before it is compiled") {
  ze_cpu::Program &module = program("coordinates");
  const ze_cpu::KernelInfo &info = module.kernels()[kernel_index(module, "required")];
  CHECK(info.required_group_size[0] == 8);
  CHECK(info.required_group_size[1] == 4);
  CHECK(info.required_group_size[2] == 2);
  CHECK(info.attributes == "reqd_work_group_size(8,4,2) intel_reqd_sub_group_size(16)");
  REQUIRE(info.arguments.size() == 5);
  using enum ze_cpu::ArgumentKind;
  CHECK(info.arguments[0].kind == pointer);
  CHECK(info.arguments[0].size == 8);
  CHECK(info.arguments[1].kind == value);
  CHECK(info.arguments[1].size == 4);
  CHECK(info.arguments[2].kind == value);
  CHECK(info.arguments[2].size == 1);
  CHECK(info.arguments[3].kind == local);
  CHECK(info.arguments[3].size == 8);
  CHECK(info.arguments[4].size == 8);
  CHECK(info.argument_bytes >= info.arguments[4].offset + 8);
  for (const ze_cpu::Argument &argument : info.arguments)
    CHECK(argument.offset % argument.size == 0);
  CHECK(footprint(code(module, "required")).sub_group_size == 16);
  std::vector<uint32_t> out(64);
  run("coordinates", "required", Shape{{1, 1, 1}, {8, 4, 2}}, out.data(), 2.5f, char(3),
      Local{64 * 4}, 4.0);
  for (uint32_t value : out)
    CHECK(value == 16 + 2 + 3 + 4);
}
