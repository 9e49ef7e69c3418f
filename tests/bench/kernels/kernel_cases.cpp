#include "data.h"
#include "kernels.h"
#include "native.h"

#include <cmath>

namespace bench {
namespace {

constexpr uint32_t many = 1 << 24, edge = 4096, matrix = 512, bodies = 4096;

/// The kernel leaves a sum of each part, native one of all.
bool sums_are_right(Buffers output, Buffers expected) {
  const Buffer &in = output[0], &sums = output[1];
  const size_t part = in.size() / sums.size();
  double total = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    double sum = 0;
    for (const float value : in.subspan(i * part, part))
      sum += value;
    if (!(std::fabs(sums[i] - sum) < 1e-4))
      return false;
    total += sum;
  }
  return std::fabs(expected[1][0] - total) <= 1e-3 * in.size();
}

} // namespace

std::vector<Case> kernel_cases() {
  const auto square = [](uint32_t size, uint32_t x, uint32_t y) {
    return Extent{size / x, size / y};
  };
  const auto sum = [](Buffers b) { b[1][0] = native::sum(b[0].data(), many); };
  return {
      {"vadd_16m",
       "vadd",
       {many / 256, 1},
       {256, 1},
       {many, many, many},
       {},
       fill_randomly,
       [](Buffers b) { native::add(b[0].data(), b[1].data(), b[2].data(), many); },
       is_equal},
      {"vadd_grid_stride",
       "vadd_strided",
       {1024, 1},
       {256, 1},
       {many, many, many},
       {int{many}},
       fill_randomly,
       [](Buffers b) { native::add(b[0].data(), b[1].data(), b[2].data(), many); },
       is_equal},
      {"exp_16m",
       "exp_add",
       {many / 256, 1},
       {256, 1},
       {many, many, many},
       {},
       fill_randomly,
       [](Buffers b) { native::exp_add(b[0].data(), b[1].data(), b[2].data(), many); },
       close(1e-6f)},
      {"matmul_512_tiled",
       "matmul",
       square(matrix, 16, 16),
       {16, 16},
       {matrix * matrix, matrix * matrix, matrix * matrix},
       {int{matrix}},
       fill_randomly,
       [](Buffers b) { native::multiply_matrices(b[0].data(), b[1].data(), b[2].data(), matrix); },
       close(1e-5f)},
      {"local_reduction",
       "local_reduction",
       {many / 256, 1},
       {256, 1},
       {many, many / 256},
       {},
       fill_randomly,
       sum,
       sums_are_right},
      {"subgroup_reduction",
       "subgroup_reduction",
       {many / 256, 1},
       {256, 1},
       {many, many / 32},
       {},
       fill_randomly,
       sum,
       sums_are_right},
      {"transpose_4096",
       "transpose",
       square(edge, 16, 16),
       {16, 16},
       {edge * edge, edge * edge},
       {int{edge}},
       fill_randomly,
       [](Buffers b) { native::transpose(b[0].data(), b[1].data(), edge); },
       is_equal},
      {"stencil_2d",
       "stencil",
       square(edge, 32, 8),
       {32, 8},
       {edge * edge, edge * edge},
       {int{edge}},
       fill_randomly,
       [](Buffers b) { native::stencil(b[0].data(), b[1].data(), edge); },
       close(1e-6f)},
      {"nbody_4096",
       "nbody",
       {bodies / 256, 1},
       {256, 1},
       {4 * bodies, 4 * bodies},
       {int{bodies}},
       fill_randomly,
       [](Buffers b) { native::nbody(b[0].data(), b[1].data(), bodies); },
       close(1e-4f)},
      {"histogram_atomics",
       "histogram",
       {many / 256, 1},
       {256, 1},
       {many, 256},
       {},
       fill_with_bits,
       [](Buffers b) { native::histogram(as<uint32_t>(b[0]), as<uint32_t>(b[1]), many); },
       is_equal,
       true},
  };
}

} // namespace bench
