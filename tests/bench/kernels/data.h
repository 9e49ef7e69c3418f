// What the cases are filled with, and how their results are compared.
#pragma once

#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace bench {

template <typename T> T *as(const Buffer &buffer) { return reinterpret_cast<T *>(buffer.data()); }

inline void fill_uniformly(const Buffer &buffer, float low, float high, uint32_t seed = 20261121) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<float> values(low, high);
  std::ranges::generate(buffer, [&] { return values(random); });
}

/// Numbers from 0 on.
inline void fill_below(const Buffer &buffer, uint32_t limit, uint32_t seed = 20261121) {
  std::minstd_rand random(seed);
  for (size_t i = 0; i < buffer.size(); ++i)
    as<uint32_t>(buffer)[i] = static_cast<uint32_t>(random() % limit);
}

/// All but the output.
inline void fill_randomly(Buffers buffers) {
  uint32_t seed = 20261121;
  for (const Buffer &buffer : buffers.first(buffers.size() - 1))
    fill_uniformly(buffer, -2, 2, seed++);
}

inline void fill_with_bits(Buffers buffers) {
  std::minstd_rand random(20261121);
  for (float &value : buffers[0]) {
    const uint32_t bits = static_cast<uint32_t>(random()) >> 8;
    std::memcpy(&value, &bits, sizeof bits);
  }
}

inline bool is_equal(Buffers output, Buffers expected) {
  return std::memcmp(output.back().data(), expected.back().data(), output.back().size_bytes()) == 0;
}

/// Sums in another order or with other mathematics differ by that much of the largest value.
inline auto close(float tolerance) {
  return [tolerance](Buffers output, Buffers expected) {
    float largest = 0;
    for (const float value : expected.back())
      largest = std::max(largest, std::fabs(value));
    return std::ranges::equal(output.back(), expected.back(), [&](float got, float wanted) {
      return std::fabs(got - wanted) <= tolerance * largest;
    });
  };
}

} // namespace bench
