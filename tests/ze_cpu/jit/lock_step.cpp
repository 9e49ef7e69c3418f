// Lanes of a sub-group that exchange values through work-group memory without a barrier
// (jit/lock_step.h).
#include "contract/kernel_code.h"
#include "harness/harness.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

namespace {

using namespace test;

ze_cpu::Program &built(const char *module, const char *flags) {
  static std::map<std::string, std::unique_ptr<ze_cpu::Program>> programs;
  auto &entry = programs[std::string(module) + " " + flags];
  if (!entry) {
    ze_cpu::BuildResult result = ze_cpu::build_program(spirv(module), flags, {});
    if (!result)
      FAIL(result.error().log);
    entry = std::move(*result);
  }
  return *entry;
}

/// In regions, and with a fiber for each work-item.
template <class... Values>
void run_both_ways(const char *kernel, const Shape &shape, const std::function<void()> &check,
                   const Values &...values) {
  for (const char *flags : {"", "-ze-cpu-fibers"}) {
    INFO(kernel << " " << flags);
    const ze_cpu::Fault fault = try_run(built("lock_step", flags), kernel, shape, values...);
    INFO(fault.description);
    REQUIRE(!fault.happened);
    check();
  }
}

std::vector<int> numbers(size_t count) {
  std::vector<int> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = static_cast<int>(i * 7919 % 1009) - 300;
  return made;
}

/// Of each sub-group's values, what a function that goes in lock step makes.
template <class T, class Step>
void check_warps(const std::vector<T> &in, const std::vector<T> &out, uint32_t group, Step &&step) {
  for (size_t first = 0; first < in.size(); first += group)
    for (size_t lane = 0; lane < group; lane += 32) {
      const size_t begin = first + lane, count = std::min<size_t>(32, group - lane);
      std::vector<T> values(in.begin() + static_cast<ptrdiff_t>(begin),
                            in.begin() + static_cast<ptrdiff_t>(begin + count));
      step(values, lane / 32);
      for (size_t i = 0; i < count; ++i) {
        INFO("work-item " << begin + i);
        REQUIRE(out[begin + i] == values[i]);
      }
    }
}

struct Small {
  float a;
  int b, c;
};
struct Large {
  double a;
  int b[8];
};

template <class T> void check_reduction(const char *kernel) {
  const uint32_t group = GENERATE(64u, 256u);
  constexpr uint32_t groups = 3;
  std::vector<T> in(groups * group), out(groups);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<T>(i * 37 % 101); // whole numbers: exact in any order
  run_both_ways(
      kernel, line(groups, group),
      [&] {
        for (uint32_t g = 0; g < groups; ++g)
          REQUIRE(out[g] ==
                  std::accumulate(in.begin() + g * group, in.begin() + (g + 1) * group, T(0)));
      },
      out.data(), in.data());
}

} // namespace

TEST_CASE("ze_cpu: jit: the last sub-group of a reduction keeps in step") {
  SECTION("float") { check_reduction<float>("reduce_float"); }
  SECTION("int") { check_reduction<int>("reduce_int"); }
  SECTION("double") { check_reduction<double>("reduce_double"); }
  SECTION("volatile float") { check_reduction<float>("reduce_volatile_float"); }
  SECTION("volatile int") { check_reduction<int>("reduce_volatile_int"); }
}

TEST_CASE("ze_cpu: jit: work-items that do something keep in step with those that do not") {
  const uint32_t group = GENERATE(32u, 64u, 256u);
  constexpr int rounds = 5;
  const std::vector<int> in = numbers(3 * group);
  std::vector<int> out(in.size());
  run_both_ways(
      "some_take", line(3, group),
      [&] {
        check_warps(in, out, group, [](std::vector<int> &values, size_t warp) {
          for (int k = 0; k < rounds; ++k) {
            const std::vector<int> before = values;
            for (size_t i = 0; i < 32; ++i)
              if ((32 * warp + i + static_cast<size_t>(k)) % 3 != 0)
                values[i] -= before[(i + 1) % 32];
          }
        });
      },
      out.data(), in.data(), rounds);
}

TEST_CASE("ze_cpu: jit: structures are reduced in step") {
  std::vector<Small> in(512), out(16);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = {static_cast<float>(i % 13), static_cast<int>(i * 31 % 97), static_cast<int>(i % 7)};
  run_both_ways(
      "reduce_small", line(2, 256),
      [&] {
        for (size_t w = 0; w < out.size(); ++w) {
          Small sum{0, 0, 0};
          for (size_t i = 32 * w; i < 32 * w + 32; ++i)
            sum = {sum.a + in[i].a, std::max(sum.b, in[i].b), sum.c + in[i].c};
          REQUIRE(out[w].a == sum.a);
          REQUIRE(out[w].b == sum.b);
          REQUIRE(out[w].c == sum.c);
        }
      },
      out.data(), in.data());

  std::vector<Large> many(3 * 64), few(3);
  for (size_t i = 0; i < many.size(); ++i) {
    many[i].a = static_cast<double>(i);
    std::iota(many[i].b, many[i].b + 8, static_cast<int>(i));
  }
  run_both_ways(
      "reduce_large", line(3, 64),
      [&] {
        for (size_t g = 0; g < few.size(); ++g) {
          double a = 0;
          int b[8] = {};
          for (size_t i = 64 * g; i < 64 * g + 32; ++i) {
            a += many[i].a;
            for (int k = 0; k < 8; ++k)
              b[k] += many[i].b[k];
          }
          REQUIRE(few[g].a == a);
          REQUIRE(std::equal(b, b + 8, few[g].b));
        }
      },
      few.data(), many.data());
}

TEST_CASE("ze_cpu: jit: dynamic memory is reduced in step through generic pointers") {
  const int stride = GENERATE(1, 3);
  const auto width = static_cast<size_t>(stride);
  const std::vector<int> in = numbers(128 * width);
  std::vector<int> out(4 * width);
  run_both_ways(
      "reduce_generic", line(1, 128),
      [&] {
        for (size_t w = 0; w < 4; ++w)
          for (size_t k = 0; k < width; ++k) {
            int sum = 0;
            for (size_t lane = 0; lane < 32; ++lane)
              sum += in[(32 * w + lane) * width + k];
            REQUIRE(out[w * width + k] == sum);
          }
      },
      out.data(), in.data(), Local{static_cast<uint32_t>(128 * width * sizeof(int))}, stride);
}

TEST_CASE("ze_cpu: jit: sub-groups scan, sort and move values in step") {
  const uint32_t group = GENERATE(32u, 64u, 256u);
  const std::vector<int> in = numbers(3 * group);
  std::vector<int> out(in.size());
  auto check = [&](const char *kernel, auto step) {
    run_both_ways(
        kernel, line(3, group), [&] { check_warps(in, out, group, step); }, out.data(), in.data());
  };
  check("scan", [](std::vector<int> &values, size_t) {
    std::partial_sum(values.begin(), values.end(), values.begin());
  });
  check("sort", [](std::vector<int> &values, size_t) { std::sort(values.begin(), values.end()); });
  check("shift", [](std::vector<int> &values, size_t) {
    std::copy(values.begin() + 1, values.end(), values.begin());
  });
  check("overwrite", [](std::vector<int> &values, size_t) {
    std::rotate(values.begin(), values.end() - 1, values.end());
  });
  check("atomics", [](std::vector<int> &values, size_t) {
    const int sum = std::accumulate(values.begin(), values.end(), 5);
    std::fill(values.begin(), values.end(), sum);
  });
}

TEST_CASE("ze_cpu: jit: what one lane stores all lanes load") {
  const int from = GENERATE(0, 5, 31);
  const std::vector<int> in = numbers(512);
  std::vector<int> out(in.size());
  auto step = [&](std::vector<int> &values, size_t) {
    const int value = values[static_cast<size_t>(from)];
    std::fill(values.begin(), values.end(), value);
  };
  run_both_ways(
      "broadcast", line(2, 256), [&] { check_warps(in, out, 256, step); }, out.data(), in.data(),
      from, 0);
}

TEST_CASE("ze_cpu: jit: sub-groups scan in step with room in front") {
  std::vector<float> in(512), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i * 37 % 101);
  run_both_ways(
      "scan_padded", line(2, 256),
      [&] {
        check_warps(in, out, 256, [](std::vector<float> &values, size_t) {
          std::partial_sum(values.begin(), values.end(), values.begin());
        });
      },
      out.data(), in.data(), 32);
}

TEST_CASE("ze_cpu: jit: a loop that not all sub-groups enter keeps in step") {
  const uint32_t group = GENERATE(20u, 32u, 40u, 64u, 200u, 256u);
  const std::vector<int> in = numbers(2 * group);
  std::vector<int> out(in.size());
  auto step = [&](std::vector<int> &values, size_t warp) {
    if (!(warp & 1) && group > 64)
      return;
    for (size_t round = 0; round < 3 + warp; ++round) {
      const std::vector<int> before = values;
      for (size_t i = 0; i < values.size(); ++i) {
        const int left = i > 0 ? before[i - 1] : 0,
                  right = i + 1 < values.size() ? before[i + 1] : 0;
        values[i] = left + 2 * before[i] - right;
      }
    }
  };
  run_both_ways(
      "stencil", line(2, group), [&] { check_warps(in, out, group, step); }, out.data(), in.data());
}

TEST_CASE("ze_cpu: jit: structures are copied in step") {
  std::vector<Large> in(128), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    in[i].a = static_cast<double>(i);
    std::iota(in[i].b, in[i].b + 8, static_cast<int>(i));
  }
  run_both_ways(
      "shift_large", line(2, 64),
      [&] {
        for (size_t i = 0; i < in.size(); ++i) {
          const size_t from = i % 32 < 31 ? i + 1 : i;
          REQUIRE(out[i].a == in[from].a);
          REQUIRE(std::equal(in[from].b, in[from].b + 8, out[i].b));
        }
      },
      out.data(), in.data());
}

TEST_CASE("ze_cpu: jit: all lanes read what one of them then changes") {
  constexpr int rounds = 5;
  std::vector<int> out(512);
  run_both_ways(
      "count", line(2, 256),
      [&] {
        for (int seen : out)
          REQUIRE(seen == 1001 * (0 + 1 + 2 + 3 + 4));
      },
      out.data(), rounds);
}

TEST_CASE("ze_cpu: jit: of the lanes that store to one place, one finds its own value there") {
  const std::vector<int> in = numbers(256);
  std::vector<int> out(in.size());
  run_both_ways(
      "winner", line(1, 256),
      [&] {
        for (size_t warp = 0; warp < 8; ++warp) {
          int winners[32] = {}, wanted[32] = {};
          for (size_t i = 32 * warp; i < 32 * warp + 32; ++i) {
            wanted[in[i] & 31] = 1;
            winners[in[i] & 31] += out[i];
          }
          REQUIRE(std::equal(winners, winners + 32, wanted));
        }
      },
      out.data(), in.data(), in.data());
}

TEST_CASE("ze_cpu: jit: lanes that meet behind a condition read what the others stored before") {
  constexpr int rounds = 5;
  const std::vector<int> in = numbers(512);
  std::vector<int> wanted = in, out(in.size());
  for (size_t four = 0; four < in.size(); four += 4)
    for (int round = 0; round < rounds; ++round)
      if (in[four] >> round & 1) {
        int moved[4];
        for (size_t i = 0; i < 4; ++i)
          moved[i] = wanted[four + (i ^ 1)] + 3;
        for (size_t i = 0; i < 4; ++i)
          wanted[four + i] = moved[i] + moved[i ^ 2];
      }
  run_both_ways(
      "fours", line(2, 256), [&] { REQUIRE(out == wanted); }, out.data(), in.data(), rounds);
}

TEST_CASE("ze_cpu: jit: atomic updates are not taken apart where lanes keep in step") {
  const std::vector<int> in = numbers(512);
  std::vector<int> out(16), bins(16);
  for (size_t i = 0; i < in.size(); ++i)
    ++bins[8 * (i / 256) + (static_cast<size_t>(in[i]) & 7)];
  run_both_ways(
      "atomics_and_fences", line(2, 256), [&] { REQUIRE(out == bins); }, out.data(), in.data());
}

TEST_CASE("ze_cpu: jit: only kernels whose lanes may exchange values are kept in step",
          "[any-code]") {
  // Compared is what the optimiser would be given: there is no need to run it.
  auto is_as_before = [](const char *module, const std::string &kernel) {
    return code(built(module, "-ze-opt-disable"), kernel).instructions ==
           code(built(module, "-ze-opt-disable -ze-cpu-no-lock-step"), kernel).instructions;
  };
  for (const char *kernel :
       {"own_slot", "own_slot_2d", "own_strided", "own_bins", "histogram", "tiles", "transpose",
        "tree", "tree_of_maxima", "tree_unrolled", "tree_strided", "scan_tree", "scan_in_steps",
        "sort_with_barriers", "first_alone", "halo"}) {
    INFO(kernel);
    CHECK(is_as_before("lock_step", kernel));
  }
  for (const char *kernel :
       {"reduce_float", "reduce_volatile_int", "reduce_small", "reduce_large", "reduce_generic",
        "scan", "scan_padded", "sort", "stencil", "shift", "shift_large", "broadcast", "count",
        "winner", "atomics", "overwrite"}) {
    INFO(kernel);
    CHECK_FALSE(is_as_before("lock_step", kernel));
  }
  for (const char *module : {"bench", "interchange", "nontemporal_stores", "subgroups"})
    for (const ze_cpu::KernelInfo &kernel : built(module, "-ze-opt-disable").kernels()) {
      INFO(module << " " << kernel.name);
      CHECK(is_as_before(module, kernel.name));
    }
}
